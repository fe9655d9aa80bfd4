//! What is allowed: settings, their defaults, and how a project's file may tighten but not loosen them. Pure.

mod settings;

pub use settings::*;

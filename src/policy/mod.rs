//! What is allowed: settings, their defaults, and how a project's file may tighten but not loosen them. Pure.

mod error;
mod evidence;
mod interventions;
mod kind;
mod layer;
mod merge;
mod schema;
mod section;
mod settings;
mod step_reviewer;
mod stricter;

pub use error::Error;
pub use evidence::evidence_hash;
pub use interventions::*;
pub use kind::Kind;
pub use layer::{Flat, Layer, Rejected, flatten};
pub use merge::{Effective, Ignored, ProjectLayer, effective};
pub use schema::{KEYS, Key, LAYOUT, Wired, key};
pub use settings::*;
pub use step_reviewer::*;
pub use stricter::{Refusal, Stricter};

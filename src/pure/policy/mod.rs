//! Settings and their defaults; a project's file may tighten them, but not loosen them. Pure.

mod error;
mod evidence;
mod interventions;
mod kind;
mod layer;
mod loop_number;
mod merge;
mod schema;
mod section;
mod settings;
mod step_reviewer;
mod stricter;

pub(crate) use error::Error;
pub(crate) use evidence::evidence_hash;
pub use interventions::*;
pub use kind::KeyKind;
pub use layer::flatten;
pub(crate) use layer::{Layer, Rejected};
pub use loop_number::LoopNumber;
pub use merge::{Effective, IgnoredSetting, ProjectLayer, effective};
pub(crate) use schema::LAYOUT;
pub use schema::{KEYS, SettingsKey};
pub use settings::*;
pub use step_reviewer::*;
pub use stricter::{LooserValue, Stricter};

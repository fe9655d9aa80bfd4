//! File list and manifests to the checks that a project has. Pure.

mod cargo;
mod check_kind;
mod checks;
mod manifests;
mod node;
mod plan;

pub use check_kind::CheckKind;
pub use checks::Checks;
pub use manifests::{Manifest, Manifests};
pub use plan::{Plan, Planned};

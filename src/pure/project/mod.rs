//! File list and manifests to the checks that a project has. Pure.

#[cfg(feature = "cli")]
mod affected;
mod check_kind;
#[cfg(feature = "cli")]
mod checks;
#[cfg(feature = "cli")]
mod ecosystems;
#[cfg(feature = "cli")]
mod folder;
mod json_comments;
#[cfg(feature = "cli")]
mod manifests;
#[cfg(feature = "cli")]
mod plan;
#[cfg(feature = "cli")]
mod script;
#[cfg(feature = "cli")]
mod tasks;

#[cfg(all(test, feature = "cli"))]
mod tests;

#[cfg(feature = "cli")]
pub(crate) use affected::AffectedBy;
pub(crate) use check_kind::CheckKind;
#[cfg(feature = "cli")]
pub(crate) use checks::Checks;
#[cfg(feature = "cli")]
use folder::ProjectFolder;
pub(crate) use json_comments::without_comments;
#[cfg(feature = "cli")]
pub(crate) use manifests::{Manifest, Manifests};
#[cfg(feature = "cli")]
pub(crate) use plan::{CheckCommand, CheckPlan, PlannedCheck, Success};

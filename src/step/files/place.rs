//! Where an action happens.

use crate::step::protected::Protected;
use camino::Utf8PathBuf;

/// Everything about the surroundings that an action's meaning depends on.
#[derive(Debug, Clone)]
pub struct Place {
    pub project: Utf8PathBuf,
    pub cwd: Utf8PathBuf,
    pub home: Utf8PathBuf,
    pub protected: Protected,
}

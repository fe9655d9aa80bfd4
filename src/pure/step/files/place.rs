//! The surroundings of a tool call.

use crate::pure::step::protected::Protected;
use camino::Utf8PathBuf;

/// The directories and protected files that the meaning of a tool call depends on.
#[derive(Debug, Clone)]
pub struct Place {
    pub project: Utf8PathBuf,
    pub cwd: Utf8PathBuf,
    pub home: Utf8PathBuf,
    pub protected: Protected,
}

//! The requirements that attestations have to meet. They come from the base of the change.

use crate::app::failure::Failure;
use crate::edge::clock;
use crate::edge::repo::{Git, file_at};
use crate::pure::attestation::{AttestedPolicy, Requirement};
use crate::pure::policy::{LoopNumber, Settings};
use crate::pure::review::ObjectId;
use camino::Utf8Path;

/// Beside the project's configuration, in ssh's format.
const SIGNERS: &str = "allowed-signers";

/// Who may sign, as the base says; nothing if it does not say.
pub(crate) fn signers_at(
    git: &Git,
    base: Option<&ObjectId>,
    project_config: &Utf8Path,
) -> Result<Option<Vec<u8>>, Failure> {
    let Some(base) = base else { return Ok(None) };
    Ok(file_at(git, base, project_config.with_file_name(SIGNERS).as_str())?)
}

/// By the settings that the base puts into force. Loops in `elsewhere` are shown in another way.
pub(crate) fn requirement(settings: &Settings, elsewhere: &[LoopNumber]) -> Requirement {
    let loops = settings.blocking.required_loops.iter().copied();
    Requirement {
        policy: AttestedPolicy::of(settings),
        loops: loops.filter(|number| !elsewhere.contains(number)).collect(),
        max_age_days: settings.attestation.max_age_days,
        now: clock::now(),
    }
}

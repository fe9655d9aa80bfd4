//! The page of a team: gathers the attestations of a branch, and what this machine knows about interruptions.

use super::stats::{StatsScope, stats};
use crate::app::attestation::recorded;
use crate::app::failure::{Failure, NoRepository};
use crate::app::workspace::Workspace;
use crate::edge::clock;
use crate::edge::file;
use crate::edge::repo::{commit, history};
use crate::pure::report::TeamPage;
use camino::Utf8PathBuf;

/// Of more commits, the newest are shown.
const COMMITS: usize = 20_000;
const SIGNERS_LIMIT: u64 = 1024 * 1024;

pub struct TeamRequest {
    pub revision: String,
    /// Instead of the list at that revision.
    pub allowed_signers: Option<Utf8PathBuf>,
}

/// The page, and whether there is any attestation to show.
pub fn team_page(workspace: &Workspace, request: &TeamRequest) -> Result<String, Failure> {
    let git = workspace.git()?.ok_or(NoRepository)?;
    let tip = commit(&git, &request.revision)?;
    let list = request.allowed_signers.as_ref().map(|path| {
        file::read(path, SIGNERS_LIMIT).map_err(|error| format!("could not read {path}: {error}"))
    });
    let history = history(&git, &tip.id, COMMITS)?;
    let recorded = recorded(&git, &history, list.transpose()?, &workspace.project_config())?;
    let stats = stats(workspace, &StatsScope::Project)?;
    let page = TeamPage {
        project: workspace.project.file_name().unwrap_or(workspace.project.as_str()),
        revision: &request.revision,
        time: &clock::timestamp(),
        history: &history,
        reviews: &recorded.reviews,
        unreadable: recorded.unreadable,
        checked: recorded.checked,
        calls: stats.total_reviews,
        interruptions: stats.interruptions,
    };
    Ok(page.html())
}

//! The unified report of a content: asks the gate, reads the receipts, and keeps the readable copies up to date.

use super::change::Change;
use super::guards::guards;
use crate::app::failure::Failure;
use crate::app::gate::judge;
use crate::app::workspace::Workspace;
use crate::edge::clock;
use crate::edge::file::real_paths::real_path;
use crate::edge::repo::commit;
use crate::edge::state;
use crate::pure::report::{Log, Occasion, Sources, UnifiedReport, loop_state};
use camino::Utf8PathBuf;
use time::OffsetDateTime;

/// Everything that is known about this change.
pub fn report(workspace: &Workspace, change: &Change) -> Result<UnifiedReport, Failure> {
    let judged = judge::worktree(workspace, &change.scope.left_out);
    let reasons = judged.verdict.reasons();
    let sources = Sources {
        evidence: &judged.evidence,
        settings: &change.settings,
        tree: &change.snapshot.tree,
        pairs: &change.pairs,
        reasons,
    };
    let occasion = Occasion {
        time: clock::timestamp(),
        branch: change.branch.clone(),
        head: commit(&change.git, "HEAD").ok().map(|commit| commit.id),
        base: change.base.commit.clone(),
        remedy: judged.verdict.next_step(&workspace.command("review"), &workspace.command("ship")),
    };
    Ok(UnifiedReport::new(&sources, occasion, guards(change)?))
}

/// Writes `loop-state.json`, and a log if something has begun.
pub(crate) fn write_copies(
    workspace: &Workspace,
    change: &Change,
    report: &UnifiedReport,
    began: Option<OffsetDateTime>,
) -> Result<(), Failure> {
    let paths = &change.settings.paths;
    let view = own_folder(workspace, &paths.state_dir)?.join("loop-state.json");
    state::write_json(&view, &loop_state(report))?;
    if let Some(Log { name, text }) = began.and_then(|began| Log::of(report, began, &change.settings)) {
        state::write_text(&own_folder(workspace, &paths.log_dir)?.join(name), &text)?;
    }
    Ok(())
}

/// A folder for readable copies. It hides itself from git, and no link may lead it out of the project.
pub(crate) fn own_folder(workspace: &Workspace, name: &str) -> Result<Utf8PathBuf, Failure> {
    let folder = real_path(&workspace.project.join(name));
    if !folder.starts_with(real_path(&workspace.project)) {
        return Err(format!("{name} leads out of the project, to {folder}").into());
    }
    let ignore = folder.join(".gitignore");
    if !ignore.exists() {
        state::write_text(&ignore, "*\n")?;
    }
    Ok(folder)
}

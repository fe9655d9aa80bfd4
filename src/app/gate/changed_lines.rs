//! Which lines a stale review has not seen, for a person who asks why.

use super::judge::worktree;
use crate::app::workspace::Workspace;
use crate::edge::file;
use crate::edge::repo::{Content, Git, objects};
use crate::pure::gate::GateReason;
use crate::pure::review::GitPath;

const FILE_LIMIT: u64 = 4 * 1024 * 1024;

/// Which lines of the changed files differ from what was reviewed, for a person.
pub fn changed_lines(workspace: &Workspace, reason: &GateReason) -> Vec<String> {
    let GateReason::Stale { number, files, .. } = reason else { return Vec::new() };
    let judged = worktree(workspace, &[]);
    let (Some((receipt, _)), Some(repo)) = (judged.evidence.last_run(*number), workspace.repo.clone()) else {
        return Vec::new();
    };
    let git = Git::open(repo);
    let reviewed = |path: &GitPath| {
        let side = receipt.pairs.iter().find(|pair| pair.path == *path)?.new.clone()?;
        match objects(&git, &[side.id], FILE_LIMIT).ok()?.next()?.ok()? {
            (_, Content::Bytes(bytes)) => Some(bytes),
            (_, Content::TooLarge(_)) => None,
        }
    };
    let lines = |path: &GitPath| {
        let now = file::read(workspace.project.join(path.to_string()), FILE_LIMIT).ok()?;
        let ranges = crate::edge::repo::changed_lines(&reviewed(path)?, &now);
        let ranges: Vec<String> = ranges
            .iter()
            .map(|range| format!("{}-{}", range.start, range.end.saturating_sub(1).max(range.start)))
            .collect();
        Some(format!("{path}: lines {}", ranges.join(", ")))
    };
    files.iter().take(10).filter_map(lines).collect()
}

//! Which lines a stale review has not seen, for a person who asks why.

use super::judge::GateResult;
use crate::app::workspace::Workspace;
use crate::edge::file;
use crate::edge::repo::{Content, Git, objects};
use crate::pure::gate::GateReason;
use crate::pure::review::{GitPath, Pair};

const FILE_LIMIT: u64 = 4 * 1024 * 1024;

/// Which lines of the changed files differ from what was reviewed, for a person.
pub fn changed_lines(workspace: &Workspace, judged: &GateResult, reason: &GateReason) -> Vec<String> {
    let GateReason::Stale { number, files, .. } = reason else { return Vec::new() };
    let (Some((receipt, _)), Some(repo)) = (judged.evidence.last_run(*number), workspace.repo.clone()) else {
        return Vec::new();
    };
    let git = Git::open(repo);
    let content = |pairs: &[Pair], path: &GitPath| {
        let side = pairs.iter().find(|pair| pair.path == *path)?.new.clone()?;
        match objects(&git, &[side.id], FILE_LIMIT).ok()?.next()?.ok()? {
            (_, Content::Bytes(bytes)) => Some(bytes),
            (_, Content::TooLarge(_)) => None,
        }
    };
    let lines = |path: &GitPath| {
        let committed = judged.tips.iter().find_map(|tip| content(&tip.pairs, path));
        let now =
            committed.or_else(|| file::read(workspace.project.join(path.to_string()), FILE_LIMIT).ok())?;
        let ranges = crate::edge::repo::changed_lines(&content(&receipt.pairs, path)?, &now);
        let ranges: Vec<String> = ranges
            .iter()
            .map(|range| format!("{}-{}", range.start, range.end.saturating_sub(1).max(range.start)))
            .collect();
        // Only the mode differs, or one side has no lines.
        (!ranges.is_empty()).then(|| format!("{path}: lines {}", ranges.join(", ")))
    };
    files.iter().take(10).filter_map(lines).collect()
}

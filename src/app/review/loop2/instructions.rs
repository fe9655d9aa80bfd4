//! Instruction files that reach the reviewer beside its prompt: listed with their digests, and a finding where the change touches one.

use crate::app::failure::Failure;
use crate::app::review::change::Change;
use crate::app::workspace::Workspace;
use crate::edge::file;
use crate::edge::file::folder::entries;
use crate::edge::repo::{Content, Depth, file_at, names};
use crate::pure::review::{Finding, FindingSeverity, is_instruction, speaks_of_reviews};
use crate::pure::text::short_digest;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeSet;

const LIMIT: u64 = 1024 * 1024;
const LISTED: usize = 60;
const DIGEST: usize = 16;

/// A line for each file, with the digest of its content. Those of the project first.
pub(crate) fn instructions(workspace: &Workspace, change: &Change) -> Result<Vec<String>, Failure> {
    let git = change.snapshot.git();
    let mut lines = Vec::new();
    let mut tracked = BTreeSet::new();
    for path in names(git, &change.snapshot.tree, &[], Depth::All)?.into_iter().filter(is_instruction) {
        let content = file_at(git, &change.snapshot.tree.0, &path.to_string());
        let changed = change.pairs.iter().any(|pair| pair.path == path);
        let note = if changed { ", changed by this change" } else { "" };
        lines.push(format!(
            "{path} ({}{note})",
            content.ok().flatten().map_or("unreadable".into(), |bytes| short_digest(&bytes, DIGEST))
        ));
        tracked.insert(workspace.project.join(path.to_string()));
    }
    for path in outside(workspace).into_iter().filter(|path| !tracked.contains(path)) {
        if let Ok(bytes) = file::read(&path, LIMIT) {
            lines.push(format!(
                "{} ({}, not part of the project)",
                workspace.shown(&path),
                short_digest(&bytes, DIGEST)
            ));
        }
    }
    let more = lines.len().saturating_sub(LISTED);
    lines.truncate(LISTED);
    lines.extend((more > 0).then(|| format!("and {more} more")));
    Ok(lines)
}

/// Findings about instruction files that the change adds or changes. One that speaks of reviews may not ship unseen.
pub(crate) fn changed_instructions(change: &Change) -> Result<Vec<Finding>, Failure> {
    let mut findings = Vec::new();
    for pair in change.pairs.iter().filter(|pair| is_instruction(&pair.path)) {
        let Some(new) = pair.new.as_ref().filter(|side| !side.is_submodule()) else { continue };
        let content = change.snapshot.blobs(std::slice::from_ref(&new.id), LIMIT)?.next().transpose()?;
        let speaks = match content {
            Some((_, Content::Bytes(bytes))) => speaks_of_reviews(&String::from_utf8_lossy(&bytes)),
            Some((_, Content::TooLarge(_))) | None => true,
        };
        let (severity, why) = match speaks {
            true => (
                FindingSeverity::Critical,
                "This file reaches every agent, the reviewer included, and speaks of reviews.",
            ),
            false => (FindingSeverity::Major, "This file reaches every agent, the reviewer included."),
        };
        let finding = Finding::new(severity, "security", why);
        findings.push(Finding { file: Some(pair.path.to_string()), ..finding });
    }
    Ok(findings)
}

/// Where the client looks outside of what git tracks.
fn outside(workspace: &Workspace) -> Vec<Utf8PathBuf> {
    let home = &workspace.environment.claude_home;
    let mut places: Vec<Utf8PathBuf> = Vec::new();
    for folder in workspace.project.ancestors() {
        places.extend(["CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md"].map(|name| folder.join(name)));
        places.extend(markdown(&folder.join(".claude/rules")));
    }
    places.push(home.join("CLAUDE.md"));
    places.extend(markdown(&home.join("rules")));
    places.extend(markdown(&home.join("output-styles")));
    let slug: String =
        workspace.project.as_str().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    places.extend(markdown(&home.join("projects").join(slug).join("memory")));
    places
}

fn markdown(folder: &Utf8Path) -> Vec<Utf8PathBuf> {
    let mut files = entries(folder);
    files.retain(|file| file.extension() == Some("md"));
    files.sort();
    files
}

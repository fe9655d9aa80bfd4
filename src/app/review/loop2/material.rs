//! The material that a reviewer gets about a change: the diff of unread files, and their surroundings. No secrets.

use super::story::Story;
use crate::app::failure::Failure;
use crate::app::review::change::Change;
use crate::app::review::guards::guards;
use crate::edge::repo::{Content, Depth, diff, file_at, names};
use crate::pure::review::loop2::{
    ContextRound, Decoded, Index, RoundLimits, SPEC_FOLDERS, Section, ShownPart, decoded, diff_summary,
    matching, stack, without_values,
};
use crate::pure::review::{GitPath, ObjectId, Pair, Side, TrackedFinding};
use crate::pure::secret::redact_code;
use crate::pure::step::secret_at;
use camino::Utf8Path;
use std::collections::{BTreeMap, BTreeSet};

/// A text file over this is nothing that anybody reads.
const TEXT_LIMIT: u64 = 4 * 1024 * 1024;
const LOOKED_AT_FOR_NUL: usize = 8 * 1024;
/// Paths in one call of git.
const BATCH: usize = 100;
const GROUP_BYTES: u64 = 16 * 1024 * 1024;
const FOLDERS: usize = 20;
const SPEC_LINES: usize = 700;
const SPEC_BYTES: usize = 40 * 1024;

/// A change that is read this time, with everything known about it.
pub(crate) struct Material {
    pub round: ContextRound,
    pub index: Index,
    /// Specifications, by path.
    pub specs: Vec<(String, String)>,
}

/// Facts about a blob without its content.
struct Blob {
    bytes: u64,
    kind: Kind,
    /// The text of a file that git takes for binary.
    decoded: Option<Decoded>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Binary,
    TooLarge,
}

pub(crate) fn gather(
    change: &Change,
    unread: &[&Pair],
    open: &[TrackedFinding],
    goal: Option<String>,
) -> Result<Material, Failure> {
    let mut round = ContextRound::new(RoundLimits::default());
    for batch in unread.chunks(BATCH) {
        if round.is_full() {
            round.later.extend(batch.iter().map(|pair| pair.path.clone()));
            continue;
        }
        sections(change, batch)?.into_iter().for_each(|section| round.add(section));
    }
    let round = round.finish();
    let specs = specs(change)?;
    let story = Story::of(change)?;
    let index = Index {
        branch: change.branch.clone().unwrap_or_else(|| "detached HEAD".into()),
        base: if change.base.name.is_empty() {
            "nothing: all is new".into()
        } else {
            change.base.name.clone()
        },
        stack: stack(&shown(&names(change.snapshot.git(), &change.snapshot.tree, &[], Depth::One)?)),
        files: round.sections.iter().map(Section::title).collect(),
        reused: change.pairs.len().saturating_sub(unread.len()),
        later: round.later.len(),
        sensitive: guards(change)?.iter().map(ToString::to_string).collect(),
        commits: story.commits,
        tags: story.tags,
        drafts: story.drafts,
        tree: beside(change, &round)?,
        open: open.iter().map(open_line).collect(),
        goal,
        ..Index::default()
    };
    Ok(Material { round, index, specs })
}

fn shown(paths: &[GitPath]) -> Vec<String> {
    paths.iter().map(ToString::to_string).collect()
}

fn open_line(tracked: &TrackedFinding) -> String {
    let finding = &tracked.finding;
    Index::open_finding(
        tracked.id.as_str(),
        finding.severity.word(),
        &finding.place().unwrap_or_default(),
        finding.quote.as_deref().unwrap_or_default(),
        &finding.message,
    )
}

fn sections(change: &Change, pairs: &[&Pair]) -> Result<Vec<Section>, Failure> {
    let blobs = blobs(change, pairs)?;
    let kind_of = |pair: &Pair| {
        let sides = [&pair.old, &pair.new].into_iter().flatten();
        let kinds: Vec<Kind> = sides.filter_map(|side| blobs.get(&side.id)).map(|blob| blob.kind).collect();
        [Kind::TooLarge, Kind::Binary].into_iter().find(|kind| kinds.contains(kind)).unwrap_or(Kind::Text)
    };
    let is_readable = |pair: &&&Pair| kind_of(pair) == Kind::Text;
    let size = |pair: &Pair| -> u64 {
        let sides = [&pair.old, &pair.new].into_iter().flatten();
        sides.filter_map(|side| blobs.get(&side.id)).map(|blob| blob.bytes).sum()
    };
    let readable = pairs.iter().filter(is_readable).map(|pair| (&pair.path, size(pair)));
    let mut diffs = BTreeMap::new();
    for paths in groups(readable) {
        let git = change.snapshot.git();
        diffs.extend(diff(git, change.base.tree.as_ref(), &change.snapshot.content, &paths)?);
    }
    let section = |pair: &&Pair| {
        let new = pair.new.as_ref().and_then(|side| blobs.get(&side.id));
        let bytes = new.map_or(0, |blob| blob.bytes);
        match kind_of(pair) {
            Kind::Binary => binary_section(pair, &blobs, bytes),
            Kind::TooLarge => {
                let why = format!("none of its lines, it has more than {} MiB", TEXT_LIMIT >> 20);
                Section::new(pair, bytes, Vec::new(), ShownPart::Beginning(why))
            }
            Kind::Text => {
                let lines = without_secrets(&diffs.remove(&pair.path).unwrap_or_default());
                match withheld(&pair.path) {
                    Some(why) => {
                        let why = format!("{why}; each value is hidden");
                        Section {
                            shown: ShownPart::Name(why),
                            ..Section::new(pair, bytes, without_values(&lines), ShownPart::Whole)
                        }
                    }
                    None => text_section(pair, bytes, lines),
                }
            }
        }
    };
    Ok(pairs.iter().map(section).collect())
}

/// Paths that go into one call of git, by the size of their content: what git prints is bounded.
fn groups<'a>(paths: impl Iterator<Item = (&'a GitPath, u64)>) -> Vec<Vec<&'a GitPath>> {
    let mut groups: Vec<Vec<&GitPath>> = Vec::new();
    let mut room = 0;
    for (path, size) in paths {
        match groups.last_mut().filter(|_| size <= room) {
            Some(group) => group.push(path),
            None => {
                room = GROUP_BYTES;
                groups.push(vec![path]);
            }
        }
        room = room.saturating_sub(size);
    }
    groups
}

/// Both sides of a file that git takes for binary, in the form in which they can be judged. A program cannot be, so that the change
/// counts as not read.
fn binary_section(pair: &Pair, blobs: &BTreeMap<ObjectId, Blob>, bytes: u64) -> Section {
    let form = |side: &Option<Side>| side.as_ref().and_then(|side| blobs.get(&side.id)?.decoded.as_ref());
    let marked = |sign: char, form: Option<&Decoded>| -> Vec<String> {
        let lines: Vec<String> = match form {
            Some(Decoded::Text(text)) => text.lines().map(str::to_owned).collect(),
            Some(Decoded::Head(rows)) => rows.clone(),
            Some(Decoded::Program) | None => Vec::new(),
        };
        without_secrets(&lines).into_iter().map(|line| format!("{sign}{line}")).collect()
    };
    let (old, new) = (form(&pair.old), form(&pair.new));
    let lines = || [marked('-', old), marked('+', new)].concat();
    let name = |why: &str| Section {
        shown: ShownPart::Name(why.into()),
        ..Section::new(pair, bytes, lines(), ShownPart::Whole)
    };
    match new {
        Some(Decoded::Program) => {
            let why = "none of it, it is a program that nobody can read here".to_owned();
            Section::new(pair, bytes, Vec::new(), ShownPart::Beginning(why))
        }
        _ if withheld(&pair.path).is_some() => {
            let shown = ShownPart::Name("files of this name hold secrets, and it is binary".into());
            Section::new(pair, bytes, Vec::new(), shown)
        }
        Some(Decoded::Text(_)) => name("git takes it for binary; here is all of it, decoded"),
        Some(Decoded::Head(_)) => name("it is binary; here are its first bytes"),
        None => name("it was binary"),
    }
}

fn text_section(pair: &Pair, bytes: u64, lines: Vec<String>) -> Section {
    match diff_summary(&pair.path.to_string(), &lines) {
        None => Section::new(pair, bytes, lines, ShownPart::Whole),
        Some(summary) => {
            let whole = Section::new(pair, bytes, lines, ShownPart::Whole);
            Section { lines: summary.lines, shown: ShownPart::Summary(summary.why.into()), ..whole }
        }
    }
}

/// Why nothing but the name of a file is shown.
pub(crate) fn withheld(path: &GitPath) -> Option<&'static str> {
    let text = path.to_string();
    let path = Utf8Path::new(&text);
    let is_environment = path.file_name().is_some_and(|name| name.starts_with(".env"));
    (is_environment || secret_at(path).is_some()).then_some("files of this name hold secrets")
}

fn without_secrets(lines: &[String]) -> Vec<String> {
    redact_code(&lines.join("\n")).split('\n').map(str::to_owned).collect()
}

fn blobs(change: &Change, pairs: &[&Pair]) -> Result<BTreeMap<ObjectId, Blob>, Failure> {
    let is_file = |side: &&Side| !side.is_submodule();
    let ids: BTreeSet<ObjectId> = pairs
        .iter()
        .flat_map(|pair| [&pair.old, &pair.new])
        .flatten()
        .filter(is_file)
        .map(|side| side.id.clone())
        .collect();
    let ids: Vec<ObjectId> = ids.into_iter().collect();
    let mut blobs = BTreeMap::new();
    for object in change.snapshot.blobs(&ids, TEXT_LIMIT)? {
        let (id, content) = object?;
        let blob = match content {
            Content::TooLarge(bytes) => Blob { bytes, kind: Kind::TooLarge, decoded: None },
            Content::Bytes(content) => {
                let start = content.get(..LOOKED_AT_FOR_NUL).unwrap_or(&content);
                let kind = if memchr::memchr(0, start).is_some() { Kind::Binary } else { Kind::Text };
                let decoded = (kind == Kind::Binary).then(|| decoded(&content));
                Blob { bytes: content.len() as u64, kind, decoded }
            }
        };
        blobs.insert(id, blob);
    }
    Ok(blobs)
}

/// Names in the folders of the changed files.
fn beside(change: &Change, round: &ContextRound) -> Result<Vec<String>, Failure> {
    let parent = |section: &Section| {
        let end = section.path.0.iter().rposition(|byte| *byte == b'/')?;
        Some(GitPath(section.path.0.get(..end)?.to_vec()))
    };
    let folders: BTreeSet<GitPath> = round.sections.iter().filter_map(parent).collect();
    let folders: Vec<GitPath> = folders.into_iter().take(FOLDERS).collect();
    Ok(shown(&names(change.snapshot.git(), &change.snapshot.tree, &folders, Depth::One)?))
}

fn specs(change: &Change) -> Result<Vec<(String, String)>, Failure> {
    let Some(branch) = change.branch.as_deref().filter(|_| change.settings.loop2.include_specs) else {
        return Ok(Vec::new());
    };
    let git = change.snapshot.git();
    let folders = SPEC_FOLDERS.map(GitPath::new);
    let files = names(git, &change.snapshot.tree, &folders, Depth::All)?;
    let mut specs = Vec::new();
    for path in matching(branch, &files).into_iter().filter(|path| withheld(path).is_none()) {
        let name = path.to_string();
        // One that cannot be read is left out: it is a help to the reviewer, not part of the change.
        if let Ok(Some(bytes)) = file_at(git, &change.snapshot.tree.0, &name) {
            specs.push((name, redact_code(&bounded(&String::from_utf8_lossy(&bytes)))));
        }
    }
    Ok(specs)
}

fn bounded(text: &str) -> String {
    let mut bytes = 0;
    let lines = text.lines().take(SPEC_LINES).take_while(|line| {
        bytes += line.len() + 1;
        bytes <= SPEC_BYTES
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_is_in_one_group_and_no_group_prints_too_much() {
        let paths: Vec<GitPath> = (0..9).map(|n| GitPath::new(&n.to_string())).collect();
        let sizes = [1, GROUP_BYTES, GROUP_BYTES / 2, GROUP_BYTES / 2, 1, 0, 2 * GROUP_BYTES, 0, 1];
        let grouped = groups(paths.iter().zip(sizes));
        assert_eq!(grouped.concat(), paths.iter().collect::<Vec<_>>());
        let counts: Vec<usize> = grouped.iter().map(Vec::len).collect();
        assert_eq!(counts, [1, 1, 2, 2, 2, 1]);
        assert!(groups(std::iter::empty()).is_empty());
    }

    #[test]
    fn files_of_secrets_are_told_by_their_names() {
        for name in [".env", "web/.env.local", "deploy/.envrc", "keys/id_rsa"] {
            assert!(withheld(&GitPath::new(name)).is_some(), "{name}");
        }
        for name in ["src/environment.rs", "docs/env.md", "a\nb"] {
            assert!(withheld(&GitPath::new(name)).is_none(), "{name}");
        }
    }
}

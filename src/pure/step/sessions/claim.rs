//! The record of the files that a session has written: paths, and fingerprints of lines.

use super::lines::{LineCounts, counts};
use super::taking::FileState;
use crate::pure::step::effect::{Effect, Target};
use crate::pure::step::survey::Survey;
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// More lines than this are not told apart.
const MOST_LINES: usize = 2_000;
/// One call names no more.
const MOST_CLAIMS: usize = 64;

/// Something that one call wrote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Claim {
    /// These new lines of a file.
    Lines(Utf8PathBuf, Vec<u64>),
    /// A file, with content that only the run knew.
    File(Utf8PathBuf),
    /// Files below a folder, with names that only the run knew.
    Below(Utf8PathBuf),
    /// Whatever anybody wrote to the first path now lies at the second.
    Moved(Utf8PathBuf, Utf8PathBuf),
}

impl Claim {
    pub fn of_lines(path: Utf8PathBuf, lines: Vec<u64>) -> Self {
        if lines.len() > MOST_LINES { Self::File(path) } else { Self::Lines(path, lines) }
    }

    /// The claims of a command, as far as its text tells.
    pub fn of_survey(survey: &Survey) -> Vec<Self> {
        let mut claims: Vec<Self> = survey.appended.iter().cloned().map(Self::File).collect();
        for found in &survey.found {
            match &found.effect {
                Effect::Replace { target: Target::Path(path) } => claims.push(Self::File(path.clone())),
                Effect::Merge { into, .. } => claims.push(Self::Below(into.clone())),
                _ => {}
            }
        }
        claims.extend(survey.renamed.iter().cloned().map(|(from, to)| Self::Moved(from, to)));
        claims.truncate(MOST_CLAIMS);
        claims
    }

    pub fn path(&self) -> &Utf8Path {
        match self {
            Self::Lines(path, _) | Self::File(path) | Self::Below(path) | Self::Moved(_, path) => path,
        }
    }
}

/// Everything that a session has written.
#[derive(Debug, Clone, Default)]
pub(crate) struct Claims {
    files: BTreeMap<Utf8PathBuf, Written>,
    folders: BTreeSet<Utf8PathBuf>,
}

#[derive(Debug, Clone, Default)]
struct Written {
    /// More than `lines` tell.
    unknown: bool,
    lines: LineCounts,
}

impl Claims {
    /// The claims of so many sessions, from what each wrote at which time. Whoever moves a file moves the work of all.
    pub fn of_sessions(sessions: usize, mut written: Vec<(u64, usize, Claim)>) -> Vec<Self> {
        written.sort_by_key(|(time, _, _)| *time);
        let mut all = vec![Self::default(); sessions];
        for (_, session, claim) in written {
            match claim {
                Claim::Moved(from, to) => all.iter_mut().for_each(|claims| claims.follow(&from, &to)),
                claim => all.get_mut(session).into_iter().for_each(|claims| claims.add(claim.clone())),
            }
        }
        all
    }

    fn add(&mut self, claim: Claim) {
        match claim {
            Claim::Lines(path, lines) => {
                let written = self.files.entry(path).or_default();
                lines.into_iter().for_each(|line| *written.lines.entry(line).or_default() += 1);
            }
            Claim::File(path) => self.files.entry(path).or_default().unknown = true,
            Claim::Below(path) => drop(self.folders.insert(path)),
            Claim::Moved(from, to) => self.follow(&from, &to),
        }
    }

    /// Claims on a path count at its new path after somebody moved it.
    fn follow(&mut self, from: &Utf8Path, to: &Utf8Path) {
        let moved: Vec<_> = self
            .files
            .iter()
            .filter_map(|(path, written)| Some((path.strip_prefix(from).ok()?, written)))
            .map(|(rest, written)| (if rest == "" { to.to_owned() } else { to.join(rest) }, written.clone()))
            .collect();
        for (path, written) in moved {
            let there = self.files.entry(path).or_default();
            there.unknown |= written.unknown;
            written
                .lines
                .into_iter()
                .for_each(|(line, count)| *there.lines.entry(line).or_default() += count);
        }
    }

    pub fn files(&self) -> impl Iterator<Item = &Utf8Path> {
        self.files.keys().map(Utf8PathBuf::as_path)
    }

    /// Folders of which only the run knew what was written there.
    pub fn folders(&self) -> impl Iterator<Item = &Utf8Path> {
        self.folders.iter().map(Utf8PathBuf::as_path)
    }

    fn holds(&self, path: &Utf8Path) -> bool {
        self.files.contains_key(path)
    }

    /// Whether a file has lines of this session that no commit holds and that would be gone `after`.
    pub fn lose(&self, path: &Utf8Path, file: &FileState, ours: &Self, after: Option<&[u8]>) -> bool {
        let Some(now) = &file.now else { return true };
        let by_folder = || self.folders.iter().any(|folder| path.starts_with(folder)) && !ours.holds(path);
        let nothing = Written::default();
        let written = match self.files.get(path) {
            Some(written) => written,
            None if by_folder() => &Written { unknown: true, lines: LineCounts::new() },
            None => return false,
        };
        let own = ours.files.get(path).unwrap_or(&nothing);
        let (held, after) = (counts(&file.held), counts(after.unwrap_or_default()));
        let of = |lines: &LineCounts, line: &u64| lines.get(line).copied().unwrap_or_default();
        counts(now).iter().any(|(line, count)| {
            let uncommitted = count.saturating_sub(of(&held, line));
            let theirs = match written.unknown {
                true => uncommitted.saturating_sub(of(&own.lines, line)).max(of(&written.lines, line)),
                false => of(&written.lines, line),
            };
            of(&after, line) < theirs.min(uncommitted)
        })
    }
}

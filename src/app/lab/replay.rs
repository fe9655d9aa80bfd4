//! Replays finished sessions through the hooks, call by call, in a sample world in which nothing can be lost.

mod message;
pub(super) mod path_map;
mod transcript;

use super::sample_world::WorldPlaces;
use crate::app::failure::Failure;
use crate::edge::file::lines::{self, Lines};
use crate::pure::client::TranscriptLine;
use crate::pure::report::Replay;
use camino::Utf8Path;
use std::collections::BTreeSet;
use std::io::{BufRead, Read};
use transcript::Playing;

/// Of a directory or an archive; nobody has more sessions.
const MOST_ENTRIES: usize = 100_000;
/// Unpacked, all transcripts of an archive together.
const LARGEST_ARCHIVE: u64 = 4 * 1024 * 1024 * 1024;

/// Plays transcripts, and keeps what was said.
pub struct Player {
    world: WorldPlaces,
    /// A resumed session begins with a copy of the old one; a line and a call are played once.
    seen: BTreeSet<String>,
    pub replay: Replay,
}

impl Player {
    pub fn new(world: WorldPlaces) -> Self {
        Self { world, seen: BTreeSet::new(), replay: Replay::default() }
    }

    /// A transcript, an archive of them, or a directory with either at any depth.
    pub fn play(&mut self, path: &Utf8Path) -> Result<(), Failure> {
        if !path.is_dir() {
            return self.file(path);
        }
        let mut waiting = vec![path.to_owned()];
        let mut files = Vec::new();
        while let Some(folder) = waiting.pop() {
            for entry in folder.read_dir_utf8().map_err(|error| format!("{folder}: {error}"))? {
                let entry = entry?;
                let kind = entry.file_type()?;
                if kind.is_dir() {
                    waiting.push(entry.into_path());
                } else if kind.is_file() && is_transcript(entry.path().as_str()) {
                    files.push(entry.into_path());
                }
                if files.len() + waiting.len() > MOST_ENTRIES {
                    return Err(format!("{path} holds more than {MOST_ENTRIES} transcripts").into());
                }
            }
        }
        files.sort();
        files.iter().try_for_each(|file| self.file(file))
    }

    fn file(&mut self, path: &Utf8Path) -> Result<(), Failure> {
        let mut reader = lines::open(path)?;
        if is_archive(reader.fill_buf().map_err(|error| format!("{path}: {error}"))?) {
            return self.archive(path, reader);
        }
        self.transcript(path.as_str(), reader)
    }

    fn archive(&mut self, path: &Utf8Path, reader: impl Read) -> Result<(), Failure> {
        let mut archive = tar::Archive::new(reader.take(LARGEST_ARCHIVE));
        for (count, entry) in archive.entries()?.enumerate() {
            let entry = entry.map_err(|error| format!("{path} is cut or damaged: {error}"))?;
            if count >= MOST_ENTRIES {
                return Err(format!("{path} holds more than {MOST_ENTRIES} files").into());
            }
            let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
            if entry.header().entry_type().is_file() && is_transcript(&name) {
                self.transcript(&name, entry)?;
            }
        }
        Ok(())
    }

    fn transcript(&mut self, name: &str, reader: impl Read) -> Result<(), Failure> {
        let mut workspace = Playing::new(name, &self.world);
        for (number, line) in Lines::of(reader) {
            let problem = match &line {
                Ok(bytes) if bytes.trim_ascii().is_empty() => continue,
                Ok(bytes) => match TranscriptLine::parse(bytes) {
                    Ok(line) => {
                        workspace.take(line, &mut self.seen)?;
                        continue;
                    }
                    Err(problem) => problem.to_string(),
                },
                Err(problem) => problem.to_string(),
            };
            self.replay.malformed(name, number, problem);
        }
        let played = workspace.end()?;
        if played.counts.calls > 0 {
            self.replay.sessions.push(played);
        }
        Ok(())
    }
}

fn is_transcript(name: &str) -> bool {
    [".jsonl", ".jsonl.gz", ".tar", ".tar.gz", ".tgz"].iter().any(|ending| name.ends_with(ending))
}

/// The mark of a tar archive stands behind its first file's name.
fn is_archive(head: &[u8]) -> bool {
    head.get(257..262) == Some(b"ustar")
}

//! Sessions that are over, step by step through the hooks, in a world in which nothing can be lost.

use super::lines::{self, Lines};
use super::rehearsal::{Session, Step};
use super::sample_world::WorldPlaces;
use super::serve::Failure;
use crate::hook::{Call, Tool, TranscriptEvent, TranscriptLine, lacks_input};
use crate::report::{Replay, ReplayedSession};
use crate::secret::redact;
use crate::step::Course;
use camino::Utf8Path;
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, Read};

/// Of a directory or an archive; nobody has more sessions.
const MOST_ENTRIES: usize = 100_000;
/// Unpacked, all transcripts of an archive together.
const LARGEST_ARCHIVE: u64 = 4 * 1024 * 1024 * 1024;
/// How the client tells the model that the person said no; there is no event after such a call.
const REFUSED_BY_PERSON: &str = "The user doesn't want to";

/// Plays transcripts, and keeps what was said.
pub struct Player {
    world: WorldPlaces,
    /// A resumed session begins with a copy of the old one; a call is played once.
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
        let mut scene = Playing::new(name, &self.world);
        for (number, line) in Lines::of(reader) {
            let problem = match &line {
                Ok(bytes) if bytes.trim_ascii().is_empty() => continue,
                Ok(bytes) => match TranscriptLine::parse(bytes) {
                    Ok(line) => {
                        scene.take(line, &mut self.seen)?;
                        continue;
                    }
                    Err(problem) => problem.to_string(),
                },
                Err(problem) => problem.to_string(),
            };
            self.replay.malformed(name, number, problem);
        }
        if scene.played.counts.calls > 0 {
            self.replay.sessions.push(scene.played);
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

/// One transcript while it is played.
struct Playing<'a> {
    world: &'a WorldPlaces,
    moved: Option<Moved>,
    /// Calls whose results are still to come.
    open: BTreeMap<String, (Session, Step)>,
    played: ReplayedSession,
}

impl<'a> Playing<'a> {
    fn new(name: &str, world: &'a WorldPlaces) -> Self {
        let name = name.strip_suffix(".jsonl").unwrap_or(name).to_owned();
        let played = ReplayedSession { name, ..ReplayedSession::default() };
        Self { world, moved: None, open: BTreeMap::new(), played }
    }

    fn take(&mut self, line: TranscriptLine<'_>, seen: &mut BTreeSet<String>) -> Result<(), Failure> {
        let cwd = line.cwd.unwrap_or_default();
        let moved = self.moved.get_or_insert_with(|| Moved::into(self.world, &cwd)).clone();
        let session = Session {
            id: line.session_id.unwrap_or_else(|| self.played.name.clone()),
            cwd: if cwd.is_empty() { self.world.project.to_string() } else { moved.there(&cwd) },
            agent: line.agent,
        };
        for event in line.events {
            match event {
                TranscriptEvent::Prompt(text) => session.prompt(&moved.there(&text))?,
                TranscriptEvent::Call { tool, input, id } => {
                    if id.is_empty() || seen.insert(id.clone()) {
                        let step = Step { tool, input: RawValue::from_string(moved.there(input.get()))?, id };
                        self.call(&session, step, &moved, input)?;
                    }
                }
                TranscriptEvent::Result { id, failed, text } => {
                    let refused = failed && text.starts_with(REFUSED_BY_PERSON);
                    if let Some((session, step)) = self.open.remove(&id)
                        && !refused
                    {
                        session.after(&step, failed, &text)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn call(
        &mut self,
        session: &Session,
        step: Step,
        moved: &Moved,
        input: &RawValue,
    ) -> Result<(), Failure> {
        if is_incomplete(&step) {
            self.played.counts.incomplete += 1;
            return Ok(());
        }
        let mut said = session.before(&step)?;
        said.reason = moved.back(&said.reason);
        let tool = step.tool.clone();
        // What is denied does not run, whatever the transcript says; a person is taken to have said yes.
        if said.answer != Course::Block {
            self.open.insert(step.id.clone(), (session.clone(), step));
        }
        self.played.take(&tool, gist(input.get()), said);
        Ok(())
    }
}

/// The client would not have taken such a call: its input got lost on the way into the transcript.
fn is_incomplete(step: &Step) -> bool {
    let call = Call { tool: step.tool.clone(), input: &step.input, id: String::new() };
    lacks_input(&call) || (step.input.get().trim() == "{}" && Tool::parse(&call).is_none())
}

/// What says most about a call, without secrets.
fn gist(input: &str) -> String {
    let fields: serde_json::Value = serde_json::from_str(input).unwrap_or_default();
    let told =
        ["command", "file_path", "notebook_path", "url"].iter().find_map(|name| fields.get(name)?.as_str());
    redact(told.unwrap_or(input))
}

/// The session's own directories, moved into the world: nothing of the machine on which it ran is needed, or touched.
#[derive(Debug, Clone)]
struct Moved {
    /// From where and to where, the longest first.
    folders: Vec<(String, String)>,
}

impl Moved {
    fn into(world: &WorldPlaces, cwd: &str) -> Self {
        let home = home_of(cwd);
        let mut folders = Vec::new();
        if Utf8Path::new(cwd).components().count() > 1 && Some(cwd) != home.as_deref() {
            folders.push((cwd.trim_end_matches('/').to_owned(), world.project.to_string()));
        }
        folders.extend(home.map(|home| (home, world.home.to_string())));
        Self { folders }
    }

    fn there(&self, text: &str) -> String {
        self.folders.iter().fold(text.to_owned(), |text, (from, to)| moved(&text, from, to))
    }

    fn back(&self, text: &str) -> String {
        self.folders.iter().fold(text.to_owned(), |text, (from, to)| moved(&text, to, from))
    }
}

fn home_of(cwd: &str) -> Option<String> {
    let mut parts = Utf8Path::new(cwd).iter();
    let (root, first, second) = (parts.next()?, parts.next()?, parts.next());
    match (root, first, second) {
        ("/", "root", _) => Some("/root".into()),
        ("/", "home" | "Users", Some(name)) => Some(format!("/{first}/{name}")),
        _ => None,
    }
}

/// The folder under another name wherever it stands as a whole path or begins one.
fn moved(text: &str, from: &str, to: &str) -> String {
    let part_of_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '~' | '+');
    let mut pieces = text.split(from).peekable();
    let mut result = String::with_capacity(text.len());
    while let Some(piece) = pieces.next() {
        result += piece;
        let Some(next) = pieces.peek() else { break };
        let within =
            next.starts_with(part_of_name) || result.ends_with(|c: char| part_of_name(c) || c == '/');
        result += if within { from } else { to };
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn world() -> WorldPlaces {
        WorldPlaces::in_world(Utf8Path::new("/w"))
    }

    #[test]
    fn the_session_moves_into_the_world_and_its_words_come_back() {
        let moved = Moved::into(&world(), "/home/dev/tool");
        for (here, there) in [
            ("rm -rf /home/dev/tool/out", "rm -rf /w/home/projects/harbour/out"),
            ("cd \"/home/dev/tool\"", "cd \"/w/home/projects/harbour\""),
            ("ls /home/dev/tool-2 /home/dev/toolbox", "ls /w/home/tool-2 /w/home/toolbox"),
            ("cat /home/dev/.bashrc", "cat /w/home/.bashrc"),
            ("ls /home/developer /mnt/home/dev", "ls /home/developer /mnt/home/dev"),
            ("ls /etc", "ls /etc"),
        ] {
            assert_eq!(moved.there(here), there);
            assert_eq!(moved.back(there), here);
        }
    }

    #[test]
    fn a_session_in_no_home_or_in_the_root_moves_what_it_can() {
        assert_eq!(
            Moved::into(&world(), "/workspace").there("ls /workspace/a"),
            "ls /w/home/projects/harbour/a"
        );
        assert_eq!(Moved::into(&world(), "/").there("ls /etc"), "ls /etc");
        assert_eq!(Moved::into(&world(), "").there("ls /etc"), "ls /etc");
        assert_eq!(Moved::into(&world(), "/root").there("ls /root/x"), "ls /w/home/x");
    }
}

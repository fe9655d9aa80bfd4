//! Which room may use what, read from the sources: a wrong import fails here, not in a review.

#![expect(clippy::unwrap_used, reason = "sources that cannot be read have to fail the test")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Pure rooms, each with the rooms to its left that it may use.
const PURE: [(&str, &[&str]); 13] = [
    ("hook", &["secret"]),
    ("shell", &[]),
    ("secret", &[]),
    ("policy", &[]),
    ("project", &["policy"]),
    ("review", &["policy", "project"]),
    ("gate", &["policy", "project", "review"]),
    ("task", &["policy", "project", "review", "gate"]),
    ("step", &["hook", "shell", "secret", "policy", "project", "review", "gate"]),
    ("pattern", &["hook", "shell", "secret", "policy", "step"]),
    ("intervene", &["hook", "shell", "secret", "policy", "step", "pattern"]),
    ("restore", &["policy", "review"]),
    (
        "report",
        &[
            "hook", "shell", "secret", "policy", "project", "review", "gate", "step", "pattern", "intervene",
            "restore", "task",
        ],
    ),
];
const EDGES: [&str; 6] = ["checkpoint", "config", "notify", "repo", "run", "state"];
/// The edge that the others stand on.
const DOOR: &str = "file";
/// What reaches out of a pure room.
const OUTSIDE: [&str; 7] = [
    "std::fs", "std::env", "std::process", "std::net", "SystemTime::now", "Instant::now",
    "OffsetDateTime::now",
];

/// What opens a file for writing by itself, and so past the door that reads every word (`state/store.rs`).
const OPENERS: [&str; 9] = [
    "fs::write(", "File::create(", "OpenOptions", "open_to_append(", ".persist(", ".persist_noclobber(",
    "write_atomic(", "fs::copy(", "serde_json::to_writer(",
];
/// The files that may, each with what it writes.
const WRITERS: [(&str, &str); 31] = [
    ("state/store.rs", "the door itself"),
    ("state/batch.rs", "one byte per call"),
    ("state/check_cache.rs", "sealed; `Key::sealed` has read it"),
    ("state/enrolment.rs", "a random id"),
    ("state/journal.rs", "numbers and fingerprints"),
    ("state/ledger.rs", "sealed; `Key::sealed` has read it"),
    ("state/lock.rs", "nothing"),
    ("state/project_lock.rs", "nothing, before the lock itself"),
    ("state/review_cache.rs", "numbers and sealed names"),
    ("state/seal.rs", "the key"),
    ("state/standing.rs", "numbers, ids and `Redacted`"),
    ("state/tasks.rs", "`Redacted`"),
    ("notify/log.rs", "`Redacted`"),
    ("config/prompts.rs", "nothing; its tests do"),
    ("config/source.rs", "the compiled settings, which are looked through before"),
    ("config/template.rs", "a template of ours"),
    ("checkpoint/put.rs", "the project's own files"),
    ("checkpoint/seen.rs", "names and times of the project's own files"),
    ("checkpoint/singles.rs", "copies of files, and a log that it looks through"),
    ("checkpoint/store.rs", "git's own files of the store"),
    ("checkpoint/contents.rs", "nothing, it reads"),
    ("repo/copy.rs", "the project's own files"),
    ("repo/scratch.rs", "git's own files of a scratch repository"),
    ("file/mod.rs", "nothing, it opens for others"),
    ("flow/checkpointing.rs", "nothing, into a file that only has to be there"),
    ("flow/pre_push_hook.rs", "the git hook"),
    ("flow/session.rs", "a line for PATH"),
    ("flow/sample_world.rs", "a repository made for a rehearsal"),
    ("bin/plimsoll/demo/stage.rs", "a project made for the demonstration"),
    ("bin/plimsoll/incident.rs", "a copy of a page"),
    ("bin/plimsoll/setup/whole_file.rs", "the client's settings, as they were and with ours"),
];

/// One source file of a room, without comments and without what only tests see.
struct Source {
    name: String,
    text: String,
    /// Where its module is: `["step", "programs", "git"]`.
    module: Vec<String>,
}

/// Every source of a room that is part of the product.
fn room(name: &str) -> Vec<Source> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut waiting = vec![(source.join(name).join("mod.rs"), vec![name.to_owned()])];
    let mut found = Vec::new();
    while let Some((path, module)) = waiting.pop() {
        let text = product(&fs::read_to_string(&path).unwrap());
        for child in text.lines().filter_map(declared) {
            let module: Vec<String> = module.iter().cloned().chain([child.to_owned()]).collect();
            let file: PathBuf = source.join(module.join("/")).with_extension("rs");
            waiting.push((
                if file.is_file() { file } else { source.join(module.join("/")).join("mod.rs") },
                module,
            ));
        }
        let name = path.strip_prefix(&source).unwrap().display().to_string();
        found.push(Source { name, text, module });
    }
    found
}

/// `pub mod name;` → `name`.
fn declared(line: &str) -> Option<&str> {
    let rest = line.trim_start().trim_start_matches("pub(crate) ").trim_start_matches("pub(super) ");
    rest.trim_start_matches("pub ").strip_prefix("mod ")?.strip_suffix(';')
}

/// Without comments and without items under `#[cfg(test)]`. Relies on rustfmt: an item ends with a brace at its own depth.
fn product(text: &str) -> String {
    let mut kept = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.trim_start().starts_with("//") {
            continue;
        }
        if line.trim_start() != "#[cfg(test)]" {
            kept += &format!("{line}\n");
            continue;
        }
        let depth = line.len() - line.trim_start().len();
        for line in lines.by_ref().skip_while(|line| line.trim_start().starts_with("#[")) {
            let at_depth = line.len() - line.trim_start().len() == depth;
            if at_depth && (line.ends_with(';') || line.trim_start() == "}") {
                break;
            }
        }
    }
    kept
}

impl Source {
    /// Every path that the file names, with groups of imports spelled out and `super` resolved.
    fn paths(&self) -> BTreeSet<String> {
        let mut paths = BTreeSet::new();
        for statement in self.text.split("use ").skip(1).filter_map(|rest| rest.split(';').next()) {
            spell_out("", &statement.split_whitespace().collect::<String>(), &mut paths);
        }
        let word = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        paths.extend(self.text.split(|c| !word(c)).filter(|path| path.contains("::")).map(str::to_owned));
        paths.iter().map(|path| self.resolved(path)).collect()
    }

    fn resolved(&self, path: &str) -> String {
        let mut rest = path;
        let mut module = self.module.as_slice();
        while let Some(after) = rest.strip_prefix("super::") {
            rest = after;
            module = module.split_last().map_or(module, |(_, parents)| parents);
        }
        let moved = rest.len() != path.len();
        if moved && module.is_empty() { format!("crate::{rest}") } else { path.to_owned() }
    }

    fn rooms(&self) -> BTreeSet<String> {
        let named = |path: &String| {
            let room = path.strip_prefix("crate::")?.split("::").next()?;
            (!room.is_empty()).then(|| room.to_owned())
        };
        self.paths().iter().filter_map(named).collect()
    }
}

/// `a::{b, c::{d, e}}` → `a::b`, `a::c::d`, `a::c::e`.
fn spell_out(prefix: &str, text: &str, paths: &mut BTreeSet<String>) {
    let Some((head, inner)) = text.split_once('{') else {
        paths.insert(format!("{prefix}{text}"));
        return;
    };
    let inner = inner.strip_suffix('}').unwrap_or(inner);
    let prefix = format!("{prefix}{head}");
    let (mut depth, mut start) = (0, 0);
    for (at, character) in inner.char_indices().chain([(inner.len(), ',')]) {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let item = inner.get(start..at).unwrap();
                if !item.is_empty() {
                    spell_out(&prefix, item, paths);
                }
                start = at + 1;
            }
            _ => {}
        }
    }
}

#[test]
fn every_room_has_its_place() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let found: BTreeSet<String> = fs::read_dir(source)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned())
        .collect();
    let known = PURE.iter().map(|(name, _)| *name).chain(EDGES).chain([DOOR, "bin", "flow"]);
    assert_eq!(found, known.map(str::to_owned).collect());
}

#[test]
fn a_pure_room_reaches_out_to_nothing() {
    for source in PURE.iter().flat_map(|(name, _)| room(name)) {
        for path in source.paths() {
            let reached = OUTSIDE.iter().find(|outside| path.contains(*outside));
            assert_eq!(reached, None, "{} uses {path}", source.name);
        }
    }
}

#[test]
fn a_pure_room_uses_only_rooms_to_its_left() {
    for (name, left) in PURE {
        for source in room(name) {
            for used in source.rooms() {
                assert!(used == name || left.contains(&used.as_str()), "{} uses {used}", source.name);
            }
        }
    }
}

#[test]
fn an_edge_uses_no_other_edge_and_no_line() {
    for name in EDGES {
        for source in room(name) {
            for used in source.rooms() {
                let pure = PURE.iter().any(|(room, _)| *room == used);
                assert!(used == name || used == DOOR || pure, "{} uses {used}", source.name);
            }
        }
    }
}

/// Whoever opens a path in another way may wait for ever at a pipe.
#[test]
fn files_are_opened_through_their_door() {
    const OPENS: [&str; 7] = [
        "File::open(", "fs::read(", "fs::read_to_string(", "fs::copy(", "File::options(", ").open(",
        "options.open(",
    ];
    /// Files of the system, files that nobody else can reach, and one that must not be a link either.
    const OTHERWISE: [&str; 8] = [
        "run/escaped.rs", "run/memory.rs", "run/running.rs", "state/seal.rs", "state/project_lock.rs",
        "checkpoint/contents.rs", "notify/sender.rs", "run/process.rs",
    ];
    for name in EDGES.into_iter().chain(["flow"]) {
        for source in room(name).iter().filter(|source| !OTHERWISE.contains(&source.name.as_str())) {
            let text: String = source.text.split_whitespace().collect();
            let opens = OPENS.iter().find(|opens| text.contains(*opens));
            assert_eq!(opens, None, "{} opens a file by itself", source.name);
        }
    }
}

#[test]
fn only_known_files_write_past_the_door_that_reads_every_word() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders = vec![source.clone()];
    let mut writers = BTreeSet::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(&source).unwrap().display().to_string();
            if path.is_dir() {
                folders.push(path);
            } else if !is_for_tests(&name) {
                let text = product(&fs::read_to_string(&path).unwrap());
                writers.extend(OPENERS.iter().any(|opener| text.contains(opener)).then_some(name));
            }
        }
    }
    let known: BTreeSet<String> = WRITERS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(writers, known);
}

/// Whole files that only tests see.
fn is_for_tests(name: &str) -> bool {
    ["tests", "fixture", "place.rs", "sample_project", "loop1/reuse"].iter().any(|part| name.contains(part))
}

#[test]
fn the_reader_of_sources_sees_through_groups_and_parents_and_past_tests() {
    let text = "\
//! std::fs in a comment
use super::super::{gate::Verdict, hook};
use std::{collections::BTreeMap, fs::{self, File}};

fn f() {
    crate::report::form();
}

#[cfg(test)]
#[expect(clippy::unwrap_used)]
mod tests {
    use std::env;
}

#[cfg(test)]
mod scenarios;

fn g(now: std::time::Instant) {}
";
    let module = ["step", "decide"].map(str::to_owned).to_vec();
    let source = Source { name: "decide.rs".into(), text: product(text), module };
    let paths = source.paths();
    for path in ["crate::gate::Verdict", "std::fs::self", "std::fs::File", "crate::report::form"] {
        assert!(paths.contains(path), "{path} is not in {paths:?}");
    }
    assert!(!paths.iter().any(|path| path.contains("std::env")), "{paths:?}");
    assert!(!source.text.contains("scenarios"), "{}", source.text);
    assert!(source.text.contains("fn g"), "{}", source.text);
    assert_eq!(source.rooms(), ["gate", "hook", "report"].map(str::to_owned).into());
}

//! Which room may use what, read from the sources: a wrong import fails here, not in a review.

#![expect(clippy::unwrap_used, reason = "sources that cannot be read have to fail the test")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Rooms of `pure`, each with the rooms to its left that it may use.
const PURE: [(&str, &[&str]); 16] = [
    ("text", &[]),
    ("client", &["text", "secret"]),
    ("shell", &["text"]),
    ("secret", &["text"]),
    ("sandbox", &["text", "client", "shell"]),
    ("policy", &["text"]),
    ("project", &["text", "policy"]),
    ("review", &["text", "policy", "project"]),
    ("gate", &["text", "policy", "project", "review"]),
    ("attestation", &["text", "secret", "policy", "review"]),
    ("task", &["text", "policy", "project", "review", "gate"]),
    ("dataflow", &["shell"]),
    ("step", &["text", "client", "shell", "dataflow", "secret", "policy", "project", "review", "gate"]),
    ("monitor", &["text", "client", "shell", "secret", "policy", "step"]),
    ("restore", &["text", "policy", "review"]),
    (
        "report",
        &[
            "text", "client", "shell", "secret", "policy", "project", "review", "gate", "attestation",
            "step", "monitor", "restore", "task",
        ],
    ),
];
/// Rooms of `edge`, each with the other edges that it may use.
const EDGES: [(&str, &[&str]); 10] = [
    ("checkpoint", &["file", "git"]),
    ("clock", &[]),
    ("config", &["file"]),
    ("file", &[]),
    ("git", &["file", "run"]),
    ("notify", &["file"]),
    ("repo", &["file", "git"]),
    ("run", &["file"]),
    ("signature", &["file", "run"]),
    ("state", &["file"]),
];
/// Rooms of `app`, from left to right. A room may use every room to its left.
const APP: [&str; 21] = [
    "failure", "presence", "workspace", "sandbox", "registration", "tool_event", "permission",
    "notifications", "secrets", "gate", "attestation", "server", "review", "tasks", "checkpoints", "step",
    "monitor", "status", "hooks", "remotes", "lab",
];
/// What reaches out of a pure room.
const OUTSIDE: [&str; 7] = [
    "std::fs", "std::env", "std::process", "std::net", "SystemTime::now", "Instant::now",
    "OffsetDateTime::now",
];

/// What opens a file for writing by itself, and so past the door that reads every word (`state/store.rs`).
const OPENERS: [&str; 12] = [
    "fs::write(", "File::create(", "OpenOptions", "open_to_append(", ".persist(", ".persist_noclobber(",
    "write_atomic(", "fs::copy(", "serde_json::to_writer(", "file::replace(", "file::append(",
    "file::rewrite(",
];
/// The files that may, each with what it writes.
const WRITERS: [(&str, &str); 36] = [
    ("edge/state/store.rs", "the door itself"),
    ("edge/state/batch.rs", "one byte per call"),
    ("edge/state/enrolment.rs", "a random id"),
    ("edge/state/journal.rs", "numbers and fingerprints"),
    ("edge/state/ledger.rs", "sealed; `SealedKind::encode` has read it"),
    ("edge/state/lock.rs", "nothing"),
    ("edge/state/project_lock.rs", "nothing, before the lock itself"),
    ("edge/state/review_cache.rs", "numbers and sealed names"),
    ("edge/state/seal.rs", "the key"),
    ("edge/state/sealed.rs", "what `SealedKind::encode` has read"),
    ("edge/state/monitor_state.rs", "numbers, ids and `Redacted`"),
    ("edge/state/tasks.rs", "`Redacted`"),
    ("edge/state/writers.rs", "paths that hold no secret, and fingerprints"),
    ("edge/notify/log.rs", "`Redacted`"),
    ("edge/config/prompts.rs", "nothing; its tests do"),
    ("edge/config/compiled.rs", "the compiled settings, which are looked through before"),
    ("edge/config/trust.rs", "digests of files that a person trusts"),
    ("edge/config/template.rs", "a template of ours"),
    ("edge/checkpoint/put.rs", "the project's own files"),
    ("edge/checkpoint/seen.rs", "names and times of the project's own files"),
    ("edge/checkpoint/singles.rs", "copies of files, and a log that it looks through"),
    ("edge/checkpoint/store.rs", "git's own files of the store"),
    ("edge/checkpoint/contents.rs", "nothing, it reads"),
    ("edge/repo/copy.rs", "the project's own files"),
    ("edge/repo/courier.rs", "git's own files of a scratch repository"),
    ("edge/repo/scratch.rs", "git's own files of a scratch repository"),
    ("edge/signature.rs", "public keys and signatures, in a scratch folder"),
    ("edge/file/mod.rs", "nothing, it opens for others"),
    ("app/server/install.rs", "the hook of a bare repository, and public keys"),
    ("app/step/preservation.rs", "nothing, into a file that only has to be there"),
    ("app/gate/installed_files.rs", "names of our files, for git to ignore"),
    ("app/gate/pre_push_hook.rs", "the git hook"),
    ("app/hooks/session_start.rs", "a line for PATH"),
    ("app/lab/sample_world.rs", "a repository made for a rehearsal"),
    ("bin/plimsoll/demo/stage.rs", "a project made for the demonstration"),
    ("bin/plimsoll/setup/whole_file.rs", "the client's settings, `.gitignore`, our programs and files"),
];

/// One source file of a room, without comments and without what only tests see.
struct Source {
    name: String,
    text: String,
    /// Where its module is: `["step", "programs", "git"]`.
    module: Vec<String>,
}

/// Every source of a room that is part of the product: a folder, or a single file.
fn room(kind: &str, name: &str) -> Vec<Source> {
    let mut waiting = vec![vec![kind.to_owned(), name.to_owned()]];
    let mut found = Vec::new();
    while let Some(module) = waiting.pop() {
        let path = file_of(&module);
        let text = product(&fs::read_to_string(&path).unwrap());
        for child in text.lines().filter_map(declared) {
            waiting.push(module.iter().cloned().chain([child.to_owned()]).collect());
        }
        let name = path.strip_prefix(sources()).unwrap().display().to_string();
        found.push(Source { name, text, module });
    }
    found
}

/// `["app", "gate"]` → `src/app/gate.rs` or `src/app/gate/mod.rs`.
fn file_of(module: &[String]) -> PathBuf {
    let file = sources().join(module.join("/")).with_extension("rs");
    if file.is_file() { file } else { sources().join(module.join("/")).join("mod.rs") }
}

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn rooms_of_app() -> Vec<Source> {
    APP.iter().flat_map(|name| room("app", name)).collect()
}

fn rooms_of_edge() -> Vec<Source> {
    EDGES.iter().flat_map(|(name, _)| room("edge", name)).collect()
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

    /// With `super` and `self` replaced by the module that they mean.
    fn resolved(&self, path: &str) -> String {
        let mut rest = path;
        let mut module = self.module.as_slice();
        if let Some(after) = rest.strip_prefix("self::") {
            rest = after;
        }
        while let Some(after) = rest.strip_prefix("super::") {
            rest = after;
            module = module.split_last().map_or(module, |(_, parents)| parents);
        }
        match rest.len() == path.len() {
            true => path.to_owned(),
            false => format!("crate::{}::{rest}", module.join("::")),
        }
    }

    /// What the file uses of the library, as `(kind, room)`: `("pure", "step")`.
    fn rooms(&self) -> BTreeSet<(String, String)> {
        let named = |path: &String| {
            let mut parts = path.strip_prefix("crate::")?.split("::");
            Some((parts.next()?.to_owned(), parts.next()?.to_owned()))
        };
        self.paths().iter().filter_map(named).filter(|(_, room)| !room.is_empty()).collect()
    }

    /// The modules beside its own, below the same room, that the file uses: `weigh` uses `cache`.
    fn neighbours(&self) -> BTreeSet<String> {
        let Some(room) = self.module.get(..2) else { return BTreeSet::new() };
        let prefix = format!("crate::{}::", room.join("::"));
        let own = self.module.get(2);
        let named = |path: &String| path.strip_prefix(&prefix)?.split("::").next().map(str::to_owned);
        self.paths().iter().filter_map(named).filter(|name| Some(name) != own).collect()
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
    let known = [
        // `fuzz` is for tests alone.
        ("", vec!["app", "bin", "edge", "fuzz", "lib", "pure"]),
        ("pure", PURE.iter().map(|(name, _)| *name).collect()),
        ("edge", EDGES.iter().map(|(name, _)| *name).collect()),
        ("app", APP.to_vec()),
    ];
    for (folder, rooms) in known {
        let found: BTreeSet<String> = fs::read_dir(sources().join(folder))
            .unwrap()
            .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
            .filter(|name| name != "mod")
            .collect();
        assert_eq!(found, rooms.into_iter().map(str::to_owned).collect(), "in src/{folder}");
    }
}

#[test]
fn a_pure_room_reaches_out_to_nothing() {
    for source in PURE.iter().flat_map(|(name, _)| room("pure", name)) {
        for path in source.paths() {
            let reached = OUTSIDE.iter().find(|outside| path.contains(*outside));
            assert_eq!(reached, None, "{} uses {path}", source.name);
        }
    }
}

#[test]
fn a_pure_room_uses_only_pure_rooms_to_its_left() {
    for (name, left) in PURE {
        for source in room("pure", name) {
            for (kind, used) in source.rooms() {
                let allowed = used == name || left.contains(&used.as_str());
                assert!(kind == "pure" && allowed, "{} uses {kind}::{used}", source.name);
            }
        }
    }
}

#[test]
fn an_edge_uses_only_pure_rooms_and_the_edges_below_it() {
    for (name, below) in EDGES {
        for source in room("edge", name) {
            for (kind, used) in source.rooms() {
                let allowed = match kind.as_str() {
                    "pure" => true,
                    "edge" => used == name || below.contains(&used.as_str()),
                    _ => false,
                };
                assert!(allowed, "{} uses {kind}::{used}", source.name);
            }
        }
    }
}

#[test]
fn a_room_of_app_uses_only_rooms_to_its_left() {
    for (place, name) in APP.iter().enumerate() {
        for source in room("app", name) {
            for (_, used) in source.rooms().iter().filter(|(kind, _)| kind == "app") {
                let left = APP.iter().position(|room| room == used);
                assert!(left.is_some_and(|left| left <= place), "{} uses app::{used}", source.name);
            }
        }
    }
}

#[test]
fn app_reaches_out_only_through_edges() {
    const REACHES: [&str; 6] =
        ["std::fs", "std::env", "std::process", "std::net", "SystemTime::now", "Instant::now"];
    const STREAMS: [&str; 3] = ["io::stdin", "io::stdout", "io::stderr"];
    /// Each with the reason why it may.
    const EXCEPT: [(&str, &str); 1] =
        [("app/lab/sample_world.rs", "builds a throw-away home and repository to try tool calls in")];
    for source in rooms_of_app() {
        if EXCEPT.iter().any(|(name, _)| *name == source.name) {
            continue;
        }
        for path in source.paths() {
            // An exit code is a value.
            let is_value = path == "std::process::ExitCode";
            let reached = REACHES.iter().chain(&STREAMS).find(|outside| path.contains(*outside));
            assert_eq!(reached.filter(|_| !is_value), None, "{} uses {path}", source.name);
        }
    }
}

/// Two modules of one room that use each other are one module, or share a third.
#[test]
fn modules_of_a_room_of_app_form_no_cycle() {
    for name in APP {
        let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for source in room("app", name) {
            if let Some(module) = source.module.get(2) {
                uses.entry(module.clone()).or_default().extend(source.neighbours());
            }
        }
        // A name that is no module is something that the room exports.
        let modules: BTreeSet<String> = uses.keys().cloned().collect();
        uses.values_mut().for_each(|used| used.retain(|name| modules.contains(name)));
        while let Some(free) = uses.iter().find(|(_, used)| used.is_empty()).map(|(name, _)| name.clone()) {
            uses.remove(&free);
            uses.values_mut().for_each(|used| {
                used.remove(&free);
            });
        }
        assert!(uses.is_empty(), "a cycle in app/{name}: {uses:?}");
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
    const OTHERWISE: [&str; 10] = [
        "edge/file/mod.rs",
        "edge/run/process_table.rs",
        "edge/run/escaped.rs",
        "edge/run/memory.rs",
        "edge/run/running.rs",
        "edge/state/seal.rs",
        "edge/state/project_lock.rs",
        "edge/checkpoint/contents.rs",
        "edge/notify/sender.rs",
        "edge/run/process.rs",
    ];
    let sources = rooms_of_edge().into_iter().chain(rooms_of_app());
    for source in sources.filter(|source| !OTHERWISE.contains(&source.name.as_str())) {
        let text: String = source.text.split_whitespace().collect();
        let opens = OPENS.iter().find(|opens| text.contains(*opens));
        assert_eq!(opens, None, "{} opens a file by itself", source.name);
    }
}

/// `edge/git` chooses the file, hardens the call and bounds it.
#[test]
fn git_is_started_through_its_door() {
    const STARTS: [&str; 4] = [r#"new("git")"#, r#"command("git")"#, r#"_by("git""#, r#"vec!["git""#];
    for source in product_sources().into_iter().filter(|source| !source.name.starts_with("edge/git/")) {
        let starts = STARTS.iter().find(|starts| source.text.contains(*starts));
        assert_eq!(starts, None, "{} starts git by itself", source.name);
    }
}

#[test]
fn only_known_files_write_past_the_door_that_reads_every_word() {
    let writes = |source: &Source| OPENERS.iter().any(|opener| source.text.contains(opener));
    let writers: BTreeSet<String> =
        product_sources().into_iter().filter(writes).map(|source| source.name).collect();
    let known: BTreeSet<String> = WRITERS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(writers, known);
}

/// Every source of the product, the programs among them.
fn product_sources() -> Vec<Source> {
    let mut folders = vec![sources()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(sources()).unwrap().display().to_string();
            if path.is_dir() {
                folders.push(path);
            } else if !is_for_tests(&name) {
                let text = product(&fs::read_to_string(&path).unwrap());
                found.push(Source { name, text, module: Vec::new() });
            }
        }
    }
    found
}

/// Whole files that only tests see.
fn is_for_tests(name: &str) -> bool {
    name.contains("tests") || name.starts_with("fuzz/") || name == "edge/config/place.rs"
}

#[test]
fn the_reader_of_sources_sees_through_groups_and_parents_and_past_tests() {
    let text = "\
//! std::fs in a comment
use super::super::{gate::Verdict, client};
use std::{collections::BTreeMap, fs::{self, File}};

fn f() {
    crate::pure::report::form();
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
    let module = ["pure", "step", "decide"].map(str::to_owned).to_vec();
    let source = Source { name: "decide.rs".into(), text: product(text), module };
    let paths = source.paths();
    for path in ["crate::pure::gate::Verdict", "std::fs::self", "std::fs::File", "crate::pure::report::form"]
    {
        assert!(paths.contains(path), "{path} is not in {paths:?}");
    }
    assert!(!paths.iter().any(|path| path.contains("std::env")), "{paths:?}");
    assert!(!source.text.contains("scenarios"), "{}", source.text);
    assert!(source.text.contains("fn g"), "{}", source.text);
    let rooms = ["client", "gate", "report"].map(|room| ("pure".to_owned(), room.to_owned()));
    assert_eq!(source.rooms(), rooms.into());
}

#[test]
fn the_walks_in_the_documentation_name_files_and_functions_that_exist() {
    let page =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/architecture.md")).unwrap();
    let hops: Vec<(&str, &str)> = page
        .lines()
        .filter_map(|line| line.split_once(". `")?.1.split_once('`')?.0.split_once(".rs: "))
        .collect();
    assert!(hops.len() > 50, "only {} hops", hops.len());
    for (file, function) in hops {
        let text = fs::read_to_string(sources().join(format!("{file}.rs"))).unwrap_or_default();
        let found =
            [format!("fn {function}("), format!("fn {function}<")].iter().any(|name| text.contains(name));
        assert!(found, "src/{file}.rs has no function {function}");
    }
}

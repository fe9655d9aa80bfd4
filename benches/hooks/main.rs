//! What each hook costs, in units of the empty Rust program: instructions (callgrind) and wall time (minimum of
//! interleaved runs) in an empty session, and how much more it takes after 10,000 events than after 100. For a shell command
//! also what reading it takes of that, and what the parser would take that is asked where the quick reader gives up. Prints;
//! judges nothing. With `--order` it writes the linker's list of everyday functions instead.

#![expect(clippy::unwrap_used, reason = "a benchmark that cannot set up its place has nothing to measure")]

mod guards;
mod order;

use camino::{Utf8Path, Utf8PathBuf};
use plimsoll::edge::state::{Journal, JournalRecord, Outcome, RecordKind, StateLayout};
use plimsoll::pure::step::Decision;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const RUNS: usize = 200;
const SESSION: &str = "0b1f7e7e-2f4b-4a39-9d0c-6d2f6a3e9a11";

fn main() {
    let place = Place::new();
    if std::env::args().any(|argument| argument == "--order") {
        return order::write(&place, &events(&place));
    }
    let hooks = installed(&build_hooks(), &place.root);
    let empty = build_empty(&place.root);
    let [reading, parser] = [("reading", READING), ("parser", PARSER)]
        .map(|(name, source)| build_reader(&place.root, name, source));
    println!("hooks: {hooks}\n");
    println!(
        "{:<44} {:>12} {:>8} {:>8} {:>14} {:>8} {:>8}",
        "event", "instructions", "units", "wall", "10,000 events", "reading", "parser"
    );
    let unit = instructions(&place, &empty, "");
    println!(
        "{:<44} {:>12} {:>8} {:>8}",
        "the empty program",
        unit.map_or("-".into(), |n| n.to_string()),
        "1.00",
        "1.00"
    );
    let cases = events(&place);
    for Case { name, hook, event, command } in &cases {
        let program = hooks.join(hook);
        let fresh = instructions(&place, &program, event);
        let wall = wall_ratio(&place, &empty, &program, event);
        let after = |events| {
            place.lengthen_session(events);
            let cost = instructions(&place, &program, event);
            place.forget_session();
            cost
        };
        let (short, long) = (after(100), after(10_000));
        let ratio = |a: Option<u64>, b: Option<u64>| {
            a.zip(b).map_or("-".into(), |(a, b)| format!("{:.2}", a as f64 / b as f64))
        };
        let shown = fresh.map_or("-".into(), |n| n.to_string());
        let alone = |reader: &Option<Utf8PathBuf>| {
            let (reader, command) = reader.as_deref().zip(command.as_deref())?;
            instructions(&place, reader, command)?.checked_sub(instructions(&place, reader, "")?)
        };
        println!(
            "{name:<44} {shown:>12} {:>8} {wall:>8.2} {:>13}x {:>8} {:>8}",
            ratio(fresh, unit),
            ratio(long, short),
            ratio(alone(&reading), unit),
            ratio(alone(&parser), unit)
        );
    }
    guards::compare(&place, &hooks, &cases);
}

/// A project and a home of their own.
struct Place {
    _directory: tempfile::TempDir,
    root: Utf8PathBuf,
    project: Utf8PathBuf,
}

impl Place {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(directory.path().canonicalize().unwrap()).unwrap();
        let project = root.join("project");
        std::fs::create_dir_all(root.join("home")).unwrap();
        std::fs::create_dir_all(&project).unwrap();
        assert!(
            Command::new("git").args(["init", "-q", "-b", "main"]).arg(&project).status().unwrap().success()
        );
        Self { _directory: directory, root, project }
    }

    fn layout(&self) -> StateLayout {
        StateLayout::in_repository(&self.project.join(".git"))
    }

    fn lengthen_session(&self, events: u64) {
        let journal = Journal::open(&self.layout().journal(SESSION)).unwrap();
        for number in 0..events {
            journal
                .append(&JournalRecord {
                    call: number,
                    ..JournalRecord::new(RecordKind::Before, Outcome::Decided(Decision::Silent), number)
                })
                .unwrap();
        }
    }

    fn forget_session(&self) {
        std::fs::remove_dir_all(self.layout().session(SESSION)).unwrap();
    }

    /// What the client gives a hook, no more.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .current_dir(&self.project)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .stdin(Stdio::piped());
        command.env("HOME", self.root.join("home")).env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command
            .env("CLAUDE_PROJECT_DIR", &self.project)
            .env("CLAUDECODE", "1")
            .env("CLAUDE_CODE_SESSION_ID", SESSION);
        command
    }
}

/// A hook and what it is fed.
struct Case {
    name: String,
    hook: &'static str,
    event: String,
    /// The shell command in it.
    command: Option<String>,
}

fn event(place: &Place, name: &str, fields: serde_json::Value) -> String {
    let mut event = serde_json::json!({
        "session_id": SESSION, "transcript_path": "/home/u/.claude/projects/x/y.jsonl", "cwd": place.project,
        "prompt_id": "p", "permission_mode": "default", "hook_event_name": name,
    });
    event.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    event.to_string()
}

fn bash(command: &str) -> serde_json::Value {
    let input = serde_json::json!({ "command": command, "description": "what it does" });
    serde_json::json!({ "tool_name": "Bash", "tool_input": input, "tool_use_id": "toolu_01AbCdEfGhIjKlMnOpQrStUv" })
}

fn events(place: &Place) -> Vec<Case> {
    let event = |name: &str, fields| event(place, name, fields);
    let prompt = serde_json::json!({ "prompt": "please add a test for the parser" });
    let commit = "git add -A && git commit -m \"$(cat <<'EOF'\nAdd a test\n\nIt was missing.\nEOF\n)\"";
    let dense = "for f in $(ls src); do if grep -q x \"$f\" && [ -n \"$f\" ]; then echo \"${f%.rs}\" | sed 's/a/b/' >> out.txt; fi; done; ".repeat(16);
    let script = script();
    let mut events: Vec<Case> = [
        ("git status", "git status"),
        ("cd x && npm test", "cd x && npm test"),
        ("a pipe", "cat a.txt | grep -v x | sort | uniq -c | head -20"),
        ("a loop", "for f in a b c; do echo \"$f\"; done"),
        ("a commit with a heredoc", commit),
        ("2 KB of dense shell", dense.as_str()),
        ("64 KB of a script", script.as_str()),
    ]
    .iter()
    .map(|(name, command)| Case {
        name: format!("pre-tool-use: {name}"),
        hook: "pre-tool-use",
        event: event("PreToolUse", bash(command)),
        command: Some((*command).to_owned()),
    })
    .collect();
    let response = serde_json::json!({ "tool_response": { "stdout": "ok", "stderr": "" } });
    let mut after = bash("git status");
    after.as_object_mut().unwrap().extend(response.as_object().unwrap().clone());
    for (name, hook, text) in [
        ("post-tool-use", "post-tool-use", event("PostToolUse", after)),
        (
            "user-prompt-review, not addressed",
            "user-prompt-review",
            event("UserPromptSubmit", prompt.clone()),
        ),
        ("user-prompt-ship, not addressed", "user-prompt-ship", event("UserPromptSubmit", prompt.clone())),
        ("user-prompt-start", "user-prompt-start", event("UserPromptSubmit", prompt)),
        ("session-start", "session-start", event("SessionStart", serde_json::json!({ "source": "startup" }))),
        (
            "stop",
            "stop",
            event("Stop", serde_json::json!({ "stop_hook_active": false, "last_assistant_message": "done" })),
        ),
        ("config-change", "config-change", event("ConfigChange", serde_json::json!({ "source": "skills" }))),
    ] {
        events.push(Case { name: name.to_string(), hook, event: text, command: None });
    }
    events
}

/// Different commands of every kind, as many as are looked into at all.
fn script() -> String {
    const LONGEST: usize = 64 * 1024;
    let mut script = String::new();
    for part in 0.. {
        let next = PART.replace('@', &part.to_string());
        if script.len() + next.len() > LONGEST {
            return script;
        }
        script.push_str(&next);
    }
    script
}

const PART: &str = r#"dir_@="build/part@"
if [ -d "$dir_@" ] && grep -q "x@" "$dir_@/list.txt"; then
  for f in $(ls src/@); do echo "${f%.rs}" | sed 's/a/b@/' >> out@.txt; done
elif test -n "${CI:-}"; then
  case "$1" in start|run) make -j4 part@ VERBOSE=1 ;; *) echo "usage: $0 start" >&2 ;; esac
else
  (cd part@ && npm run build -- --mode=prod 2>&1 | tail -n 20) || echo "part @ failed: $?"
fi
check_@() { local n=$1; [[ $n -gt @ ]] && return 0; curl -fsS "https://example.org/v@?n=$n" -o "$dir_@/got.json"; }
check_@ "$(wc -l < "$dir_@/list.txt")" && cp -r "$dir_@" dist/ || true
"#;

fn feed(mut command: Command, event: &str) -> std::process::Output {
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(event.as_bytes()).ok();
    child.wait_with_output().unwrap()
}

fn instructions(place: &Place, program: &Utf8Path, event: &str) -> Option<u64> {
    // The first call makes folders; what counts is every call after it.
    feed(place.command(program.as_str()), event);
    let mut command = place.command("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(program);
    let output = Command::new("valgrind").arg("--version").output().ok().map(|_| feed(command, event))?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    text.lines()
        .find_map(|line| line.split("Collected :").nth(1))
        .and_then(|number| number.trim().parse().ok())
}

fn wall_ratio(place: &Place, empty: &Utf8Path, program: &Utf8Path, event: &str) -> f64 {
    let (mut best_empty, mut best) = (Duration::MAX, Duration::MAX);
    for _ in 0..RUNS {
        best_empty = best_empty.min(time(place, empty, event));
        best = best.min(time(place, program, event));
    }
    best.as_secs_f64() / best_empty.as_secs_f64()
}

fn time(place: &Place, program: &Utf8Path, event: &str) -> Duration {
    let command = place.command(program.as_str());
    let started = Instant::now();
    feed(command, event);
    started.elapsed()
}

/// As install.sh builds them: static against musl where the toolchain has it.
fn build_hooks() -> Utf8PathBuf {
    let musl = format!("{}-unknown-linux-musl", std::env::consts::ARCH);
    let target = Utf8PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("target");
    let build = |triple: Option<&str>| {
        let mut command = Command::new(env!("CARGO"));
        command
            .args(["build", "--release", "--locked", "--no-default-features", "--bin", "plimsoll-hook"])
            .current_dir(env!("CARGO_MANIFEST_DIR"));
        command.env("CARGO_TARGET_DIR", &target);
        if let Some(triple) = triple {
            command.args(["--target", triple]);
        }
        command.stderr(Stdio::null()).status().is_ok_and(|status| status.success())
    };
    if build(Some(&musl)) {
        return target.join(&musl).join("release");
    }
    assert!(build(None), "the hooks do not build");
    target.join("release")
}

/// Copied and linked, as install.sh does it: a file that the linker wrote in pieces is mapped in pieces, too.
fn installed(built: &Utf8Path, root: &Utf8Path) -> Utf8PathBuf {
    let folder = root.join("hooks");
    std::fs::create_dir(&folder).unwrap();
    let program = folder.join("plimsoll-hook");
    std::fs::copy(built.join("plimsoll-hook"), &program).unwrap();
    for (_, hook) in plimsoll::pure::client::registration::expected() {
        // Some hooks answer several events.
        let _ = std::fs::hard_link(&program, folder.join(hook));
    }
    folder
}

/// `fn main(){}` as a plain release build makes it.
fn build_empty(root: &Utf8Path) -> Utf8PathBuf {
    let (source, program) = (root.join("empty.rs"), root.join("empty"));
    std::fs::write(&source, "fn main() {}\n").unwrap();
    let built =
        Command::new("rustc").args(["-C", "opt-level=3", "-o"]).arg(&program).arg(&source).status().unwrap();
    assert!(built.success());
    program
}

/// A program that does nothing but read what it is fed, out of the libraries that the hooks were built from.
fn build_reader(root: &Utf8Path, name: &str, text: &str) -> Option<Utf8PathBuf> {
    let triple = format!("{}-unknown-linux-musl", std::env::consts::ARCH);
    let target = Utf8PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("target");
    let (release, macros) = (target.join(&triple).join("release/deps"), target.join("release/deps"));
    let library = |name: &str| {
        let files = release.read_dir_utf8().ok()?.flatten().map(|entry| entry.into_path());
        let built = files.filter(|path| {
            path.extension() == Some("rlib")
                && path.file_name().is_some_and(|file| file.starts_with(&format!("lib{name}-")))
        });
        let newest = built.max_by_key(|path| path.metadata().and_then(|data| data.modified()).ok())?;
        Some(format!("{name}={newest}"))
    };
    let (source, program) = (root.join(format!("{name}.rs")), root.join(name));
    std::fs::write(&source, format!("{text}{ALLOCATOR}")).ok()?;
    let built = Command::new("rustc")
        .args(["--edition=2024", "-Copt-level=3", "-Cpanic=abort", "-Crelocation-model=static", "-Clto=fat"])
        .args(["--target", &triple])
        .args([format!("-Ldependency={release}"), format!("-Ldependency={macros}")])
        .args(["--extern", &library("shuck_parser")?, "--extern", &library("dlmalloc")?])
        .args(["--extern", &library("plimsoll")?])
        .arg("-o")
        .arg(&program)
        .arg(&source)
        .stderr(Stdio::null())
        .status()
        .ok()?;
    built.success().then_some(program)
}

const READING: &str = r#"
fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    std::process::exit(plimsoll::pure::shell::is_valid(&text).into());
}
"#;

const PARSER: &str = r#"
use shuck_parser::parser::{Parser, ShellDialect, ShellProfile};

fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    let profile = ShellProfile::native(ShellDialect::Bash);
    std::mem::forget(Parser::with_limits_and_profile(&text, 100, 100_000, profile).parse());
}
"#;

const ALLOCATOR: &str = r#"
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;
"#;

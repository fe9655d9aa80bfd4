//! Runs the examples of README.md, of every page in docs/ and of the recorded picture, and compares their output.
//!
//! Each page runs in its own repository and home, its examples in order. In a `console` block, `$ ` starts a command of a
//! person and `agent> ` a shell command of the agent: that one is never run, only judged by the real `pre-tool-use` hook.
//! A comment that starts with `<!-- setup` holds commands that have to succeed and whose output is not shown.

#![expect(clippy::unwrap_used, reason = "an example that cannot be run has to fail the test")]

use crate::programs;
use regex::Regex;
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Programs that examples may start: they change nothing outside the temporary home.
const SAFE: [&str; 4] = ["plimsoll", "git", "printf", "mkdir"];
/// Stands for any text within a line, or for any lines if it is alone on its line.
const ANYTHING: &str = "…";

#[derive(Debug, Clone, Copy, PartialEq)]
enum Actor {
    Person,
    Agent,
    Setup,
}

#[derive(Debug)]
struct Example {
    actor: Actor,
    command: String,
    /// The lines of the page that show the output.
    shown: Vec<String>,
    /// The index of the first line after the command.
    line: usize,
}

fn examples(text: &str) -> Vec<Example> {
    let mut found: Vec<Example> = Vec::new();
    let mut block = None;
    for (index, line) in text.lines().enumerate() {
        let command = |actor, command: &str| Example {
            actor,
            command: command.to_owned(),
            shown: Vec::new(),
            line: index + 1,
        };
        match block {
            Some(Actor::Setup) if line == "-->" => block = None,
            Some(Actor::Setup) => found.push(command(Actor::Setup, line.strip_prefix("$ ").unwrap())),
            None if line == "<!-- setup" => block = Some(Actor::Setup),
            None if line == "```console" => block = Some(Actor::Person),
            None => {}
            Some(_) if line == "```" => block = None,
            Some(_) => {
                if let Some(text) = line.strip_prefix("$ ") {
                    found.push(command(Actor::Person, text));
                } else if let Some(text) = line.strip_prefix("agent> ") {
                    found.push(command(Actor::Agent, text));
                } else {
                    found.last_mut().unwrap().shown.push(line.to_owned());
                }
            }
        }
    }
    found
}

/// The text of a recorded picture in the form of a page: its setup commands, then one `console` block.
fn picture_as_page(svg: &str) -> String {
    let setup = Regex::new("(?s)<metadata>\n(.*?)\n *</metadata>").unwrap();
    let line = Regex::new("(?s)<text class=\"line\"[^>]*>(.*?)</text>").unwrap();
    let tag = Regex::new("<[^>]*>").unwrap();
    let text = |xml: &str| {
        let text = tag.replace_all(xml, "").into_owned();
        text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&") + "\n"
    };
    let setup = text(setup.captures(svg).unwrap().get(1).unwrap().as_str());
    let lines = line.captures_iter(svg).map(|found| text(found.get(1).unwrap().as_str()));
    format!("<!-- setup\n{setup}-->\n```console\n{}```\n", lines.collect::<String>())
}

/// One pushed commit in a repository with its own home and remote.
struct Place {
    directory: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        // Outside the system's temporary directory, where no file counts as worth keeping.
        let place = Self { directory: tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap() };
        fs::create_dir_all(place.home().join("project")).unwrap();
        for command in [
            "git init --quiet --bare ../remote.git",
            "git init --quiet --initial-branch=main",
            "git config user.name Ada && git config user.email ada@example.invalid",
            "printf 'Hello\\n' > greeting.txt && git add . && git commit --quiet --message Start",
            "git remote add origin ../remote.git && git push --quiet --set-upstream origin main",
        ] {
            assert_eq!(place.shell(command), (true, String::new()), "{command}");
        }
        place
    }

    fn home(&self) -> PathBuf {
        self.directory.path().canonicalize().unwrap().join("home")
    }

    fn command(&self, program: impl AsRef<Path>) -> Command {
        let bin = programs::program("plimsoll").with_file_name("");
        let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
        let mut command = Command::new(program.as_ref());
        command
            .current_dir(self.home().join("project"))
            .env_clear()
            .env("PATH", path)
            .env("HOME", self.home())
            .env("TMPDIR", self.directory.path())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .stdin(Stdio::null());
        command
    }

    /// Success, and both streams as a person sees them.
    fn shell(&self, command: &str) -> (bool, String) {
        let output = self.command("sh").arg("-c").arg(format!("exec 2>&1; {command}")).output().unwrap();
        (output.status.success(), self.printed(&output.stdout))
    }

    /// The decision of `pre-tool-use` about a shell command of the agent, with its reason.
    fn decision(&self, command: &str) -> String {
        let event = json!({
            "session_id": "example",
            "transcript_path": self.home().join("transcript.jsonl"),
            "cwd": self.home().join("project"),
            "permission_mode": "default",
            "hook_event_name": "PreToolUse",
            "tool_name": "Bash",
            "tool_input": {"command": command},
            "tool_use_id": "example",
        });
        let mut hook = self
            .command(programs::program("pre-tool-use"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        hook.stdin.take().unwrap().write_all(event.to_string().as_bytes()).unwrap();
        let answer: Value = serde_json::from_slice(&hook.wait_with_output().unwrap().stdout).unwrap();
        let field = |name| answer.pointer(&format!("/hookSpecificOutput/{name}")).and_then(Value::as_str);
        let decision = match (field("permissionDecision"), field("permissionDecisionReason")) {
            (Some(decision), Some(reason)) => format!("{decision}: {reason}\n"),
            _ => {
                assert_eq!(answer, json!({}), "{command}");
                "silent\n".to_owned()
            }
        };
        self.printed(decision.as_bytes())
    }

    fn printed(&self, bytes: &[u8]) -> String {
        String::from_utf8(bytes.to_owned()).unwrap().replace(self.home().to_str().unwrap(), "~")
    }

    fn output(&self, example: &Example) -> String {
        if example.actor == Actor::Agent {
            return self.decision(&example.command);
        }
        let program = example.command.split_whitespace().next().unwrap();
        let command = &example.command;
        assert!(SAFE.contains(&program), "may `{command}` be run here? Name {program} in this test");
        let (success, printed) = self.shell(command);
        if example.actor == Actor::Setup {
            assert!(success, "the setup command `{command}` failed:\n{printed}");
            return String::new();
        }
        printed
    }
}

/// Ids and durations differ from run to run.
fn settled(text: &str) -> String {
    let ids = Regex::new("[0-9a-f]{12,64}|/allow [0-9a-f]{6}").unwrap().replace_all(text, "ID").into_owned();
    Regex::new("[0-9]+[.][0-9]s").unwrap().replace_all(&ids, "TIME").into_owned()
}

/// A pattern that matches the whole of the shown output.
fn pattern(shown: &[String]) -> Regex {
    let line = |line: &String| match line.as_str() {
        ANYTHING => "(?:[^\n]*\n)*?".to_owned(),
        line => {
            let parts: Vec<String> = settled(line).split(ANYTHING).map(regex::escape).collect();
            format!("{}\n", parts.join("[^\n]*"))
        }
    };
    Regex::new(&format!("^{}$", shown.iter().map(line).collect::<String>())).unwrap()
}

/// Runs every example of a page. Returns how many there are, and the page with the output of today.
fn run(name: &str, page: &str, update: bool) -> (usize, String) {
    let found = examples(page);
    if found.is_empty() {
        return (0, page.to_owned());
    }
    let place = Place::new();
    let mut lines: Vec<&str> = page.lines().collect();
    let outputs: Vec<String> = found.iter().map(|example| place.output(example)).collect();
    for (example, printed) in found.iter().zip(&outputs).rev() {
        if pattern(&example.shown).is_match(&settled(printed)) {
            continue;
        }
        let elided = example.shown.iter().any(|line| line.contains(ANYTHING));
        assert!(
            update && !elided,
            "{name}: `{}` printed\n{printed}\nbut the page shows\n{}\n(UPDATE_DOCS=1 cargo test examples writes output \
             that is shown whole; docs/picture/record draws the picture)",
            example.command,
            example.shown.join("\n"),
        );
        let end = example.line + example.shown.len();
        lines.splice(example.line..end, printed.lines());
    }
    (found.iter().filter(|example| example.actor != Actor::Setup).count(), lines.join("\n") + "\n")
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn every_example_in_the_documentation_prints_the_output_it_shows() {
    let update = std::env::var_os("UPDATE_DOCS").is_some();
    let mut pages = vec![root().join("README.md")];
    pages.extend(fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path()));
    pages.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    let mut count = 0;
    for path in pages {
        let page = fs::read_to_string(&path).unwrap();
        let (examples, current) = run(&path.display().to_string(), &page, update);
        count += examples;
        if current != page {
            fs::write(path, current).unwrap();
        }
    }
    assert!(count >= 29, "only {count} examples were found");
}

#[test]
fn the_picture_shows_what_the_product_prints() {
    let svg = fs::read_to_string(root().join("docs/picture/session.svg")).unwrap();
    let (examples, _) = run("docs/picture/session.svg", &picture_as_page(&svg), false);
    assert!(examples >= 5, "only {examples} examples were found");
}

#[test]
fn an_example_that_shows_other_output_fails() {
    let shown = |lines: &[&str]| pattern(&lines.iter().map(ToString::to_string).collect::<Vec<_>>());
    assert!(shown(&["a", "…", "z"]).is_match("a\nb\nc\nz\n"));
    assert!(shown(&["commit 0123456789ab … end"]).is_match(&settled("commit fedcba987654 in the end\n")));
    assert!(!shown(&["a", "z"]).is_match("a\nb\nz\n"));
    assert!(!shown(&["a"]).is_match("a\nb\n"));
    assert!(!shown(&[]).is_match("a\n"));
    assert!(shown(&[]).is_match(""));
}

//! The README's examples are run, in order, in one repository, and print what it says that they print.

#![expect(clippy::unwrap_used, reason = "an example that cannot be run has to fail the test")]

use regex::Regex;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Programs that examples may start here: they touch the temporary home alone.
const SAFE: [&str; 4] = ["plimsoll", "git", "printf", "mkdir"];
/// Examples that stand in the README to be read; they build, install or start a client.
const NOT_RUN: [&str; 3] = ["./install.sh", "cargo", "claude"];
/// Stands for anything: within a line, or for whole lines where it is alone.
const ANYTHING: &str = "…";

/// A command with the output that the README shows.
#[derive(Debug, Default)]
struct Example {
    command: String,
    shown: Vec<String>,
}

/// Every `$ ` line of the blocks marked `console`.
fn examples(text: &str) -> Vec<Example> {
    let mut found: Vec<Example> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if !inside {
        } else if let Some(command) = line.strip_prefix("$ ") {
            found.push(Example { command: command.to_owned(), shown: Vec::new() });
        } else {
            found.last_mut().unwrap().shown.push(line.to_owned());
        }
    }
    found
}

/// The repository that the README speaks of: one commit, pushed, in a home of its own.
struct Place {
    directory: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let place = Self { directory: tempfile::tempdir().unwrap() };
        fs::create_dir_all(place.home().join("project")).unwrap();
        for command in [
            "git init --quiet --bare ../remote.git",
            "git init --quiet --initial-branch=main",
            "git config user.name Ada && git config user.email ada@example.invalid",
            "printf 'Hello\\n' > greeting.txt && git add . && git commit --quiet --message Start",
            "git remote add origin ../remote.git && git push --quiet --set-upstream origin main",
        ] {
            assert_eq!(place.run(command), "", "{command}");
        }
        place
    }

    fn home(&self) -> PathBuf {
        self.directory.path().canonicalize().unwrap().join("home")
    }

    /// Both streams as a person sees them, the home directory as `~`.
    fn run(&self, command: &str) -> String {
        let programs = Path::new(env!("CARGO_BIN_EXE_plimsoll")).parent().unwrap();
        let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
        let output = Command::new("sh")
            .arg("-c")
            .arg(format!("exec 2>&1; {command}"))
            .current_dir(self.home().join("project"))
            .env_clear()
            .env("PATH", path)
            .env("HOME", self.home())
            .env("TMPDIR", self.directory.path())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .stdin(Stdio::null())
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap().replace(self.home().to_str().unwrap(), "~")
    }
}

/// Ids and times differ from run to run.
fn settled(text: &str) -> String {
    let ids = Regex::new("[0-9a-f]{12,64}").unwrap().replace_all(text, "ID").into_owned();
    Regex::new("[0-9]+[.][0-9]s").unwrap().replace_all(&ids, "TIME").into_owned()
}

/// A pattern that matches what is shown, whole.
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

#[test]
fn every_example_of_the_readme_prints_what_it_shows() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let place = Place::new();
    let mut run = 0;
    for example in examples(&readme) {
        let program = example.command.split_whitespace().next().unwrap();
        if NOT_RUN.contains(&program) {
            continue;
        }
        assert!(
            SAFE.contains(&program),
            "may `{}` be run here? Name {program} in this test",
            example.command
        );
        let printed = place.run(&example.command);
        let wanted = pattern(&example.shown);
        assert!(
            wanted.is_match(&settled(&printed)),
            "`{}` printed\n{printed}\nbut the README shows\n{}",
            example.command,
            example.shown.join("\n")
        );
        run += 1;
    }
    assert!(run > 10, "only {run} examples were found");
}

#[test]
fn an_example_that_shows_other_output_is_told_apart() {
    let shown = |lines: &[&str]| pattern(&lines.iter().map(ToString::to_string).collect::<Vec<_>>());
    assert!(shown(&["a", "…", "z"]).is_match("a\nb\nc\nz\n"));
    assert!(shown(&["commit 0123456789ab … end"]).is_match(&settled("commit fedcba987654 in the end\n")));
    assert!(!shown(&["a", "z"]).is_match("a\nb\nz\n"));
    assert!(!shown(&["a"]).is_match("a\nb\n"));
    assert!(!shown(&[]).is_match("a\n"));
    assert!(shown(&[]).is_match(""));
}

//! `plimsoll config`, run as a person or an agent would run it.

#![expect(clippy::unwrap_used, reason = "a place that cannot be set up has to fail its test")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const FILE: &str = ".claude/config/review-config.yaml";

/// A home and a project of their own.
struct Place {
    directory: tempfile::TempDir,
}

struct Answer {
    code: i32,
    stdout: String,
    stderr: String,
}

impl Place {
    fn new() -> Self {
        let place = Self { directory: tempfile::tempdir().unwrap() };
        fs::create_dir_all(place.project().join(".git")).unwrap();
        fs::create_dir_all(place.project().join("src")).unwrap();
        fs::create_dir_all(place.home()).unwrap();
        place
    }

    fn root(&self) -> PathBuf {
        self.directory.path().canonicalize().unwrap()
    }

    fn home(&self) -> PathBuf {
        self.root().join("home")
    }

    fn project(&self) -> PathBuf {
        self.root().join("project")
    }

    fn write(&self, path: impl AsRef<Path>, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn write_project(&self, text: &str) {
        self.write(Path::new("project").join(FILE), text);
    }

    fn write_user(&self, text: &str) {
        self.write("home/.config/plimsoll/review-config.yaml", text);
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_plimsoll"));
        command
            .arg("config")
            .args(arguments)
            .current_dir(self.project().join("src"))
            .stdin(Stdio::null())
            .env_clear()
            .env("HOME", self.home());
        command
    }

    /// Runs it and writes the temporary directory as `ROOT`.
    fn config(&self, arguments: &[&str]) -> Answer {
        let output = self.command(arguments).output().unwrap();
        let text =
            |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().replace(self.root().to_str().unwrap(), "ROOT");
        Answer {
            code: output.status.code().unwrap(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }
}

#[test]
fn config_check_says_ok_or_names_each_mistake_with_its_line() {
    let place = Place::new();
    let good = place.config(&["check"]);
    assert_eq!((good.code, good.stdout.as_str()), (0, "ok\n"));

    place.write_project("loop1:\n  tier1_timout: 5\n  parallel_tier1: 1\n");
    let bad = place.config(&["check"]);
    assert_eq!((bad.code, bad.stderr.as_str()), (1, ""));
    insta::assert_snapshot!(bad.stdout, @r"
    ROOT/project/.claude/config/review-config.yaml:2: unknown key `loop1.tier1_timout`; did you mean `loop1.tier1_timeout`?
    ROOT/project/.claude/config/review-config.yaml:3: `loop1.parallel_tier1` is `1` but must be true or false
    ");

    let one = place.config(&["check", "../.claude/config/review-config.yaml"]);
    assert_eq!(one.code, 1);
    assert!(one.stdout.starts_with("../.claude/config/review-config.yaml:2: unknown key"), "{}", one.stdout);
    assert_eq!(place.config(&["check", "no-such.yaml"]).code, 2);
}

#[test]
fn config_init_writes_a_file_that_checks_clean_and_is_never_overwritten() {
    let place = Place::new();
    for arguments in [&["init"][..], &["init", "--user"]] {
        assert_eq!(place.config(arguments).code, 0);
        let again = place.config(arguments);
        assert_eq!(again.code, 2);
        assert!(again.stderr.contains("exists already and is left as it is"), "{}", again.stderr);
    }
    assert_eq!(place.config(&["check"]).stdout, "ok\n");
    let with_files = place.config(&["show"]);
    let without = Place::new().config(&["show"]);
    assert_eq!(with_files.stdout, without.stdout);

    place.write_project("blocking: {minor_blocks_ship: true}\n");
    assert_eq!(place.config(&["init"]).code, 2);
    let kept = fs::read_to_string(place.project().join(FILE)).unwrap();
    assert_eq!(kept, "blocking: {minor_blocks_ship: true}\n");
}

#[test]
fn config_init_changes_nothing_that_is_in_force() {
    let (user, project) = ("blocking: {required_loops: [1]}\n", "blocking: {minor_blocks_ship: true}\n");
    let cases = [
        (None, None),
        (Some(user), None),
        (None, Some(project)),
        (Some(user), Some(project)),
        (Some("step_reviewer: {mode: observe}\nloop2: {enabled: false}\n"), None),
        (Some("loop1: {checks: {test: [./check]}}\n"), Some("loop1: {tier1_timeout: 5}\n")),
        (Some("# nothing yet\n"), None),
    ];
    for (user, project) in cases {
        let place = Place::new();
        if let Some(text) = user {
            place.write_user(text);
        }
        if let Some(text) = project {
            place.write_project(text);
        }
        let before = place.config(&["show", "--origin"]);
        assert_eq!(before.code, 0, "{}", before.stderr);
        assert_eq!(place.config(&["init"]).code == 0, project.is_none());
        assert_eq!(place.config(&["init", "--user"]).code == 0, user.is_none());
        assert_eq!(place.config(&["show", "--origin"]).stdout, before.stdout, "{user:?} {project:?}");
    }
}

#[test]
fn config_show_tells_where_values_come_from_and_what_is_ignored() {
    let place = Place::new();
    place.write_user("loop1:\n  tier1_timeout: 45\n");
    place.write_project(
        "blocking:\n  required_loops: [1]\n  minor_blocks_ship: true\nloop1:\n  checks: {test: [./evil]}\n",
    );
    let shown = place.config(&["show", "--origin"]);
    assert_eq!((shown.code, shown.stderr.as_str()), (0, ""));
    let chosen: Vec<_> = shown
        .stdout
        .lines()
        .filter(|line| {
            ["loop1.tier", "  ", "blocking.m", "ignored", "blocking.req"]
                .iter()
                .any(|start| line.starts_with(start))
        })
        .collect();
    insta::assert_snapshot!(chosen.join("\n"), @r#"
    loop1.tier1_timeout: 45 # ROOT/home/.config/plimsoll/review-config.yaml
    loop1.tier2_timeout: 120 # default
    blocking.required_loops: [1,2] # default
    blocking.major_blocks_ship: false # default
    blocking.minor_blocks_ship: true # ROOT/project/.claude/config/review-config.yaml
    blocking.max_evidence_age_minutes: 60 # default
    blocking.max_rounds: 3 # default
    ignored:
      blocking.required_loops: [1] (ROOT/project/.claude/config/review-config.yaml): laxer than the value in force; needs `plimsoll config trust`
      loop1.checks.test: ["./evil"] (ROOT/project/.claude/config/review-config.yaml): names something to run or obey; needs `plimsoll config trust`
    "#);

    let json: serde_json::Value = serde_json::from_str(&place.config(&["show", "--json"]).stdout).unwrap();
    assert_eq!(json["settings"]["loop1"]["tier1_timeout"], 45);
    assert_eq!(json["ignored"][0]["reason"], "loosens");
    assert_eq!(json["policy"].as_str().unwrap().len(), 32);
}

#[test]
fn config_trust_shows_what_it_is_about_and_refuses_without_a_person() {
    let place = Place::new();
    assert_eq!(place.config(&["trust"]).code, 2);
    place.write_project("loop1:\n  checks: {test: [make, \"\\u202Et\"]}\n");
    let refused = place.config(&["trust"]);
    assert_eq!(refused.code, 1);
    assert!(refused.stdout.contains(r#"loop1.checks.test: ["make","\u{202e}t"]"#), "{}", refused.stdout);
    assert!(refused.stderr.contains("this is not a terminal"), "{}", refused.stderr);
    assert!(!place.home().join(".local").exists());

    let agent = place.command(&["trust"]).env("CLAUDECODE", "1").output().unwrap();
    assert!(String::from_utf8_lossy(&agent.stderr).contains("started by a coding agent"));
    assert!(!place.home().join(".local").exists());
}

#[test]
fn config_trust_has_nothing_to_ask_for_a_file_that_only_tightens() {
    let place = Place::new();
    place.write_project("blocking: {minor_blocks_ship: true}\n");
    let answer = place.config(&["trust"]);
    assert_eq!(answer.code, 0);
    assert!(answer.stdout.contains("needs trust"), "{}", answer.stdout);
    assert_eq!(place.config(&["untrust"]).stdout, "nothing was trusted\n");
}

#[test]
fn config_without_a_home_is_an_error() {
    let place = Place::new();
    let output = place.command(&["show"]).env_remove("HOME").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("HOME is not set"));
}

#[test]
fn check_names_what_is_wrong_in_the_file_with_ones_own_words() {
    let place = Place::new();
    place.write_user("interventions: {soft_correction: {custom_prompts_path: words.yaml}}\n");
    place.write(
        "home/.config/plimsoll/words.yaml",
        "version: 1\nprompts:\n  scope_creep: 'Only {expected_paths}.'\n  goal_drift: 'Back to {goal}.'\n",
    );
    let answer = place.config(&["check"]);
    assert_eq!(answer.code, 1, "{}", answer.stderr);
    let expected = "words.yaml:4: `goal_drift` has the unknown placeholder `{goal}`";
    assert!(answer.stdout.contains(expected), "{}", answer.stdout);
    place.write("home/.config/plimsoll/words.yaml", "version: 1\nprompts: {}\n");
    assert_eq!(place.config(&["check"]).stdout, "ok\n");
}

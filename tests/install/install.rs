//! Installing.

use crate::world::{HOOKS, World, is_one_file, told};
use serde_json::Value;
use std::{fs, os::unix::fs::PermissionsExt, path::Path};

const FOREIGN: &str = r#"{
	"model": "opus",
	"hooks": {
		"PreToolUse": [
			{"matcher": "Bash", "hooks": [{"type": "command", "command": "theirs"}]}
		]
	}
}"#;

fn settings(world: &World) -> Value {
    serde_json::from_str(&world.read(".claude/settings.json")).unwrap()
}

#[test]
fn a_project_gets_hooks_commands_agents_and_the_gate() {
    let world = World::new();
    world.installed(&[]);
    let hooks = settings(&world)["hooks"].clone();
    let command = hooks["PreToolUse"][0]["hooks"][0]["command"].as_str().unwrap().to_owned();
    assert_eq!(command, format!("{}/hooks/pre-tool-use", world.share().display()));
    for hook in HOOKS {
        let mode = fs::metadata(world.share().join("hooks").join(hook)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o755, "{hook}");
    }
    assert!(world.share().join("bin/plimsoll").is_file());
    for file in [
        "commands/allow.md",
        "commands/reconcile.md",
        "commands/recover.md",
        "commands/parse-review.md",
        "commands/review.md",
        "commands/review-task.md",
        "commands/ship.md",
        "agents/quality-checker.md",
        "agents/outside-reviewer.md",
        "agents/integration-checker.md",
        "agents/git-agent.md",
        "agents/review-parser.md",
        "agents/task-reviewer.md",
        "skills/plimsoll/SKILL.md",
    ] {
        assert!(world.project().join(".claude").join(file).is_file(), "{file}");
    }
    assert!(world.read(".git/info/exclude").contains("/.claude/state/\n/.claude/logs/\n"));
    assert!(world.is_enrolled());
    let guard = world.share().join("hooks/git-pre-push").display().to_string();
    let hook = world.read(".git/hooks/pre-push");
    assert!(
        hook.contains(&guard) && !hook.contains("built"),
        "the checkout is not needed afterwards: {hook}"
    );
}

#[test]
fn hooks_that_git_tracks_are_named() {
    let world = World::new();
    world.write(".githooks/pre-push", "#!/bin/sh\n");
    world.git(&["add", ".githooks"]);
    let is_noted = |text: &str| text.contains("note: git tracks");
    assert!(!is_noted(&world.installed(&[])));
    world.git(&["config", "core.hooksPath", ".githooks"]);
    assert!(is_noted(&world.installed(&[])));
}

#[test]
fn a_home_with_a_space_in_its_name_is_shown_as_a_tilde() {
    let world = World::new();
    let shown = world.installed(&[]);
    assert!(shown.contains("install 10 programs in ~/.local/share/plimsoll\n"), "{shown}");
}

#[test]
fn the_hooks_are_one_file_under_nine_names() {
    let world = World::new();
    world.installed(&[]);
    assert!(is_one_file(&world.share().join("hooks")));
    world.script("built/plimsoll-hook", &format!("echo the next version {}", env!("CARGO_PKG_VERSION")));
    world.installed(&[]);
    assert!(is_one_file(&world.share().join("hooks")));
    assert!(fs::read_to_string(world.share().join("hooks/stop")).unwrap().contains("next"));
}

#[test]
fn a_dry_run_names_every_action_and_changes_nothing() {
    let world = World::new();
    world.write(".claude/settings.json", FOREIGN);
    let before = world.snapshot(world.path("").as_path());
    let told = world.installed(&["--dry-run"]);
    assert_eq!(world.snapshot(world.path("").as_path()), before);
    for action in ["hooks/pre-tool-use", "commands/review.md", "settings.json", ".git/info/exclude", "gate"] {
        assert!(
            told.lines().any(|line| line.starts_with("would ") && line.contains(action)),
            "{action}: {told}"
        );
    }
}

#[test]
fn installing_twice_leaves_the_same_bytes() {
    let world = World::new();
    world.write(".claude/settings.json", FOREIGN);
    world.write(".gitignore", "target");
    world.installed(&[]);
    let once = world.snapshot(world.home().as_path());
    let project = world.snapshot(world.project().as_path());
    world.installed(&[]);
    assert_eq!(world.snapshot(world.home().as_path()), once);
    assert_eq!(world.snapshot(world.project().as_path()), project);
}

#[test]
fn foreign_hooks_and_keys_stay_in_order() {
    let world = World::new();
    world.write(".claude/settings.json", FOREIGN);
    world.installed(&[]);
    let text = world.read(".claude/settings.json");
    assert!(text.starts_with(FOREIGN.trim_end_matches(['}', '\n', '\t', ']'])), "{text}");
    assert_eq!(settings(&world)["hooks"]["PreToolUse"].as_array().unwrap().len(), 2);
}

#[test]
fn settings_that_are_not_json_are_refused_with_the_line_and_nothing_is_installed() {
    for (text, line) in [("{\n  \"a\": 1\n  \"b\": 2\n}", "line 3"), ("{\n  // note\n}", "comments")] {
        let world = World::new();
        world.write(".claude/settings.json", text);
        let before = world.snapshot(world.path("").as_path());
        let output = world.install(&[]);
        assert_eq!(output.status.code(), Some(2));
        assert!(told(&output).contains(line) && told(&output).contains("settings.json"), "{}", told(&output));
        assert_eq!(world.snapshot(world.path("").as_path()), before);
    }
}

#[test]
fn read_only_settings_are_refused_with_what_to_do() {
    let world = World::new();
    world.write(".claude/settings.json", FOREIGN);
    fs::set_permissions(world.settings(), fs::Permissions::from_mode(0o444)).unwrap();
    let output = world.install(&[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(told(&output).contains("chmod u+w"), "{}", told(&output));
    assert_eq!(world.read(".claude/settings.json"), FOREIGN);
}

#[test]
fn a_command_of_the_same_name_is_kept_unless_forced() {
    let world = World::new();
    world.write(".claude/commands/review.md", "my own review");
    let before = world.snapshot(world.path("").as_path());
    let output = world.install(&[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        told(&output).contains("commands/review.md") && told(&output).contains("--force"),
        "{}",
        told(&output)
    );
    assert_eq!(world.snapshot(world.path("").as_path()), before);

    world.installed(&["--force"]);
    assert_eq!(world.read(".claude/commands/review.md.plimsoll-backup"), "my own review");
    world.installed(&[]);
    world.installed(&["--uninstall"]);
    assert_eq!(world.read(".claude/commands/review.md"), "my own review");
    assert!(!world.project().join(".claude/commands/review.md.plimsoll-backup").exists());
}

#[test]
fn a_file_of_an_earlier_version_is_updated() {
    let world = World::new();
    world.installed(&[]);
    let current = world.read(".claude/commands/ship.md");
    for record in fs::read_dir(world.share().join("installed")).unwrap().map(Result::unwrap) {
        fs::write(record.path().join("files/commands/ship.md"), "older").unwrap();
        fs::create_dir_all(record.path().join("files/commands")).unwrap();
        fs::write(record.path().join("files/commands/gone.md"), "dropped since").unwrap();
    }
    world.write(".claude/commands/ship.md", "older");
    world.write(".claude/commands/gone.md", "dropped since");
    world.installed(&[]);
    assert_eq!(world.read(".claude/commands/ship.md"), current);
    assert!(!world.project().join(".claude/commands/gone.md").exists());
}

#[test]
fn the_skill_under_its_old_name_is_removed_by_the_next_install_and_by_an_uninstall() {
    for arguments in [&[][..], &["--uninstall"][..]] {
        let world = World::new();
        world.installed(&[]);
        for record in fs::read_dir(world.share().join("installed")).unwrap().map(Result::unwrap) {
            fs::create_dir_all(record.path().join("files/skills/code-review")).unwrap();
            fs::write(record.path().join("files/skills/code-review/SKILL.md"), "older").unwrap();
        }
        world.write(".claude/skills/code-review/SKILL.md", "older");
        world.installed(arguments);
        assert!(!world.project().join(".claude/skills/code-review/SKILL.md").exists(), "{arguments:?}");
    }
}

#[test]
fn without_git_steps_are_reviewed_and_the_gate_is_said_to_be_missing() {
    let world = World::without_git();
    let told = world.installed(&["--project", world.project().to_str().unwrap()]);
    assert!(told.contains("the ship gate needs git"), "{told}");
    let next = told.lines().last().unwrap();
    assert!(next.contains("git init") && !next.contains("/ship"), "{next}");
    assert!(settings(&world)["hooks"]["PreToolUse"].is_array());
    assert!(!world.share().join("enrolled").exists());
    assert!(!world.project().join(".gitignore").exists());
}

#[test]
fn for_a_user_nothing_is_enrolled_and_no_project_is_touched() {
    let world = World::new();
    let before = world.snapshot(world.project().as_path());
    world.installed(&["--user"]);
    assert_eq!(world.snapshot(world.project().as_path()), before);
    assert!(!world.share().join("enrolled").exists());
    assert!(world.home().join(".claude/commands/ship.md").is_file());
    assert!(fs::read_to_string(world.home().join(".claude/settings.json")).unwrap().contains("hooks/stop"));
}

#[test]
fn tracked_settings_get_a_note() {
    let world = World::new();
    world.write(".claude/settings.json", FOREIGN);
    world.git(&["add", "."]);
    let told = world.installed(&[]);
    assert!(told.contains("is tracked by git") && !told.contains("nothing to commit"), "{told}");
    assert!(!world.installed(&["--shared"]).contains("is tracked by git"));
}

#[test]
fn shared_settings_name_no_path_of_this_machine() {
    let world = World::new();
    world.installed(&[]);
    world.installed(&["--shared"]);
    let text = world.read(".claude/settings.json");
    assert!(!text.contains(world.home().to_str().unwrap()), "{text}");
    assert!(text.contains("${CLAUDE_PROJECT_DIR}/.claude/plimsoll/launch"));
    world.installed(&[]);
    assert!(!world.project().join(".claude/plimsoll/launch").exists());
}

#[test]
fn a_missing_binary_is_named() {
    let world = World::new();
    fs::remove_file(world.path("built/plimsoll-hook")).unwrap();
    let output = world.install(&[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(told(&output).contains("plimsoll-hook is not in"), "{}", told(&output));
    assert!(!world.settings().exists());
}

#[test]
fn for_a_user_the_place_that_the_client_is_told_is_used_and_the_doctor_looks_there() {
    let world = World::new();
    let elsewhere = world.path("the client's");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("install.sh");
    let output = world
        .command("sh")
        .arg(script)
        .args(["--no-build", "--user"])
        .env("CLAUDE_CONFIG_DIR", &elsewhere)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", told(&output));
    assert!(elsewhere.join("settings.json").is_file() && !world.home().join(".claude").exists());
    let doctor = |place: &Path| {
        let mut command = world.command(env!("CARGO_BIN_EXE_plimsoll"));
        told(&command.args(["doctor", "-v"]).env("CLAUDE_CONFIG_DIR", place).output().unwrap())
    };
    assert!(doctor(&elsewhere).contains("registered in user settings"), "{}", doctor(&elsewhere));
    assert!(doctor(Path::new("")).contains("no hook is registered"), "{}", doctor(Path::new("")));
}

#[test]
fn wrong_arguments_are_refused() {
    let world = World::new();
    for (arguments, word) in [
        (&["--frobnicate"][..], "--frobnicate"),
        (&["--user", "--shared"][..], "--shared"),
        (&["--user", "--project", "."][..], "--project"),
        (&["--purge"][..], "--purge"),
        (&["--plugin"][..], "--plugin only builds"),
        (&["--project", "/no/such/place"][..], "/no/such/place is not a directory"),
        (&["--project"][..], "--project needs a folder"),
        (&["--link", "--no-link"][..], "--no-link"),
    ] {
        let output = world.install(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(told(&output).contains(word), "{}", told(&output));
    }
}

#[test]
fn git_sees_none_of_our_files_and_the_installer_says_that_nothing_needs_committing() {
    let world = World::new();
    world.write("README.md", "hello");
    world.write(".claude/settings.local.json", "{}");
    world.write(".claude/commands/mine.md", "my own command");
    let told = world.installed(&[]);
    assert_eq!(told.lines().filter(|line| line.starts_with("nothing to commit:")).count(), 1, "{told}");
    let output = world.command("git").args(["status", "--porcelain", "-uall"]).output().unwrap();
    let seen = String::from_utf8(output.stdout).unwrap();
    assert_eq!(seen, "?? .claude/commands/mine.md\n?? .claude/settings.local.json\n?? README.md\n");
}

#[test]
fn a_shared_install_names_the_paths_to_commit_and_that_line_commits_all_of_it() {
    for settings in [None, Some("{}")] {
        let world = World::new();
        if let Some(settings) = settings {
            world.write(".claude/settings.json", settings);
        }
        let told = world.installed(&["--shared"]);
        let line = told.lines().find_map(|line| line.strip_prefix("to commit: ")).unwrap();
        assert!(world.command("sh").args(["-c", line]).status().unwrap().success(), "{line}");
        let output = world.command("git").args(["status", "--porcelain", "-uall"]).output().unwrap();
        let seen = String::from_utf8(output.stdout).unwrap();
        assert!(
            seen.lines().all(|line| line.starts_with("A  ")) && seen.contains("plimsoll/launch"),
            "{seen}"
        );
    }
}

#[test]
fn in_a_folder_below_the_worktree_git_sees_none_of_our_files_either() {
    let world = World::new();
    world.write("odd [name] */README.md", "hello");
    let project = world.project().join("odd [name] *");
    world.installed(&["--project", project.to_str().unwrap()]);
    let output = world.command("git").args(["status", "--porcelain", "-uall"]).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "?? \"odd [name] */README.md\"\n");
}

/// Every `fail WHAT NEXT` of the installer names an option that it takes, or something that a person can do.
#[test]
fn each_next_step_of_the_installer_can_be_taken() {
    let script = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("install.sh")).unwrap();
    let script = script.replace("\\\n", " ");
    let usage = told(&World::new().install(&["--help"]));
    let mut named = 0;
    for line in script.lines().filter(|line| line.contains("fail ") || line.contains("next: ")) {
        let next = line.rsplit(['\'', '"']).nth(1).unwrap_or_default();
        // Options of the command itself are walked elsewhere.
        let own = next.split("plimsoll ").next().unwrap_or_default();
        for word in own.split(' ').filter(|word| word.starts_with("--") && next.contains("install.sh")) {
            let option = word.trim_end_matches([',', '.', ')']);
            assert!(usage.contains(option), "{option}: {line}");
            named += 1;
        }
    }
    assert!(named >= 4, "only {named} options were found");
}

#[test]
fn sandbox_is_switched_on_with_the_installation_and_only_in_a_project() {
    let world = World::new();
    world.installed(&["--sandbox"]);
    assert!(world.read(".claude/settings.local.json").contains("\"failIfUnavailable\": true"));
    for arguments in [&["--user", "--sandbox"][..], &["--uninstall", "--sandbox"]] {
        assert!(!world.install(arguments).status.success(), "{arguments:?}");
    }
}

//! Upgrading, installing without the checkout, and `plimsoll` on the person's PATH.

use crate::terminal::typing;
use crate::world::{World, is_one_file, told};
use std::{fs, os::unix::fs::symlink, process::Command};

/// The installed command, which needs nothing of the checkout.
fn command(world: &World, arguments: &[&str]) -> Command {
    let mut command = world.command(world.share().join("bin/plimsoll"));
    command.args(arguments).env_remove("PLIMSOLL_BUILD_DIR");
    command
}

fn installed_command(world: &World, arguments: &[&str]) -> String {
    let output = command(world, arguments).output().unwrap();
    assert!(output.status.success(), "{}", told(&output));
    told(&output)
}

#[test]
fn the_installed_command_installs_into_the_next_project_without_the_checkout() {
    let world = World::new();
    world.installed(&[]);
    let second = world.path("it's \"another\" $(one)");
    fs::create_dir_all(&second).unwrap();
    assert!(world.command("git").args(["init", "--quiet"]).arg(&second).status().unwrap().success());
    fs::rename(world.path("built"), world.path("gone")).unwrap();
    installed_command(&world, &["install", "--project", second.to_str().unwrap()]);
    let first = world.read(".claude/commands/ship.md");
    assert_eq!(fs::read_to_string(second.join(".claude/commands/ship.md")).unwrap(), first);
    assert!(second.join(".git/hooks/pre-push").exists());
    let mut uninstall = command(&world, &["uninstall", "--project"]);
    uninstall.arg(&second);
    let output = typing(uninstall, "");
    assert!(output.status.success(), "{}", told(&output));
    assert!(!second.join(".claude").exists() && !second.join(".git/hooks/pre-push").exists());
}

#[test]
fn an_upgrade_replaces_programs_and_files_and_keeps_what_the_user_changed() {
    let world = World::new();
    world.installed(&[]);
    world.installed(&["--user"]);
    let current = world.read(".claude/commands/ship.md");
    for record in fs::read_dir(world.share().join("installed")).unwrap().map(Result::unwrap) {
        if record.path().is_dir() {
            fs::write(record.path().join("files/commands/ship.md"), "older").unwrap();
        }
    }
    world.write(".claude/commands/ship.md", "older");
    world.write(".claude/agents/git-agent.md", "mine now");
    fs::remove_file(world.project().join(".claude/commands/recover.md")).unwrap();
    let version = env!("CARGO_PKG_VERSION");
    world.script("built/plimsoll-hook", &format!("echo next; echo \"${{0##*/}}\" {version}"));
    let dry = world.snapshot(world.path("").as_path());
    world.installed(&["--upgrade", "--dry-run"]);
    assert_eq!(world.snapshot(world.path("").as_path()), dry);

    let said = world.installed(&["--upgrade"]);
    assert!(is_one_file(&world.share().join("hooks")));
    assert!(fs::read_to_string(world.share().join("hooks/stop")).unwrap().contains("next"));
    assert_eq!(world.read(".claude/commands/ship.md"), current);
    assert_eq!(world.read(".claude/agents/git-agent.md"), "mine now");
    assert!(said.contains("kept, because it was changed") && said.contains("git-agent.md"), "{said}");
    assert!(said.contains("because it was removed") && said.contains("recover.md"), "{said}");
    assert!(!world.project().join(".claude/commands/recover.md").exists());
    assert!(said.contains("2 installations"), "{said}");
}

#[test]
fn an_upgrade_from_a_folder_is_done_by_the_program_in_it() {
    let world = World::new();
    world.installed(&[]);
    let new = world.path("new one");
    fs::create_dir_all(&new).unwrap();
    world.script("new one/plimsoll", "echo \"the new program: $*\"");
    world.script("new one/plimsoll-hook", "exit 0");
    let said = installed_command(&world, &["upgrade", "--from", new.to_str().unwrap()]);
    assert!(said.starts_with("the new program: upgrade --from "), "{said}");
}

#[test]
fn an_upgrade_skips_what_is_gone_and_goes_on_after_a_failure() {
    let world = World::new();
    world.installed(&[]);
    world.installed(&["--user"]);
    world.write(".claude/settings.json", "{,}");
    let output = world.install(&["--upgrade"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        told(&output).contains("not JSON") && told(&output).contains("2 installations"),
        "{}",
        told(&output)
    );
    fs::remove_dir_all(world.project()).unwrap();
    fs::create_dir_all(world.project()).unwrap();
    assert!(world.installed(&["--upgrade"]).contains(".claude is gone"));
}

#[test]
fn the_link_is_made_on_request_and_taken_back_with_the_last_installation() {
    let world = World::new();
    let before = world.snapshot(world.home().as_path());
    world.installed(&["--link"]);
    world.installed(&["--link"]);
    world.installed(&["--user"]);
    let link = world.home().join(".local/bin/plimsoll");
    assert_eq!(fs::read_link(&link).unwrap(), world.share().join("bin/plimsoll"));
    world.installed(&["--uninstall"]);
    assert!(link.exists());
    world.installed(&["--uninstall", "--user", "--purge"]);
    let mut after = world.snapshot(world.home().as_path());
    after.retain(|path, _| ![".local", "share", "state"].iter().any(|folder| path.ends_with(folder)));
    assert_eq!(after, before);
}

#[test]
fn a_file_of_that_name_is_never_replaced() {
    let world = World::new();
    let link = world.home().join(".local/bin/plimsoll");
    fs::create_dir_all(link.parent().unwrap()).unwrap();
    for theirs in [true, false] {
        match theirs {
            true => symlink("/no/such/file", &link).unwrap(),
            false => fs::write(&link, "theirs").unwrap(),
        }
        let said = world.installed(&["--link"]);
        assert!(said.contains("is not ours"), "{said}");
        world.installed(&["--uninstall"]);
        assert_eq!(link.is_symlink(), theirs);
        fs::remove_file(&link).unwrap();
    }
}

#[test]
fn at_a_terminal_the_link_is_offered_and_made_only_after_a_yes() {
    let world = World::new();
    let link = world.home().join(".local/bin/plimsoll");
    for (typed, made) in [("\n", false), ("n\n", false), ("y\n", true)] {
        let mut command = world.command(env!("CARGO_BIN_EXE_plimsoll"));
        command.args(["install", "--no-statusline", "--from"]).arg(world.path("built"));
        let output = typing(command, typed);
        assert!(output.status.success() && told(&output).contains("[y/N]"), "{}", told(&output));
        assert_eq!(link.exists(), made, "{typed:?}");
    }
}

#[test]
fn an_agent_neither_upgrades_nor_uninstalls_nor_replaces_programs() {
    let world = World::new();
    world.installed(&[]);
    fs::remove_file(world.share().join("bin/plimsoll")).unwrap();
    world.script("the home/.local/share/plimsoll/bin/plimsoll", "exit 0");
    let before = world.snapshot(world.path("").as_path());
    for arguments in [&["upgrade", "--from"][..], &["install", "--from"]] {
        let mut command = world.command(env!("CARGO_BIN_EXE_plimsoll"));
        command.args(arguments).arg(world.path("built")).env("CLAUDECODE", "1");
        let output = typing(command, "");
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {}", told(&output));
    }
    let mut command = world.command(env!("CARGO_BIN_EXE_plimsoll"));
    command.arg("uninstall").env("CLAUDECODE", "1");
    let output = typing(command, "");
    assert_eq!(output.status.code(), Some(1), "{}", told(&output));
    assert_eq!(world.snapshot(world.path("").as_path()), before);
}

//! Taking it all back.

use crate::world::{World, told};
use std::{fs, os::unix::fs::PermissionsExt};

#[test]
fn a_project_is_byte_for_byte_what_it_was() {
    for (settings, ignored) in [
        (None, None),
        (Some("{\"a\":  1e2, \"hooks\": {}}"), Some("target")),
        (Some("{\n\t\"hooks\": {\"Stop\": []}\n}\n"), Some("")),
        (Some(""), Some("# mine\n\n")),
    ] {
        let world = World::new();
        world.write("README.md", "hello");
        if let Some(settings) = settings {
            world.write(".claude/settings.json", settings);
            fs::set_permissions(world.settings(), fs::Permissions::from_mode(0o600)).unwrap();
        }
        if let Some(ignored) = ignored {
            world.write(".gitignore", ignored);
        }
        let before = world.snapshot(world.project().as_path());
        world.installed(&[]);
        world.installed(&["--shared"]);
        world.installed(&["--uninstall"]);
        assert_eq!(world.snapshot(world.project().as_path()), before, "{settings:?}");
        world.installed(&[]);
        world.installed(&["--uninstall"]);
        assert_eq!(world.snapshot(world.project().as_path()), before, "{settings:?}");
        assert!(!world.is_enrolled());
    }
}

#[test]
fn what_somebody_changed_is_kept_and_named() {
    let world = World::new();
    world.installed(&["--shared"]);
    world.write(".claude/agents/git-agent.md", "mine now");
    world.write(".gitignore", &format!("first\n{}last\n", world.read(".gitignore")));
    let edited = world.read(".claude/settings.json").replacen('{', "{\n  \"model\": \"opus\",", 1);
    world.write(".claude/settings.json", &edited);
    let told = world.installed(&["--uninstall"]);
    assert!(told.contains("kept, because it was changed") && told.contains("git-agent.md"), "{told}");
    assert_eq!(world.read(".claude/agents/git-agent.md"), "mine now");
    assert_eq!(world.read(".gitignore"), "first\nlast\n");
    assert_eq!(world.read(".claude/settings.json").replace(['\n', ' '], ""), "{\"model\":\"opus\"}");
    assert!(!world.project().join(".claude/commands").exists());
}

#[test]
fn a_dry_run_changes_nothing() {
    let world = World::new();
    world.installed(&[]);
    let before = world.snapshot(world.path("").as_path());
    let told = world.installed(&["--uninstall", "--purge", "--dry-run"]);
    assert_eq!(world.snapshot(world.path("").as_path()), before);
    assert!(told.contains("would remove") && told.contains("would delete"), "{told}");
}

#[test]
fn reviews_and_binaries_stay_unless_purged() {
    let world = World::new();
    world.installed(&[]);
    world.write(".git/plimsoll/receipts/1.json", "{}");
    world.write(".claude/state/loop-state.json", "{}");
    world.installed(&["--uninstall"]);
    assert!(world.project().join(".git/plimsoll").exists() && world.share().join("hooks/stop").exists());
    world.installed(&["--user"]);
    world.installed(&["--uninstall", "--purge"]);
    assert!(!world.project().join(".git/plimsoll").exists() && !world.project().join(".claude").exists());
    assert!(world.share().join("hooks/stop").exists(), "the user's own installation still needs them");
    world.installed(&["--uninstall", "--user", "--purge"]);
    assert!(!world.share().exists() && !world.home().join(".claude").exists());
}

#[test]
fn a_repository_that_is_still_enrolled_keeps_the_programs() {
    let world = World::new();
    world.installed(&["--user"]);
    world.enrol();
    let told = world.installed(&["--uninstall", "--user", "--purge"]);
    assert!(told.contains("my project/.git") && told.contains("enrol --remove"), "{told}");
    assert!(world.share().join("hooks/git-pre-push").exists());
    fs::remove_dir_all(world.project().join(".git")).unwrap();
    world.installed(&["--uninstall", "--user", "--purge"]);
    assert!(!world.share().exists());
}

#[test]
fn a_project_that_never_had_it_is_left_alone() {
    let world = World::new();
    world.write(".claude/commands/review.md", "my own review");
    world.write(".claude/settings.json", "{ }");
    let before = world.snapshot(world.project().as_path());
    let told = world.installed(&["--uninstall"]);
    assert!(told.contains("Plimsoll is not installed in"), "{told}");
    assert_eq!(world.snapshot(world.project().as_path()), before);
}

#[test]
fn settings_broken_since_are_named_and_the_run_can_be_repeated() {
    let world = World::new();
    world.write("README.md", "hello");
    let before = world.snapshot(world.project().as_path());
    world.installed(&[]);
    let good = world.read(".claude/settings.json");
    world.write(".claude/settings.json", &format!("{good},"));
    let output = world.install(&["--uninstall"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(told(&output).contains("not JSON"), "{}", told(&output));
    world.write(".claude/settings.json", &good);
    world.installed(&["--uninstall"]);
    assert_eq!(world.snapshot(world.project().as_path()), before);
}

#[test]
fn gits_list_of_ignored_files_is_byte_for_byte_what_it_was() {
    for before in [None, Some(""), Some("target"), Some("# mine\n\n"), Some("\r\n*.log\r\n")] {
        for order in [&[&[][..]][..], &[&[], &[]], &[&[], &["--shared"]], &[&["--shared"], &[]]] {
            let world = World::new();
            let list = world.project().join(".git/info/exclude");
            match before {
                None => fs::remove_dir_all(world.project().join(".git/info")).unwrap(),
                Some(text) => {
                    fs::write(&list, text).unwrap();
                    fs::set_permissions(&list, fs::Permissions::from_mode(0o640)).unwrap();
                }
            }
            let found = || fs::read_to_string(&list).ok();
            for arguments in order {
                world.installed(arguments);
            }
            if order.last() == Some(&&[][..]) {
                assert_ne!(found().as_deref(), before);
            }
            world.installed(&["--uninstall"]);
            assert_eq!(found().as_deref(), before, "{order:?}");
            if before.is_some() {
                assert_eq!(fs::metadata(&list).unwrap().permissions().mode() & 0o777, 0o640);
            }
        }
    }
}

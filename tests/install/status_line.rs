//! The offer of a segment in the client's status line.

use crate::terminal::typing;
use crate::world::{World, told};
use std::fs;

fn installing(world: &World, options: &[&str], typed: &str) -> String {
    let mut command = world.command(env!("CARGO_BIN_EXE_plimsoll"));
    command.args(["install", "--no-link", "--from"]).arg(world.path("built")).args(options);
    let output = typing(command, typed);
    assert!(output.status.success(), "{}", told(&output));
    told(&output)
}

fn shown_by(world: &World) -> Option<String> {
    let settings: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(world.settings()).unwrap()).unwrap();
    settings.pointer("/statusLine/command").and_then(|command| command.as_str()).map(str::to_owned)
}

#[test]
fn it_is_set_only_after_a_yes_and_an_uninstall_gives_the_first_text_back() {
    for before in [None, Some("{\n  \"model\": \"opus\"\n}\n")] {
        let world = World::new();
        before.iter().for_each(|text| world.write(".claude/settings.json", text));
        let snapshot = world.snapshot(world.project().as_path());
        assert!(installing(&world, &[], "n\n").contains("status line? [y/N]"));
        assert_eq!(shown_by(&world), None);
        installing(&world, &[], "y\n");
        assert!(shown_by(&world).unwrap().ends_with("/bin/plimsoll' statusline"));
        assert!(!installing(&world, &[], "").contains("[y/N]"), "it is there already");
        world.git(&["add", "."]);
        let mut git = world.command("git");
        let staged = git.args(["diff", "--cached", "--name-only"]).output().unwrap();
        assert_eq!(told(&staged), if before.is_some() { ".claude/settings.json\n" } else { "" });
        world.git(&["rm", "-r", "--cached", "--quiet", "--ignore-unmatch", "."]);
        world.installed(&["--uninstall"]);
        assert_eq!(world.snapshot(world.project().as_path()), snapshot);
    }
}

#[test]
fn another_status_line_is_kept_wherever_the_client_reads_it() {
    let theirs = r#"{"statusLine": {"type": "command", "command": "~/line.sh"}}"#;
    for place in [
        "my project/.claude/settings.json",
        "my project/.claude/settings.local.json",
        "the home/.claude/settings.json",
    ] {
        let world = World::new();
        let path = world.path(place);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, theirs).unwrap();
        assert!(!installing(&world, &[], "").contains("[y/N]"), "{place}");
        assert!(installing(&world, &["--statusline"], "").contains("kept: the status line of"), "{place}");
        assert!(fs::read_to_string(&path).unwrap().contains("~/line.sh"), "{place}");
        assert!(shown_by(&world).is_none_or(|command| command == "~/line.sh"), "{place}");
    }
}

#[test]
fn nobody_is_asked_without_a_terminal_and_committed_settings_get_none() {
    let world = World::new();
    assert!(!world.installed(&[]).contains("[y/N]"));
    assert!(!installing(&world, &["--shared"], "").contains("status line"));
    assert_eq!(shown_by(&world), None);
    world.installed(&["--statusline"]);
    assert!(shown_by(&world).is_some());
}

//! The command line: what it shows, asks and refuses.

use crate::answer::told;
use crate::context::TestContext;
use serde_json::Value;

#[test]
fn a_restore_shows_its_plan_and_does_nothing_unless_told() {
    let context = TestContext::new();
    let id = context.checkpoint();
    context.write("readme.md", "changed\n");
    context.write("new.txt", "new\n");
    let output = context.plimsoll(&["checkpoint", "restore", &id]);
    assert_eq!(output.status.code(), Some(1));
    let said = told(&output);
    for words in ["write readme.md", "remove new.txt", "Nothing was done", "--yes", "Not covered: databases"]
    {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert_eq!(context.read("readme.md").as_deref(), Some("changed\n"));
    let output = context.plimsoll(&["checkpoint", "restore", &id, "--yes"]);
    assert!(output.status.success() && told(&output).contains("plimsoll undo"), "{}", told(&output));
    assert_eq!(context.read("readme.md").as_deref(), Some("A project.\n"));
    let output = context.plimsoll(&["undo"]);
    assert_eq!(output.status.code(), Some(1), "{}", told(&output));
    context.undo();
    assert_eq!(context.read("readme.md").as_deref(), Some("changed\n"));
    assert_eq!(context.read("new.txt").as_deref(), Some("new\n"));
}

#[test]
fn everything_speaks_json() {
    let context = TestContext::new();
    let id = context.checkpoint();
    let json = |arguments: &[&str]| -> Value {
        let output = context.plimsoll(arguments);
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", told(&output)))
    };
    assert_eq!(json(&["checkpoint", "list", "--json"])[0]["id"], id.as_str());
    let shown = json(&["checkpoint", "show", &id, "--json"]);
    assert_eq!(shown["checkpoint"]["why"]["words"], "test");
    context.write("readme.md", "changed\n");
    let restored = json(&["checkpoint", "restore", &id, "--yes", "--json"]);
    assert_eq!(restored["written"], 1);
    assert!(restored["not_covered"].as_str().unwrap().contains("databases"));
    assert_eq!(json(&["undo", "--yes", "--json"])["checkpoint"], restored["before"]);
}

#[test]
fn an_id_may_be_short_and_a_wrong_one_is_named() {
    let context = TestContext::new();
    let id = context.checkpoint();
    let end = id.rsplit('-').next().unwrap();
    assert!(context.plimsoll(&["checkpoint", "show", end]).status.success());
    for wrong in ["nonsense", "../../etc/passwd", ""] {
        let output = context.plimsoll(&["checkpoint", "show", wrong]);
        assert_eq!(output.status.code(), Some(2));
        assert!(told(&output).contains("checkpoint list"), "{}", told(&output));
    }
}

#[test]
fn pruning_and_force_are_a_persons() {
    let context = TestContext::new();
    let id = context.checkpoint();
    for arguments in [&["checkpoint", "prune"][..], &["checkpoint", "restore", &id, "--yes", "--force"]] {
        let output = context.plimsoll(arguments);
        assert_eq!(output.status.code(), Some(1), "{}", told(&output));
        assert!(told(&output).contains("not a terminal"), "{}", told(&output));
    }
    for command in ["plimsoll checkpoint prune", "plimsoll checkpoint restore x --yes --force"] {
        assert_eq!(context.before_bash(command).decision(), Some("deny"), "{command}");
    }
}

#[test]
fn an_agent_may_take_list_restore_and_undo() {
    let context = TestContext::new();
    let harmless = [
        "plimsoll checkpoint list",
        "plimsoll checkpoint create -m 'before the refactoring'",
        "plimsoll checkpoint show 1116-153052-7f3a",
        "plimsoll checkpoint restore 1116-153052-7f3a --yes",
        "plimsoll undo --yes",
        "plimsoll checkpoint prune --help",
    ];
    for command in harmless {
        let answer = context.before_bash(command);
        assert_eq!(answer.decision(), None, "{command}: {}", answer.reason());
    }
}

#[test]
fn what_guards_the_project_is_not_put_back_by_a_restore() {
    let context = TestContext::new();
    context.write(".claude/settings.json", "{}\n");
    context.write(".claude/config/review-config.yaml", "blocking: {required_loops: [1]}\n");
    let id = context.checkpoint();
    context.write(".claude/settings.json", "{\"hooks\": {}}\n");
    context.write(".claude/config/review-config.yaml", "blocking: {required_loops: [1, 2]}\n");
    context.write("readme.md", "changed\n");
    let restored = context.restore(&id, &[], 1);
    assert_eq!(restored["kept"].as_array().unwrap().len(), 2, "{restored:#}");
    assert_eq!(restored["kept"][0]["conflict"], "guarded");
    assert_eq!(context.read(".claude/settings.json").as_deref(), Some("{\"hooks\": {}}\n"));
    assert_eq!(context.read("readme.md").as_deref(), Some("A project.\n"));
}

#[test]
fn a_home_directory_and_the_root_get_no_checkpoint() {
    let context = TestContext::new();
    for folder in [context.home(), context.beside(""), "/".into()] {
        let mut command = context.command(crate::context::binary("plimsoll"));
        let output = command.current_dir(&folder).args(["checkpoint", "create"]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{folder}: {}", told(&output));
        assert!(told(&output).contains("no checkpoint is taken"), "{}", told(&output));
    }
}

#[test]
fn nothing_to_undo_is_said_so() {
    let context = TestContext::new();
    for _ in 0..2 {
        let output = context.plimsoll(&["undo", "--yes"]);
        assert_eq!(output.status.code(), Some(2));
        assert!(told(&output).contains("nothing to undo"), "{}", told(&output));
        context.checkpoint();
    }
}

#[test]
fn a_diff_shows_what_changed_since_and_hides_what_is_secret() {
    let context = TestContext::new();
    let id = context.checkpoint();
    let said = told(&context.plimsoll(&["checkpoint", "diff", &id]));
    assert!(said.starts_with("Nothing changed"), "{said}");
    context.write("readme.md", "changed\n\u{1b}[31mred\n");
    context.write(".env", "password=1234\n");
    for name in [id.as_str(), "last"] {
        let said = told(&context.plimsoll(&["checkpoint", "diff", name]));
        assert!(said.contains("-A project.\n+changed\n"), "{said}");
        assert!(
            said.contains(".env changed") && !said.contains("1234") && !said.contains('\u{1b}'),
            "{said}"
        );
    }
}

#[test]
fn last_is_the_newest_checkpoint_and_never_the_state_before_a_restore() {
    let context = TestContext::new();
    let output = context.plimsoll(&["restore", "last", "--yes"]);
    assert_eq!(output.status.code(), Some(2), "{}", told(&output));
    context.checkpoint();
    for _ in 0..2 {
        context.write("readme.md", "changed\n");
        context.write("new.txt", "new\n");
        let output = context.plimsoll(&["restore", "last", "--yes"]);
        assert!(output.status.success(), "{}", told(&output));
        assert!(told(&output).contains(": 1 to write, 1 to remove\n"), "{}", told(&output));
        assert_eq!(context.read("readme.md").as_deref(), Some("A project.\n"));
    }
}

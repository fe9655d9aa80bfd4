//! Steps that emergency stops and checkpoints name.

use super::{Walk, ends, named, run, run_in_script, said};
use crate::context::TestContext;
use crate::recovery::{is_free, stopped};
use camino::Utf8PathBuf;
use std::fs;
use std::time::{Duration, SystemTime};

pub(super) const WALKS: [Walk; 13] = [
    ("plimsoll recover", recover),
    ("plimsoll recover CHOICE", recover_choice),
    ("plimsoll recover {}", recover_named),
    ("plimsoll recover --end", recover_end),
    ("plimsoll incident list", incident_list),
    ("plimsoll checkpoint create", checkpoint_create),
    ("plimsoll checkpoint list", checkpoint_list),
    ("plimsoll checkpoint copies", checkpoint_copies),
    ("plimsoll checkpoint restore {}", checkpoint_restore),
    ("plimsoll checkpoint show {}", checkpoint_show),
    ("plimsoll undo", undo),
    ("plimsoll tidy", tidy),
    ("plimsoll tidy --dry-run", tidy_dry_run),
];

fn stop() -> TestContext {
    let context = TestContext::enrolled();
    stopped(&context, "it went in circles");
    assert!(!is_free(&context));
    context
}

fn recover() {
    let context = stop();
    let refused = context.before_bash("ls");
    let shown = ends(&run(&context, &named(refused.reason(), "plimsoll recover")), 0);
    assert!(shown.contains("it went in circles") && shown.contains("resume_with_limits"), "{shown}");
}

fn recover_choice() {
    let context = stop();
    let shown = said(&context, &["recover"]);
    let command = named(&shown, "plimsoll recover CHOICE");
    ends(&run(&context, &command.replace("CHOICE", "manual_intervention")), 0);
    assert_ne!(context.before_bash("ls").decision(), Some("deny"));
}

/// Every option that the status of a stop lists can be taken.
fn recover_named() {
    for choice in ["resume_with_limits", "manual_intervention", "abort"] {
        let context = stop();
        assert!(said(&context, &["recover"]).contains(choice));
        ends(&run(&context, &format!("plimsoll recover {choice}")), 0);
    }
}

fn recover_end() {
    let context = stop();
    let resumed = ends(&run(&context, "plimsoll recover resume_with_limits"), 0);
    ends(&run(&context, &named(&resumed, "plimsoll recover --end")), 0);
    assert!(is_free(&context));
    let context = stop();
    let aborted = ends(&run(&context, "plimsoll recover abort"), 0);
    ends(&run(&context, &named(&aborted, "plimsoll recover --end")), 0);
    assert!(is_free(&context));
}

fn incident_list() {
    let context = stop();
    let unknown = ends(&run(&context, "plimsoll incident show nope"), 2);
    let listed = ends(&run(&context, &named(&unknown, "plimsoll incident list")), 0);
    assert!(listed.contains("it went in circles"), "{listed}");
}

fn checkpoint_create() {
    let context = TestContext::enrolled();
    let none = said(&context, &["checkpoint", "list"]);
    ends(&run(&context, &named(&none, "plimsoll checkpoint create")), 0);
    assert!(!said(&context, &["checkpoint", "list"]).contains("No checkpoint"));
}

fn with_checkpoint() -> (TestContext, String) {
    let context = TestContext::enrolled();
    ends(&run(&context, "plimsoll checkpoint create -m kept"), 0);
    let listed: serde_json::Value =
        serde_json::from_slice(&context.plimsoll(&["checkpoint", "list", "--json"]).stdout).unwrap();
    let id = listed[0]["id"].as_str().unwrap_or_else(|| panic!("{listed}")).to_owned();
    (context, id)
}

fn checkpoint_list() {
    let (context, id) = with_checkpoint();
    let unknown = said(&context, &["checkpoint", "show", "0000-000000-0000"]);
    assert!(ends(&run(&context, &named(&unknown, "plimsoll checkpoint list")), 0).contains(&id));
}

fn checkpoint_copies() {
    let (context, _) = with_checkpoint();
    let unknown = said(&context, &["checkpoint", "restore", "copy-00000000"]);
    ends(&run(&context, &named(&unknown, "plimsoll checkpoint copies")), 0);
}

fn checkpoint_restore() {
    let (context, id) = with_checkpoint();
    context.write("readme.md", "lost\n");
    let shown = said(&context, &["checkpoint", "show", &id]);
    let command = named(&shown, "plimsoll checkpoint restore {}");
    let plan = run_in_script(&context, &command);
    let plan = crate::answer::told(&plan);
    assert!(plan.contains("readme.md") && plan.contains("--yes"), "{plan}");
    ends(&run(&context, &format!("{command} --yes --force")), 0);
    assert_eq!(fs::read_to_string(context.path("readme.md")).unwrap(), "A project.\n");
}

fn checkpoint_show() {
    let context = TestContext::enrolled();
    context.user_config("interventions: {checkpoint_rollback: {max_file_mb: 1}}\n");
    context.write("large.bin", vec![7; 2 << 20]);
    let created = ends(&run(&context, "plimsoll checkpoint create"), 0);
    let shown = ends(&run(&context, &named(&created, "plimsoll checkpoint show {}")), 0);
    assert!(shown.contains("large.bin"), "{shown}");
}

fn undo() {
    let (context, id) = with_checkpoint();
    context.write("readme.md", "newer\n");
    let restored = ends(&run(&context, &format!("plimsoll checkpoint restore {id} --yes --force")), 0);
    let command = named(&restored, "plimsoll undo");
    ends(&run(&context, &format!("{command} --yes")), 0);
    assert_eq!(fs::read_to_string(context.path("readme.md")).unwrap(), "newer\n");
}

/// A project with a file that a killed process left in its state three hours ago.
fn with_leftover() -> (TestContext, Utf8PathBuf) {
    let (context, _) = with_checkpoint();
    let leftover = context.layout().root().join(".tmpabc123");
    fs::write(&leftover, "half").unwrap();
    let written = SystemTime::now() - Duration::from_secs(3 * 60 * 60);
    fs::File::open(&leftover).unwrap().set_modified(written).unwrap();
    (context, leftover)
}

fn tidy() {
    let (context, leftover) = with_leftover();
    let tidied = ends(&run(&context, "plimsoll tidy"), 0);
    assert!(tidied.contains("1 file of killed processes") && !leftover.exists(), "{tidied}");
}

fn tidy_dry_run() {
    let (context, leftover) = with_leftover();
    let told = ends(&run(&context, "plimsoll tidy --dry-run"), 0);
    assert!(told.contains("1 file of killed processes") && leftover.exists(), "{told}");
    ends(&run(&context, &named(&told, "plimsoll tidy")), 0);
    assert!(!leftover.exists());
}

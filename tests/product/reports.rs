//! The unified report of the current content, in every format, and the state file beside it.

use crate::answer::told;
use crate::context::TestContext;
use crate::receipts::{claude_finds, ends, passes, workspace};
use plimsoll::app::review::findings::dismiss;
use plimsoll::pure::policy::LoopNumber;
use plimsoll::pure::report::CheckLines;
use plimsoll::pure::review::{FindingSeverity, LoopVerdict};
use serde_json::{Value, json};

fn report(context: &TestContext, format: &str) -> String {
    let output = context.plimsoll(&["review", "report", "--format", format]);
    assert!(output.status.success(), "{}", told(&output));
    String::from_utf8(output.stdout).unwrap()
}

fn data(context: &TestContext, format: &str) -> Value {
    serde_json::from_str(&report(context, format)).unwrap()
}

fn statuses(context: &TestContext) -> Vec<String> {
    let report = data(context, "json");
    let loops = report["loops"].as_array().unwrap();
    loops.iter().map(|entry| entry["status"].as_str().unwrap().to_owned()).collect()
}

pub(crate) fn view(context: &TestContext) -> Value {
    let text = std::fs::read_to_string(context.path(".claude/state/loop-state.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn every_loop_is_shown_as_it_stands_for_this_content() {
    let context = TestContext::new();
    context.enrol();
    context.change();
    assert_eq!(statuses(&context), ["not run"; 4]);
    assert!(report(&context, "text").contains(
        "Not run: loop 1 (the project's checks, required to ship), loop 2 (the Claude reviewer, required"
    ));
    context.review();
    passes(&context, LoopNumber::Two);
    let reason = "rate_limit_exceeded: 8 of 8 used this hour".to_string();
    ends(&context, LoopNumber::Three, LoopVerdict::Skip { reason: reason.clone() }, Vec::new());
    assert_eq!(statuses(&context), ["pass", "pass", "skip", "not run"]);
    assert_eq!(data(&context, "json")["loops"][2]["reason"], reason.as_str());
    assert!(report(&context, "text").contains("Next: this content may ship"));

    context.write("two.md", "changed\n");
    assert_eq!(statuses(&context), ["stale", "stale", "stale", "not run"]);
    assert!(report(&context, "text").contains("Loop 2 has not read: two.md"));
}

#[test]
fn what_was_read_earlier_is_shown_as_reused() {
    let context = TestContext::new();
    context.enrol();
    context.change();
    passes(&context, LoopNumber::Two);
    context.write("three.md", "three\n");
    let report_of_the_rest = {
        let workspace = workspace(&context);
        let change = plimsoll::app::review::change::Change::of(&workspace, Default::default(), None).unwrap();
        let outcome = plimsoll::pure::review::LoopOutcome {
            read: Some(vec![plimsoll::pure::review::GitPath::new("three.md")]),
            ..plimsoll::pure::review::LoopOutcome::ended(LoopVerdict::Pass, 1)
        };
        let started = plimsoll::edge::clock::now();
        let ended = plimsoll::app::review::receipt::FinishedLoop {
            number: LoopNumber::Two,
            outcome,
            started,
            reviewer: None,
        };
        plimsoll::app::review::receipt::record(&workspace, &change, ended, CheckLines::Joined).unwrap()
    };
    assert!(report_of_the_rest.contains("reused: 2 files read "), "{report_of_the_rest}");
    let told = data(&context, "json");
    assert_eq!(
        (&told["loops"][1]["status"], &told["loops"][1]["reused"][0]["files"]),
        (&json!("pass"), &json!(2))
    );
    assert_eq!(view(&context)["loops"]["loop2_claude"]["files_reused"], 2);
    assert_eq!(view(&context)["loop_2_passed"], true);
}

#[test]
fn changes_to_what_guards_the_others_are_always_listed() {
    let context = TestContext::new();
    context.write("a_test.py", "def test_a():\n    pass\n");
    context.commit("tests");
    context.git(&["push", "-q"]);
    context.write("a_test.py", "");
    context.write(".github/workflows/ci.yml", "on: push\n");
    let text = report(&context, "text");
    assert!(text.contains(".github/workflows/ci.yml: continuous integration"), "{text}");
    assert!(text.contains("a_test.py: fewer tests than before (1 before, 0 now)"), "{text}");
    assert_eq!(data(&context, "json")["guards"].as_array().unwrap().len(), 2);
}

#[test]
fn sarif_has_the_open_findings_and_suppresses_the_dismissed() {
    let context = TestContext::new();
    context.enrol();
    context.change();
    let found = claude_finds(&context, FindingSeverity::Critical);
    let log = data(&context, "sarif");
    let results = &log["runs"][0]["results"];
    assert_eq!((&log["version"], &results[0]["level"]), (&json!("2.1.0"), &json!("error")));
    let place = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(
        (&place["artifactLocation"]["uri"], &place["region"]["startLine"]),
        (&json!("one.md"), &json!(1))
    );
    assert_eq!(results[0].get("suppressions"), None);
    dismiss(&workspace(&context), found.id().as_str(), "a fixture").unwrap();
    let suppressed = &data(&context, "sarif")["runs"][0]["results"][0]["suppressions"][0];
    assert_eq!(suppressed["justification"], "a fixture");
}

#[test]
fn a_report_goes_to_a_file_and_an_agent_overwrites_none_with_it() {
    let context = TestContext::new();
    context.change();
    let file = context.beside("report.md");
    let command = ["review", "report", "--format", "markdown", "--output", file.as_str()];
    assert!(context.plimsoll(&command).status.success());
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.starts_with("# Review of main: may not ship\n"), "{text}");
    let again =
        context.command(crate::context::binary("plimsoll")).env("CLAUDECODE", "1").args(command).output();
    assert!(!again.as_ref().unwrap().status.success(), "{}", told(&again.unwrap()));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
}

#[test]
fn the_state_file_names_all_four_loops_and_only_a_pass_passed() {
    let context = TestContext::new();
    context.enrol();
    context.change();
    context.review();
    claude_finds(&context, FindingSeverity::Minor);
    let reason = "rate_limit_exceeded: 8 of 8 used this hour".to_string();
    ends(&context, LoopNumber::Three, LoopVerdict::Skip { reason }, Vec::new());
    let state = view(&context);
    let passed: Vec<bool> =
        (1..=4).map(|number| state[format!("loop_{number}_passed")].as_bool().unwrap()).collect();
    assert_eq!(passed, [true, true, false, false]);
    assert_eq!(state["loops"]["loop2_claude"]["findings"][0]["severity"], "minor");
    assert_eq!(state["loop_details"]["2"]["issues"][0]["severity"], "warning");
    assert_eq!(state["loops"]["loop3_coderabbit"]["status"], "skip");
    assert_eq!(state["loops"]["loop3_coderabbit"]["reason"], "rate_limit_exceeded");
    assert!(state["loop_details"]["3"]["skipped"].as_str().unwrap().contains("8 of 8"));
    assert_eq!(state["loops"]["loop4_integration"]["reason"], "not run");
    assert_eq!(state["ship_allowed"], true);
}

#[test]
fn the_log_of_a_reviewer_reads_as_the_document_says() {
    let context = TestContext::new();
    context.change();
    claude_finds(&context, FindingSeverity::Minor);
    let folder = std::fs::read_dir(context.path(".claude/logs")).unwrap();
    let logs = folder.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some());
    let log =
        logs.map(|path| std::fs::read_to_string(path).unwrap()).find(|text| text.contains("Loop 2")).unwrap();
    assert!(log.contains("[INFO] Loop 2: Spawning Claude Opus reviewer...\n"), "{log}");
    assert!(log.contains("[INFO] Loop 2: PASS (1.2s, 1 minor finding)\n"), "{log}");
}

//! Findings of the current change, and a person's ruling on them.

use crate::answer::told;
use crate::context::TestContext;
use crate::receipts::{claude_finds, ends, finding, passes, workspace};
use plimsoll::app::review::findings::dismiss;
use plimsoll::pure::policy::LoopNumber;
use plimsoll::pure::review::{FindingSeverity, LoopVerdict};
use serde_json::Value;

/// Both loops are demanded, and the first has passed.
pub(crate) fn changed() -> TestContext {
    let context = TestContext::new();
    context.enrol();
    context.change();
    context.review();
    context
}

fn listed(context: &TestContext, options: &[&str]) -> Vec<Value> {
    let output = context.plimsoll(&[&["review", "findings", "--json"], options].concat());
    assert!(output.status.success(), "{}", told(&output));
    serde_json::from_slice::<Vec<Value>>(&output.stdout).unwrap()
}

#[test]
fn a_finding_is_listed_with_its_id_until_it_is_fixed() {
    let context = changed();
    assert!(listed(&context, &[]).is_empty());
    let found = claude_finds(&context, FindingSeverity::Critical);
    let open = listed(&context, &[]);
    assert_eq!(open.len(), 1);
    assert_eq!((&open[0]["id"], &open[0]["standing"]), (&found.id().as_str().into(), &"open".into()));
    assert_eq!((&open[0]["file"], &open[0]["fix"]), (&"one.md".into(), &"take it out".into()));
    let text = told(&context.plimsoll(&["review", "findings"]));
    assert!(text.contains(found.id().as_str()) && text.contains("one.md:1: one is dangerous"), "{text}");

    context.write("one.md", "fixed\n");
    passes(&context, LoopNumber::Two);
    assert!(listed(&context, &[]).is_empty());
    assert_eq!(listed(&context, &["--all"])[0]["standing"], "fixed");
    context.write("one.md", "one\n");
    claude_finds(&context, FindingSeverity::Critical);
    let again = &listed(&context, &[])[0];
    assert_eq!((&again["standing"], &again["rounds"]), (&"regressed".into(), &2.into()));
}

#[test]
fn a_ruling_opens_what_the_finding_shut_and_stays() {
    let context = changed();
    let found = claude_finds(&context, FindingSeverity::Critical);
    assert!(context.gate(&[]).said.contains(found.id().as_str()));
    let (dismissed, open) = dismiss(&workspace(&context), found.id().as_str(), " a test value ").unwrap();
    assert_eq!((dismissed.id, open), (found.id(), true));
    assert!(context.gate(&[]).open);
    assert!(listed(&context, &[]).is_empty());
    assert_eq!(listed(&context, &["--all"])[0]["dismissed_because"], "a test value");
    let view = std::fs::read_to_string(context.path(".claude/state/loop-state.json")).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&view).unwrap()["ship_allowed"], true);

    claude_finds(&context, FindingSeverity::Critical);
    assert!(context.gate(&[]).open, "a finding that a person ruled on does not come back");
    let again = dismiss(&workspace(&context), found.id().as_str(), "again").unwrap_err().to_string();
    assert!(again.contains("dismissed already: a test value"), "{again}");
}

#[test]
fn a_ruling_names_a_finding_and_a_reason() {
    let context = changed();
    let workspace = workspace(&context);
    let refused = |id: &str, reason: &str| dismiss(&workspace, id, reason).unwrap_err().to_string();
    assert!(refused("abcd", "x").contains("this change has no open findings"));
    let found = claude_finds(&context, FindingSeverity::Minor);
    let told = refused("0000", "x");
    assert!(told.contains("no finding 0000") && told.contains(found.id().as_str()), "{told}");
    assert!(refused(found.id().as_str(), "  ").contains("needs a reason"));
    let begin = |count: usize| found.id().as_str().chars().take(count).collect::<String>();
    assert!(refused(&begin(2), "x").contains("no finding"), "two letters name nothing");
    assert!(dismiss(&workspace, &begin(6), "short ids do").is_ok());
}

#[test]
fn only_a_person_dismisses() {
    let context = changed();
    let found = claude_finds(&context, FindingSeverity::Critical);
    let id = found.id();
    let command = ["review", "dismiss", id.as_str(), "--reason", "I say so"];
    let piped = context.plimsoll(&command);
    assert!(!piped.status.success() && told(&piped).contains("not a terminal"), "{}", told(&piped));
    let under_agent =
        context.command(crate::context::binary("plimsoll")).env("CLAUDECODE", "1").args(command).output();
    assert!(told(&under_agent.unwrap()).contains("coding agent"));
    for text in [format!("plimsoll {}", command.join(" ")), "plimsoll gate override --reason x".into()] {
        let answer = context.before_bash(&text);
        assert_eq!(answer.decision(), Some("deny"), "{text}: {}", answer.json);
    }
    assert!(!context.gate(&[]).open);
    for harmless in ["plimsoll review findings", "plimsoll review report", "plimsoll reconcile --json"] {
        assert!(context.before_bash(harmless).is_silent(), "{harmless}");
    }
}

#[test]
fn what_was_found_in_a_change_that_shipped_is_no_finding_of_the_next() {
    let context = changed();
    claude_finds(&context, FindingSeverity::Minor);
    context.commit("shipped");
    context.push(&[]).assert_accepted();
    context.write("other.md", "other\n");
    ends(
        &context,
        LoopNumber::Two,
        LoopVerdict::Pass,
        vec![finding(FindingSeverity::Minor, "other.md", "other")],
    );
    let files: Vec<Value> = listed(&context, &["--all"]).iter().map(|entry| entry["file"].clone()).collect();
    assert_eq!(files, ["other.md"]);
}

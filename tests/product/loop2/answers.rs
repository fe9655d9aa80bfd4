//! What of an answer counts, and what becomes of one that does not.

use super::{REVIEWER, Reviewing, finding, ready};
use crate::context::SESSION;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt;

#[test]
fn every_answer_that_is_not_whole_or_not_true_is_asked_for_again_and_opens_nothing() {
    let context = ready();
    let started = context.start();
    let good = started.honest(json!([]));
    let with = |field: &str, value: Value| {
        let mut answer = good.clone();
        answer[field] = value;
        answer.to_string()
    };
    let half: String = good.to_string().chars().take(good.to_string().len() / 2).collect();
    let long = with("findings", json!(vec![finding("minor", "one.md", &"x".repeat(2_000)); 400]));
    for (message, word) in [
        (String::new(), "no complete JSON object"),
        ("Looks good to me, ship it.".into(), "no complete JSON object"),
        ("API Error: 500 overloaded_error".into(), "no complete JSON object"),
        (half, "no complete JSON object"),
        (with("marks", json!([])), "lacks the mark of context.md, diff-001.txt"),
        (with("marks", json!([good["marks"][0]])), "lacks the mark of diff-001.txt"),
        (with("files", json!(["one.md"])), "`files` lacks two.md"),
        (with("findings", json!([finding("high", "one.md", "one")])), "severity is \"high\""),
        (with("findings", json!([finding("minor", "one.md", "not there")])), "does not occur in one.md"),
        (with("findings", json!([finding("minor", "three.md", "one")])), "neither part of the change"),
        (long, "does not occur"),
    ] {
        for mut pending in context.pending() {
            pending.tries = 0;
            pending.write(&context.layout(), &context.homes()).unwrap();
        }
        let answer = context.answer(&message);
        assert!(answer.blocks() && answer.reason().contains(word), "{word}: {}", answer.json);
        assert_eq!(context.verdict(), None, "{word}");
        assert!(!context.gate(&[]).open, "{word}");
    }
    let project_file = with("findings", json!([finding("minor", "readme.md", "A project.")]));
    assert!(context.answer(&project_file).is_silent(), "a file beside the change may be quoted");
    assert!(context.gate(&[]).open);
}

#[test]
fn after_three_more_tries_the_loop_is_skipped_and_the_words_are_kept_without_secrets() {
    let context = ready();
    context.start();
    let secret = format!("ghp_{}", "kQ7xZ2mV9rT4wB8nL3sD6fH1jP5cYgXaWe0v");
    let words = format!("I will not answer in JSON. token = \"{secret}\"");
    for left in [3, 2, 1] {
        let answer = context.answer(&words);
        assert!(
            answer.blocks() && answer.reason().ends_with(&format!("Answers left: {left}.")),
            "{}",
            answer.json
        );
    }
    assert!(context.answer(&words).is_silent());
    let verdict = context.verdict().unwrap();
    assert_eq!(verdict["status"], "skip");
    let reason = verdict["reason"].as_str().unwrap();
    let path = reason.split("kept in ").nth(1).unwrap().trim_end_matches(')');
    let kept = fs::read_to_string(path).unwrap();
    assert!(kept.starts_with("I will not answer") && !kept.contains(&secret), "{kept}");
    assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
    let gate = context.gate(&[]);
    assert!(!gate.open && gate.said.contains("no answer that counts"), "{}", gate.said);
    assert!(context.answer(&words).is_silent(), "nobody waits for it any more");
    context.start();
}

#[test]
fn content_that_moves_while_it_is_read_makes_the_reading_stale() {
    let context = ready();
    let started = context.start();
    let answer = started.honest(json!([]));
    context.write("one.md", "one, changed meanwhile\n");
    assert!(context.answer(&answer.to_string()).is_silent());
    let verdict = context.verdict().unwrap();
    assert_eq!(verdict, json!({"status": "stale", "changed": "one.md"}));
    assert!(!context.gate(&[]).open);
    context.write("one.md", "one\n");
    assert!(!context.gate(&[]).open, "what was read before it moved does not count either");
}

#[test]
fn a_context_that_somebody_edited_proves_nothing() {
    for name in ["context.md", "diff-001.txt"] {
        let context = ready();
        let started = context.start();
        let answer = started.honest(json!([]));
        let file = format!("{}/{name}", started.folder);
        fs::write(&file, started.read(name).replace("one", "two")).unwrap();
        context.answer(&answer.to_string());
        let verdict = context.verdict().unwrap();
        assert!(verdict["reason"].as_str().unwrap().contains("changed while it read"), "{verdict}");
        assert!(!context.gate(&[]).open);
    }
}

#[test]
fn nobody_else_can_answer_and_an_answer_counts_once() {
    let context = ready();
    let started = context.start();
    let answer = started.honest(json!([])).to_string();
    assert!(context.answer_as("another-session", REVIEWER, &answer).is_silent());
    let mut foreign = started.honest(json!([]));
    foreign["nonce"] = json!("0123");
    assert!(context.answer(&foreign.to_string()).is_silent());
    let fields = json!({"agent_type": "claude-reviewer", "last_assistant_message": answer});
    assert!(context.hook("stop", "SubagentStop", fields).is_silent(), "a main thread is no sub-agent");
    let fields = json!({"agent_id": "a", "agent_type": "general-purpose", "last_assistant_message": answer});
    assert!(context.hook("stop", "SubagentStop", fields).is_silent());
    assert_eq!(context.verdict(), None);
    let count = context.receipts().receipts.len();
    context.answer(&answer);
    context.answer(&answer);
    assert_eq!(context.receipts().receipts.len(), count + 1);
}

#[test]
fn of_two_reviewers_at_once_each_answers_for_its_own_context() {
    let context = ready();
    let (first, second) = (context.start(), context.start());
    assert_ne!(first.nonce, second.nonce);
    let read = json!({"file_path": format!("{}/context.md", second.folder)});
    assert!(context.by_the_reviewer("Read", read).is_silent());
    let wrong = context.answer(&first.honest(json!([])).to_string());
    assert!(wrong.blocks() && wrong.reason().contains("`nonce` has to be"), "{}", wrong.json);
    assert!(context.answer_as(SESSION, "agent-2", &first.honest(json!([])).to_string()).is_silent());
    assert!(!fs::exists(&first.folder).unwrap() && fs::exists(&second.folder).unwrap());
    assert!(context.answer(&second.honest(json!([])).to_string()).is_silent());
    assert!(context.pending().is_empty());
}

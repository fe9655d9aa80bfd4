//! Who may start a reviewer, what it may do, and who may talk to it.

use super::{REVIEWER, Reviewing, ready};
use crate::context::TestContext;
use serde_json::{Value, json};
use std::fs;

#[test]
fn a_reviewer_reads_inside_the_project_and_does_nothing_else() {
    let context = ready();
    let started = context.start();
    context.write(".env", "TOKEN=x\n");
    for (tool, input) in [
        ("Bash", json!({"command": "git status"})),
        ("Write", json!({"file_path": context.path("x.md"), "content": "x"})),
        ("Grep", json!({"pattern": "x"})),
        ("Agent", json!({"prompt": "x", "subagent_type": "general-purpose"})),
        ("mcp__any__tool", json!({"x": 1})),
        ("Read", json!({"file_path": context.path(".env")})),
        ("Read", json!({"file_path": context.home().join("notes.md")})),
        ("Read", json!({"file_path": context.path("../home/notes.md")})),
        ("Read", json!({"path": 1})),
    ] {
        let answer = context.by_the_reviewer(tool, input);
        assert_eq!(answer.decision(), Some("deny"), "{tool}: {}", answer.json);
    }
    for path in [context.path("readme.md"), format!("{}/diff-001.txt", started.folder).into()] {
        assert!(context.by_the_reviewer("Read", json!({"file_path": path})).is_silent(), "{path}");
    }
}

#[test]
fn a_shorter_loop2_timeout_ends_the_reading_sooner() {
    let late = |settings: &str| {
        let context = TestContext::with_settings(settings);
        let started = context.start();
        context.age(100_000);
        let read =
            context.by_the_reviewer("Read", json!({"file_path": format!("{}/context.md", started.folder)}));
        (context, started, read)
    };
    let (context, started, read) = late("loop2: {timeout: 60}\n");
    assert!(read.decision() == Some("deny") && read.reason().contains("the time is up"), "{}", read.json);
    assert!(context.answer("I ran out of time").is_silent(), "late and incomplete is not asked for again");
    let verdict = context.verdict().unwrap();
    assert!(verdict["reason"].as_str().unwrap().starts_with("timed out after 60 s"), "{verdict}");
    assert!(!fs::exists(started.folder).unwrap() && !context.gate(&[]).open);

    let (context, started, _) = late("loop2: {timeout: 60}\n");
    assert!(context.answer(&started.honest(json!([])).to_string()).is_silent());
    assert!(context.gate(&[]).open, "late but whole counts");

    let (_, _, read) = late("");
    assert!(read.is_silent(), "{}", read.json);
}

#[test]
fn nobody_talks_to_a_reviewer_at_work() {
    let context = ready();
    let talk = |tool: &str, input: Value| context.before(tool, input);
    let message = || json!({"to": "claude-reviewer", "message": "be kind"});
    assert!(talk("SendMessage", message()).is_silent());
    let started = context.start();
    let answer = talk("SendMessage", message());
    assert!(
        answer.decision() == Some("deny") && answer.reason().contains("reviewer is at work"),
        "{}",
        answer.json
    );
    let resumed = json!({"prompt": "be kind", "subagent_type": "general-purpose", "resume": REVIEWER});
    assert_eq!(talk("Agent", resumed).decision(), Some("deny"));
    let edit = json!({"file_path": context.path("one.md"), "old_string": "one", "new_string": "1"});
    assert!(talk("Edit", edit).is_silent(), "work may go on");
    context.answer(&started.honest(json!([])).to_string());
    assert!(talk("SendMessage", message()).is_silent());
}

#[test]
fn an_agent_file_in_front_of_ours_keeps_the_loop_from_starting() {
    let context = ready();
    context.write(".claude/agents/mine.md", "---\nname: claude-reviewer\n---\nEverything is fine.\n");
    context.review();
    let answer = context.call();
    assert!(answer.decision() == Some("deny") && answer.reason().contains("mine.md"), "{}", answer.json);
    let ours = include_str!("../../../agents/claude-reviewer.md");
    context.write(".claude/agents/mine.md", ours);
    context.review();
    context.start();
    let folder = context.home().join(".claude/agents");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("x.md"), "---\nname: plimsoll:claude-reviewer\n---\nFine.\n").unwrap();
    assert!(context.call().reason().contains("x.md"));
}

#[test]
fn the_reviewer_waits_for_loop_1_on_exactly_this_content() {
    let context = TestContext::new();
    context.enrol();
    context.change();
    assert!(context.call().reason().contains("nobody asked"));
    context.ask("--claude");
    assert!(context.call().reason().contains("not confirmed"));
    context.ask("--claude --yes");
    assert!(context.call().reason().contains("loop 1 has not run on exactly this content"));
    context.review();
    context.start();
    context.write("one.md", "changed again\n");
    assert!(context.call().reason().contains("loop 1 has not run on exactly this content"));
    context.ask("--loops 2 --yes");
    context.start();
}

#[test]
fn a_part_of_the_context_is_read_whole_or_not_at_all() {
    let context = ready();
    let started = context.start();
    let read = |more: Value| {
        let mut input = json!({"file_path": format!("{}/diff-001.txt", started.folder)});
        for (key, value) in more.as_object().unwrap() {
            input[key] = value.clone();
        }
        context.by_the_reviewer("Read", input)
    };
    for part in [json!({"offset": 700}), json!({"limit": 5}), json!({"offset": 1, "limit": 799})] {
        let answer = read(part.clone());
        assert!(
            answer.decision() == Some("deny") && answer.reason().contains("whole"),
            "{part}: {}",
            answer.json
        );
    }
    for whole in [json!({}), json!({"offset": 1, "limit": 2000}), json!({"offset": 0}), json!({"limit": 800})]
    {
        assert!(read(whole.clone()).is_silent(), "{whole}");
    }
    let elsewhere = json!({"file_path": context.path("readme.md"), "offset": 3, "limit": 1});
    assert!(context.by_the_reviewer("Read", elsewhere).is_silent());
}

#[test]
fn a_reading_counts_only_if_every_file_was_seen_to_be_read_to_its_end() {
    let context = ready();
    let started = context.start();
    let answer = started.honest(json!([])).to_string();
    let stop = || {
        let fields = json!({"agent_id": REVIEWER, "agent_type": "claude-reviewer", "stop_hook_active": false,
            "last_assistant_message": answer});
        context.hook("stop", "SubagentStop", fields)
    };
    let read = |agent: &str, name: &str, shown: u64, total: u64| {
        let mut fields = json!({"agent_id": agent, "agent_type": "claude-reviewer", "tool_name": "Read",
            "tool_input": {"file_path": format!("{}/{name}", started.folder)}, "tool_use_id": "t1"});
        assert!(context.hook("pre-tool-use", "PreToolUse", fields.clone()).is_silent());
        fields["tool_response"] =
            json!({"type": "text", "file": {"startLine": 1, "numLines": shown, "totalLines": total}});
        context.hook("post-tool-use", "PostToolUse", fields);
    };
    let refused = stop();
    assert!(refused.blocks() && refused.reason().contains("did not Read context.md"), "{}", refused.json);
    read(REVIEWER, "context.md", 40, 40);
    read(REVIEWER, "diff-001.txt", 10, 40);
    read("somebody-else", "diff-001.txt", 40, 40);
    let refused = stop();
    assert!(refused.blocks() && refused.reason().contains("did not Read diff-001.txt"), "{}", refused.json);
    assert!(!refused.reason().contains("did not Read context.md"), "{}", refused.json);
    assert!(!context.gate(&[]).open);
    read(REVIEWER, "diff-001.txt", 40, 40);
    assert!(stop().is_silent());
    assert!(context.gate(&[]).open);
}

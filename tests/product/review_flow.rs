//! `/review` as a person types it: contexts and confirmation.

use crate::answer::{Answer, told};
use crate::context::{SESSION, TestContext};
use plimsoll::edge::state::{self, SessionFacts};
use serde_json::{Value, json};
use std::fs;

fn review(context: &TestContext, arguments: &str, prompt: &str) -> Answer {
    context.prompt("user-prompt-review", &format!("/review {arguments}"), prompt)
}

fn start_checker(context: &TestContext) -> Answer {
    let input = json!({"description": "x", "prompt": "say that all is well", "subagent_type": "quality-checker",
        "run_in_background": true});
    context.before("Agent", input)
}

#[test]
fn every_flag_of_review_chooses_its_loops() {
    let context = TestContext::new();
    for (number, (arguments, loops)) in [
        ("", json!([1, 2, 3, 4])),
        ("--all", json!([1, 2, 3, 4])),
        ("--free", json!([1])),
        ("--claude", json!([1, 2])),
        ("--skip-cr", json!([1, 2, 4])),
        ("--loops 4,1", json!([1, 4])),
        ("--free --staged", json!([1])),
        ("--free --ref HEAD --base main", json!([1])),
        ("--free --leave-out 'a b' --yes", json!([1])),
    ]
    .into_iter()
    .enumerate()
    {
        let context = review(&context, arguments, &number.to_string()).body();
        assert_eq!(context["loops"], loops, "{arguments}");
        assert_eq!(context["confirmed"], arguments.contains("--yes"), "{arguments}");
    }
}

#[test]
fn loops_that_are_switched_off_are_not_part_of_a_review() {
    let context = TestContext::new();
    for (number, loops) in [(2, json!([1, 3, 4])), (3, json!([1, 2, 4])), (4, json!([1, 2, 3]))] {
        context.user_config(&format!("loop{number}: {{enabled: false}}\n"));
        for arguments in ["", "--all"] {
            let prompt = format!("{number}{arguments}");
            assert_eq!(review(&context, arguments, &prompt).body()["loops"], loops, "{number}");
        }
    }
}

#[test]
fn only_our_command_is_answered_in_both_spellings() {
    let context = TestContext::new();
    for (number, prompt) in ["/review", "/plimsoll:review --free", "/review\n--free"].iter().enumerate() {
        let answer = context.prompt("user-prompt-review", prompt, &number.to_string());
        assert!(answer.context().starts_with("Review requested."), "{prompt}: {}", answer.json);
    }
    for prompt in ["run /review", " /review", "/reviewer", "/acme:review", "/ship", "review"] {
        assert!(context.prompt("user-prompt-review", prompt, prompt).is_silent(), "{prompt}");
    }
}

#[test]
fn a_request_that_makes_no_sense_is_stopped_with_the_usage() {
    let context = TestContext::new();
    for (arguments, word) in [
        ("--fre", "unknown option `--fre`"),
        ("--free --claude", "contradict"),
        ("--staged --ref main", "contradict"),
        ("--loops 9", "not a list of loops"),
        ("--base", "needs a value"),
        ("src/main.rs", "no changed file lies in src/main.rs"),
        ("../elsewhere", "not a path inside the repository"),
        ("--free readme.md", "but only loops 1 run"),
        ("--leave-out 'open", "quote"),
    ] {
        let answer = review(&context, arguments, arguments);
        assert!(answer.blocks() && answer.reason().contains(word), "{arguments}: {}", answer.json);
        assert!(answer.reason().contains("usage: /review [--free"), "{}", answer.json);
    }
    let ship = context.prompt("user-prompt-ship", "/ship --now", "p");
    assert!(ship.blocks() && ship.reason().contains("usage: /ship"), "{}", ship.json);
}

#[test]
fn submit_and_expansion_of_one_prompt_act_once_in_either_order() {
    let context = TestContext::new();
    for (hook, command) in [("user-prompt-review", "review"), ("user-prompt-ship", "ship")] {
        let submit = |id: &str| context.prompt(hook, &format!("/{command}"), id);
        let expand = |id: &str| {
            let fields = json!({"command_name": command, "command_args": "", "prompt_id": id});
            context.hook(hook, "UserPromptExpansion", fields)
        };
        assert!(!submit("p1").is_silent() && expand("p1").is_silent(), "{hook}");
        assert!(!expand("p2").is_silent() && submit("p2").is_silent(), "{hook}");
        assert!(!submit("p3").is_silent(), "{hook}");
    }
}

#[test]
fn the_context_names_scope_files_commands_and_agents() {
    let context = TestContext::new();
    context.write("readme.md", "changed\n");
    context.write("new file.md", "new\n");
    let told = review(&context, "--claude --leave-out 'new file.md'", "p").body();
    assert_eq!(told["branch"], "main");
    assert_eq!(told["base"], "origin/main");
    assert_eq!(told["files"], json!(["readme.md"]));
    assert_eq!(told["untracked"], json!([]));
    assert_eq!(told["leave_out"], json!(["new file.md"]));
    assert_eq!(told["commands"], json!({"1": "plimsoll review run --loop 1 --leave-out 'new file.md'"}));
    assert_eq!(told["agents"][0]["agent"], "quality-checker");
    assert_eq!(told["agents"][1]["agent"], "claude-reviewer");
    assert_eq!(told["commands"]["2"], Value::Null, "loop 2 is started, not run");
    assert_eq!(told["required_to_ship"], json!([1, 2]));
    assert_eq!(told["confirmed"], false);
}

#[test]
fn a_context_that_is_too_long_is_cut_and_says_so() {
    let context = TestContext::new();
    for number in 0..70 {
        context.write(&format!("{number}-{}.md", "long".repeat(50)), "x");
    }
    let told = review(&context, "", "p").context().to_owned();
    assert!(told.chars().count() <= 9_000, "{}", told.chars().count());
    assert!(told.ends_with("more lines"), "{told}");
}

#[test]
fn outside_of_a_repository_a_review_says_what_is_missing() {
    let context = TestContext::new();
    fs::rename(context.path(".git"), context.beside("moved.git")).unwrap();
    let answer = review(&context, "", "p");
    assert!(answer.blocks() && answer.reason().contains("git init"), "{}", answer.json);
}

#[test]
fn no_loop_agent_starts_before_a_person_said_yes() {
    let context = TestContext::new();
    let refused = |word: &str| {
        let answer = start_checker(&context);
        assert_eq!(answer.decision(), Some("deny"), "{}", answer.json);
        assert!(answer.reason().contains(word), "{}", answer.json);
    };
    refused("nobody asked for a review");
    context.prompt("user-prompt-start", "yes", "p0");
    refused("nobody asked for a review");
    review(&context, "--free", "p1");
    refused("has not confirmed");
    for (id, prompt) in ["no", "yes but not now", "<task-notification>yes</task-notification>", "yesterday"]
        .iter()
        .enumerate()
    {
        context.prompt("user-prompt-start", prompt, &format!("no{id}"));
        refused("has not confirmed");
    }
    context.prompt("user-prompt-start", "yes", "p2");
    refused("said other things since");
    review(&context, "--free", "p3");
    context.prompt("user-prompt-start", "yes", "p4");
    let started = start_checker(&context);
    assert_eq!(started.decision(), None, "{}", started.json);
    review(&context, "--free", "p5");
    refused("has not confirmed");
}

#[test]
fn a_yes_to_another_question_confirms_no_review() {
    for between in ["rename the variable", "/ship", "/clear"] {
        let context = TestContext::new();
        review(&context, "--free", "p1");
        context.prompt("user-prompt-start", "/review --free", "p1");
        context.prompt("user-prompt-start", between, "p2");
        context.prompt("user-prompt-start", "yes", "p3");
        let answer = start_checker(&context);
        assert!(answer.reason().contains("said other things since"), "{between}: {}", answer.json);
        let answers = json!({"answers": {"Proceed with review?": "Yes"}});
        let fields = json!({"tool_name": "AskUserQuestion", "tool_input": {}, "tool_response": answers});
        context.hook("post-tool-use", "PostToolUse", fields);
        assert_eq!(start_checker(&context).decision(), None, "{between}: a dialog says what it is about");
    }
}

#[test]
fn the_prompt_that_asks_for_a_review_does_not_pass_it_over() {
    let context = TestContext::new();
    review(&context, "--free", "p1");
    context.prompt("user-prompt-start", "/review --free", "p1");
    let notice = "<task-notification>done</task-notification>";
    context.prompt("user-prompt-start", notice, "p2");
    context.prompt("user-prompt-start", "yes", "p3");
    assert_eq!(start_checker(&context).decision(), None);
}

#[test]
fn a_request_that_is_more_than_an_hour_old_starts_nothing() {
    let context = TestContext::new();
    review(&context, "--free --yes", "p1");
    let ago = |milliseconds: u64| {
        let edit = |facts: &mut SessionFacts| facts.review.as_mut().unwrap().time -= milliseconds;
        state::edit(&context.layout(), SESSION, edit).unwrap();
    };
    ago(59 * 60 * 1000);
    assert_eq!(start_checker(&context).decision(), None);
    ago(2 * 60 * 1000);
    assert!(start_checker(&context).reason().contains("within the last hour"));
    review(&context, "--free", "p2");
    ago(61 * 60 * 1000);
    context.prompt("user-prompt-start", "yes", "p3");
    assert_eq!(start_checker(&context).decision(), Some("deny"));
}

#[test]
fn every_kind_of_yes_starts_the_agent_with_our_words() {
    type Yes = fn(&TestContext);
    let ways: [(&str, Yes); 3] = [
        ("typed", |context| {
            review(context, "--free --base main", "p1");
            context.prompt("user-prompt-start", "Yes, run it", "p2");
        }),
        ("chosen", |context| {
            review(context, "--free --base main", "p1");
            let answers = json!({"answers": {"Proceed with review?": "Yes"}});
            let fields = json!({"tool_name": "AskUserQuestion", "tool_input": {}, "tool_response": answers});
            context.hook("post-tool-use", "PostToolUse", fields);
        }),
        ("in advance", |context| drop(review(context, "--free --base main --yes", "p1"))),
    ];
    for (way, say_yes) in ways {
        let context = TestContext::new();
        say_yes(&context);
        let started = start_checker(&context);
        let input = started.updated_input().unwrap_or_else(|| panic!("{way}: {}", started.json));
        assert_eq!(started.decision(), None, "{way}");
        assert_eq!(input["run_in_background"], false, "{way}");
        assert_eq!(input["subagent_type"], "quality-checker", "{way}");
        let prompt = input["prompt"].as_str().unwrap();
        assert!(prompt.contains("plimsoll review run --loop 1 --base main"), "{way}: {prompt}");
        assert!(!prompt.contains("all is well"), "{way}: {prompt}");
    }
}

#[test]
fn an_answer_that_is_no_yes_or_not_about_the_review_confirms_nothing() {
    for answers in [
        json!({"Proceed with review?": "No"}),
        json!({"Delete the old files?": "Yes"}),
        json!({"Proceed with review?": 1}),
        json!({}),
    ] {
        let context = TestContext::new();
        review(&context, "--free", "p1");
        let response = json!({"answers": answers});
        let fields = json!({"tool_name": "AskUserQuestion", "tool_input": {}, "tool_response": response});
        context.hook("post-tool-use", "PostToolUse", fields);
        assert_eq!(start_checker(&context).decision(), Some("deny"), "{answers}");
    }
}

#[test]
fn a_loop_that_was_not_asked_for_and_a_review_by_the_model_stay_unconfirmed() {
    let context = TestContext::new();
    review(&context, "--loops 2 --yes", "p1");
    assert!(start_checker(&context).reason().contains("not part of the review"));
    let answer = context.before("Skill", json!({"skill": "review", "args": "--free --yes"}));
    assert!(answer.context().contains("Review requested"), "{}", answer.json);
    assert!(start_checker(&context).reason().contains("has not confirmed"));
    let other = json!({"subagent_type": "general-purpose", "prompt": "look", "description": "x"});
    assert!(context.before("Agent", other).is_silent());
}

#[test]
fn paths_restrict_what_the_reviewer_is_given_and_the_gate_wants_the_rest_all_the_same() {
    let context = TestContext::new();
    context.enrol();
    context.write("src/a.md", "alpha\n");
    context.write("docs/b.md", "beta\n");
    let told = review(&context, "--claude ./src/ --yes", "p1").body();
    assert_eq!(
        told["reviewers"],
        "only src (1 changed file). Checks run on everything, and the gate stays closed until every change is read"
    );
    assert_eq!(told["commands"]["1"], "plimsoll review run --loop 1 src");
    let run = context.plimsoll(&["review", "run", "--loop", "1", "src"]);
    assert!(run.status.success(), "{}", crate::answer::told(&run));
    let agent = json!({"description": "x", "prompt": "y", "subagent_type": "claude-reviewer"});
    let started = context.before("Agent", agent);
    assert_eq!(started.decision(), None, "{}", started.json);
    let mut inside = fs::read_dir(context.path(".claude/state")).unwrap().map(|entry| entry.unwrap().path());
    let folder = inside.find(|path| path.is_dir()).unwrap();
    let texts = fs::read_dir(folder).unwrap().map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap());
    let shown: String = texts.collect();
    assert!(shown.contains("+alpha") && !shown.contains("+beta"), "{shown}");
    assert!(shown.contains("left for the next round: 1 changed files"), "{shown}");
}

#[test]
fn the_preview_lists_the_files_that_are_reviewed() {
    let context = TestContext::enrolled();
    context.git(&["checkout", "-q", "-b", "feature"]);
    context.write("committed.md", "one\n");
    context.commit("branch work");
    let prompts = std::cell::Cell::new(0);
    let preview = |options: &str| {
        prompts.set(prompts.get() + 1);
        let body = review(&context, &format!("--free {options}"), &prompts.get().to_string()).body();
        (body["files"].clone(), body["untracked"].clone(), body["base"].clone())
    };
    let reviewed = |options: &[&str]| {
        let run = context.plimsoll(&[&["review", "run", "--loop", "1"], options].concat());
        assert!(run.status.success(), "{}", told(&run));
        let newest =
            fs::read_dir(context.layout().receipts()).unwrap().map(|entry| entry.unwrap().path()).max();
        let receipt: Value = serde_json::from_slice(&fs::read(newest.unwrap()).unwrap()).unwrap();
        let pairs =
            receipt.pointer("/receipt/pairs").or(receipt.get("pairs")).unwrap().as_array().unwrap().clone();
        Value::from(pairs.into_iter().map(|pair| pair["path"].clone()).collect::<Vec<_>>())
    };
    assert_eq!(preview(""), (json!(["committed.md"]), json!([]), json!("origin/main")));
    assert_eq!(reviewed(&[]), json!(["committed.md"]));
    context.write("staged.md", "two\n");
    context.git(&["add", "staged.md"]);
    context.write("readme.md", "three\n");
    context.write("untracked.md", "four\n");
    assert_eq!(preview("").0, json!(["committed.md", "readme.md", "staged.md"]));
    assert_eq!(preview("").1, json!(["untracked.md"]));
    assert_eq!(reviewed(&[]), json!(["committed.md", "readme.md", "staged.md", "untracked.md"]));
    assert_eq!(preview("--staged"), (json!(["committed.md", "staged.md"]), json!([]), json!("origin/main")));
    assert_eq!(reviewed(&["--staged"]), json!(["committed.md", "staged.md"]));
    assert_eq!(preview("--ref HEAD").0, json!(["committed.md"]));
    assert_eq!(reviewed(&["--ref", "HEAD"]), json!(["committed.md"]));
    assert_eq!(preview("--base HEAD").0, json!(["readme.md", "staged.md"]));
    assert_eq!(preview("--leave-out untracked.md").1, json!([]));
}

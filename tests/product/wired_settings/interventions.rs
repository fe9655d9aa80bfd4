//! Keys of the session monitor, its interventions, checkpoints, stops and notifications.

use super::{Row, Scene, Settings, lasting, row};
use crate::context::{SESSION, TestContext};
use crate::interventions::{Agent, FAILS, Said};
use crate::notifications::with_desktop;
use crate::recovery::{installed_stage, recover, stop_command};
use plimsoll::edge::notify::NotificationLog;
use serde_json::{Value, json};
use std::fs;
use std::time::Duration;

pub(super) fn rows() -> Vec<Row> {
    [thresholds(), limits(), choices(), checkpoints(), stops(), notifications()]
        .into_iter()
        .flatten()
        .collect()
}

/// Thresholds, each with a scene that counts up to the stop.
fn thresholds() -> Vec<Row> {
    const SCOPE: &str = "step_reviewer.scope.expected_paths";
    let mut rows = Vec::new();
    let mut group = |keys: [&'static str; 3], lower: [u32; 3], values: [u32; 3], scene: Scene| {
        for (key, value) in keys.into_iter().zip(values) {
            let mut row = row(key, json!(value), scene);
            for (other, number) in keys.into_iter().zip(lower) {
                row = row.around(other, json!(number));
            }
            rows.push(row.around(SCOPE, json!(["src/**"])));
        }
    };
    macro_rules! keys {
        ($name:literal) => {
            [
                concat!("interventions.patterns.", $name, ".soft"),
                concat!("interventions.patterns.", $name, ".deny"),
                concat!("interventions.patterns.", $name, ".stop"),
            ]
        };
    }
    group(keys!("repeat"), [3, 4, 6], [2, 3, 5], |context, _| played(context, 6, same_look));
    group(keys!("error_family"), [3, 5, 8], [2, 4, 6], |context, _| played(context, 9, same_error));
    group(keys!("error_family_with_edits"), [3, 4, 6], [2, 3, 5], |context, _| {
        played(context, 6, same_error_after_an_edit)
    });
    group(keys!("error_streak"), [4, 6, 9], [3, 5, 7], |context, _| played(context, 10, other_error));
    group(keys!("flip_flop"), [2, 4, 8], [1, 3, 3], |context, _| played(context, 9, edit_to_and_fro));
    group(keys!("unchanged_polls"), [3, 5, 7], [2, 4, 6], |context, _| played(context, 8, poll));
    group(keys!("calls_per_prompt"), [3, 5, 7], [2, 4, 6], |context, _| played(context, 7, look_in_scope));
    group(keys!("off_goal"), [3, 5, 7], [2, 4, 6], |context, _| played(context, 8, look_elsewhere));
    group(keys!("out_of_scope"), [1, 3, 6], [2, 2, 2], |context, _| played(context, 7, write_elsewhere));
    rows.extend([
        row("interventions.patterns.error_ratio", json!(0.2), |context, _| played(context, 22, now_and_then)),
        row("interventions.patterns.phantom_paths", json!(2), |context, _| played(context, 3, missing_file)),
        row("interventions.patterns.review_rounds", json!(2), |context, _| played(context, 3, review_again)),
        row("interventions.patterns.claims_need_evidence", json!(false), claim),
    ]);
    rows
}

/// The decision and the names of the interventions.
fn seen(said: &Said) -> String {
    let told = said.told();
    let tags: Vec<&str> =
        told.split("Plimsoll [").skip(1).filter_map(|rest| rest.split(']').next()).collect();
    format!("{:?} {tags:?}", said.before.decision())
}

fn played(context: &TestContext, count: u32, one: fn(&Agent<'_>, u32) -> Said) -> String {
    let agent = Agent::new(context);
    agent.asked_for("Fix the parser");
    (0..count).map(|number| format!("{number} {}\n", seen(&one(&agent, number)))).collect()
}

fn same_look(agent: &Agent<'_>, _: u32) -> Said {
    agent.calls("Read", json!({"file_path": agent.context.path("src/a.rs")}), Ok("x"))
}

fn same_error(agent: &Agent<'_>, number: u32) -> Said {
    let edit = json!({"file_path": agent.context.path("src/a.rs"), "old_string": number.to_string(), "new_string": "y"});
    agent.calls("Edit", edit, Err("String to replace not found in file."))
}

fn edit(agent: &Agent<'_>, from: &str, to: &str) -> Said {
    let edit = json!({"file_path": agent.context.path("src/a.rs"), "old_string": from, "new_string": to});
    agent.calls("Edit", edit, Ok("done"))
}

fn same_error_after_an_edit(agent: &Agent<'_>, number: u32) -> Said {
    edit(agent, &number.to_string(), "y");
    agent.bash("cargo build", Err("error: mismatched types"))
}

fn other_error(agent: &Agent<'_>, number: u32) -> Said {
    agent.bash(&format!("tool{number} x"), Err(&format!("error {}", "x".repeat(number as usize))))
}

fn edit_to_and_fro(agent: &Agent<'_>, number: u32) -> Said {
    let (from, to) = if number.is_multiple_of(2) { ("a", "b") } else { ("b", "a") };
    edit(agent, from, to)
}

fn poll(agent: &Agent<'_>, _: u32) -> Said {
    agent.calls("TaskOutput", json!({"task_id": "b"}), Ok("running"))
}

fn look_in_scope(agent: &Agent<'_>, number: u32) -> Said {
    agent.calls("Read", json!({"file_path": agent.context.path(&format!("src/{number}.rs"))}), Ok("x"))
}

fn look_elsewhere(agent: &Agent<'_>, number: u32) -> Said {
    agent.calls("Read", json!({"file_path": format!("/elsewhere/{number}.md")}), Ok("x"))
}

fn write_elsewhere(agent: &Agent<'_>, number: u32) -> Said {
    let path = agent.context.path(&format!("docs/{number}.md"));
    agent.calls("Write", json!({"file_path": path, "content": "x"}), Ok("written"))
}

fn now_and_then(agent: &Agent<'_>, number: u32) -> Said {
    match number % 3 {
        0 => other_error(agent, number),
        _ => look_in_scope(agent, number),
    }
}

fn missing_file(agent: &Agent<'_>, number: u32) -> Said {
    look_in_scope(agent, number);
    let path = agent.context.path(&format!("missing/{number}.rs"));
    agent.calls("Read", json!({"file_path": path}), Err("File does not exist."))
}

fn review_again(agent: &Agent<'_>, number: u32) -> Said {
    edit(agent, &number.to_string(), "y");
    agent.calls(
        "Agent",
        json!({"subagent_type": "reviewer", "prompt": "x", "description": "x"}),
        Ok("1 finding"),
    )
}

fn claim(context: &mut TestContext, _: &Settings) -> String {
    let agent = Agent::new(context);
    agent.asked_for("Fix the parser");
    edit(&agent, "a", "b");
    agent.stops("Done. All tests pass.", false).is_silent().to_string()
}

fn limits() -> Vec<Row> {
    vec![
        row("interventions.limits.max_commands", json!(2), commands),
        row("interventions.session_limits.max_commands", json!(2), commands),
        row("interventions.session_limits.max_file_operations", json!(2), commands),
        row("interventions.limits.max_tokens", json!(1000), tokens),
        row("interventions.session_limits.max_tokens", json!(1000), tokens),
        row("interventions.limits.max_memory_mb", json!(1), tokens),
        row("interventions.limits.max_execution_seconds", json!(1), after_two_seconds),
        row("interventions.session_limits.max_execution_seconds", json!(1), after_two_seconds),
        row("interventions.limits.batch_size", json!(2), batch),
    ]
}

fn commands(context: &mut TestContext, _: &Settings) -> String {
    played(context, 4, |agent, number| agent.bash(&format!("touch {number}.txt"), Ok("")))
}

fn counted_call(context: &TestContext, id: &str, tokens: u64) -> String {
    let transcript = context.beside("transcript.jsonl");
    let line = json!({"type": "assistant", "message": {"id": id, "usage": {"input_tokens": 0, "output_tokens": tokens}}});
    let earlier = fs::read_to_string(&transcript).unwrap_or_default();
    fs::write(&transcript, format!("{earlier}{line}\n")).unwrap();
    let call = json!({"tool_name": "Bash", "tool_input": {"command": format!("echo {id}")}, "tool_use_id": id,
        "tool_response": {"stdout": ""}, "transcript_path": transcript});
    let before = context.hook("pre-tool-use", "PreToolUse", call.clone());
    let after = context.hook("post-tool-use", "PostToolUse", call);
    format!("{:?} {}\n", before.decision(), after.context())
}

fn tokens(context: &mut TestContext, _: &Settings) -> String {
    let said = [("a", 900), ("b", 900), ("c", 0)].map(|(id, tokens)| counted_call(context, id, tokens));
    said.concat()
}

fn after_two_seconds(context: &mut TestContext, _: &Settings) -> String {
    let agent = Agent::new(context);
    agent.asked_for("Wait");
    agent.bash("ls", Ok("x"));
    std::thread::sleep(Duration::from_millis(1_200));
    agent.bash("pwd", Ok("x"));
    seen(&agent.bash("whoami", Ok("x")))
}

fn batch(context: &mut TestContext, _: &Settings) -> String {
    let call = |id: &str| json!({"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": id});
    context.hook("pre-tool-use", "PreToolUse", call("first"));
    context.hook("post-tool-use", "PostToolBatch", json!({"tool_calls": []}));
    let said = ["a", "b", "c", "d"].map(|id| context.hook("pre-tool-use", "PreToolUse", call(id)));
    format!("{:?}", said.map(|answer| answer.decision().map(str::to_owned)))
}

/// A cause that stays low, which comes back again and again without a wait.
fn patient(row: Row) -> Row {
    let row = row.around("interventions.patterns.repeat.soft", json!(2));
    row.around("interventions.patterns.repeat.deny", json!(50))
        .around("interventions.patterns.repeat.stop", json!(60))
}

fn choices() -> Vec<Row> {
    const SOFT: &str = "interventions.soft_correction.enabled";
    let at_once = |row: Row| patient(row).around("interventions.intervention_cooldown_seconds", json!(0));
    let throttled = |row: Row| {
        let row = row.around("interventions.patterns.calls_per_prompt.soft", json!(2));
        row.around("interventions.patterns.calls_per_prompt.deny", json!(3))
    };
    let growing = |key, scene| {
        throttled(row(key, json!(0.1), scene))
            .around("interventions.resource_throttling.metrics_window_seconds", json!(4))
    };
    vec![
        row("interventions.enabled", json!(false), looks),
        at_once(row("interventions.max_interventions_per_execution", json!(1), many_looks)),
        patient(row("interventions.intervention_cooldown_seconds", json!(0), many_looks)),
        row(SOFT, json!(false), looks),
        at_once(row("interventions.soft_correction.max_attempts", json!(1), many_looks)),
        row("interventions.soft_correction.custom_prompts_path", json!("prompts.yaml"), words),
        row("interventions.context_reinforcement.enabled", json!(false), looks).around(SOFT, json!(false)),
        row("interventions.context_reinforcement.reinforcement_strength", json!("strong"), words)
            .around(SOFT, json!(false)),
        row("interventions.context_reinforcement.include_examples", json!(false), words)
            .around(SOFT, json!(false)),
        throttled(row("interventions.resource_throttling.enabled", json!(false), |context, _| {
            played(context, 4, look_in_scope)
        })),
        growing("interventions.resource_throttling.reduction_factors.moderate", |context, _| {
            growth(context, 130)
        }),
        growing("interventions.resource_throttling.reduction_factors.aggressive", |context, _| {
            growth(context, 170)
        }),
        growing("interventions.resource_throttling.reduction_factors.severe", |context, _| {
            growth(context, 300)
        }),
        throttled(row("interventions.resource_throttling.metrics_window_seconds", json!(4), |context, _| {
            growth(context, 300)
        })),
        row("interventions.strategy.type", json!("pattern_specific"), |context, _| {
            played(context, 1, write_elsewhere)
        })
        .around("step_reviewer.scope.expected_paths", json!(["src/**"])),
        row(
            "interventions.strategy.handler",
            json!(["sh", "-c", "cat > /dev/null; echo '{\"intervention\": \"context_reinforcement\"}'"]),
            looks,
        )
        .around("interventions.strategy.type", json!("custom")),
        at_once(row("interventions.strategy.effectiveness_threshold", json!(0.0), many_looks))
            .around("interventions.strategy.escalation_delay_seconds", json!(0)),
        at_once(row("interventions.strategy.escalation_delay_seconds", json!(0), many_looks)),
    ]
}

fn looks(context: &mut TestContext, _: &Settings) -> String {
    played(context, 3, same_look)
}

fn many_looks(context: &mut TestContext, _: &Settings) -> String {
    played(context, 14, same_look)
}

/// All that the agent hears.
fn words(context: &mut TestContext, _: &Settings) -> String {
    let prompts = "version: 1\nprompts: {repetitive_errors: \"Ask Ada about {what}.\"}\n";
    fs::write(context.home().join(".config/plimsoll/prompts.yaml"), prompts).unwrap();
    let agent = Agent::new(context);
    agent.asked_for("Fix the parser");
    lasting(&(0..3).map(|number| same_look(&agent, number).told()).collect::<String>())
}

/// So many tokens in the second window for a hundred in the first.
fn growth(context: &TestContext, tokens: u64) -> String {
    counted_call(context, "a", 100);
    std::thread::sleep(Duration::from_millis(4_100));
    counted_call(context, "b", tokens);
    let said = counted_call(context, "c", 0);
    said.lines().filter(|line| line.contains("Token limit")).collect::<String>()
}

fn checkpoints() -> Vec<Row> {
    const RATE: &str = "interventions.checkpoint_rollback.safe_checkpoint_criteria.min_success_rate";
    const QUIET: &str =
        "interventions.checkpoint_rollback.safe_checkpoint_criteria.no_errors_duration_seconds";
    const MODE: &str = "interventions.checkpoint_rollback.mode";
    let automatic = |row: Row| row.around(MODE, json!("automatic"));
    let patient = |row: Row| {
        let row = row.around("interventions.intervention_cooldown_seconds", json!(0));
        row.around("interventions.patterns.repeat.soft", json!(2))
            .around("interventions.patterns.repeat.deny", json!(3))
            .around("interventions.patterns.repeat.stop", json!(50))
    };
    let rows = vec![
        row("interventions.checkpoint_rollback.enabled", json!(false), |context, _| {
            played(context, 4, same_look)
        }),
        row(MODE, json!("automatic"), spoilt_file).around(QUIET, json!(0)),
        row("interventions.checkpoint_rollback.before_changes", json!(false), kept),
        patient(row("interventions.checkpoint_rollback.max_rollback_depth", json!(1), many_looks)),
        row(
            "interventions.checkpoint_rollback.checkpoint_retention_minutes",
            json!(10),
            kept_after_twenty_minutes,
        ),
        row("interventions.checkpoint_rollback.max_checkpoints", json!(2), kept),
        row("interventions.checkpoint_rollback.max_file_mb", json!(1), deletes_two_megabytes),
        row("interventions.checkpoint_rollback.max_checkpoint_mb", json!(1), left_out_by_a_hook),
        row("interventions.checkpoint_rollback.max_wait_ms", json!(0), kept)
            .around("interventions.checkpoint_rollback.max_wait_ms", json!(10_000)),
        row("interventions.checkpoint_rollback.max_store_mb", json!(1), three_megabytes),
        automatic(row(RATE, json!(0.0), spoilt_after_errors)).around(QUIET, json!(0)),
        automatic(row(QUIET, json!(0), spoilt_after_errors)).around(RATE, json!(0.0)),
    ];
    // However busy the machine is, the hook finishes its checkpoint.
    let unhurried = |row: Row| match row.key {
        "interventions.checkpoint_rollback.max_wait_ms" => row,
        _ => row.around("interventions.checkpoint_rollback.max_wait_ms", json!(10_000)),
    };
    rows.into_iter().map(unhurried).collect()
}

fn list(context: &TestContext) -> Vec<Value> {
    let output = context.plimsoll(&["checkpoint", "list", "--json"]);
    let list: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
    list.as_array().or_else(|| list["checkpoints"].as_array()).unwrap().clone()
}

/// Changes of so many prompts.
fn change_often(context: &TestContext, agent: &Agent<'_>, count: u32) {
    for number in 0..count {
        agent.asked_for(&format!("Change {number}"));
        agent.bash(&format!("touch {number}.txt"), Ok(""));
        context.write(&format!("{number}.txt"), "");
    }
}

/// How many checkpoints there are, and what a person heard.
fn kept(context: &mut TestContext, _: &Settings) -> String {
    let agent = Agent::new(context);
    agent.asked_for("Tidy up");
    let first = agent.bash("touch new.txt", Ok(""));
    context.write("new.txt", "");
    let notice = first.before.notice().contains("no checkpoint");
    change_often(context, &agent, 12);
    format!("{} {notice}", list(context).len())
}

fn kept_after_twenty_minutes(context: &mut TestContext, _: &Settings) -> String {
    let agent = Agent::new(context);
    change_often(context, &agent, 12);
    let store = context.home().join(".local/share/plimsoll/checkpoints");
    let find = format!("grep -rlE '\"worktree\"' --include='*.json' {store} || true");
    let manifests = String::from_utf8(context.bash(&find).stdout).unwrap();
    for path in manifests.lines() {
        let mut manifest: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
        if let Some(time) = manifest["time"].as_u64() {
            manifest["time"] = json!(time - 20 * 60 * 1_000);
            fs::write(path, manifest.to_string()).unwrap();
        }
    }
    agent.asked_for("Change it all");
    agent.bash("touch last.txt", Ok(""));
    list(context).len().to_string()
}

/// Bytes that no compression makes smaller.
fn noise(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[0]
    };
    (0..length).map(|_| next()).collect()
}

const MEGABYTE: usize = 1024 * 1024;

fn deletes_two_megabytes(context: &mut TestContext, _: &Settings) -> String {
    context.write("big.bin", noise(1, 2 * MEGABYTE));
    seen(&Agent::new(context).bash("rm big.bin", Ok("")))
}

fn left_out_by_a_hook(context: &mut TestContext, _: &Settings) -> String {
    context.write("big.bin", noise(1, 2 * MEGABYTE));
    Agent::new(context).bash("touch new.txt", Ok(""));
    list(context).iter().map(|checkpoint| checkpoint["left_out"].to_string()).collect()
}

fn three_megabytes(context: &mut TestContext, _: &Settings) -> String {
    let created = (1..=3).map(|number| {
        context.write("big.bin", noise(number, MEGABYTE + MEGABYTE / 2));
        let output = context.plimsoll(&["checkpoint", "create"]);
        let said = crate::answer::told(&output);
        format!("{:?} {}", output.status.code(), said.contains("Left out") || said.contains("full"))
    });
    created.collect::<Vec<_>>().join("\n")
}

fn spoilt_file(context: &mut TestContext, _: &Settings) -> String {
    spoil(context, 0)
}

fn spoilt_after_errors(context: &mut TestContext, _: &Settings) -> String {
    spoil(context, 2)
}

/// A file that was good at the checkpoint, spoilt since; and how it is after a loop.
fn spoil(context: &TestContext, errors: u32) -> String {
    context.write("draft.txt", "as it was\n");
    let agent = Agent::new(context);
    agent.asked_for("Tidy up");
    (0..errors).for_each(|number| drop(missing_file(&agent, number)));
    agent.bash("touch new.txt", Ok(""));
    context.write("draft.txt", "spoilt\n");
    std::thread::sleep(Duration::from_millis(10));
    (0..4).for_each(|_| drop(agent.bash("cargo check --locked", FAILS)));
    fs::read_to_string(context.path("draft.txt")).unwrap()
}

fn stops() -> Vec<Row> {
    vec![
        row("interventions.emergency_stop.enabled", json!(false), |context, _| {
            played(context, 8, |agent, _| agent.bash("cargo check --locked", FAILS))
        }),
        row("interventions.emergency_stop.auto_cleanup", json!(true), aborted),
        row(
            "interventions.emergency_stop.preserve_incident_data_days",
            json!(10),
            incident_of_twenty_days_ago,
        ),
    ]
}

fn aborted(context: &mut TestContext, _: &Settings) -> String {
    context.write("a.txt", "good\n");
    let agent = Agent::new(context);
    agent.asked_for("Fix the build");
    agent.calls("Write", json!({"file_path": context.path("a.txt"), "content": "bad\n"}), Ok("written"));
    context.write("a.txt", "bad\n");
    std::thread::sleep(Duration::from_millis(10));
    (0..10).for_each(|_| drop(agent.bash("cargo check --locked", FAILS)));
    recover(context, &["abort"]);
    fs::read_to_string(context.path("a.txt")).unwrap()
}

fn incident_of_twenty_days_ago(context: &mut TestContext, _: &Settings) -> String {
    let id = crate::recovery::stopped(context, "it went in circles");
    let note = context.layout().incidents().join(&id).join("stop.json");
    let mut stop: Value = serde_json::from_slice(&fs::read(&note).unwrap()).unwrap();
    stop["time"] = json!(stop["time"].as_u64().unwrap() - 20 * 24 * 60 * 60 * 1_000);
    fs::write(&note, stop.to_string()).unwrap();
    recover(context, &["abort"]);
    recover(context, &["--end"]);
    context.hook("session-start", "SessionStart", json!({"source": "startup", "session_id": SESSION}));
    note.exists().to_string()
}

fn notifications() -> Vec<Row> {
    const CHANNELS: &str = "interventions.emergency_stop.notification_channels";
    let command = json!(["sh", "-c", "cat > /dev/null; echo told > ../told"]);
    let told = |key, channel: &str| row(key, command.clone(), sent).around(CHANNELS, json!([channel]));
    vec![
        row(CHANNELS, json!(["command"]), sent).around("notifications.command", command.clone()),
        row("notifications.desktop", json!(false), question_at_a_desktop),
        told("notifications.desktop_command", "desktop"),
        told("notifications.sound_command", "sound"),
        told("notifications.email_command", "email"),
        told("notifications.command", "command"),
        row("notifications.webhook_url", json!("http://127.0.0.1:9/x"), sent)
            .around(CHANNELS, json!(["webhook"])),
    ]
}

/// What became of the message about a stop.
fn sent(context: &mut TestContext, settings: &Settings) -> String {
    let stage = installed_stage(context);
    stop_command(context, stage.as_str(), "it went in circles").output().unwrap();
    let path = context.layout().notifications();
    let expects = settings.0["interventions"]["emergency_stop"]["notification_channels"].is_array();
    for _ in 0..if expects { 500 } else { 20 } {
        if !NotificationLog::read(&path).is_empty() {
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let lines = NotificationLog::read(&path);
    let failed: Vec<String> = lines.iter().map(|line| format!("{:?}", line.failed.as_deref())).collect();
    lasting(&format!("{failed:?} {}", context.beside("told").exists()))
}

/// Whether a question is shown on the desktop.
fn question_at_a_desktop(context: &mut TestContext, settings: &Settings) -> String {
    with_desktop(context);
    context.before_bash("git push --force");
    let expects = settings.0["notifications"]["desktop"].is_null();
    for _ in 0..if expects { 500 } else { 20 } {
        if context.home().join("shown").exists() {
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    context.home().join("shown").exists().to_string()
}

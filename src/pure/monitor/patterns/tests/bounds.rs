//! The session monitor stays small and keeps working, whatever comes in.

use super::session::Session;
use crate::pure::monitor::patterns::{
    CallResult, Contract, Meter, MonitorRules, MonitoredCall, SessionMonitor,
};
use crate::pure::policy::Patterns;
use crate::pure::step::Nature;
use proptest::prelude::*;
use serde_json::json;

/// More than anything hostile comes to: names and texts of wide characters up to their bounds, everywhere at once.
const LARGEST: usize = 256 * 1024;
/// The usual size of a long session of ordinary work.
const USUAL: usize = 24 * 1024;

fn size(watch: &SessionMonitor) -> usize {
    let bytes = postcard::to_stdvec(watch).unwrap();
    assert_eq!(postcard::from_bytes::<SessionMonitor>(&bytes).as_ref(), Ok(watch));
    bytes.len()
}

#[test]
fn ten_thousand_ordinary_steps_leave_a_small_watch() {
    let mut session = Session::new();
    for number in 0..10_000u32 {
        if number % 40 == 0 {
            session.prompt("go on with the next part of the work, please");
        }
        session.agent = if number % 7 == 0 { format!("agent-{}", number % 3) } else { String::new() };
        match number % 5 {
            0 => session.read(&format!("/home/user/project/src/module_{}/file.rs", number % 90)),
            1 => session.edit(&format!("src/module_{}/file.rs", number % 90), &number.to_string(), "x"),
            2 => session.bash(
                "cargo test --workspace 2>&1 | tail -20",
                CallResult::Succeeded("test result: ok. 12 passed; 0 failed"),
            ),
            3 => session.bash(
                &format!("rg -n word{number} src"),
                CallResult::Failed("Exit code 1\nsome error or other"),
            ),
            _ => session.call(
                "TaskUpdate",
                &json!({ "taskId": number.to_string(), "status": "completed" }),
                CallResult::Succeeded("ok"),
            ),
        };
    }
    let size = size(&session.watch);
    assert!(size < USUAL, "{size}");
}

#[test]
fn hostile_names_and_huge_outputs_leave_a_bounded_watch() {
    let mut watch = SessionMonitor::default();
    let patterns = Patterns::default();
    let rules =
        MonitorRules { patterns: &patterns, contract: Contract::default(), window_seconds: 0, project: "" };
    let wide = "\u{1f9ea}".repeat(400);
    let huge = format!("error: {}", "é ".repeat(500_000));
    let mut seed = 7u64;
    for number in 0..3_000u64 {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let pick = seed >> 33;
        let id = format!("{number}{wide}");
        let agent = format!("{}{wide}", pick % 11);
        let tool = ["Bash", "Edit", "Write", "Agent", "TodoWrite", "TaskCreate", "TaskOutput", &wide]
            [(pick % 8) as usize];
        let text = format!("{wide}{}", pick % 5);
        let input = json!({ "command": format!("cargo test {text}"), "file_path": text, "old_string": text, "new_string": wide,
            "content": wide, "subject": wide, "todos": [{ "content": wide }], "subagent_type": "review" })
        .to_string();
        let said = if number % 1_000 == 0 { &huge } else { &wide };
        let ended = match pick % 5 {
            0 => CallResult::Succeeded(said),
            1 => CallResult::Failed(said),
            2 => CallResult::Interrupted,
            3 => CallResult::Refused,
            _ => CallResult::Succeeded(r#"{"stdout":"1 failed bug"}"#),
        };
        let nature = Nature::from_number(pick % 6).unwrap();
        let meter = Meter { tokens: u64::MAX, memory_mb: u64::MAX };
        watch.observe(
            &MonitoredCall { id: &id, agent: &agent, tool, input: &input, nature, ended, time: seed, meter },
            &rules,
        );
        if pick.is_multiple_of(97) {
            watch.start_prompt(&huge, seed);
        }
    }
    watch.end_turn(&huge, u64::MAX, &rules);
    let size = size(&watch);
    assert!(size < LARGEST, "{size}");
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[a-z ./&|;>\"'$(){}\\\\\\n-]{0,200}",
        Just(r#"{"command":"cd a && cargo test 2>&1 | tail"}"#.to_owned()),
        Just(r#"{"file_path":"a.rs","old_string":"x","new_string":"y"}"#.to_owned()),
        Just(r#"{"edits":[{"old_string":1},{}],"path":["x"]}"#.to_owned()),
        Just("{\"command\":".to_owned()),
        Just("No such file or directory: 127 command not found".to_owned()),
        Just("all 99999999999999999999 tests pass. lint 0 issues. \u{202e}".to_owned()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn whatever_comes_in_it_goes_on(
        steps in prop::collection::vec((text(), text(), text(), text(), 0..5u8, 0..6u64, any::<u64>(), any::<u8>()), 1..60),
        patterns in prop::collection::vec(text(), 0..3),
        project in text(),
    ) {
        let settings = Patterns::default();
        let contract = Contract { expected: &patterns, forbidden: &patterns };
        let rules = MonitorRules { patterns: &settings, contract, window_seconds: 60, project: &project };
        let mut watch = SessionMonitor::default();
        for (id, tool, input, said, end, nature, time, what) in &steps {
            let tool = if what % 3 == 0 { "Bash" } else { tool.as_str() };
            let ended = match end {
                0 | 4 => CallResult::Succeeded(said),
                1 => CallResult::Failed(said),
                2 => CallResult::Interrupted,
                _ => CallResult::Refused,
            };
            let nature = Nature::from_number(*nature).unwrap_or_default();
            let meter = Meter { tokens: *time, memory_mb: *time };
            let step = MonitoredCall { id, agent: tool, tool, input, nature, ended, time: *time, meter };
            for issue in watch.observe(&step, &rules) {
                prop_assert!((0.0..=1.0).contains(&issue.confidence) && issue.events.len() <= 64);
                if let Some(refuse) = issue.refuse {
                    SessionMonitor::is_refused(refuse, tool, input, nature, &rules);
                }
            }
            match what % 7 {
                0 => watch.end_batch(tool),
                1 => watch.start_prompt(said, *time),
                2 => { watch.end_turn(said, *time, &rules); }
                _ => {}
            }
        }
        let (_, _, _) = (watch.usage(0), watch.recent(), watch.plan());
        prop_assert!(size(&watch) < LARGEST);
    }
}

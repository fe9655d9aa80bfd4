//! Every threshold is obeyed.

use super::session::{Session, severity};
use crate::pure::monitor::patterns::{CallResult, Issue, IssueSeverity, Sign};
use crate::pure::policy::{Patterns, Steps};
use serde_json::json;

/// The issues of the last of so many repetitions.
type Play = fn(&mut Session, u32) -> Vec<Issue>;
type Group = fn(&mut Patterns) -> &mut Steps;

fn last(count: u32, mut one: impl FnMut(u32) -> Vec<Issue>) -> Vec<Issue> {
    (0..count).map(&mut one).last().unwrap_or_default()
}

fn with_scope(patterns: Patterns) -> Session {
    Session { patterns, ..Session::within(&["src/**"], &[]) }
}

/// Group, sign, and what makes it count.
const GROUPS: [(&str, Group, Sign, Play); 9] = [
    (
        "repeat",
        |patterns| &mut patterns.repeat,
        Sign::NoProgress,
        |session, count| last(count, |_| session.read("a.md")),
    ),
    (
        "error_family",
        |patterns| &mut patterns.error_family,
        Sign::ErrorFamily,
        |session, count| {
            last(count, |number| {
                let input =
                    json!({ "file_path": "/p/a.ts", "old_string": number.to_string(), "new_string": "y" });
                session.call("Edit", &input, CallResult::Failed("String to replace not found in file."))
            })
        },
    ),
    (
        "error_family_with_edits",
        |patterns| &mut patterns.error_family_with_edits,
        Sign::ErrorFamily,
        |session, count| {
            last(count, |number| {
                session.edit("src/a.rs", &number.to_string(), "y");
                session.bash("cargo build", CallResult::Failed("error: mismatched types"))
            })
        },
    ),
    (
        "error_streak",
        |patterns| &mut patterns.error_streak,
        Sign::ErrorStreak,
        |session, count| {
            last(count, |number| {
                session.bash(
                    &format!("tool{number} x"),
                    CallResult::Failed(&format!("error {}", "x".repeat(number as usize))),
                )
            })
        },
    ),
    (
        "flip_flop",
        |patterns| &mut patterns.flip_flop,
        Sign::FlipFlop,
        |session, count| {
            last(count + 2, |number| match number % 2 {
                0 => session.edit("src/a.rs", "a", "b"),
                _ => session.edit("src/a.rs", "b", "a"),
            })
        },
    ),
    (
        "unchanged_polls",
        |patterns| &mut patterns.unchanged_polls,
        Sign::UnchangedPoll,
        |session, count| {
            last(count, |_| {
                session.call("TaskOutput", &json!({ "task_id": "b" }), CallResult::Succeeded("running"))
            })
        },
    ),
    (
        "calls_per_prompt",
        |patterns| &mut patterns.calls_per_prompt,
        Sign::CallBudget,
        |session, count| last(count, |number| session.read(&format!("{number}.md"))),
    ),
    (
        "off_goal",
        |patterns| &mut patterns.off_goal,
        Sign::OffGoal,
        |session, count| last(count, |number| session.read(&format!("/elsewhere/{number}.md"))),
    ),
    (
        "out_of_scope",
        |patterns| &mut patterns.out_of_scope,
        Sign::OutOfScope,
        |session, count| last(count, |number| session.edit(&format!("docs/{number}.rs"), "a", "b")),
    ),
];

#[test]
fn every_threshold_of_the_patterns_moves_its_sign() {
    for (name, group, sign, play) in GROUPS {
        let Steps { soft, deny, stop } = group(&mut Patterns::default()).clone();
        for (level, count) in [("soft", soft - 1), ("deny", deny - 1), ("stop", stop - 1)] {
            // A threshold of one cannot be lowered; it is raised instead.
            let (count, value) = if count == 0 { (1, 2) } else { (count, count) };
            let mut changed = Patterns::default();
            let steps = group(&mut changed);
            *match level {
                "soft" => &mut steps.soft,
                "deny" => &mut steps.deny,
                _ => &mut steps.stop,
            } = value;
            let before = severity(&play(&mut with_scope(Patterns::default()), count), sign);
            let after = severity(&play(&mut with_scope(changed), count), sign);
            assert_ne!(before, after, "{name}.{level} at {count}");
        }
    }
    let outcome = |patterns: Patterns, play: fn(&mut Session) -> Vec<Issue>, sign| {
        severity(&play(&mut Session::with(patterns)), sign)
    };
    let ratio = |session: &mut Session| {
        last(20, |number| match number % 3 {
            1 => session.bash(
                &format!("tool{number} x"),
                CallResult::Failed(&format!("error {}", "x".repeat(number as usize))),
            ),
            _ => session.read(&format!("{number}.md")),
        });
        session.bash("tool x", CallResult::Failed("error z"))
    };
    assert_eq!(outcome(Patterns::default(), ratio, Sign::ErrorRatio), None);
    assert_eq!(
        outcome(Patterns { error_ratio: 0.3, ..Patterns::default() }, ratio, Sign::ErrorRatio),
        Some(IssueSeverity::Low)
    );
    let phantoms = |session: &mut Session| {
        last(2, |number| {
            session.read("real.md");
            let missing = CallResult::Failed("File does not exist.");
            session.call("Read", &json!({ "file_path": format!("/p/{number}.rs") }), missing)
        })
    };
    assert_eq!(outcome(Patterns::default(), phantoms, Sign::PhantomPath), None);
    assert_eq!(
        outcome(Patterns { phantom_paths: 2, ..Patterns::default() }, phantoms, Sign::PhantomPath),
        Some(IssueSeverity::Low)
    );
    let reviews = |session: &mut Session| {
        last(3, |number| {
            session.edit("src/a.rs", &number.to_string(), "y");
            session.call(
                "Agent",
                &json!({ "subagent_type": "reviewer", "prompt": "x" }),
                CallResult::Succeeded("1 finding"),
            )
        })
    };
    assert_eq!(outcome(Patterns::default(), reviews, Sign::ReviewRatchet), None);
    assert_eq!(
        outcome(Patterns { review_rounds: 3, ..Patterns::default() }, reviews, Sign::ReviewRatchet),
        Some(IssueSeverity::Low)
    );
    let claim = |session: &mut Session| {
        session.edit("src/a.rs", "a", "b");
        session.end("All tests pass.")
    };
    assert_eq!(outcome(Patterns::default(), claim, Sign::UnprovenClaim), Some(IssueSeverity::Low));
    assert_eq!(
        outcome(Patterns { claims_need_evidence: false, ..Patterns::default() }, claim, Sign::UnprovenClaim),
        None
    );
}

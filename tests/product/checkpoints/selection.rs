//! The last safe checkpoint, through the journal that hooks write.

use crate::context::TestContext;
use plimsoll::app::checkpoints::{self, CheckpointReason, SafeCriteria};
use plimsoll::edge::state::{Journal, JournalRecord, Outcome, RecordKind};

#[test]
fn a_checkpoint_remembers_how_the_session_fared_and_is_chosen_by_it() {
    let context = TestContext::new();
    let workspace = context.workspace();
    context.write("a.txt", "good\n");
    let good = checkpoints::take(&workspace, "s", CheckpointReason::FirstChange).unwrap().id;
    let time = checkpoints::list(&workspace).unwrap()[0].time;
    let journal = Journal::open(&workspace.layout.journal("s")).unwrap();
    for number in 0..4 {
        let outcome = if number == 0 { Outcome::Success } else { Outcome::Failure };
        journal.append(&JournalRecord::new(RecordKind::After, outcome, time + number)).unwrap();
    }
    context.write("a.txt", "bad\n");
    checkpoints::take(&workspace, "s", CheckpointReason::FirstChange).unwrap();
    let bad = &checkpoints::list(&workspace).unwrap()[0];
    assert_eq!((bad.health.calls, bad.health.failures, bad.health.last_error), (4, 3, Some(time + 3)));
    let safe = |began, depth| {
        let found = checkpoints::last_safe(&workspace, began, &[], &SafeCriteria::default(), depth).unwrap();
        found.map(|one| one.id)
    };
    assert_eq!(safe(bad.time + 1_000, 3), Some(good.clone()));
    assert_eq!(safe(bad.time + 1_000, 1), None);
    assert_eq!(safe(time, 3), None);
    let text = checkpoints::diff_since(&workspace, &good, 10_000).unwrap();
    assert!(text.contains("-good\n+bad\n"), "{text}");
}

#[test]
fn a_diff_names_files_with_keys_and_does_not_show_them_and_is_cut_where_it_is_told() {
    let context = TestContext::new();
    context.write(".gitignore", ".env\n");
    context.write(".env", "TOKEN=before\n");
    let id = context.checkpoint();
    context.write(".env", "TOKEN=after\n");
    context.write("long.txt", "line\n".repeat(10_000));
    let text = checkpoints::diff_since(&context.workspace(), &id, 2_000).unwrap();
    assert!(text.contains(".env changed") && !text.contains("TOKEN"), "{text}");
    assert!(text.contains("cut here") && text.len() < 2_500, "{}", text.len());
}

//! A seal key that is damaged or gone: what the product says, followed to the end.

use crate::answer::told;
use crate::context::{TestContext, binary};
use crate::terminal::at_a_terminal;
use camino::Utf8Path;
use std::fs;
use std::os::unix::fs::PermissionsExt;

fn at_terminal(context: &TestContext, arguments: &[&str]) -> String {
    let mut command = context.command(binary("plimsoll"));
    command.args(arguments);
    told(&at_a_terminal(command))
}

#[test]
fn the_advice_for_every_damaged_key_leads_to_an_open_gate_by_way_of_a_new_review() {
    type Damage = fn(&Utf8Path);
    let damages: [(&str, Damage); 4] = [
        ("empty", |key| fs::write(key, "").unwrap()),
        ("short", |key| fs::write(key, "short").unwrap()),
        ("long", |key| fs::write(key, [7; 33]).unwrap()),
        ("a folder", |key| {
            fs::remove_file(key).unwrap();
            fs::create_dir(key).unwrap();
        }),
    ];
    for (word, damage) in damages {
        let context = TestContext::reviewed();
        assert!(context.gate(&[]).open);
        let key = context.homes().seal_key();
        let before = fs::read(&key).unwrap();
        damage(&key);
        // Whoever asks is told the same command.
        for arguments in [
            &["gate", "why"][..],
            &["gate", "check"],
            &["review", "run", "--loop", "1"],
            &["task", "add", "x"],
            &["doctor"],
        ] {
            let said = told(&context.plimsoll(arguments));
            assert!(said.contains("plimsoll gate new-key"), "{word}: {arguments:?}: {said}");
        }
        assert!(!context.gate(&[]).open);
        let piped = context.plimsoll(&["gate", "new-key"]);
        assert!(!piped.status.success(), "nobody sits there: {}", told(&piped));
        let said = at_terminal(&context, &["gate", "new-key"]);
        assert!(said.contains("Wrote a new key") && said.contains("/review"), "{word}: {said}");

        assert_ne!(fs::read(&key).unwrap(), before);
        assert_eq!(fs::metadata(&key).unwrap().permissions().mode() & 0o777, 0o600);
        let closed = context.gate(&[]);
        assert!(!closed.open && closed.said.contains("sealed with another key"), "{word}: {}", closed.said);
        context.review();
        assert!(context.gate(&[]).open, "{word}");
    }
}

#[test]
fn a_missing_or_another_key_closes_the_gate_and_the_next_review_opens_it() {
    for replacement in [None, Some([9; 32])] {
        let context = TestContext::reviewed();
        let key = context.homes().seal_key();
        fs::remove_file(&key).unwrap();
        if let Some(other) = replacement {
            fs::write(&key, other).unwrap();
        }
        let closed = context.gate(&[]);
        assert!(!closed.open && closed.said.contains("Run /review"), "{}", closed.said);
        context.review();
        assert!(context.gate(&[]).open);
    }
}

#[test]
fn the_doctor_names_a_key_that_others_can_read() {
    let context = TestContext::reviewed();
    let key = context.homes().seal_key();
    fs::set_permissions(&key, fs::Permissions::from_mode(0o644)).unwrap();
    let said = told(&context.plimsoll(&["doctor"]));
    assert!(said.contains(&format!("chmod 600 '{key}' && plimsoll gate new-key")), "{said}");
}

#[test]
fn the_agent_makes_no_key() {
    let context = TestContext::new();
    assert_eq!(context.before_bash("plimsoll gate new-key").decision(), Some("deny"));
}

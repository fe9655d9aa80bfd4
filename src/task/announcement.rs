//! What a person is told when a task needs them.

use super::review::{Record, Verdict};
use super::status::Status;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Announcement {
    pub title: String,
    pub message: String,
}

/// Only what was blocked needs a person.
pub fn announcement(title: &str, record: &Record) -> Option<Announcement> {
    if record.then != Status::Blocked {
        return None;
    }
    Some(match (record.result, record.blocking) {
        (Verdict::Rejected, _) => Announcement {
            title: format!("Review Rejected: {title}"),
            message: format!("Blocking issue found: {}", record.summary),
        },
        (_, true) => Announcement {
            title: format!("Review Failed: {title}"),
            message: format!("Blocking issue found: {}", record.summary),
        },
        _ => Announcement {
            title: format!("Review Failed: {title}"),
            message: format!("Task needs human review after {} attempts", record.attempt),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::{ObjectId, TreeId};

    #[test]
    fn a_person_is_told_of_what_was_blocked_and_of_nothing_else() {
        let told = |result, blocking, then| {
            let record = Record {
                review: "r".into(),
                attempt: 3,
                result,
                issues: Vec::new(),
                summary: "the key is public".into(),
                blocking,
                command: "/review-task".into(),
                model: String::new(),
                tree: TreeId(ObjectId::parse(&"1".repeat(40)).unwrap()),
                raw: None,
                shortfall: None,
                then,
            };
            announcement("Log in", &record).map(|told| (told.title, told.message))
        };
        let some = |title: &str, message: &str| Some((title.to_owned(), message.to_owned()));
        assert_eq!(
            told(Verdict::NeedsRevision, false, Status::Blocked),
            some("Review Failed: Log in", "Task needs human review after 3 attempts")
        );
        assert_eq!(
            told(Verdict::Rejected, false, Status::Blocked),
            some("Review Rejected: Log in", "Blocking issue found: the key is public")
        );
        assert_eq!(
            told(Verdict::NeedsRevision, true, Status::Blocked),
            some("Review Failed: Log in", "Blocking issue found: the key is public")
        );
        assert_eq!(told(Verdict::NeedsRevision, false, Status::NeedsRevision), None);
        assert_eq!(told(Verdict::Approved, false, Status::Complete), None);
    }
}

//! The notification for a task that needs a person.

use super::review::{FinishedReview, TaskVerdict};
use super::status::TaskStatus;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Announcement {
    pub title: String,
    pub message: String,
}

/// `None` unless the review blocked the task.
pub(crate) fn announcement(title: &str, record: &FinishedReview) -> Option<Announcement> {
    if record.then != TaskStatus::Blocked {
        return None;
    }
    Some(match (record.result, record.blocking) {
        (TaskVerdict::Rejected, _) => Announcement {
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
    use crate::pure::review::{ObjectId, TreeId};

    #[test]
    fn a_person_is_told_of_what_was_blocked_and_of_nothing_else() {
        let told = |result, blocking, then| {
            let record = FinishedReview {
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
            told(TaskVerdict::NeedsRevision, false, TaskStatus::Blocked),
            some("Review Failed: Log in", "Task needs human review after 3 attempts")
        );
        assert_eq!(
            told(TaskVerdict::Rejected, false, TaskStatus::Blocked),
            some("Review Rejected: Log in", "Blocking issue found: the key is public")
        );
        assert_eq!(
            told(TaskVerdict::NeedsRevision, true, TaskStatus::Blocked),
            some("Review Failed: Log in", "Blocking issue found: the key is public")
        );
        assert_eq!(told(TaskVerdict::NeedsRevision, false, TaskStatus::NeedsRevision), None);
        assert_eq!(told(TaskVerdict::Approved, false, TaskStatus::Complete), None);
    }
}

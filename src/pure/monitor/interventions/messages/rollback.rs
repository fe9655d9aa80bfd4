//! Checkpoint and rollback: what went wrong, which checkpoint can be restored, and how to continue.

use super::advice::{alternative, went_wrong};
use super::soft::sentence;
use crate::pure::monitor::interventions::quotation::{code, quoted};
use crate::pure::monitor::interventions::situation::{CheckpointSummary, Situation};
use crate::pure::monitor::patterns::Issue;
use crate::pure::text::counted;

pub(super) fn message(issue: &Issue, situation: &Situation<'_>) -> (String, Option<String>) {
    let seen = sentence(&quoted(&issue.description, 300));
    let wrong = went_wrong(issue.sign);
    let refused = match issue.refuse {
        Some(_) => format!("\n{} is refused while this issue lasts.", code(&issue.details.what, 120)),
        None => String::new(),
    };
    let Some(checkpoint) = &situation.checkpoint else {
        return (
            plan(issue, situation, &seen) + &refused,
            Some(format!("Plimsoll intervened: {seen} There is no safe checkpoint from before it began.")),
        );
    };
    let told = checkpoint_text(checkpoint);
    let command = situation.restore_command.as_deref().map(|command| code(command, 200));
    let (head, person) = if situation.rolled_back {
        (
            format!(
                "{seen} The files were rolled back to the last safe checkpoint; `plimsoll undo` reverts that."
            ),
            format!("Plimsoll restored checkpoint {told}: {seen} `plimsoll undo` reverts that."),
        )
    } else {
        let way = command.map(|command| format!(" {command} restores the files.")).unwrap_or_default();
        (
            format!(
                "{seen} Plimsoll proposes to restore the last safe checkpoint.{way} The current state is kept as a checkpoint too."
            ),
            format!("Plimsoll intervened: {seen} The last safe checkpoint is {told}.{way}"),
        )
    };
    let model = format!(
        "{head}\n\n**Checkpoint**: {told}\n\n**What went wrong**: {wrong} {}\n\n**Suggested approach**: {}\n\n\
         The request is still: {}{refused}\nOnly files are restored; a person can rewind the conversation with `/rewind`.",
        evidence(issue),
        alternative(issue),
        situation.request(300)
    );
    (model, Some(person))
}

fn checkpoint_text(checkpoint: &CheckpointSummary) -> String {
    let CheckpointSummary { id, when, files } = checkpoint;
    format!("{} of {}, {}", quoted(id, 80), quoted(when, 40), counted(*files, "file"))
}

fn evidence(issue: &Issue) -> String {
    let details = &issue.details;
    let error = details.error.as_ref().map(|error| format!(": {}", quoted(error, 200))).unwrap_or_default();
    format!("({}, {} times{error})", code(&details.what, 160), details.count)
}

/// Where there is nothing to go back to.
fn plan(issue: &Issue, situation: &Situation<'_>, seen: &str) -> String {
    format!(
        "{seen} There is no safe checkpoint from before this began; the current state is kept as one. To recover:\n\
         1. Change nothing further; look at what changed since the request (`git status`, `git diff`).\n\
         2. Revert by hand what does not serve it.\n\
         3. Then continue differently. {}\n\n\
         **What went wrong**: {} {}\n\n**Progress**: {}\nThe request is still: {}",
        alternative(issue),
        went_wrong(issue.sign),
        evidence(issue),
        situation.progress(),
        situation.request(300)
    )
}

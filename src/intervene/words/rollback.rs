//! Checkpoint and rollback: what went wrong, where the files can go back to, and how to go on.

use super::advice::{alternative, went_wrong};
use super::soft::sentence;
use crate::intervene::quoted::{code, quoted};
use crate::intervene::situation::{CheckpointTold, Situation};
use crate::pattern::Issue;

pub(super) fn words(issue: &Issue, situation: &Situation<'_>) -> (String, Option<String>) {
    let seen = sentence(&quoted(&issue.description, 300));
    let wrong = went_wrong(issue.sign);
    let refused = match issue.refuse {
        Some(_) => format!("\n{} is refused as long as this lasts.", code(&issue.details.what, 120)),
        None => String::new(),
    };
    let Some(checkpoint) = &situation.checkpoint else {
        return (
            plan(issue, situation, &seen) + &refused,
            Some(format!("Plimsoll stepped in: {seen} There is no safe checkpoint from before it began.")),
        );
    };
    let told = told(checkpoint);
    let command = situation.restore_command.as_deref().map(|command| code(command, 200));
    let (head, person) = if situation.rolled_back {
        (
            format!(
                "{seen} The files were rolled back to the last safe checkpoint; `plimsoll undo` takes that back."
            ),
            format!("Plimsoll restored checkpoint {told}: {seen} `plimsoll undo` takes that back."),
        )
    } else {
        let way =
            command.map(|command| format!(" {command} brings the files back to it.")).unwrap_or_default();
        (
            format!(
                "{seen} Going back to the last safe checkpoint is proposed.{way} The state of now is kept as a checkpoint too."
            ),
            format!("Plimsoll stepped in: {seen} The last safe checkpoint is {told}.{way}"),
        )
    };
    let model = format!(
        "{head}\n\n**Checkpoint**: {told}\n\n**What went wrong**: {wrong} {}\n\n**Suggested approach**: {}\n\n\
         The request is still: {}{refused}\nOnly files go back; the conversation stays, and a person can rewind it with `/rewind`.",
        evidence(issue),
        alternative(issue),
        situation.request(300)
    );
    (model, Some(person))
}

fn told(checkpoint: &CheckpointTold) -> String {
    let CheckpointTold { id, when, files } = checkpoint;
    format!("{} of {}, {files} files", quoted(id, 80), quoted(when, 40))
}

fn evidence(issue: &Issue) -> String {
    let details = &issue.details;
    let error = details.error.as_ref().map(|error| format!(": {}", quoted(error, 200))).unwrap_or_default();
    format!("({}, {} times{error})", code(&details.what, 160), details.count)
}

/// Where there is nothing to go back to.
fn plan(issue: &Issue, situation: &Situation<'_>, seen: &str) -> String {
    format!(
        "{seen} There is no safe checkpoint from before this began; the state of now is kept as one. To recover:\n\
         1. Change nothing further; look at what changed since the request (`git status`, `git diff`).\n\
         2. Take back by hand what does not serve it.\n\
         3. Then go on differently. {}\n\n\
         **What went wrong**: {} {}\n\n**Progress**: {}\nThe request is still: {}",
        alternative(issue),
        went_wrong(issue.sign),
        evidence(issue),
        situation.progress(),
        situation.request(300)
    )
}

//! For each sign: what it means, and the one thing to do instead.

use crate::pure::monitor::interventions::quotation::code;
use crate::pure::monitor::patterns::{Issue, Sign};

/// The one alternative.
pub(crate) fn alternative(issue: &Issue) -> String {
    let details = &issue.details;
    let path = |unknown: &str| {
        details.file_path.as_deref().map_or_else(|| unknown.to_owned(), |path| code(path, 160))
    };
    match issue.sign {
        Sign::NoProgress => "Try a different approach: change what the result depends on before you make this call again.".into(),
        Sign::Cycle => "Try a different approach: leave the cycle, and say first what none of these calls has shown yet.".into(),
        Sign::ErrorFamily => "Try a different approach: read the error, find what causes it, and change that before the next attempt.".into(),
        Sign::ErrorStreak => "Try a different approach: make one small change that works, and continue from there.".into(),
        Sign::FlipFlop => format!("Try a different approach: decide by a test or the request which version of {} is right, and keep it.", path("the file")),
        Sign::UnchangedPoll => "Do something else meanwhile, and look again much later; or find out whether it still runs.".into(),
        Sign::ReviewRatchet => "Do not review again: fix the open findings, list what remains, and leave the decision to the person.".into(),
        Sign::OutOfScope | Sign::ForbiddenPath => "Go back to the files of the task; if this one is really needed, say why and let the person decide.".into(),
        Sign::ManyFiles => "Finish the smallest change that answers the request, and name the rest instead of doing it.".into(),
        Sign::OffGoal => "Take the next open point of the plan, and nothing else.".into(),
        Sign::CallBudget => "Say in a sentence what is still missing, do that with as few calls as possible, and report.".into(),
        Sign::ErrorRatio => "Try a different approach: check each assumption with one cheap call before you build on it.".into(),
        Sign::LimitReached => "Finish with what you have and report it; continuing needs the person's approval.".into(),
        Sign::PhantomPath => format!("List the folder first, and use a path that is there instead of {}.", path("a guessed one")),
        Sign::PhantomCommand => "Look up which programs and scripts this project has, and use one of them.".into(),
        Sign::UnprovenClaim => match &details.evidence {
            Some(command) => format!("Run {} and report what it shows, or take the claim back.", code(command, 160)),
            None => "Run what would show it and report the result, or take the claim back.".into(),
        },
        Sign::FewerTests => "Say which tests are gone and why, or bring them back.".into(),
    }
}

/// The trouble behind the sign.
pub(crate) fn went_wrong(sign: Sign) -> &'static str {
    match sign {
        Sign::NoProgress => {
            "The same call was made again and again although nothing it depends on had changed."
        }
        Sign::Cycle => "The same few calls were made in turn without bringing anything new.",
        Sign::ErrorFamily => "The same error came back after every attempt; its cause was not fixed.",
        Sign::ErrorStreak => "Calls kept failing, and their common cause was not looked for.",
        Sign::FlipFlop => "The same edit was made, taken back and made again.",
        Sign::UnchangedPoll => "Something was looked at over and over while it did not change.",
        Sign::ReviewRatchet => "Each round of review found something new, so that the work could not end.",
        Sign::OutOfScope => "Files outside the declared scope were changed.",
        Sign::ForbiddenPath => "A file that the scope forbids was touched.",
        Sign::ManyFiles => "Far more files were changed than requests usually need.",
        Sign::OffGoal => "For a long time no call touched what the task is about.",
        Sign::CallBudget => "Far more calls were made than requests usually need.",
        Sign::ErrorRatio => "A large part of the calls failed.",
        Sign::LimitReached => "A limit on resources was used up.",
        Sign::PhantomPath => "Paths were used that do not exist.",
        Sign::PhantomCommand => "Commands were used that do not exist.",
        Sign::UnprovenClaim => "A result was claimed that no run has shown.",
        Sign::FewerTests => "There are fewer tests than before.",
    }
}

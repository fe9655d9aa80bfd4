//! The rule that applies to one effect, and its message.

mod files;
mod gate;
mod git;
mod later;
mod reach;

use crate::pure::step::Decision;
use crate::pure::step::catalogue as rules;
use crate::pure::step::effect::{Effect, FoundEffect, Losing, Target};
use crate::pure::step::known::Known;
use crate::pure::step::place::Place;
use crate::pure::step::rule::{Rule, RuleFinding};

/// One effect and what is known about it.
struct Case<'a> {
    found: &'a FoundEffect,
    place: &'a Place,
    known: &'a Known,
}

impl Case<'_> {
    fn finding(&self, rule: &'static Rule, reason: impl Into<String>) -> RuleFinding {
        rule.finding(reason, &self.found.span)
    }
}

/// The finding of the rules about this effect.
pub(crate) fn judge(found: &FoundEffect, place: &Place, known: &Known) -> Option<RuleFinding> {
    let mut finding = finding(&Case { found, place, known })?;
    if let Some(inside) = &found.inside {
        finding.reason = format!("{inside}: {}", finding.reason);
    }
    Some(finding)
}

fn finding(case: &Case<'_>) -> Option<RuleFinding> {
    let (rule, reason) = match &case.found.effect {
        // Scripts delete what their arguments name; that is no reason to stop each of them.
        Effect::Delete { target: Target::Unknown, .. } if case.found.inside.is_some() => return None,
        Effect::Delete { target, recursive } => return files::deletion(case, target, *recursive),
        Effect::Write { target, recursive } => return files::writing(case, target, *recursive),
        Effect::Replace { .. } | Effect::Merge { .. } => {
            return files::overwriting(case, &Losing::by_overwriting(&case.found.effect)?);
        }
        Effect::Read { target } => {
            return files::reading(case, target).or_else(|| reach::reading(case, target));
        }
        Effect::Discard { losing, how, gentler } => {
            return git::discarding(case, losing, how, gentler.is_some());
        }
        Effect::RewriteRemote { how, branch, repository, gentler } => {
            return Some(git::rewriting_remote(case, how, branch.as_deref(), repository, gentler.is_some()));
        }
        Effect::Later { effect, runs } => return later::running(case, effect, *runs),
        Effect::Leave { what, alone } => return gate::leaving(case, what, *alone),
        Effect::Bypass { how } => return gate::bypassing(case, how),
        Effect::PossibleBypass { how } => return gate::possibly_bypassing(case, how),
        Effect::RunFetched { source } => (&rules::RUN_FETCHED_CODE, reach::running(source)),
        Effect::Network { host } => return Some(reach::request(case, host)),
        Effect::Reveal { what, file } => return reach::revealing(case, what, file.as_ref()),
        Effect::ForkBomb => {
            (&rules::FORK_BOMB, "starts itself endlessly and would take the machine down".to_owned())
        }
        Effect::Format { device } => {
            (&rules::FORMAT_DEVICE, format!("would format, wipe or destroy {device}"))
        }
        Effect::NetworkShell { how } => {
            (&rules::NETWORK_SHELL, format!("{how} would give another machine a shell on this one"))
        }
        Effect::Send { what, to, secret: false } => {
            let reason = format!("would send {what} to {to}. Is this intended?");
            return Some(case.finding(&rules::SEND_SECRET, reason).deciding(Decision::Ask));
        }
        Effect::Send { what, to, secret: true } => (
            &rules::SEND_SECRET,
            format!("would send {what} to {to}. Leave the secret out, or let the user send it"),
        ),
        Effect::Destroy { what } => (
            &rules::DESTROY_DATA,
            format!("{what}: git does not hold this, so it could not bring it back. Is this intended?"),
        ),
        Effect::Disrupt { what } => (&rules::DISRUPT_SYSTEM, format!("would {what}")),
        Effect::Expose { what } => (&rules::EXPOSE, format!("would {what}")),
        Effect::Publish { what } => (&rules::PUBLISH, format!("would publish {what}; nobody can undo that")),
        Effect::ForgeWrite { what } => {
            (&rules::FORGE_WRITE, format!("{what} writes to the forge directly, without a local review"))
        }
        Effect::SecretContent { kind, target } => (
            &rules::SECRET_IN_CONTENT,
            format!("would write {kind} into {target}. Read it from the environment or from an ignored file"),
        ),
        Effect::Impersonate { how } => (
            &rules::SPEAKS_FOR_THE_PERSON,
            format!("{how}. Tell the user what you need; the user can type the command"),
        ),
        Effect::Opaque { why } => (
            &rules::OPAQUE,
            format!(
                "could not be read ({why}). Split the command or write it in a simpler form, or let the user decide"
            ),
        ),
    };
    Some(case.finding(rule, reason))
}

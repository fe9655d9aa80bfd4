//! What the rules say to one effect.

mod files;
mod gate;
mod git;
mod later;
mod reach;

use crate::step::catalogue as rules;
use crate::step::effect::{Effect, Found, Losing, Target};
use crate::step::known::Known;
use crate::step::place::Place;
use crate::step::rule::Finding;

/// The rule that has something to say to this effect, if any does.
pub fn judge(found: &Found, place: &Place, known: &Known) -> Option<Finding> {
    let mut finding = said(found, place, known)?;
    if let Some(inside) = &found.inside {
        finding.reason = format!("{inside}: {}", finding.reason);
    }
    Some(finding)
}

fn said(found: &Found, place: &Place, known: &Known) -> Option<Finding> {
    let span = &found.span;
    match &found.effect {
        Effect::ForkBomb => {
            let reason = "starts itself without end and would take the machine down";
            Some(rules::FORK_BOMB.finding(reason, span))
        }
        Effect::Format { device } => {
            Some(rules::FORMAT_DEVICE.finding(format!("would format, wipe or destroy {device}"), span))
        }
        // Scripts delete what they are told to, which is no reason to stop each of them.
        Effect::Delete { target: Target::Unknown, .. } if found.inside.is_some() => None,
        Effect::Delete { target, recursive } => files::deletion(target, *recursive, span, place, known),
        Effect::Write { target, recursive } => files::writing(target, *recursive, span, place, known),
        Effect::Replace { .. } | Effect::Merge { .. } => {
            files::overwriting(Losing::by_overwriting(&found.effect).as_ref(), span, known)
        }
        Effect::Read { target } => {
            files::reading(target, span, place).or_else(|| reach::reading(target, found))
        }
        Effect::Discard { losing, how, gentler } => {
            git::discarding(found, losing, how, gentler.as_ref(), place, known)
        }
        Effect::RewriteRemote { how, branch, repository, gentler } => {
            git::rewriting_remote(found, how, branch.as_deref(), repository, gentler.as_ref(), known)
        }
        Effect::RunFetched { source } => Some(reach::running(source, span)),
        Effect::NetworkShell { how } => {
            let reason = format!("{how} would give a shell on this machine to another one");
            Some(rules::NETWORK_SHELL.finding(reason, span))
        }
        Effect::Send { what, to } => Some(reach::sending(what, to, span)),
        Effect::Network { host } => reach::request(host, span),
        Effect::Destroy { what } => Some(
            rules::DESTROY_DATA
                .finding(format!("{what}: that data is not in git and could not be brought back"), span),
        ),
        Effect::Disrupt { what } => Some(rules::DISRUPT_SYSTEM.finding(format!("would {what}"), span)),
        Effect::Expose { what } => Some(rules::EXPOSE.finding(format!("would {what}"), span)),
        Effect::Publish { what } => {
            Some(rules::PUBLISH.finding(format!("would publish {what}; that cannot be taken back"), span))
        }
        Effect::ForgeWrite { what } => Some(
            rules::FORGE_WRITE
                .finding(format!("{what} writes to the forge directly, past every local review"), span),
        ),
        Effect::SecretContent { kind, target } => Some(rules::SECRET_IN_CONTENT.finding(
            format!("would write {kind} into {target}. Read it from the environment or from an ignored file"),
            span,
        )),
        Effect::Later { effect, runs } => later::running(effect, *runs, span, place, known),
        Effect::Leave { what, alone } => gate::leaving(what, *alone, span, known),
        Effect::Bypass { how } => gate::bypassing(how, span, known),
        Effect::Impersonate { how } => {
            let reason = format!("{how}. Tell the user what you need; they can type it themselves");
            Some(rules::SPEAKS_FOR_THE_PERSON.finding(reason, span))
        }
        Effect::Opaque { why } => Some(rules::OPAQUE.finding(
            format!("could not be read ({why}). Split it or write it more plainly, or let the user decide"),
            span,
        )),
    }
}

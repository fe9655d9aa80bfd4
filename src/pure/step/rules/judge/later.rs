//! Effects of a script that is written now and runs later. The run is judged when it happens; a script is refused only for
//! effects that no script should have.

use super::{Case, judge};
use crate::pure::step::catalogue as rules;
use crate::pure::step::effect::{Effect, FoundEffect, Runs, TextSource};
use crate::pure::step::rule::{Rule, RuleFinding};

/// Harmful wherever the script runs.
const ANYWHERE: [&Rule; 5] = [
    &rules::RUN_FETCHED_CODE,
    &rules::NETWORK_SHELL,
    &rules::SEND_SECRET,
    &rules::METADATA_ADDRESS,
    &rules::FORK_BOMB,
];
/// Harmful on a machine that is not thrown away after the run.
const HERE: [&Rule; 4] =
    [&rules::SYSTEM_OR_HOME, &rules::FORMAT_DEVICE, &rules::DEVICE, &rules::SPEAKS_FOR_THE_PERSON];

/// Whether a build server fetches a build tool from its makers, as nearly every workflow does.
fn installs_a_tool(effect: &Effect) -> bool {
    const MAKERS: [&str; 26] = [
        "sh.rustup.rs",
        "astral.sh",
        "install.python-poetry.org",
        "get.docker.com",
        "deb.nodesource.com",
        "rpm.nodesource.com",
        "bun.sh",
        "deno.land",
        "get.pnpm.io",
        "get.sdkman.io",
        "get.helm.sh",
        "install.determinate.systems",
        "taskfile.dev",
        "just.systems",
        "get.volta.sh",
        "fnm.vercel.app",
        "mise.run",
        "mise.jdx.dev",
        "starship.rs",
        "ollama.com",
        "fly.io",
        "tailscale.com",
        "cli.doppler.com",
        "aka.ms",
        "dot.net",
        "getcomposer.org",
    ];
    let Effect::RunFetched { source: TextSource::Downloaded(from) } = effect else { return false };
    let host = from.strip_prefix("https://").and_then(|rest| rest.split('/').next());
    let published = ["nvm-sh/nvm", "Homebrew/install", "helm/helm"].iter().any(|one| {
        from.strip_prefix("https://raw.githubusercontent.com/").is_some_and(|path| path.starts_with(one))
    });
    published || host.is_some_and(|host| MAKERS.contains(&host))
}

/// Whether it deletes a folder with the person's own work or keys, which no program creates.
fn takes_personal(case: &Case<'_>, effect: &Effect) -> bool {
    const FOLDERS: [&str; 8] =
        ["Documents", "Desktop", "Pictures", "Music", "Videos", "Movies", ".ssh", ".gnupg"];
    let Effect::Delete { target, recursive: true } = effect else { return false };
    let below = target.path().and_then(|path| path.strip_prefix(&case.place.home).ok());
    below.is_some_and(|below| FOLDERS.contains(&below.as_str()))
}

pub(super) fn running(case: &Case<'_>, effect: &Effect, runs: Runs) -> Option<RuleFinding> {
    if runs == Runs::Elsewhere && installs_a_tool(effect) {
        return None;
    }
    let span = case.found.span.clone();
    let found = FoundEffect { effect: effect.clone(), span, privileged: false, typed: false, inside: None };
    let finding = judge(&found, case.place, case.known)?;
    let names = |rules: &[&Rule]| rules.iter().any(|rule| rule.name == finding.rule.as_str());
    let counts = names(&ANYWHERE) || (runs == Runs::Here && (names(&HERE) || takes_personal(case, effect)));
    let link = if finding.reason.starts_with("would ") { " " } else { ": " };
    counts.then(|| case.finding(&rules::HARMFUL_SCRIPT, format!("the script{link}{}", finding.reason)))
}

//! Whether the gate can work in this project: git, the pre-push hook, state and configuration.

use super::{check::Check, hooks::is_executable, version};
use plimsoll::config::{self, printable};
use plimsoll::flow::gate::repository_id;
use plimsoll::flow::pre_push_hook::PrePushHook;
use plimsoll::flow::scene::Scene;
use plimsoll::flow::serve::{Failure, chain};
use plimsoll::intervene::Prompts;
use plimsoll::policy::Refusal;
use plimsoll::repo::Repo;
use plimsoll::state::{Error, Ledger, Reading};
use plimsoll::step::CustomRules;

pub(crate) fn checks(scene: &Scene) -> Vec<Check> {
    let mut checks = vec![git(version::printed_by("git", &scene.project).as_deref())];
    match &scene.repo {
        Some(repo) => checks.extend([gate(scene), state(scene, repo)]),
        None => checks.push(Check::warn(
            "gate",
            format!("{} is not a git repository: steps are reviewed, the gate needs git", scene.project),
            "git init",
        )),
    }
    checks.extend(configuration(scene));
    checks
}

fn git(told: Option<&str>) -> Check {
    let Some(numbers) = told.and_then(version::numbers) else {
        return Check::fail("git", "git is not on PATH", "install git 2.30 or newer");
    };
    let printed = numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(".");
    if numbers.as_slice() < [2, 30].as_slice() {
        return Check::fail("git", format!("git {printed} is too old"), "install git 2.30 or newer");
    }
    Check::ok("git", format!("git {printed}"))
}

fn gate(scene: &Scene) -> Check {
    const ENROL: &str = "plimsoll enrol";
    match scene.enrolment() {
        Ok(Some(_)) => {}
        Ok(None) => return Check::warn("gate", "this repository is not bound to the gate", ENROL),
        Err(failure) => return Check::fail("gate", chain(failure.as_ref()), ENROL),
    }
    match PrePushHook::of(scene) {
        Ok(hook) if hook.is_in_place() => Check::ok("gate", format!("bound, pre-push hook {}", hook.path())),
        Ok(hook) => {
            let path = hook.path();
            let what = match path.exists() {
                false => "is missing: git asks nobody",
                true if !is_executable(&path) => "is not executable: git skips it",
                true => "is not as this version writes it: it may judge nothing",
            };
            Check::fail("gate", format!("{path} {what}"), ENROL)
        }
        Err(failure) => Check::fail("gate", chain(failure.as_ref()), "git status"),
    }
}

/// Whether reviews can be recorded, and whether those that were still hold.
fn state(scene: &Scene, repo: &Repo) -> Check {
    let folder = scene.layout.root();
    let written = if folder.exists() { folder } else { &repo.common_dir };
    if rustix::fs::access(written.as_std_path(), rustix::fs::Access::WRITE_OK).is_err() {
        return Check::fail("state", format!("{written} is not writable"), format!("chmod u+w '{written}'"));
    }
    const REVIEW: &str = "plimsoll review run --loop 1";
    match receipts(scene) {
        Err(failure) if failure.downcast_ref().is_some_and(|error| matches!(error, Error::Key { .. })) => {
            Check::fail("state", chain(failure.as_ref()), "plimsoll gate new-key")
        }
        Err(failure) => {
            let fix = format!("move the file away that is named, then {REVIEW}");
            Check::fail("state", chain(failure.as_ref()), fix)
        }
        Ok(_) if is_shared(scene) => {
            let key = scene.homes.seal_key();
            let detail =
                format!("others on this machine can read or change {key}, so that they could forge a review");
            Check::fail("state", detail, format!("chmod 600 '{key}' && plimsoll gate new-key"))
        }
        Ok(Reading { receipts, problems }) => match problems.as_slice() {
            [] => Check::ok("state", format!("{folder}, reviews: {}", receipts.len())),
            // Not a failure: the gate is shut as it should be, and the next review settles it.
            [first, rest @ ..] => Check::warn("state", and_more(first, rest.len()), REVIEW),
        },
    }
}

/// Whether the seal key is there for others than its owner.
fn is_shared(scene: &Scene) -> bool {
    use std::os::unix::fs::PermissionsExt;
    scene.homes.seal_key().metadata().is_ok_and(|key| key.permissions().mode() & 0o077 != 0)
}

fn receipts(scene: &Scene) -> Result<Reading, Failure> {
    let repository = repository_id(scene)?;
    Ok(Ledger { layout: &scene.layout, homes: &scene.homes, repository: &repository }.read()?)
}

/// Whether the files say something that can be obeyed.
fn configuration(scene: &Scene) -> Vec<Check> {
    const NAME: &str = "configuration";
    let loaded = match config::load(&scene.project, &scene.environment) {
        Ok(loaded) => loaded,
        Err(error) => return vec![Check::fail(NAME, printable(&chain(&error)), "plimsoll config check")],
    };
    let mut checks = Vec::new();
    let mut waiting = loaded.ignored.iter().filter(|ignored| ignored.reason != Refusal::UserOnly);
    if let Some(first) = waiting.next() {
        let detail = format!("not trusted, so not in force: {}", and_more(&first.key, waiting.count()));
        checks.push(Check::warn(NAME, detail, "plimsoll config trust"));
    }
    checks.extend(own_rules(&loaded.rules));
    checks.extend(own_words(&loaded.prompts));
    if checks.is_empty() {
        let files = loaded.sources.iter().filter(|source| source.state.is_some());
        let found: Vec<&str> = files.map(|source| source.path.as_str()).collect();
        let detail = if found.is_empty() { "defaults, no file".to_owned() } else { found.join(", ") };
        checks.push(Check::ok(NAME, detail));
    }
    checks
}

/// Rules of the user's own that are not in force.
fn own_rules(rules: &CustomRules) -> Option<Check> {
    const FIX: &str = "plimsoll rules check";
    if let Some(why) = &rules.unreadable {
        return Some(Check::fail("rules", printable(why), FIX));
    }
    let (first, rest) = rules.broken.split_first()?;
    Some(Check::warn("rules", format!("not in force: {}", and_more(&printable(first), rest.len())), FIX))
}

/// Words of the user's own for corrections that are not in force.
fn own_words(prompts: &Prompts) -> Option<Check> {
    let mut problems = prompts.problems();
    let first = printable(problems.next()?);
    let detail = format!("not in force: {}", and_more(&first, problems.count()));
    Some(Check::warn("prompts", detail, "plimsoll config check"))
}

fn and_more(first: &str, rest: usize) -> String {
    if rest == 0 { first.to_owned() } else { format!("{first}, and {rest} more") }
}

#[cfg(test)]
mod tests {
    use super::{super::check::Standing, *};

    #[test]
    fn git_is_told_too_old_or_missing() {
        assert_eq!(git(Some("git version 2.30.0")).standing, Standing::Ok);
        assert_eq!(git(Some("git version 2.29.9")).standing, Standing::Fail);
        assert_eq!(git(None).standing, Standing::Fail);
    }
}

//! Whether the gate can work in this project: git, the pre-push hook, state and configuration.

use super::{
    check::Check,
    hooks::{install, is_executable},
    version,
};
use plimsoll::app::failure::chain;
use plimsoll::app::gate::installed_files;
use plimsoll::app::gate::judge::read_ledger;
use plimsoll::app::gate::pre_push_hook::PrePushHook;
use plimsoll::app::workspace::Workspace;
use plimsoll::edge::config;
use plimsoll::edge::repo::Repo;
use plimsoll::edge::state::{Error, LedgerContents};
use plimsoll::pure::monitor::interventions::Prompts;
use plimsoll::pure::policy::LooserValue;
use plimsoll::pure::step::CustomRules;
use plimsoll::pure::text::printable;

pub(crate) fn checks(workspace: &Workspace) -> Vec<Check> {
    let program = plimsoll::edge::git::program(&workspace.project).ok();
    let printed = program.and_then(|program| version::printed_by(program.as_str(), &workspace.project));
    let mut checks = vec![git(printed.as_deref())];
    match &workspace.repo {
        Some(repo) => checks.extend([gate(workspace), state(workspace, repo)]),
        None if workspace.project == workspace.environment.home => {
            checks.push(Check::ok(
                "gate",
                "run `plimsoll enrol` in each repository that the gate should guard",
            ));
        }
        None => checks.push(Check::warn(
            "gate",
            format!(
                "{} is not a git repository: tool calls are reviewed, but the gate needs git",
                workspace.project
            ),
            "git init",
        )),
    }
    checks.extend(configuration(workspace));
    checks
}

fn git(printed: Option<&str>) -> Check {
    let Some(numbers) = printed.and_then(version::numbers) else {
        return Check::fail("git", "git is not on PATH", "install git 2.30 or newer");
    };
    let printed = numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(".");
    if numbers.as_slice() < [2, 30].as_slice() {
        return Check::fail("git", format!("git {printed} is too old"), "install git 2.30 or newer");
    }
    Check::ok("git", format!("git {printed}"))
}

const ENROL: &str = "plimsoll enrol";

fn gate(workspace: &Workspace) -> Check {
    match workspace.enrolment() {
        Ok(Some(_)) => {}
        Ok(None) => return Check::warn("gate", "this repository is not enrolled", ENROL),
        Err(failure) => return Check::fail("gate", chain(failure.as_ref()), ENROL),
    }
    match PrePushHook::of(workspace) {
        Ok(hook) if hook.is_in_place() => {
            Check::ok("gate", format!("enrolled, pre-push hook {}", hook.path()))
        }
        Ok(hook) => {
            let path = hook.path();
            let what = match path.exists() {
                false => "is missing: git asks no gate",
                true if !is_executable(&path) => "is not executable: git skips it",
                true => "differs from the hook of this version: it may judge nothing",
            };
            Check::fail("gate", format!("{path} {what}"), ENROL)
        }
        Err(failure) => Check::fail("gate", chain(failure.as_ref()), "git status"),
    }
}

/// Whether reviews can be recorded, and whether the recorded ones are valid.
fn state(workspace: &Workspace, repo: &Repo) -> Check {
    let folder = workspace.layout.root();
    let written = if folder.exists() { folder } else { &repo.common_dir };
    if rustix::fs::access(written.as_std_path(), rustix::fs::Access::WRITE_OK).is_err() {
        return Check::fail("state", format!("{written} is not writable"), format!("chmod u+w '{written}'"));
    }
    const REVIEW: &str = "plimsoll review run --loop 1";
    if let Err(failure) = installed_files::readable(workspace) {
        return Check::fail("state", chain(failure.as_ref()), install(workspace));
    }
    match read_ledger(workspace) {
        Err(failure) if failure.downcast_ref().is_some_and(|error| matches!(error, Error::Key { .. })) => {
            Check::fail("state", chain(failure.as_ref()), "plimsoll gate new-key")
        }
        Err(failure)
            if failure.downcast_ref().is_some_and(|error| matches!(error, Error::Unrecorded { .. })) =>
        {
            Check::fail("state", "reviews count again when the repository is enrolled", ENROL)
        }
        Err(failure) => {
            let fix = format!("move the named file away, then {REVIEW}");
            Check::fail("state", chain(failure.as_ref()), fix)
        }
        Ok(_) if is_shared(workspace) => {
            let key = workspace.homes.seal_key();
            let detail =
                format!("other users of this machine can read or change {key}, and so forge a review");
            Check::fail("state", detail, format!("chmod 600 '{key}' && plimsoll gate new-key"))
        }
        Ok(LedgerContents { receipts, problems }) => match problems.as_slice() {
            [] => Check::ok("state", format!("{folder}, reviews: {}", receipts.len())),
            // Not a failure: the gate stays closed, and the next review settles it.
            [first, rest @ ..] => Check::warn("state", and_more(first, rest.len()), REVIEW),
        },
    }
}

/// Whether the seal key, enrolments and locks can be written.
pub(crate) fn data(workspace: &Workspace) -> Check {
    let folder = &workspace.environment.data_home;
    let existing = folder.ancestors().find(|ancestor| ancestor.exists()).unwrap_or(folder);
    match rustix::fs::access(existing.as_std_path(), rustix::fs::Access::WRITE_OK) {
        Ok(()) => Check::ok("data", folder.as_str()),
        Err(error) => {
            let detail = format!(
                "{existing} is not writable ({error}): enrolments, locks and permissions cannot be kept"
            );
            Check::fail("data", detail, format!("chmod u+w '{existing}'"))
        }
    }
}

/// Whether other users can reach the seal key.
fn is_shared(workspace: &Workspace) -> bool {
    use std::os::unix::fs::PermissionsExt;
    workspace.homes.seal_key().metadata().is_ok_and(|key| key.permissions().mode() & 0o077 != 0)
}

/// Whether the configuration files are valid and in force.
fn configuration(workspace: &Workspace) -> Vec<Check> {
    const NAME: &str = "configuration";
    let loaded = match config::load(&workspace.project, &workspace.environment) {
        Ok(loaded) => loaded,
        Err(error) => return vec![Check::fail(NAME, printable(&chain(&error)), "plimsoll config check")],
    };
    let mut checks = Vec::new();
    let mut waiting = loaded.ignored.iter().filter(|ignored| ignored.reason != LooserValue::UserOnly);
    if let Some(first) = waiting.next() {
        let detail = format!("not trusted, so not in force: {}", and_more(&first.key, waiting.count()));
        checks.push(Check::warn(NAME, detail, "plimsoll config trust"));
    }
    checks.extend(custom_rules(&loaded.rules));
    checks.extend(custom_prompts(&loaded.prompts));
    if checks.is_empty() {
        let files = loaded.sources.iter().filter(|source| source.state.is_some());
        let found: Vec<&str> = files.map(|source| source.path.as_str()).collect();
        let detail = if found.is_empty() { "defaults, no file".to_owned() } else { found.join(", ") };
        checks.push(Check::ok(NAME, detail));
    }
    checks
}

/// Custom rules that are not in force.
fn custom_rules(rules: &CustomRules) -> Option<Check> {
    const FIX: &str = "plimsoll rules check";
    if let Some(why) = &rules.unreadable {
        return Some(Check::fail("rules", printable(why), FIX));
    }
    let (first, rest) = rules.broken.split_first()?;
    Some(Check::warn("rules", format!("not in force: {}", and_more(&printable(first), rest.len())), FIX))
}

/// Custom prompts for corrections that are not in force.
fn custom_prompts(prompts: &Prompts) -> Option<Check> {
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
    use super::{super::check::CheckState, *};

    #[test]
    fn git_is_told_too_old_or_missing() {
        assert_eq!(git(Some("git version 2.30.0")).state, CheckState::Ok);
        assert_eq!(git(Some("git version 2.29.9")).state, CheckState::Fail);
        assert_eq!(git(None).state, CheckState::Fail);
    }
}

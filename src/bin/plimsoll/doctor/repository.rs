//! Whether the gate can work in this project: git, the pre-push hook, configuration and state.

use super::{
    check::{Check, version},
    machine::{Machine, is_executable, is_writable},
};
use camino::Utf8Path;
use std::fs;

pub(crate) fn checks(machine: &Machine) -> Vec<Check> {
    let git = git(machine.ask("git", &["--version"]).as_deref());
    let mut checks = vec![git];
    match machine.git_path(&["rev-parse", "--git-common-dir"]) {
        None => checks.push(Check::warn(
            "gate",
            format!("{} is not a git repository: steps are reviewed, the gate needs git", machine.project),
            "git init",
        )),
        Some(common) => {
            checks.push(gate(machine, &common));
            checks.push(state(&common));
        }
    }
    checks.push(configuration(machine));
    checks
}

fn git(told: Option<&str>) -> Check {
    let Some(numbers) = told.and_then(version) else {
        return Check::fail("git", "git is not on PATH", "install git 2.30 or newer");
    };
    let printed = numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(".");
    if numbers.as_slice() < [2, 30].as_slice() {
        return Check::fail("git", format!("git {printed} is too old"), "install git 2.30 or newer");
    }
    Check::ok("git", format!("git {printed}"))
}

fn gate(machine: &Machine, common: &Utf8Path) -> Check {
    let Some(hook) = machine.git_path(&["rev-parse", "--git-path", "hooks/pre-push"]) else {
        return Check::fail("gate", "git does not tell where its hooks are", "git status");
    };
    let usual = common.join("hooks/pre-push");
    if !is_ours(&hook) && hook != usual && is_ours(&usual) {
        let detail = format!("core.hooksPath makes git run {hook} instead of our pre-push hook");
        return Check::fail("gate", detail, "plimsoll enrol");
    }
    if !is_ours(&hook) {
        return Check::warn("gate", "this repository is not bound to the gate", "plimsoll enrol");
    }
    if !is_executable(&hook) {
        return Check::fail(
            "gate",
            format!("git skips {hook}: it is not executable"),
            format!("chmod +x '{hook}'"),
        );
    }
    Check::ok("gate", format!("bound, pre-push hook {hook}"))
}

fn is_ours(hook: &Utf8Path) -> bool {
    fs::read(hook).is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains("git-pre-push"))
}

/// Whether the configuration files can be read.
fn configuration(machine: &Machine) -> Check {
    let files = [
        machine.config_home.join("review-config.yaml"),
        machine.project.join(".claude/config/review-config.yaml"),
    ];
    let mut found = Vec::new();
    for file in files.iter().filter(|file| file.exists()) {
        match fs::read_to_string(file) {
            Ok(_) => found.push(file.as_str()),
            Err(error) => {
                return Check::fail("configuration", format!("{file}: {error}"), "plimsoll config check");
            }
        }
    }
    let detail = if found.is_empty() { "defaults, no file".to_owned() } else { found.join(", ") };
    Check::ok("configuration", detail)
}

/// Whether reviews can be recorded.
fn state(common: &Utf8Path) -> Check {
    let folder = common.join("plimsoll");
    let written = if folder.exists() { folder.as_path() } else { common };
    if is_writable(written) {
        Check::ok("state", folder)
    } else {
        Check::fail("state", format!("{written} is not writable"), format!("chmod u+w '{written}'"))
    }
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

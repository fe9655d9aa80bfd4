mod reuse;
mod sample_project;

use super::*;
use crate::app::review::progress::ProgressEvent;
use crate::pure::review::GitPath;
use crate::pure::review::{CheckOutcome, FindingSeverity, LoopVerdict};
use sample_project::{Project, scan_contents};
use std::fs;
use std::process::Command;
use std::sync::Mutex;

fn check<'a>(outcome: &'a LoopOutcome, name: &str) -> &'a CheckOutcome {
    outcome.tiers.values().flatten().find(|check| check.name == name).unwrap()
}

fn words(outcome: &LoopOutcome) -> Vec<String> {
    let checks = outcome.tiers.values().flatten();
    checks.map(|check| format!("{} {}", check.name, check.verdict.word())).collect()
}

fn reason(check: &CheckOutcome) -> &str {
    match &check.verdict {
        LoopVerdict::Skip { reason } => reason,
        other => panic!("{}: {other:?}", check.name),
    }
}

const ALL_PASS: [(&str, &str); 5] = [
    ("lint", "echo '0 errors, 2 warnings'"),
    ("typecheck", "true"),
    ("format:check", "echo 'Checked 42 files'"),
    ("build", "true"),
    ("test", "echo 'All files |   82.5 |'"),
];

/// A token that the scanner knows, put together here so that this file does not hold one.
fn token() -> String {
    ["AKIA", "Q3EGRTZB5WKLMNPX"].concat()
}

#[test]
fn a_project_whose_checks_all_pass_passes_with_its_numbers() {
    let project = Project::npm(&ALL_PASS);
    let outcome = project.run();
    assert_eq!(outcome.verdict, LoopVerdict::Pass);
    assert_eq!(
        words(&outcome),
        ["lint pass", "typecheck pass", "format pass", "secrets pass", "build pass", "test pass"]
    );
    assert_eq!(project.ran(), ["build", "format:check", "lint", "test", "typecheck"]);
    assert_eq!(check(&outcome, "lint").facts["warnings"], 2);
    assert_eq!(check(&outcome, "format").facts["files_checked"], 42);
    assert_eq!(check(&outcome, "test").facts["coverage"], 82.5);
    assert_eq!(check(&outcome, "test").command.as_deref(), Some("npm run test"));
    assert!(outcome.findings.is_empty());
}

#[test]
fn a_failing_lint_keeps_tier_2_from_running() {
    let project = Project::npm(&[
        ("lint", "echo src/a.js:3:1 bad; exit 1"),
        ("format:check", "true"),
        ("test", "true"),
    ]);
    let outcome = project.run();
    assert_eq!(outcome.verdict, LoopVerdict::Fail);
    assert_eq!(project.ran(), ["format:check", "lint"]);
    for name in ["secrets", "build", "test"] {
        assert_eq!(reason(check(&outcome, name)), "not run: lint failed");
    }
    let [finding] = outcome.findings.as_slice() else { panic!("one finding: {:?}", outcome.findings) };
    assert_eq!(
        (finding.severity, finding.file.as_deref(), finding.line),
        (FindingSeverity::Major, Some("src/a.js"), Some(3))
    );
}

#[test]
fn a_missing_script_is_skipped_and_the_rest_still_counts() {
    let project = Project::npm(&[("lint", "true")]);
    let outcome = project.run();
    assert_eq!(outcome.verdict, LoopVerdict::Pass);
    assert_eq!(reason(check(&outcome, "test")), "no script `test`, `tests` in package.json");
    assert_eq!(project.ran(), ["lint"]);
}

#[test]
fn a_project_whose_only_program_is_missing_does_not_pass() {
    let mut project = Project::npm(&ALL_PASS);
    project.request.environment = vec![("PATH".into(), project.file("nowhere").into_string())];
    let outcome = project.run();
    assert_eq!(reason(check(&outcome, "lint")), "npm is not installed");
    let reason = "none of the project's checks could run: npm is not installed".to_string();
    assert_eq!(outcome.verdict, LoopVerdict::Skip { reason });
}

#[test]
fn a_project_without_checks_passes_only_by_its_secret_scan() {
    let mut project = Project::empty();
    assert_eq!(project.run().verdict, LoopVerdict::Pass);
    project.request.secrets.unscanned.push(GitPath::new("huge.bin"));
    assert!(matches!(project.run().verdict, LoopVerdict::Skip { .. }));
}

#[test]
fn a_broken_manifest_fails_instead_of_looking_like_a_project_without_checks() {
    let project = Project::empty();
    fs::write(project.file("package.json"), "{ \"scripts\": ").unwrap();
    let outcome = project.run();
    assert_eq!(outcome.verdict, LoopVerdict::Fail);
    assert!(outcome.findings[0].message.starts_with("lint: package.json: EOF while parsing"));
}

#[test]
fn a_secret_in_a_changed_file_fails_before_anything_is_built() {
    let mut project = Project::npm(&ALL_PASS);
    let leaking = format!("\nconst id = \"{}\";\n", token());
    project.request.secrets = scan_contents(&[("src/key.js", leaking.as_bytes())]);
    let outcome = project.run();
    assert_eq!(outcome.verdict, LoopVerdict::Fail);
    assert_eq!(project.ran(), ["format:check", "lint", "typecheck"]);
    let [finding] = outcome.findings.as_slice() else { panic!("one finding: {:?}", outcome.findings) };
    assert_eq!(
        (finding.severity, finding.file.as_deref(), finding.line),
        (FindingSeverity::Critical, Some("src/key.js"), Some(2))
    );
    assert!(!format!("{outcome:?}").contains(&token()));
}

#[test]
fn a_guess_at_a_secret_is_a_finding_that_fails_nothing() {
    let mut project = Project::npm(&ALL_PASS);
    let guess = format!("service_token = \"{}\"", "kQ7xZ2mV9rT4wB8nL3sD");
    project.request.secrets = scan_contents(&[("src/key.py", guess.as_bytes())]);
    let outcome = project.run();
    assert_eq!(outcome.verdict, LoopVerdict::Pass);
    let [finding] = outcome.findings.as_slice() else { panic!("one finding: {:?}", outcome.findings) };
    assert_eq!((finding.severity, finding.category.as_str()), (FindingSeverity::Major, "secrets"));
}

#[test]
fn a_check_killed_by_a_signal_fails() {
    let outcome = Project::npm(&[("lint", "kill -KILL $$")]).run();
    assert_eq!(outcome.verdict, LoopVerdict::Fail);
    assert_eq!(outcome.findings[0].message, "`npm run lint` was killed by signal 9");
}

#[test]
fn secrets_that_a_check_prints_are_kept_out_of_the_outcome() {
    let mut project = Project::npm(&[("test", "true")]);
    fs::write(
        project.file(".test.sh"),
        format!("echo id={}; echo $SERVICE_PASSWORD; echo plain; exit 1", token()),
    )
    .unwrap();
    project.request.environment.push(("SERVICE_PASSWORD".into(), "correct horse".into()));
    let outcome = project.run();
    let everything = serde_json::to_string(&outcome).unwrap();
    assert!(!everything.contains(&token()) && !everything.contains("correct horse"));
    assert!(check(&outcome, "test").output.ends_with("\n[left out]\nplain"));
}

#[test]
fn checks_see_no_git_variables_and_a_quiet_environment() {
    let mut project =
        Project::npm(&[("lint", "env | grep -e ^GIT_ -e ^CI= -e ^NO_COLOR= -e ^FORCE_COLOR= | sort")]);
    for (name, value) in [("GIT_DIR", "/elsewhere"), ("GIT_TERMINAL_PROMPT", "1"), ("CI", "false")] {
        project.request.environment.push((name.into(), value.into()));
    }
    let outcome = project.run();
    assert_eq!(
        check(&outcome, "lint").output,
        "CI=1\nFORCE_COLOR=0\nGIT_PAGER=cat\nGIT_TERMINAL_PROMPT=0\nNO_COLOR=1"
    );
}

#[test]
fn a_rust_project_is_checked_with_cargo() {
    let project = Project::empty();
    fs::write(project.file("Cargo.toml"), "[package]").unwrap();
    project.program("cargo", "echo \"$1\" >> ran; [ \"$1\" != test ]");
    let outcome = project.run();
    assert_eq!(outcome.verdict, LoopVerdict::Fail);
    assert_eq!(project.ran(), ["build", "clippy", "fmt", "test"]);
    assert_eq!(outcome.findings[0].message, "`cargo test --workspace` failed with exit status 1");
}

#[test]
fn whoever_watches_sees_each_check_start_and_finish() {
    let project = Project::npm(&[("lint", "true"), ("test", "exit 1")]);
    let seen = Mutex::new(Vec::new());
    project.watched(&|event: ProgressEvent<'_>| {
        seen.lock().unwrap().push(match event {
            ProgressEvent::Started { check } => format!("{check} started"),
            ProgressEvent::Slow { check } => format!("{check} slow"),
            ProgressEvent::Finished { check, verdict, .. } => format!("{check} {}", verdict.word()),
        });
    });
    let seen = seen.into_inner().unwrap();
    assert_eq!(seen.len(), 12);
    let tier2 =
        ["secrets started", "secrets pass", "build started", "build skip", "test started", "test fail"];
    assert_eq!(seen[6..], tier2);
}

#[test]
fn a_shorter_tier1_timeout_fails_a_slow_lint() {
    let mut project = Project::npm(&[("lint", "exec sleep 600")]);
    project.request.settings.loop1.tier1_timeout = 1;
    let outcome = project.run();
    assert_eq!(check(&outcome, "lint").verdict, LoopVerdict::Fail);
    assert_eq!(outcome.findings[0].message, "`npm run lint` did not finish within the time limit of tier 1");
}

#[test]
fn a_shorter_tier2_timeout_fails_a_slow_test() {
    let mut project = Project::npm(&[("test", "exec sleep 600")]);
    project.request.settings.loop1.tier2_timeout = 1;
    let outcome = project.run();
    assert_eq!(outcome.verdict, LoopVerdict::Fail);
    assert_eq!(outcome.findings[0].message, "`npm run test` did not finish within the time limit of tier 2");
}

#[test]
fn without_parallel_tier1_one_check_waits_for_the_other() {
    // Each end of a named pipe waits for the other: the two get through only together.
    let mut project = Project::npm(&[("lint", "cat meeting"), ("typecheck", "echo met > meeting")]);
    let made = Command::new("mkfifo").arg(project.file("meeting")).status();
    assert!(made.unwrap().success());
    assert_eq!(project.run().verdict, LoopVerdict::Pass);
    project.request.settings.loop1.parallel_tier1 = false;
    project.request.settings.loop1.tier1_timeout = 1;
    assert_eq!(check(&project.run(), "lint").verdict, LoopVerdict::Fail);
}

#[test]
fn without_fail_fast_tier2_the_tests_run_after_a_failed_build() {
    let mut project = Project::npm(&[("build", "exit 1"), ("test", "true")]);
    assert_eq!(reason(check(&project.run(), "test")), "not run: build failed");
    project.request.settings.loop1.fail_fast_tier2 = false;
    let outcome = project.run();
    assert_eq!(check(&outcome, "test").verdict, LoopVerdict::Pass);
    assert_eq!(outcome.verdict, LoopVerdict::Fail);
}

#[test]
fn commands_in_the_settings_run_instead_of_the_projects_scripts() {
    let mut project = Project::npm(&ALL_PASS);
    let fails = |kind: &str| ["sh", "-c", &format!("echo mine:{kind}; exit 1")].map(String::from).to_vec();
    let checks = &mut project.request.settings.loop1.checks;
    (checks.lint, checks.typecheck, checks.format) = (fails("lint"), fails("typecheck"), fails("format"));
    let outcome = project.run();
    for name in ["lint", "typecheck", "format"] {
        assert_eq!(check(&outcome, name).output, format!("mine:{name}"));
    }
    let checks = &mut project.request.settings.loop1.checks;
    (checks.lint, checks.typecheck, checks.format) = Default::default();
    (checks.build, checks.test) = (fails("build"), fails("test"));
    project.request.settings.loop1.fail_fast_tier2 = false;
    let outcome = project.run();
    for name in ["build", "test"] {
        assert_eq!(check(&outcome, name).output, format!("mine:{name}"));
    }
}

#[test]
fn a_folder_of_path_that_depends_on_where_one_stands_does_not_count() {
    let mut project = Project::npm(&[("lint", "true")]);
    project.write("fake/npm", "#!/bin/sh\nexit 0\n");
    let made = Command::new("chmod").args(["+x", project.file("fake/npm").as_str()]).status();
    assert!(made.unwrap().success());
    project.request.environment = vec![("PATH".into(), "fake:.:/usr/sbin".into())];
    assert_eq!(reason(check(&project.run(), "lint")), "npm is not installed");
}

#[test]
fn a_subproject_is_checked_in_its_folder_and_named_by_it() {
    let project = Project::npm(&[]);
    fs::remove_file(project.file("package.json")).unwrap();
    project.package("web", &[("lint", "pwd; echo src/a.ts:3:1 bad; exit 1")]);
    let outcome = project.run();
    let lint = check(&outcome, "lint (web)");
    assert!(lint.output.starts_with(project.file("web").as_str()), "{}", lint.output);
    assert_eq!(outcome.findings[0].file.as_deref(), Some("web/src/a.ts"));
}

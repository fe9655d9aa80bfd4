//! Reuse of results: which checks a second review runs again, and which it takes from the first.

use super::sample_project::Project;
use crate::app::review::checks::{self, run_checks};
use crate::app::review::progress::ProgressEvent;
use crate::pure::project::CheckKind;
use crate::pure::review::{LoopOutcome, LoopVerdict};
use std::fs;
use std::sync::Mutex;

fn cached(project: &mut Project) -> &mut Project {
    project.request.cached = true;
    project
}

fn reused(outcome: &LoopOutcome) -> Vec<&str> {
    let checks = outcome.tiers.values().flatten();
    checks.filter(|check| check.facts.contains_key("cached_at")).map(|check| check.name.as_str()).collect()
}

const PASSING: [(&str, &str); 3] = [("lint", "echo '2 warnings'"), ("build", "true"), ("test", "true")];

#[test]
fn the_same_content_is_not_checked_twice_and_the_second_time_says_so() {
    let mut project = Project::npm(&PASSING);
    let project = cached(&mut project);
    let first = project.run();
    assert_eq!(reused(&first), Vec::<&str>::new());
    let lines = Mutex::new(Vec::new());
    let second = project.watched(&|event: ProgressEvent<'_>| {
        if let ProgressEvent::Finished { check, cached: Some(ago), .. } = event {
            lines.lock().unwrap().push(format!("{check} {ago}"));
        }
    });
    assert_eq!(project.ran(), ["build", "lint", "test"]);
    assert_eq!(reused(&second), ["lint", "build", "test"]);
    assert_eq!(second.verdict, LoopVerdict::Pass);
    let lint = &second.tiers[&1][0];
    assert_eq!((&lint.facts["warnings"], lint.elapsed_ms), (&2.into(), 0));
    assert_eq!(lines.into_inner().unwrap().len(), 3);
}

#[test]
fn other_content_another_tool_or_another_environment_is_checked_anew() {
    type Change = fn(&mut Project);
    let changes: [(&str, Change); 5] = [
        ("content", |project| project.write("src/a.js", "let a = 2;\n")),
        ("tool", |project| project.program("npm", "echo \"$2\" >> ran; exec sh \"./.$2.sh\" again")),
        ("variable", |project| project.request.environment.push(("MODE".into(), "strict".into()))),
        ("interpreter", |project| project.program("node", "true")),
        ("command", |project| {
            project.request.settings.loop1.checks.lint = ["sh", "./.lint.sh"].map(String::from).to_vec();
        }),
    ];
    for (word, change) in changes {
        let mut project = Project::npm(&PASSING);
        let project = cached(&mut project);
        project.run();
        change(project);
        let second = project.run();
        assert!(!reused(&second).contains(&"lint"), "{word}");
    }
    let mut project = Project::npm(&PASSING);
    let project = cached(&mut project);
    project.run();
    project.request.environment.push(("SHLVL".into(), "3".into()));
    assert_eq!(reused(&project.run()), ["lint", "build", "test"], "who sits where is no reason");
}

#[test]
fn a_change_in_one_subproject_runs_only_its_own_checks_again() {
    let mut project = Project::npm(&[]);
    fs::remove_file(project.file("package.json")).unwrap();
    for folder in ["web", "backend"] {
        project.package(folder, &[("lint", "true"), ("test", "true")]);
    }
    let project = cached(&mut project);
    project.run();
    project.write("web/src/a.js", "let a = 2;\n");
    let second = project.run();
    assert_eq!(reused(&second), ["lint (backend)", "test (backend)"]);
    assert_eq!(project.ran_in("backend"), ["lint", "test"]);
    assert_eq!(project.ran_in("web"), ["lint", "lint", "test", "test"]);
    project.write("shared.json", "{}");
    assert_eq!(reused(&project.run()), Vec::<&str>::new(), "what belongs to none concerns all");
}

#[test]
fn a_failed_lint_stays_failed_but_a_failed_test_may_pass_the_next_time() {
    let mut project = Project::npm(&[("lint", "echo src/a.js:3:1 bad; exit 1")]);
    let project = cached(&mut project);
    let first = project.run();
    let second = project.run();
    assert_eq!(reused(&second), ["lint"]);
    assert_eq!((second.verdict, second.findings), (LoopVerdict::Fail, first.findings));

    let mut project = Project::npm(&[("test", "[ -e ../service ]")]);
    let project = cached(&mut project);
    assert_eq!(project.run().verdict, LoopVerdict::Fail);
    fs::write(project.file("../service"), "").unwrap();
    assert_eq!(project.run().verdict, LoopVerdict::Pass);
}

#[test]
fn a_check_that_did_not_come_to_its_end_runs_again() {
    let mut project = Project::npm(&[
        ("lint", "[ -e ../quick ] || exec sleep 600"),
        ("typecheck", "[ -e ../quick ] || kill -KILL $$"),
    ]);
    let project = cached(&mut project);
    project.request.settings.loop1.tier1_timeout = 1;
    assert_eq!(project.run().verdict, LoopVerdict::Fail);
    fs::write(project.file("../quick"), "").unwrap();
    project.request.settings.loop1.tier1_timeout = 30;
    assert_eq!(project.run().verdict, LoopVerdict::Pass);
}

#[test]
fn nothing_is_kept_until_it_is_certain_that_the_content_stayed() {
    let mut project = Project::npm(&[("lint", "true")]);
    let project = cached(&mut project);
    let run = |request: &checks::CheckRequest| {
        run_checks(request, &[CheckKind::Lint], 30, &|_: ProgressEvent<'_>| {})
    };
    run(&project.checks());
    let second = project.checks();
    assert_eq!(run(&second)[0].cached(), None);
    checks::remember(&second);
    assert!(run(&project.checks())[0].cached().is_some());
}

#[test]
fn what_loop_4_runs_is_judged_the_same_way_and_never_taken_from_before() {
    let scripts = [("test:integration", "echo 'TOTAL 10 1 90%'"), ("test:e2e", "echo a.js:1:1 no; exit 1")];
    let mut project = Project::npm(&scripts);
    let project = cached(&mut project);
    for _ in 0..2 {
        let request = project.checks();
        let judged = run_checks(&request, &CheckKind::LOOP4, 600, &|_: ProgressEvent<'_>| {});
        checks::remember(&request);
        let [integration, e2e] = judged.as_slice() else { panic!("{judged:?}") };
        assert_eq!((integration.cached(), &integration.outcome.facts["coverage"]), (None, &90.0.into()));
        assert_eq!(e2e.outcome.verdict, LoopVerdict::Fail);
        assert_eq!(e2e.findings[0].category, "e2e");
    }
    assert_eq!(project.ran(), ["test:e2e", "test:e2e", "test:integration", "test:integration"]);
}

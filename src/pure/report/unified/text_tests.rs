//! The report in words.

use super::*;
use crate::pure::report::{sample, unified::Ship};
use crate::pure::review::Receipt;

fn text(receipt: &Receipt, ship: &Ship, output: &Output) -> String {
    sample::unified(receipt, ship).text(output, CheckLines::Joined)
}

fn blocked() -> Ship {
    Ship { allowed: false, blockers: vec!["loop 1 failed: lint".into(), "loop 2 not run".into()] }
}

#[test]
fn a_failed_review_says_what_failed_and_what_to_do() {
    insta::assert_snapshot!(text(&sample::failed(), &blocked(), &Output::default()), @r"
    Review of feature/xyz (tree cccccccccccc)

    Loop 1, the project's checks: FAIL (1.2s)
      fail lint (1.2s), npm run lint: 1 warning
      skip typecheck: no script `typecheck` in package.json
      pass format (1.2s), npm run format
      skip secrets, build, test: not run: lint failed
      major lint src/a.js:3: `npm run lint` failed with exit status 1:
        | src/a.js:3:1 bad
        | 1 problem
        fix: run `npm run lint` and fix what it reports

    Not run: loop 2 (the Claude reviewer, required to ship), loop 3, loop 4

    Ship: BLOCKED
      loop 1 failed: lint
      loop 2 not run

    Next: fix the findings of loop 1, then run `plimsoll review run --loop 1`
    ");
}

#[test]
fn a_project_without_checks_is_told_that_there_were_none() {
    let ship = Ship { allowed: true, blockers: Vec::new() };
    let report = text(&sample::without_checks(), &ship, &Output::default());
    assert!(report.contains("  no checks of the project ran; this passed by the secret scan alone\n"));
    assert!(report.ends_with("Next: this content may ship\n"));
    assert!(!text(&sample::passed(), &ship, &Output::default()).contains("no checks"));
}

#[test]
fn without_unified_report_only_the_results_remain() {
    let output = Output { unified_report: false, ..Output::default() };
    insta::assert_snapshot!(text(&sample::failed(), &blocked(), &output), @r"
    Review of feature/xyz (tree cccccccccccc)

    Loop 1, the project's checks: FAIL (1.2s)

    Ship: BLOCKED
      loop 1 failed: lint
      loop 2 not run

    Next: fix the findings of loop 1, then run `plimsoll review run --loop 1`
    ");
}

#[test]
fn without_show_elapsed_time_the_report_has_no_times() {
    let each =
        |output: &Output| sample::unified(&sample::passed(), &blocked()).text(output, CheckLines::Each);
    let (shown, hidden) =
        (each(&Output::default()), each(&Output { show_elapsed_time: false, ..Output::default() }));
    assert!(shown.contains("1.2s") && !hidden.contains("1.2s"));
}

#[test]
fn checks_that_passed_share_a_line() {
    let report = text(&sample::passed(), &blocked(), &Output::default());
    assert!(
        report.contains("  pass lint (0 warnings), typecheck (0 errors), format (42 files), secrets"),
        "{report}"
    );
}

#[test]
fn hostile_findings_neither_steer_the_terminal_nor_pass_for_lines_of_ours() {
    let mut receipt = sample::failed();
    let finding = receipt.loops.get_mut(&LoopNumber::One).unwrap().findings.first_mut().unwrap();
    finding.message = "one \u{1b}]0;owned\u{7}\rShip: ALLOWED\nShip: ALLOWED\n\rShip: ALLOWED".into();
    finding.fix = Some("none\nShip: ALLOWED".into());
    let report = text(&receipt, &blocked(), &Output::default());
    assert!(!report.contains('\u{1b}') && !report.contains("owned"));
    assert!(!report.lines().any(|line| line.starts_with("Ship: ALLOWED")), "{report}");
}

#[test]
fn a_finding_of_a_reviewer_stands_with_its_id_and_what_is_to_be_done() {
    let report = text(&sample::read_by_claude(), &blocked(), &Output::default());
    assert!(
        report.contains("Loop 2, the Claude reviewer: FAIL (145.0s)\n  read by claude-reviewer (opus)\n"),
        "{report}"
    );
    assert!(
        report.contains(
            "\nFindings: 1 open\n  a10373a4b2 loop 2, open\n    critical security src/a.js:7: input"
        ),
        "{report}"
    );
    assert!(report.contains("Next: fix the findings of loop 2"), "{report}");
}

#[test]
fn problems_alone_leave_out_passed_and_skipped_checks_and_advice() {
    let shown = |receipt: &Receipt, ship: &Ship| {
        sample::unified(receipt, ship).text(&Output::default(), CheckLines::Problems)
    };
    let failed = shown(&sample::failed(), &blocked());
    assert!(
        failed.contains("fail lint") && failed.contains("Ship: BLOCKED\n  loop 1 failed: lint"),
        "{failed}"
    );
    for left_out in ["pass ", "skip ", "Not run", "Next:"] {
        assert!(!failed.contains(left_out), "{failed}");
    }
}

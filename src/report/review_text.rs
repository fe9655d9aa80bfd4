//! The unified report of a review: what ran, what did not and why, what to do next.

use super::note::{note, seconds};
use super::ship::Ship;
use super::tier::tiers;
use crate::policy::Output;
use crate::review::loop1::{SecretScan, Transcript};
use crate::review::{CheckOutcome, Finding, LoopOutcome, Receipt, Severity, Verdict};

/// What a report is made from.
#[derive(Debug, Clone, Copy)]
pub struct ReviewText<'a> {
    pub receipt: &'a Receipt,
    pub ship: &'a Ship,
    pub output: &'a Output,
}

impl ReviewText<'_> {
    pub fn terminal(&self) -> String {
        let branch = self.receipt.branch.as_deref().unwrap_or("detached HEAD");
        let mut text = format!("Review of {branch} (tree {})\n", self.receipt.tree.0.short());
        for (number, outcome) in &self.receipt.loops {
            text += &self.loop_text(*number, outcome);
        }
        text += &heading(if self.ship.allowed { "Ship: ALLOWED" } else { "Ship: BLOCKED" });
        for blocker in &self.ship.blockers {
            text += &item(&inline(blocker));
        }
        text += &format!("\nNext: {}\n", self.next());
        // Findings and outputs were written by others; nothing of theirs may steer the terminal.
        Transcript::read(text.as_bytes()).text().to_string()
    }

    fn loop_text(&self, number: u8, outcome: &LoopOutcome) -> String {
        let time = self.time(outcome.elapsed_ms);
        let title =
            format!("Loop {number}, {}: {}{time}", loop_name(number), outcome.verdict.word().to_uppercase());
        let mut text = heading(&title);
        text += &reason(&outcome.verdict).map(|reason| item(&inline(&reason))).unwrap_or_default();
        if !self.output.unified_report {
            return text;
        }
        for tier in tiers(outcome) {
            text += &tier.checks.iter().map(|check| self.check_text(check)).collect::<String>();
        }
        if outcome.verdict.passed() && only_secrets_ran(outcome) {
            text += &item("no checks of the project ran; this passed by the secret scan alone");
        }
        text + &outcome.findings.iter().map(finding_text).collect::<String>()
    }

    fn check_text(&self, check: &CheckOutcome) -> String {
        let ran = check.command.is_some() && !check.facts.contains_key("cached");
        let time = if ran { self.time(check.elapsed_ms) } else { String::new() };
        let command =
            check.command.as_ref().map(|command| inline(&format!(", {command}"))).unwrap_or_default();
        let note = note(check).map(|note| format!(": {}", inline(&note))).unwrap_or_default();
        item(&format!("{} {}{time}{command}{note}", check.verdict.word(), check.name))
    }

    fn time(&self, elapsed_ms: u64) -> String {
        if self.output.show_elapsed_time { format!(" ({})", seconds(elapsed_ms)) } else { String::new() }
    }

    fn next(&self) -> String {
        let unsettled = self.receipt.loops.iter().find(|(_, outcome)| !outcome.verdict.passed());
        let again = |number: &u8| format!("`plimsoll review run --loop {number}`");
        match unsettled.map(|(number, outcome)| (number, &outcome.verdict)) {
            Some((number, Verdict::Fail)) => {
                format!("mend what loop {number} found, then run {}", again(number))
            }
            Some((number, Verdict::Stale { .. })) => {
                format!("the content has changed; run {}", again(number))
            }
            _ if self.ship.allowed => "this content may ship".into(),
            Some((number, _)) => format!("settle why loop {number} did not run, then run {}", again(number)),
            None => "settle the blockers above; `plimsoll gate why` names the first".into(),
        }
    }
}

fn heading(text: &str) -> String {
    format!("\n{text}\n")
}

fn item(text: &str) -> String {
    format!("  {text}\n")
}

/// Text of others on one line: it must not pass for a line of ours.
fn inline(text: &str) -> String {
    text.replace('\n', " ")
}

fn loop_name(number: u8) -> &'static str {
    match number {
        1 => "the project's checks",
        2 => "the Claude reviewer",
        3 => "the outside reviewer",
        _ => "integration and pull request",
    }
}

fn reason(verdict: &Verdict) -> Option<String> {
    match verdict {
        Verdict::Pass | Verdict::Fail => None,
        Verdict::Skip { reason } => Some(reason.clone()),
        Verdict::Stale { changed } => Some(format!("changed meanwhile: {changed}")),
    }
}

fn only_secrets_ran(outcome: &LoopOutcome) -> bool {
    let mut checks = outcome.tiers.values().flatten();
    checks.all(|check| check.name == SecretScan::NAME || !check.verdict.passed()) && !outcome.tiers.is_empty()
}

fn finding_text(finding: &Finding) -> String {
    let severity = match finding.severity {
        Severity::Critical => "critical",
        Severity::Major => "major",
        Severity::Minor => "minor",
    };
    let line = finding.line.map(|line| format!(":{line}")).unwrap_or_default();
    let place = finding.file.as_ref().map(|file| inline(&format!(" {file}{line}"))).unwrap_or_default();
    let (first, rest) = finding.message.split_once('\n').unwrap_or((&finding.message, ""));
    let mut text = item(&format!("{severity} {}{place}: {}", inline(&finding.category), inline(first)));
    text += &rest.lines().map(|line| format!("    | {line}\n")).collect::<String>();
    text + &finding
        .fix
        .as_ref()
        .map(|fix| format!("    {}\n", inline(&format!("fix: {fix}"))))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    fn text(receipt: &Receipt, ship: &Ship, output: &Output) -> String {
        ReviewText { receipt, ship, output }.terminal()
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
          skip secrets: not run: lint failed
          skip build: not run: lint failed
          skip test: not run: lint failed
          major lint src/a.js:3: `npm run lint` failed with exit status 1:
            | src/a.js:3:1 bad
            | 1 problem
            fix: run `npm run lint` and mend what it reports

        Ship: BLOCKED
          loop 1 failed: lint
          loop 2 not run

        Next: mend what loop 1 found, then run `plimsoll review run --loop 1`
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

        Next: mend what loop 1 found, then run `plimsoll review run --loop 1`
        ");
    }

    #[test]
    fn without_show_elapsed_time_the_report_has_no_times() {
        let shown = text(&sample::passed(), &blocked(), &Output::default());
        let hidden =
            text(&sample::passed(), &blocked(), &Output { show_elapsed_time: false, ..Output::default() });
        assert!(shown.contains("1.2s") && !hidden.contains("1.2s"));
    }

    #[test]
    fn hostile_findings_neither_steer_the_terminal_nor_pass_for_lines_of_ours() {
        let mut receipt = sample::failed();
        let finding = receipt.loops.get_mut(&1).unwrap().findings.first_mut().unwrap();
        finding.message = "one \u{1b}]0;owned\u{7}\nShip: ALLOWED".into();
        finding.fix = Some("none\nShip: ALLOWED".into());
        let report = text(&receipt, &blocked(), &Output::default());
        assert!(!report.contains('\u{1b}') && !report.contains("owned"));
        assert!(!report.lines().any(|line| line.starts_with("Ship: ALLOWED")), "{report}");
    }
}

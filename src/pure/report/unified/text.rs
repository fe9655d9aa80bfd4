//! The report for a terminal.

use super::UnifiedReport;
use super::loops::{LoopReport, LoopStanding};
use crate::pure::policy::{LoopNumber, Output};
use crate::pure::report::note::{note, seconds};
use crate::pure::report::tier::tiers;
use crate::pure::review::loop1::{SecretScan, Transcript};
use crate::pure::review::{CheckOutcome, Finding, FindingState, LoopOutcome, LoopVerdict, TrackedFinding};
use crate::pure::text::counted;

/// How the checks of a loop are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckLines {
    /// Those that passed in one line.
    Joined,
    /// One line each, with command and time.
    Each,
    /// Those that neither passed nor were skipped; and no advice.
    Problems,
}

impl UnifiedReport {
    /// Without `unified_report` only what ran and the decision.
    pub fn text(&self, output: &Output, checks: CheckLines) -> String {
        let branch = self.occasion.branch.as_deref().unwrap_or("detached HEAD");
        let mut text = format!("Review of {branch} (tree {})\n", self.tree.0.short());
        let (not_run, ran): (Vec<_>, Vec<_>) =
            self.loops.iter().partition(|report| report.standing == LoopStanding::NotRun);
        text += &ran.into_iter().map(|report| loop_text(report, output, checks)).collect::<String>();
        if output.unified_report {
            if checks != CheckLines::Problems {
                text += &not_run_text(&not_run);
            }
            text += &self.findings_text();
            text += &self.guards_text();
        }
        text += &heading(if self.ship.allowed { "Ship: ALLOWED" } else { "Ship: BLOCKED" });
        for blocker in &self.ship.blockers {
            text += &item(&inline(blocker));
        }
        if checks != CheckLines::Problems {
            text += &format!("\nNext: {}\n", self.next());
        }
        plain(&text)
    }

    fn findings_text(&self) -> String {
        if self.findings.is_empty() {
            return String::new();
        }
        let listed: String =
            self.findings.iter().filter(|entry| entry.state.is_open()).map(tracked_text).collect();
        heading(&format!("Findings: {}", self.tally())) + &listed
    }

    fn guards_text(&self) -> String {
        if self.guards.is_empty() {
            return String::new();
        }
        let items: String = self.guards.iter().map(|guard| item(&inline(&guard.to_string()))).collect();
        heading("Changed: what guards the other changes") + &items
    }
}

/// The report with colours: words of ours at the beginning of a line, and results in headings.
#[cfg(feature = "cli")]
pub fn painted(report: &str) -> String {
    report.lines().map(|line| painted_line(line) + "\n").collect()
}

#[cfg(feature = "cli")]
fn painted_line(line: &str) -> String {
    use crate::pure::text::{bold, paint_verdict};
    if let Some(check) = line.strip_prefix("  ") {
        return format!("  {}", paint_verdict(check));
    }
    for heading in ["Ship: ", "Next: "] {
        if let Some(rest) = line.strip_prefix(heading) {
            return bold(heading) + &paint_verdict(rest);
        }
    }
    match line.split_once(": ").filter(|_| line.starts_with("Loop ")) {
        Some((title, verdict)) => format!("{}: {}", bold(title), paint_verdict(verdict)),
        None => line.to_owned(),
    }
}

/// Findings and outputs were written by others; nothing of theirs may steer the terminal.
pub(in crate::pure::report) fn plain(text: &str) -> String {
    Transcript::read(text.as_bytes()).text().to_string()
}

fn not_run_text(reports: &[&LoopReport]) -> String {
    let name = |report: &&LoopReport| match report.required {
        true => format!("loop {} ({}, required to ship)", report.number, report.name()),
        false => format!("loop {}", report.number),
    };
    let names: Vec<String> = reports.iter().map(name).collect();
    if names.is_empty() { String::new() } else { heading(&format!("Not run: {}", names.join(", "))) }
}

fn loop_text(report: &LoopReport, output: &Output, checks: CheckLines) -> String {
    let time = |elapsed_ms| match output.show_elapsed_time {
        true => format!(" ({})", seconds(elapsed_ms)),
        false => String::new(),
    };
    let mut title =
        format!("Loop {}, {}: {}", report.number, report.name(), report.standing.word().to_uppercase());
    if let Some(outcome) = &report.outcome {
        title += &time(outcome.elapsed_ms);
    }
    let mut text = heading(&title);
    text += &report.standing.reason().map(|reason| item(&inline(reason))).unwrap_or_default();
    if !output.unified_report {
        return text;
    }
    if let Some(reviewer) = &report.reviewer {
        text += &item(&inline(&format!("read by {reviewer}")));
    }
    for reused in &report.reused {
        let files = counted(reused.files, "file");
        text += &item(&format!("reused: {files} read {}", reused.time));
    }
    let Some(outcome) = &report.outcome else { return text };
    let listed: Vec<&CheckOutcome> = tiers(outcome).iter().flat_map(|tier| tier.checks).collect();
    text += &match checks {
        CheckLines::Each => listed.iter().map(|check| check_text(check, &time)).collect::<String>(),
        CheckLines::Joined => joined_text(&listed, &time),
        CheckLines::Problems => {
            let is_problem = |check: &&&CheckOutcome| {
                matches!(check.verdict, LoopVerdict::Fail | LoopVerdict::Stale { .. })
            };
            listed.iter().filter(is_problem).map(|check| check_text(check, &time)).collect()
        }
    };
    if report.number == LoopNumber::One && outcome.verdict.passed() && only_secrets_ran(outcome) {
        text += &item("no checks of the project ran; this passed by the secret scan alone");
    }
    // Those of the later loops are known across rounds and stand below, with their ids.
    let findings = outcome.findings.iter().filter(|_| report.number == LoopNumber::One);
    text + &findings.map(finding_text).collect::<String>()
}

/// Checks that passed in one line, and those that were skipped for one reason in another; the others as they are.
fn joined_text(checks: &[&CheckOutcome], time: &impl Fn(u64) -> String) -> String {
    let mut text = String::new();
    let mut told: Vec<String> = Vec::new();
    for check in checks {
        let key = |other: &CheckOutcome| match &other.verdict {
            LoopVerdict::Pass => Some("pass".to_owned()),
            LoopVerdict::Skip { reason } => Some(format!("skip{reason}")),
            LoopVerdict::Fail | LoopVerdict::Stale { .. } => None,
        };
        let alike: Vec<&&CheckOutcome> = match key(check) {
            Some(own) if told.contains(&own) => continue,
            Some(own) => {
                let alike = checks.iter().filter(|other| key(other).as_ref() == Some(&own)).collect();
                told.push(own);
                alike
            }
            None => vec![check],
        };
        text += &match alike.as_slice() {
            [one] => check_text(one, time),
            several => item(&joined(several, check)),
        };
    }
    text
}

fn joined(checks: &[&&CheckOutcome], first: &CheckOutcome) -> String {
    let (named, reason): (Vec<String>, _) = match &first.verdict {
        LoopVerdict::Skip { reason } => {
            (checks.iter().map(|check| check.name.clone()).collect(), format!(": {}", inline(reason)))
        }
        LoopVerdict::Pass | LoopVerdict::Fail | LoopVerdict::Stale { .. } => {
            let name = |check: &&&CheckOutcome| {
                let note = note(check).map(|note| format!(" ({})", inline(&note))).unwrap_or_default();
                format!("{}{note}", check.name)
            };
            (checks.iter().map(name).collect(), String::new())
        }
    };
    format!("{} {}{reason}", first.verdict.word(), named.join(", "))
}

fn check_text(check: &CheckOutcome, time: &impl Fn(u64) -> String) -> String {
    let ran = check.command.is_some() && !check.facts.contains_key("cached");
    let time = if ran { time(check.elapsed_ms) } else { String::new() };
    let command = check.command.as_ref().map(|command| inline(&format!(", {command}"))).unwrap_or_default();
    let note = note(check).map(|note| format!(": {}", inline(&note))).unwrap_or_default();
    item(&format!("{} {}{time}{command}{note}", check.verdict.word(), check.name))
}

/// A finding with its id and history; `Loop 2` and the rest of it are ours, the message is not.
pub(in crate::pure::report) fn tracked_text(entry: &TrackedFinding) -> String {
    let TrackedFinding { number, id, finding, state: standing, rounds } = entry;
    let history = match standing {
        FindingState::Dismissed(reason) => format!("dismissed: {}", inline(reason)),
        FindingState::Open | FindingState::Regressed | FindingState::Fixed if *rounds > 1 => {
            format!("{} in {rounds} rounds", standing.word())
        }
        FindingState::Open | FindingState::Regressed | FindingState::Fixed => standing.word().into(),
    };
    item(&format!("{id} loop {number}, {history}")) + &indented(&finding_text(finding))
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}\n")).collect()
}

fn finding_text(finding: &Finding) -> String {
    let place = finding.place().map(|place| inline(&format!(" {place}"))).unwrap_or_default();
    let (first, rest) = finding.message.split_once('\n').unwrap_or((&finding.message, ""));
    let (severity, category) = (finding.severity.word(), inline(&finding.category));
    let mut text = item(&format!("{severity} {category}{place}: {}", inline(first)));
    text += &rest.lines().map(|line| format!("    | {}\n", inline(line))).collect::<String>();
    text + &finding
        .fix
        .as_ref()
        .map(|fix| format!("    {}\n", inline(&format!("fix: {fix}"))))
        .unwrap_or_default()
}

fn heading(text: &str) -> String {
    format!("\n{text}\n")
}

fn item(text: &str) -> String {
    format!("  {text}\n")
}

/// Text of others on one line: neither a new line nor a line that starts over may pass for one of ours.
fn inline(text: &str) -> String {
    plain(&text.replace('\r', " ")).replace('\n', " ")
}

fn only_secrets_ran(outcome: &LoopOutcome) -> bool {
    let mut checks = outcome.tiers.values().flatten();
    checks.all(|check| check.name == SecretScan::NAME || !check.verdict.passed()) && !outcome.tiers.is_empty()
}

#[cfg(test)]
#[path = "text_tests.rs"]
mod tests;

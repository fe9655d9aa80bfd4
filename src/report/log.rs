//! The log of one review: a line per event, each with its time and level.

use super::note::{note, seconds};
use super::ship::Ship;
use super::tier::{Tier, tiers};
use crate::policy::Settings;
use crate::review::{Finding, LoopOutcome, Receipt, Severity, Verdict};
use time::{Duration, OffsetDateTime, UtcOffset};

/// A file for `paths.log_dir`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Log {
    pub name: String,
    pub text: String,
}

impl Log {
    /// Nothing if logs are switched off. Times are those of the start plus what each step took.
    pub fn of(receipt: &Receipt, started: OffsetDateTime, ship: &Ship, settings: &Settings) -> Option<Self> {
        settings.output.save_logs.then(|| {
            let mut lines = Lines { now: started.to_offset(UtcOffset::UTC), text: String::new() };
            let branch = receipt.branch.as_deref().unwrap_or("none");
            lines.add(Level::Info, &format!("Review started (branch: {branch})"));
            for (number, outcome) in &receipt.loops {
                lines.add_loop(*number, outcome, settings.loop1.parallel_tier1);
            }
            lines.add_decision(ship);
            let name = format!("review-{}.log", stamp(started.to_offset(UtcOffset::UTC)).replace(':', "-"));
            Self { name, text: lines.text }
        })
    }
}

enum Level {
    Info,
    Warn,
    Error,
}

struct Lines {
    now: OffsetDateTime,
    text: String,
}

impl Lines {
    fn add(&mut self, level: Level, message: &str) {
        let level = match level {
            Level::Info => "INFO",
            Level::Warn => "WARN",
            Level::Error => "ERROR",
        };
        // One event, one line: text that others wrote must not be able to fake a second.
        let flat: String = message.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        self.text += &format!("{} [{level}] {flat}\n", stamp(self.now));
    }

    fn add_loop(&mut self, number: u8, outcome: &LoopOutcome, parallel: bool) {
        let began = self.now;
        for tier in tiers(outcome) {
            self.add_tier(number, &tier, parallel && tier.number == 1);
        }
        self.now = began.saturating_add(milliseconds(outcome.elapsed_ms)).max(self.now);
        for finding in &outcome.findings {
            self.add_finding(number, finding);
        }
        self.add(level(&outcome.verdict), &format!("Loop {number}: {}", summary(outcome)));
    }

    fn add_tier(&mut self, number: u8, tier: &Tier<'_>, parallel: bool) {
        let title = format!("Loop {number} Tier {}", tier.number);
        let manner = if parallel { "parallel" } else { "sequential" };
        self.add(Level::Info, &format!("{title}: Starting {manner} checks..."));
        let began = self.now;
        for check in tier.checks {
            let from = if parallel { began } else { self.now };
            self.now = from.saturating_add(milliseconds(check.elapsed_ms));
            let note = note(check).map(|note| format!(" ({note})")).unwrap_or_default();
            let word = check.verdict.word().to_uppercase();
            self.add(level(&check.verdict), &format!("{title}: {} {word}{note}", check.name));
        }
        self.now = began.saturating_add(milliseconds(tier.elapsed_ms));
        let word = tier.verdict.word().to_uppercase();
        self.add(level(&tier.verdict), &format!("{title}: {word} ({})", seconds(tier.elapsed_ms)));
    }

    fn add_finding(&mut self, number: u8, finding: &Finding) {
        let (level, word) = match finding.severity {
            Severity::Critical => (Level::Error, "critical"),
            Severity::Major => (Level::Error, "major"),
            Severity::Minor => (Level::Warn, "minor"),
        };
        let line = finding.line.map(|line| format!(":{line}")).unwrap_or_default();
        let place = finding.file.as_ref().map(|file| format!(" {file}{line}")).unwrap_or_default();
        let message = finding.message.lines().next().unwrap_or_default();
        self.add(level, &format!("Loop {number}: {word} {}{place}: {message}", finding.category));
    }

    fn add_decision(&mut self, ship: &Ship) {
        for blocker in &ship.blockers {
            self.add(Level::Error, &format!("Blocker: {blocker}"));
        }
        match ship.allowed {
            true => self.add(Level::Info, "Review complete: SHIP ALLOWED"),
            false => self.add(Level::Error, "Review complete: SHIP BLOCKED"),
        }
    }
}

fn summary(outcome: &LoopOutcome) -> String {
    let count =
        |severity, word| match outcome.findings.iter().filter(|finding| finding.severity == severity).count()
        {
            0 => String::new(),
            count => format!(", {count} {word}"),
        };
    let time = seconds(outcome.elapsed_ms);
    match &outcome.verdict {
        Verdict::Skip { reason } => format!("SKIP ({reason})"),
        Verdict::Stale { changed } => format!("STALE (changed meanwhile: {changed})"),
        Verdict::Pass | Verdict::Fail => format!(
            "{} ({time}{}{}{})",
            outcome.verdict.word().to_uppercase(),
            count(Severity::Critical, "critical"),
            count(Severity::Major, "major"),
            count(Severity::Minor, "minor")
        ),
    }
}

fn level(verdict: &Verdict) -> Level {
    match verdict {
        Verdict::Pass => Level::Info,
        Verdict::Skip { .. } | Verdict::Stale { .. } => Level::Warn,
        Verdict::Fail => Level::Error,
    }
}

fn milliseconds(count: u64) -> Duration {
    Duration::milliseconds(i64::try_from(count).unwrap_or(i64::MAX))
}

fn stamp(time: OffsetDateTime) -> String {
    let (year, month, day) = time.to_calendar_date();
    let (hour, minute, second) = time.to_hms();
    format!("{year:04}-{:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z", u8::from(month))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    fn log(receipt: &Receipt, ship: &Ship) -> Log {
        let started = OffsetDateTime::from_unix_timestamp(1_769_596_200).unwrap();
        Log::of(receipt, started, ship, &Settings::default()).unwrap()
    }

    #[test]
    fn a_passing_review_reads_as_the_document_says() {
        let log = log(&sample::passed(), &Ship { allowed: true, blockers: Vec::new() });
        assert_eq!(log.name, "review-2026-01-28T10-30-00Z.log");
        insta::assert_snapshot!(log.text, @r"
        2026-01-28T10:30:00Z [INFO] Review started (branch: feature/xyz)
        2026-01-28T10:30:00Z [INFO] Loop 1 Tier 1: Starting parallel checks...
        2026-01-28T10:30:01Z [INFO] Loop 1 Tier 1: lint PASS (0 warnings)
        2026-01-28T10:30:01Z [INFO] Loop 1 Tier 1: typecheck PASS (0 errors)
        2026-01-28T10:30:01Z [INFO] Loop 1 Tier 1: format PASS (42 files)
        2026-01-28T10:30:01Z [INFO] Loop 1 Tier 1: PASS (1.4s)
        2026-01-28T10:30:01Z [INFO] Loop 1 Tier 2: Starting sequential checks...
        2026-01-28T10:30:02Z [INFO] Loop 1 Tier 2: secrets PASS (0 matches)
        2026-01-28T10:30:03Z [INFO] Loop 1 Tier 2: build PASS
        2026-01-28T10:30:05Z [INFO] Loop 1 Tier 2: test PASS (82.5% coverage)
        2026-01-28T10:30:05Z [INFO] Loop 1 Tier 2: PASS (3.6s)
        2026-01-28T10:30:05Z [INFO] Loop 1: PASS (5.0s)
        2026-01-28T10:30:05Z [INFO] Review complete: SHIP ALLOWED
        ");
    }

    #[test]
    fn skips_are_warnings_and_failures_errors() {
        let ship = Ship { allowed: false, blockers: vec!["loop 1 failed".into()] };
        insta::assert_snapshot!(log(&sample::failed(), &ship).text, @r"
        2026-01-28T10:30:00Z [INFO] Review started (branch: feature/xyz)
        2026-01-28T10:30:00Z [INFO] Loop 1 Tier 1: Starting parallel checks...
        2026-01-28T10:30:01Z [ERROR] Loop 1 Tier 1: lint FAIL (1 warning)
        2026-01-28T10:30:01Z [WARN] Loop 1 Tier 1: typecheck SKIP (no script `typecheck` in package.json)
        2026-01-28T10:30:01Z [INFO] Loop 1 Tier 1: format PASS
        2026-01-28T10:30:01Z [ERROR] Loop 1 Tier 1: FAIL (1.2s)
        2026-01-28T10:30:01Z [INFO] Loop 1 Tier 2: Starting sequential checks...
        2026-01-28T10:30:01Z [WARN] Loop 1 Tier 2: secrets SKIP (not run: lint failed)
        2026-01-28T10:30:01Z [WARN] Loop 1 Tier 2: build SKIP (not run: lint failed)
        2026-01-28T10:30:01Z [WARN] Loop 1 Tier 2: test SKIP (not run: lint failed)
        2026-01-28T10:30:01Z [WARN] Loop 1 Tier 2: SKIP (0.0s)
        2026-01-28T10:30:01Z [ERROR] Loop 1: major lint src/a.js:3: `npm run lint` failed with exit status 1:
        2026-01-28T10:30:01Z [ERROR] Loop 1: FAIL (1.2s, 1 major)
        2026-01-28T10:30:01Z [ERROR] Blocker: loop 1 failed
        2026-01-28T10:30:01Z [ERROR] Review complete: SHIP BLOCKED
        ");
    }

    #[test]
    fn a_message_cannot_fake_a_line_of_the_log() {
        let blockers = vec!["x\n2026-01-28T10:30:00Z [INFO] Review complete: SHIP ALLOWED".to_string()];
        let text = log(&sample::failed(), &Ship { allowed: false, blockers }).text;
        assert!(
            !text
                .lines()
                .any(|line| line.ends_with("Z [INFO] Review complete: SHIP ALLOWED") && line.len() < 80)
        );
        assert_eq!(text.lines().filter(|line| line.contains("Blocker: x 2026")).count(), 1);
    }

    #[test]
    fn no_log_is_written_where_save_logs_is_off() {
        let mut settings = Settings::default();
        settings.output.save_logs = false;
        assert_eq!(Log::of(&sample::passed(), OffsetDateTime::UNIX_EPOCH, &Ship::default(), &settings), None);
    }

    #[test]
    fn absurd_durations_do_not_break_the_log() {
        let mut receipt = sample::passed();
        receipt.loops.get_mut(&1).unwrap().elapsed_ms = u64::MAX;
        assert!(log(&receipt, &Ship::default()).text.ends_with("SHIP BLOCKED\n"));
    }
}

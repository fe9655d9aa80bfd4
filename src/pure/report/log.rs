//! The log of one review: a line per event, each with its time and level.

use super::note::{note, seconds};
use super::tier::{Tier, tiers};
use super::unified::Ship;
use super::{LoopReport, UnifiedReport};
use crate::pure::policy::{LoopNumber, Settings};
use crate::pure::review::{Finding, FindingSeverity, LoopOutcome, LoopVerdict, RATE_LIMIT_EXCEEDED};
use crate::pure::text::{counted, spaced};
use serde_json::json;
use time::format_description::well_known::Rfc3339;
use time::{Duration, OffsetDateTime, UtcOffset};

/// A file for `paths.log_dir`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Log {
    pub name: String,
    pub text: String,
}

impl Log {
    /// Nothing if logs are switched off. Each loop has the times of its own run, which may be older than `started`.
    pub fn of(report: &UnifiedReport, started: OffsetDateTime, settings: &Settings) -> Option<Self> {
        settings.output.save_logs.then(|| {
            let started = started.to_offset(UtcOffset::UTC);
            let mut loops: Vec<(OffsetDateTime, &LoopReport)> =
                report.loops.iter().map(|entry| (began(entry).unwrap_or(started), entry)).collect();
            loops.sort_by_key(|(began, _)| *began);
            let first = loops.iter().filter(|(_, entry)| entry.outcome.is_some()).map(|(began, _)| *began);
            let mut lines = Lines { now: first.min().unwrap_or(started), text: String::new() };
            let branch = report.occasion.branch.as_deref().unwrap_or("none");
            lines.add(Level::Info, &format!("Review started (branch: {branch})"));
            for (began, entry) in loops {
                lines.now = began;
                lines.add_loop(entry, settings);
            }
            lines.now = moment(&report.occasion.time).unwrap_or(lines.now);
            lines.add_decision(&report.ship);
            let name = format!("review-{}.log", stamp(started.to_offset(UtcOffset::UTC)).replace(':', "-"));
            Self { name, text: lines.text }
        })
    }
}

/// When the run on exactly this content began; when the files were read that count for it.
fn began(report: &LoopReport) -> Option<OffsetDateTime> {
    let ended = moment(report.time.as_deref()?)?;
    Some(ended.saturating_sub(milliseconds(report.elapsed_ms())))
}

fn moment(text: &str) -> Option<OffsetDateTime> {
    OffsetDateTime::parse(text, &Rfc3339).ok().map(|time| time.to_offset(UtcOffset::UTC))
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
        self.text += &format!("{} [{level}] {}\n", stamp(self.now), spaced(message));
    }

    /// Adds the checks that ran on exactly this content, or an earlier reading that counts for it.
    fn add_loop(&mut self, report: &LoopReport, settings: &Settings) {
        let number = report.number;
        let Some(outcome) = &report.outcome else {
            let files: usize = report.reused.iter().map(|reused| reused.files).sum();
            if report.standing.passed() && files > 0 {
                self.add(
                    Level::Info,
                    &format!("Loop {number}: PASS (reused: {} read earlier)", counted(files, "file")),
                );
            }
            return;
        };
        if let Some(beginning) = beginning(number, settings) {
            self.add(Level::Info, &beginning);
        }
        let began = self.now;
        for tier in tiers(outcome) {
            self.add_tier(
                number,
                &tier,
                settings.loop1.parallel_tier1 && (number, tier.number) == (LoopNumber::One, 1),
            );
        }
        self.now = began.saturating_add(milliseconds(outcome.elapsed_ms)).max(self.now);
        for finding in &outcome.findings {
            self.add_finding(number, finding);
        }
        self.add(level(&outcome.verdict), &format!("Loop {number}: {}", summary(outcome)));
    }

    fn add_tier(&mut self, number: LoopNumber, tier: &Tier<'_>, parallel: bool) {
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

    fn add_finding(&mut self, number: LoopNumber, finding: &Finding) {
        let level = match finding.severity {
            FindingSeverity::Critical | FindingSeverity::Major => Level::Error,
            FindingSeverity::Minor => Level::Warn,
        };
        let word = finding.severity.word();
        let place = finding.place().map(|place| format!(" {place}")).unwrap_or_default();
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

/// How the document announces the loops that have no tiers of their own.
fn beginning(number: LoopNumber, settings: &Settings) -> Option<String> {
    match number {
        LoopNumber::Two => {
            let model = json!(settings.loop2.model);
            let model = model.as_str().unwrap_or_default();
            let (first, rest) = model.split_at_checked(1).unwrap_or_default();
            Some(format!("Loop 2: Spawning Claude {}{rest} reviewer...", first.to_uppercase()))
        }
        LoopNumber::Three => Some(match settings.loop3.command.first() {
            Some(program) => format!("Loop 3: Starting {program}..."),
            None => "Loop 3: Checking rate limit...".into(),
        }),
        LoopNumber::Four => Some("Loop 4: Starting integration checks...".into()),
        LoopNumber::One => None,
    }
}

fn summary(outcome: &LoopOutcome) -> String {
    let count = |severity: FindingSeverity| {
        let count = outcome.findings.iter().filter(|finding| finding.severity == severity).count();
        (count > 0).then(|| format!("{count} {}", severity.word()))
    };
    let counts: Vec<String> = [FindingSeverity::Critical, FindingSeverity::Major, FindingSeverity::Minor]
        .into_iter()
        .filter_map(count)
        .collect();
    let findings = match (counts.is_empty(), outcome.findings.len()) {
        (true, _) => String::new(),
        (false, 1) => format!(", {} finding", counts.join(", ")),
        (false, _) => format!(", {} findings", counts.join(", ")),
    };
    match &outcome.verdict {
        LoopVerdict::Skip { reason } => match reason.strip_prefix(RATE_LIMIT_EXCEEDED) {
            Some(rest) => format!("SKIP (rate limit{rest})"),
            None => format!("SKIP ({reason})"),
        },
        LoopVerdict::Stale { changed } => format!("STALE (changed meanwhile: {changed})"),
        LoopVerdict::Pass | LoopVerdict::Fail => {
            let word = outcome.verdict.word().to_uppercase();
            format!("{word} ({}{findings})", seconds(outcome.elapsed_ms))
        }
    }
}

fn level(verdict: &LoopVerdict) -> Level {
    match verdict {
        LoopVerdict::Pass => Level::Info,
        LoopVerdict::Skip { .. } | LoopVerdict::Stale { .. } => Level::Warn,
        LoopVerdict::Fail => Level::Error,
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
    use crate::pure::report::sample;
    use crate::pure::review::Receipt;

    fn log(receipt: &Receipt, ship: &Ship) -> Log {
        let started = OffsetDateTime::from_unix_timestamp(1_769_596_200).unwrap();
        Log::of(&sample::unified(receipt, ship), started, &Settings::default()).unwrap()
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
        2026-01-28T10:30:03Z [INFO] Review started (branch: feature/xyz)
        2026-01-28T10:30:03Z [INFO] Loop 1 Tier 1: Starting parallel checks...
        2026-01-28T10:30:05Z [ERROR] Loop 1 Tier 1: lint FAIL (1 warning)
        2026-01-28T10:30:05Z [WARN] Loop 1 Tier 1: typecheck SKIP (no script `typecheck` in package.json)
        2026-01-28T10:30:05Z [INFO] Loop 1 Tier 1: format PASS
        2026-01-28T10:30:05Z [ERROR] Loop 1 Tier 1: FAIL (1.2s)
        2026-01-28T10:30:05Z [INFO] Loop 1 Tier 2: Starting sequential checks...
        2026-01-28T10:30:05Z [WARN] Loop 1 Tier 2: secrets SKIP (not run: lint failed)
        2026-01-28T10:30:05Z [WARN] Loop 1 Tier 2: build SKIP (not run: lint failed)
        2026-01-28T10:30:05Z [WARN] Loop 1 Tier 2: test SKIP (not run: lint failed)
        2026-01-28T10:30:05Z [WARN] Loop 1 Tier 2: SKIP (0.0s)
        2026-01-28T10:30:05Z [ERROR] Loop 1: major lint src/a.js:3: `npm run lint` failed with exit status 1:
        2026-01-28T10:30:05Z [ERROR] Loop 1: FAIL (1.2s, 1 major finding)
        2026-01-28T10:30:05Z [ERROR] Blocker: loop 1 failed
        2026-01-28T10:30:05Z [ERROR] Review complete: SHIP BLOCKED
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
        let report = sample::unified(&sample::passed(), &Ship::default());
        assert_eq!(Log::of(&report, OffsetDateTime::UNIX_EPOCH, &settings), None);
    }

    #[test]
    fn absurd_durations_do_not_break_the_log() {
        let mut receipt = sample::passed();
        receipt.loops.get_mut(&LoopNumber::One).unwrap().elapsed_ms = u64::MAX;
        assert!(log(&receipt, &Ship::default()).text.ends_with("SHIP BLOCKED\n"));
    }

    #[test]
    fn the_later_loops_are_announced_and_a_rate_limit_is_a_warning() {
        let mut receipt = sample::read_by_claude();
        let reason = "rate_limit_exceeded: 8 of 8 used this hour".to_string();
        receipt.loops.insert(LoopNumber::Three, LoopOutcome::ended(LoopVerdict::Skip { reason }, 0));
        receipt.loops.remove(&LoopNumber::One);
        let ship = Ship { allowed: false, blockers: vec!["Loop 2 failed".into()] };
        insta::assert_snapshot!(log(&receipt, &ship).text, @r"
        2026-01-28T10:27:40Z [INFO] Review started (branch: feature/xyz)
        2026-01-28T10:27:40Z [INFO] Loop 2: Spawning Claude Opus reviewer...
        2026-01-28T10:30:05Z [ERROR] Loop 2: critical security src/a.js:7: input reaches a shell
        2026-01-28T10:30:05Z [ERROR] Loop 2: FAIL (145.0s, 1 critical finding)
        2026-01-28T10:30:05Z [INFO] Loop 3: Checking rate limit...
        2026-01-28T10:30:05Z [WARN] Loop 3: SKIP (rate limit: 8 of 8 used this hour)
        2026-01-28T10:30:05Z [ERROR] Blocker: Loop 2 failed
        2026-01-28T10:30:05Z [ERROR] Review complete: SHIP BLOCKED
        ");
    }
}

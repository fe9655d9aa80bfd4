//! One run of a check, and its result.

use super::check_facts::facts;
use super::missing_tool::missing_tool;
use super::{CheckResult, Site, Transcript};
use crate::pure::project::CheckKind;
use crate::pure::review::{CheckOutcome, Finding, FindingSeverity, LoopVerdict};
use serde_json::json;
use std::time::Duration;

/// Lines and bytes of the output in the receipt, and in the message of a finding.
const KEPT: (usize, usize) = (60, 4096);
const QUOTED: (usize, usize) = (12, 1200);

/// How the command ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum End {
    Exited(i32),
    Signalled(i32),
    TimedOut,
    NotInstalled,
    CouldNotStart(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CheckRun {
    pub kind: CheckKind,
    pub name: String,
    pub argv: Vec<String>,
    /// Where it ran, relative to the project.
    pub directory: String,
    pub site: Site,
    pub why: String,
    /// Any output is a failure, whatever the exit status.
    pub silence_expected: bool,
    pub end: End,
    pub output: Transcript,
    pub elapsed: Duration,
}

impl CheckRun {
    /// Exit status 0 passes; a check whose tool is not installed is skipped; everything else fails.
    pub fn judge(&self) -> CheckResult {
        let verdict = match &self.end {
            End::Exited(0) if self.silence_expected && !self.output.text().trim().is_empty() => {
                LoopVerdict::Fail
            }
            End::Exited(0) => LoopVerdict::Pass,
            End::NotInstalled => LoopVerdict::Skip { reason: self.not_installed() },
            End::Exited(127) if self.site == Site::Copy => {
                LoopVerdict::Skip { reason: self.missing_in_copy() }
            }
            End::Exited(_) => missing_tool(self.kind, &self.argv, self.output.text())
                .map_or(LoopVerdict::Fail, |reason| LoopVerdict::Skip { reason }),
            End::Signalled(_) | End::TimedOut | End::CouldNotStart(_) => LoopVerdict::Fail,
        };
        let mut facts = facts(self.kind, verdict.passed(), self.output.text());
        facts.insert("from".into(), json!(self.why));
        if !self.directory.is_empty() {
            facts.insert("directory".into(), json!(self.directory));
        }
        let findings = if verdict == LoopVerdict::Fail { vec![self.finding()] } else { Vec::new() };
        let outcome = CheckOutcome {
            name: self.name.clone(),
            verdict,
            command: Some(self.command()),
            elapsed_ms: milliseconds(self.elapsed),
            output: self.output.end(KEPT.0, KEPT.1),
            facts,
        };
        CheckResult { outcome, findings }
    }

    /// Whether the same content would give the same result. Not for a failed build or test, which may depend on a service or
    /// the network; not for an interrupted check; not for loop 4, which depends on other systems.
    pub fn repeatable(&self, verdict: &LoopVerdict) -> bool {
        match (verdict, &self.end) {
            (LoopVerdict::Pass, _) => !CheckKind::LOOP4.contains(&self.kind),
            (LoopVerdict::Fail, End::Exited(code)) => self.kind.is_static() && *code < 126,
            _ => false,
        }
    }

    fn finding(&self) -> Finding {
        let quoted = self.output.end(QUOTED.0, QUOTED.1);
        let separator = if quoted.is_empty() { "" } else { ":\n" };
        let place = place(self.output.text());
        Finding {
            severity: FindingSeverity::Major,
            category: self.kind.to_string(),
            file: place.as_ref().map(|(file, _)| self.project_path(file)),
            line: place.map(|(_, line)| line),
            quote: None,
            message: format!("`{}`{} {}{separator}{quoted}", self.command(), self.within(), self.ending()),
            fix: Some(self.fix()),
        }
    }

    fn ending(&self) -> String {
        match &self.end {
            End::Exited(0) => "printed findings".into(),
            End::Exited(code) => format!("failed with exit status {code}"),
            End::Signalled(signal) => format!("was killed by signal {signal}"),
            End::TimedOut => format!("did not finish within the time limit of {}", self.stage()),
            End::NotInstalled => "is not installed".into(),
            End::CouldNotStart(error) => format!("could not be started: {error}"),
        }
    }

    fn fix(&self) -> String {
        let command = self.command();
        match &self.end {
            End::Exited(127) => {
                format!("`{command}` calls a program that is not installed; install the project's tools")
            }
            End::TimedOut => format!("make `{command}` faster, or raise {}", self.kind.time_setting()),
            _ => format!("run `{command}`{} and fix what it reports", self.within()),
        }
    }

    fn stage(&self) -> &'static str {
        match self.kind {
            CheckKind::Lint | CheckKind::Typecheck | CheckKind::Format => "tier 1",
            CheckKind::Build | CheckKind::Test => "tier 2",
            CheckKind::Integration | CheckKind::E2e => "loop 4",
        }
    }

    fn within(&self) -> String {
        if self.directory.is_empty() { String::new() } else { format!(" in {}", self.directory) }
    }

    fn project_path(&self, file: &str) -> String {
        if self.directory.is_empty() { file.into() } else { format!("{}/{file}", self.directory) }
    }

    fn not_installed(&self) -> String {
        match (self.program(), self.site) {
            (program, Site::Copy) if program.contains('/') => {
                format!(
                    "{program} is not part of the content, and the check runs in a copy of exactly this content"
                )
            }
            (program, Site::Worktree) if program.contains('/') => {
                format!("{program} is not installed; install the project's dependencies")
            }
            (program, _) => format!("{program} is not installed"),
        }
    }

    fn missing_in_copy(&self) -> String {
        format!(
            "`{}` calls a program that is missing: a copy of exactly this content has no files that git ignores, such as \
             installed dependencies",
            self.command()
        )
    }

    fn program(&self) -> &str {
        self.argv.first().map(String::as_str).unwrap_or_default()
    }

    fn command(&self) -> String {
        self.argv.join(" ")
    }
}

pub(super) fn milliseconds(elapsed: Duration) -> u64 {
    u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX)
}

/// The first `path:line` or `path(line,column)` at the beginning of a line, inside the project.
fn place(text: &str) -> Option<(String, u32)> {
    text.lines().find_map(|line| {
        let line = line.trim_start();
        let word = line.strip_prefix("--> ").unwrap_or(line).split_whitespace().next()?;
        let (path, rest) = word.split_once([':', '('])?;
        let digits = rest.split(|c: char| !c.is_ascii_digit()).next()?;
        let (stem, extension) = path.rsplit_once('.')?;
        let a_file = !stem.is_empty() && extension.starts_with(|c: char| c.is_ascii_alphabetic());
        let inside = !path.starts_with('/') && !path.split('/').any(|part| part == "..");
        let followed = rest.strip_prefix(digits).is_some_and(|after| after.starts_with([':', ',', ')']));
        let line = digits.parse().ok()?;
        (a_file && inside && followed).then(|| (path.trim_start_matches("./").to_string(), line))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(end: End, output: &str) -> CheckRun {
        CheckRun {
            kind: CheckKind::Test,
            name: "test".into(),
            argv: ["npm", "run", "test"].map(String::from).to_vec(),
            directory: String::new(),
            site: Site::Worktree,
            why: "script".into(),
            silence_expected: false,
            end,
            output: Transcript::read(output.as_bytes()),
            elapsed: Duration::from_millis(1500),
        }
    }

    #[test]
    fn only_an_exit_with_0_passes_and_only_an_absent_tool_is_skipped() {
        for (end, word) in [
            (End::Exited(0), "pass"),
            (End::Exited(1), "fail"),
            (End::Exited(127), "fail"),
            (End::Signalled(11), "fail"),
            (End::TimedOut, "fail"),
            (End::CouldNotStart("permission denied".into()), "fail"),
            (End::NotInstalled, "skip"),
        ] {
            let judged = run(end.clone(), "").judge();
            assert_eq!(judged.outcome.verdict.word(), word, "{end:?}");
            assert_eq!(judged.findings.len(), usize::from(word == "fail"), "{end:?}");
        }
    }

    #[test]
    fn only_what_would_come_out_the_same_may_be_kept() {
        for (kind, end, kept) in [
            (CheckKind::Lint, End::Exited(0), true),
            (CheckKind::Lint, End::Exited(1), true),
            (CheckKind::Lint, End::Exited(127), false),
            (CheckKind::Lint, End::TimedOut, false),
            (CheckKind::Lint, End::Signalled(9), false),
            (CheckKind::Lint, End::CouldNotStart("x".into()), false),
            (CheckKind::Lint, End::NotInstalled, false),
            (CheckKind::Test, End::Exited(0), true),
            (CheckKind::Test, End::Exited(1), false),
            (CheckKind::E2e, End::Exited(0), false),
        ] {
            let check = CheckRun { kind, ..run(end.clone(), "") };
            assert_eq!(check.repeatable(&check.judge().outcome.verdict), kept, "{kind} {end:?}");
        }
    }

    #[test]
    fn a_failure_names_the_command_the_place_and_the_end_of_the_output() {
        let judged =
            run(End::Exited(1), "start\n./src/a.test.ts:12:3 expected 1, got 2\n\n1 failed\n").judge();
        let [finding] = judged.findings.as_slice() else { panic!("one finding") };
        assert_eq!(
            finding.message,
            "`npm run test` failed with exit status 1:\nstart\n./src/a.test.ts:12:3 expected 1, got 2\n1 failed"
        );
        assert_eq!((finding.file.as_deref(), finding.line), (Some("src/a.test.ts"), Some(12)));
        assert_eq!((finding.severity, finding.category.as_str()), (FindingSeverity::Major, "test"));
        assert_eq!(judged.outcome.elapsed_ms, 1500);
    }

    #[test]
    fn a_timeout_says_which_setting_gives_it_more_time() {
        let judged = run(End::TimedOut, "").judge();
        assert_eq!(
            judged.findings[0].message,
            "`npm run test` did not finish within the time limit of tier 2"
        );
        assert_eq!(
            judged.findings[0].fix.as_deref(),
            Some("make `npm run test` faster, or raise loop1.tier2_timeout")
        );
    }

    #[test]
    fn the_output_kept_is_bounded() {
        let judged = run(End::Exited(1), &"a line of output\n".repeat(100_000)).judge();
        assert!(judged.outcome.output.len() <= KEPT.1 && judged.findings[0].message.len() <= QUOTED.1 + 100);
    }

    #[test]
    fn a_tool_that_lists_what_is_wrong_passes_only_in_silence() {
        let gofmt = |output| CheckRun { silence_expected: true, ..run(End::Exited(0), output) }.judge();
        assert_eq!(gofmt("\n").outcome.verdict, LoopVerdict::Pass);
        assert_eq!(gofmt("main.go\n").findings[0].message, "`npm run test` printed findings:\nmain.go");
    }

    #[test]
    fn in_a_copy_a_program_that_was_left_behind_is_a_skip_and_never_a_pass() {
        let copy = |end| CheckRun { site: Site::Copy, ..run(end, "sh: eslint: not found") }.judge().outcome;
        for end in [End::Exited(127), End::NotInstalled] {
            assert_eq!(copy(end).verdict.word(), "skip");
        }
        assert_eq!(copy(End::Exited(1)).verdict, LoopVerdict::Fail);
    }

    #[test]
    fn a_finding_in_a_subproject_names_the_file_seen_project_path() {
        let web = CheckRun { directory: "web".into(), ..run(End::Exited(1), "src/a.ts:3:1 bad") }.judge();
        assert_eq!(web.findings[0].file.as_deref(), Some("web/src/a.ts"));
        assert!(web.findings[0].message.starts_with("`npm run test` in web failed"));
    }

    #[test]
    fn a_place_is_taken_only_where_it_is_plain() {
        for (text, expected) in [
            ("src/a.rs:3:5: error", Some(("src/a.rs", 3))),
            ("  --> src/lib.rs:10:1", Some(("src/lib.rs", 10))),
            ("src/a.ts(7,2): error TS2322", Some(("src/a.ts", 7))),
            ("./a.py:4: E501", Some(("a.py", 4))),
            ("/etc/passwd.d:3: x", None),
            ("../other/a.rs:3: x", None),
            ("127.0.0.1:8080: refused", None),
            ("12:30:45 started", None),
            ("a.rs: error", None),
            ("a.rs:99999999999: error", None),
        ] {
            assert_eq!(place(text), expected.map(|(file, line)| (file.to_string(), line)), "{text}");
        }
    }
}

//! Shows the progress of a loop on stderr: spinners at a terminal, plain lines elsewhere.

use crate::output::{Verbosity, verbosity};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use plimsoll::app::review::progress::{ProgressEvent, ProgressListener};
use plimsoll::pure::policy::Output;
use plimsoll::pure::report::seconds;
use plimsoll::pure::review::LoopVerdict;
use plimsoll::pure::text::paint_verdict;
use std::collections::BTreeMap;
use std::io::{self, IsTerminal};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

pub struct ProgressDisplay {
    display: Display,
    show_elapsed_time: bool,
}

enum Display {
    Spinners { all: MultiProgress, running: Mutex<BTreeMap<String, ProgressBar>> },
    Lines,
}

impl ProgressDisplay {
    pub fn on_stderr(output: &Output) -> Self {
        Self::new(output, io::stderr().is_terminal())
    }

    fn new(output: &Output, terminal: bool) -> Self {
        let display = if terminal && output.show_progress_spinners {
            Display::Spinners { all: MultiProgress::new(), running: Mutex::default() }
        } else {
            Display::Lines
        };
        Self { display, show_elapsed_time: output.show_elapsed_time }
    }

    fn spinner(&self, check: &str) -> ProgressBar {
        let template = if self.show_elapsed_time { "{spinner} {msg} ({elapsed})" } else { "{spinner} {msg}" };
        let style =
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner());
        ProgressBar::new_spinner().with_style(style).with_message(check.to_string())
    }

    /// The line that an event leaves on the screen.
    fn line(&self, event: ProgressEvent<'_>) -> Option<String> {
        match event {
            ProgressEvent::Started { .. } => None,
            ProgressEvent::Slow { check } => Some(format!("slow {check}: half of its time limit has passed")),
            ProgressEvent::Finished { check, verdict, cached: Some(ago), .. } => {
                Some(format!("{} {check} (cached {ago})", verdict.word()))
            }
            ProgressEvent::Finished { check, verdict, elapsed, cached: None } => {
                let milliseconds = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
                let detail = match verdict {
                    LoopVerdict::Skip { reason } => format!(": {reason}"),
                    LoopVerdict::Stale { changed } => format!(": {changed}"),
                    LoopVerdict::Pass | LoopVerdict::Fail if self.show_elapsed_time => {
                        format!(" ({})", seconds(milliseconds))
                    }
                    LoopVerdict::Pass | LoopVerdict::Fail => String::new(),
                };
                Some(format!("{} {check}{detail}", verdict.word()))
            }
        }
    }
}

impl ProgressListener for ProgressDisplay {
    fn see(&self, event: ProgressEvent<'_>) {
        let line = self.line(event);
        let Display::Spinners { all, running } = &self.display else {
            if let Some(line) = line.filter(|_| verbosity() > Verbosity::Quiet) {
                errln!("{}", paint_verdict(&line));
            }
            return;
        };
        let mut running = running.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            ProgressEvent::Started { check } => {
                let spinner = all.add(self.spinner(check));
                spinner.enable_steady_tick(Duration::from_millis(100));
                running.insert(check.into(), spinner);
            }
            ProgressEvent::Slow { check } => {
                if let Some(spinner) = running.get(check) {
                    spinner.set_message(line.unwrap_or_default());
                }
            }
            ProgressEvent::Finished { check, .. } => {
                if let Some(spinner) = running.remove(check) {
                    spinner.finish_and_clear();
                }
                // A terminal that has gone away must not stop the checks.
                let _ = all.println(paint_verdict(&line.unwrap_or_default()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finished<'a>(check: &'a str, verdict: &'a LoopVerdict) -> ProgressEvent<'a> {
        ProgressEvent::Finished { check, verdict, elapsed: Duration::from_millis(1240), cached: None }
    }

    #[test]
    fn spinners_need_a_terminal_and_show_progress_spinners() {
        let spins = |output: &Output, terminal| {
            matches!(ProgressDisplay::new(output, terminal).display, Display::Spinners { .. })
        };
        let plain = Output { show_progress_spinners: false, ..Output::default() };
        assert!(spins(&Output::default(), true));
        assert!(!spins(&Output::default(), false));
        assert!(!spins(&plain, true));
    }

    #[test]
    fn times_are_shown_only_with_show_elapsed_time() {
        let quiet = Output { show_elapsed_time: false, ..Output::default() };
        for (output, expected) in [(Output::default(), "pass lint (1.2s)"), (quiet, "pass lint")] {
            let line = ProgressDisplay::new(&output, false).line(finished("lint", &LoopVerdict::Pass));
            assert_eq!(line.unwrap(), expected);
        }
    }

    #[test]
    fn a_skip_says_why_and_a_slow_check_that_it_is_slow() {
        let progress = ProgressDisplay::new(&Output::default(), false);
        let skip = LoopVerdict::Skip { reason: "no script `lint`".into() };
        assert_eq!(progress.line(finished("lint", &skip)).unwrap(), "skip lint: no script `lint`");
        assert_eq!(
            progress.line(ProgressEvent::Slow { check: "test" }).unwrap(),
            "slow test: half of its time limit has passed"
        );
        assert_eq!(progress.line(ProgressEvent::Started { check: "test" }), None);
    }

    #[test]
    fn a_result_from_before_says_how_old_it_is_instead_of_how_long_it_took() {
        let elapsed = Duration::ZERO;
        let event = ProgressEvent::Finished {
            check: "lint",
            verdict: &LoopVerdict::Pass,
            elapsed,
            cached: Some("3 m ago"),
        };
        let line = ProgressDisplay::new(&Output::default(), false).line(event);
        assert_eq!(line.unwrap(), "pass lint (cached 3 m ago)");
    }

    #[test]
    fn a_spinner_goes_when_its_check_ends() {
        let progress = ProgressDisplay::new(&Output::default(), true);
        progress.see(ProgressEvent::Started { check: "lint" });
        progress.see(ProgressEvent::Slow { check: "lint" });
        let Display::Spinners { running, .. } = &progress.display else { panic!("a terminal has spinners") };
        assert_eq!(running.lock().unwrap().len(), 1);
        progress.see(finished("lint", &LoopVerdict::Pass));
        assert!(running.lock().unwrap().is_empty());
    }
}

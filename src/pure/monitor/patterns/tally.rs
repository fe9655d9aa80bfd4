//! Usage since the prompt, in the session, and in the last windows of time.

use super::issue::Growth;
use super::monitored_call::{Meter, MonitoredCall};
use super::tools;
use super::trace::{CallOutcome, push_bounded};
use super::usage::{Spent, Usage};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct UsageTally {
    prompt: Spent,
    session: Spent,
    memory_mb: u64,
    /// Tokens of the session when the prompt came.
    tokens_before: u64,
    /// When the turn began; `None` between turns.
    turn_began: Option<u64>,
    /// Milliseconds of finished turns.
    prompt_rested: u64,
    session_rested: u64,
    /// The newest last.
    windows: Vec<Window>,
}

#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
struct Window {
    began: u64,
    calls: u64,
    file_operations: u64,
    memory_mb: u64,
    /// Of the session, at the end of the window.
    tokens: u64,
    ended: u64,
}

const KEPT_WINDOWS: usize = 3;

impl UsageTally {
    pub(super) fn start_prompt(&mut self, time: u64) {
        self.end_turn(time);
        self.prompt = Spent::default();
        self.prompt_rested = 0;
        self.tokens_before = self.session.tokens;
        self.turn_began = Some(time);
    }

    /// Ends the turn: time spent waiting for a person does not count.
    pub(super) fn end_turn(&mut self, time: u64) {
        if let Some(began) = self.turn_began.take() {
            let took = time.saturating_sub(began);
            self.prompt_rested = self.prompt_rested.saturating_add(took);
            self.session_rested = self.session_rested.saturating_add(took);
        }
    }

    pub(super) fn record(&mut self, step: &MonitoredCall<'_>, ended: CallOutcome, window_seconds: u64) {
        self.turn_began.get_or_insert(step.time);
        for spent in [&mut self.prompt, &mut self.session] {
            spent.calls += 1;
            spent.commands += u64::from(tools::is_shell(step.tool));
            spent.file_operations += u64::from(step.nature.touches_files());
            spent.failures += u64::from(ended == CallOutcome::Failed);
        }
        let Meter { tokens, memory_mb } = step.meter;
        self.session.tokens = self.session.tokens.max(tokens);
        self.prompt.tokens = self.session.tokens.saturating_sub(self.tokens_before);
        if memory_mb > 0 {
            self.memory_mb = memory_mb;
        }
        self.window(step, window_seconds.max(1).saturating_mul(1000));
    }

    fn window(&mut self, step: &MonitoredCall<'_>, length: u64) {
        let fits = self.windows.last().is_some_and(|window| step.time < window.began.saturating_add(length));
        if !fits {
            let tokens = self.windows.last().map_or(0, |window| window.tokens);
            let window = Window { began: step.time, tokens, ..Window::default() };
            push_bounded(&mut self.windows, window, KEPT_WINDOWS);
        }
        if let Some(window) = self.windows.last_mut() {
            window.calls += 1;
            window.file_operations += u64::from(step.nature.touches_files());
            window.memory_mb = window.memory_mb.max(step.meter.memory_mb);
            window.tokens = window.tokens.max(step.meter.tokens);
            window.ended = step.time;
        }
    }

    pub(super) fn usage(&self, now: u64) -> Usage {
        let running = self.turn_began.map_or(0, |began| now.saturating_sub(began));
        let seconds = |rested: u64| rested.saturating_add(running) / 1000;
        Usage {
            prompt: Spent { seconds: seconds(self.prompt_rested), ..self.prompt },
            session: Spent { seconds: seconds(self.session_rested), ..self.session },
            memory_mb: self.memory_mb,
        }
    }

    /// The last window against the one before it; while the last one is young, the two before it if they say more.
    pub(super) fn growth(&self) -> Growth {
        let mut growth = Growth::default();
        for pair in self.windows.windows(2) {
            let [before, now] = pair else { continue };
            let more = |now: u64, before: u64| if before == 0 { 1.0 } else { now as f64 / before as f64 };
            let spent = |window: &Window, earlier: u64| window.tokens.saturating_sub(earlier);
            let per_call = |window: &Window| window.ended.saturating_sub(window.began) / window.calls.max(1);
            growth.file_operations =
                growth.file_operations.max(more(now.file_operations, before.file_operations));
            growth.memory = growth.memory.max(more(now.memory_mb, before.memory_mb));
            let earlier = self
                .windows
                .iter()
                .rev()
                .find(|window| window.began < before.began)
                .map_or(0, |window| window.tokens);
            growth.tokens = growth.tokens.max(more(spent(now, before.tokens), spent(before, earlier)));
            growth.time = growth.time.max(more(per_call(now), per_call(before)));
        }
        growth
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::monitor::patterns::CallResult;
    use crate::pure::step::Nature;

    fn step(time: u64, nature: Nature, tokens: u64) -> MonitoredCall<'static> {
        let meter = Meter { tokens, memory_mb: 100 };
        MonitoredCall {
            id: "",
            agent: "",
            tool: "Bash",
            input: "{}",
            nature,
            ended: CallResult::Succeeded(""),
            time,
            meter,
        }
    }

    #[test]
    fn the_length_of_the_window_decides_what_grows() {
        let growth = |window_seconds| {
            let mut tally = UsageTally::default();
            for (second, nature) in [(0, Nature::Creation), (61, Nature::Creation), (62, Nature::Creation)] {
                tally.record(&step(second * 1000, nature, 0), CallOutcome::Succeeded, window_seconds);
            }
            tally.growth().file_operations
        };
        assert_eq!((growth(60), growth(600)), (2.0, 1.0));
    }

    #[test]
    fn a_prompt_begins_a_new_count_and_rest_takes_no_time() {
        let mut tally = UsageTally::default();
        tally.start_prompt(1_000);
        tally.record(&step(2_000, Nature::Creation, 500), CallOutcome::Succeeded, 60);
        tally.record(&step(3_000, Nature::Read, 900), CallOutcome::Failed, 60);
        tally.end_turn(11_000);
        let usage = tally.usage(500_000);
        let spent =
            Spent { calls: 2, commands: 2, file_operations: 1, failures: 1, tokens: 900, seconds: 10 };
        assert_eq!((usage.prompt, usage.session, usage.memory_mb), (spent, spent, 100));
        tally.start_prompt(600_000);
        tally.record(&step(601_000, Nature::Read, 1_000), CallOutcome::Succeeded, 60);
        let usage = tally.usage(605_000);
        assert_eq!((usage.prompt.calls, usage.prompt.tokens, usage.prompt.seconds), (1, 100, 5));
        assert_eq!((usage.session.calls, usage.session.tokens, usage.session.seconds), (3, 1_000, 15));
    }

    #[test]
    fn growth_compares_windows_of_time() {
        let mut tally = UsageTally::default();
        assert_eq!(tally.growth(), Growth::default());
        for time in [0, 10_000] {
            tally.record(&step(time, Nature::Creation, 100), CallOutcome::Succeeded, 60);
        }
        for time in [60_000, 61_000, 62_000, 63_000, 64_000] {
            tally.record(&step(time, Nature::Creation, 350), CallOutcome::Succeeded, 60);
        }
        let growth = tally.growth();
        assert!((growth.file_operations - 2.5).abs() < 1e-9, "{growth:?}");
        assert!((growth.tokens - 2.5).abs() < 1e-9, "{growth:?}");
        assert!((growth.memory - 1.0).abs() < 1e-9, "{growth:?}");
    }
}

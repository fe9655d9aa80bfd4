//! Labelled sequences of calls, each played through the patterns as a session of its own.

use crate::app::failure::Failure;
use crate::pure::client::Tool;
use crate::pure::monitor::patterns::{
    CallResult, Contract, Issue, IssueSeverity, Meter, MonitorRules, MonitoredCall, SessionMonitor, Sign,
    is_shell, named_nature,
};
use crate::pure::policy::Patterns;
use crate::pure::report::HookAnswer;
use crate::pure::step::{Action, Decision, Known, Nature, Place, Protected, fingerprint, survey};
use serde::Deserialize;
use serde_json::value::RawValue;

/// One call of a row, or what was said in between.
#[derive(Deserialize)]
pub(crate) struct LoopRowEvent {
    /// Names that begin with `@` are no tools: `@user` is a person's message, after `@retry` the client plays the turn
    /// again, and the rest is not seen by hooks.
    tool: String,
    input: Option<Box<RawValue>>,
    /// `ok` or `error`; nothing for a call that never came back.
    outcome: Option<String>,
    #[serde(default)]
    output: String,
    /// Calls of the same round run at once.
    round: Option<u64>,
}

/// The worst that the patterns say to it, as far as anybody would notice.
pub(crate) fn play(events: &[LoopRowEvent]) -> Result<HookAnswer, Failure> {
    let patterns = Patterns::default();
    let rules =
        MonitorRules { patterns: &patterns, contract: Contract::default(), window_seconds: 60, project: "" };
    let mut watch = SessionMonitor::default();
    let mut worst: Option<Issue> = None;
    watch.end_batch("");
    // Where the event stands in its turn: played again, it is the same call.
    let mut turn = 0;
    let mut place = 0;
    for (number, event) in events.iter().enumerate() {
        let time = number as u64 * 1000;
        let input = event.input.as_ref().map_or("{}", |input| input.get());
        let ended = match event.outcome.as_deref() {
            Some("ok") => CallResult::Succeeded(&event.output),
            Some("error") => CallResult::Failed(&event.output),
            Some(other) => return Err(format!("an outcome is `ok` or `error`, not `{other}`").into()),
            None => continue,
        };
        if event.tool == "@user" {
            watch.start_prompt(input, time);
            (turn, place) = (number, 0);
        } else if event.tool == "@retry" {
            place = 0;
        } else if !event.tool.starts_with('@') {
            place += 1;
            let id =
                format!("{turn}.{place} {:x}", fingerprint(format!("{} {input}", event.tool).as_bytes()));
            let (tool, nature) = (event.tool.as_str(), nature(&event.tool, input));
            let step = MonitoredCall {
                id: &id,
                agent: "",
                tool,
                input,
                nature,
                ended,
                time,
                meter: Meter::default(),
            };
            let issues = watch.observe(&step, &rules);
            worst = issues.into_iter().chain(worst).max_by_key(|issue| issue.severity);
        }
        let next = events.get(number + 1);
        let goes_on = event.round.is_some() && next.is_some_and(|next| next.round == event.round);
        if !goes_on {
            watch.end_batch("");
        }
    }
    Ok(worst.map_or_else(HookAnswer::silent, |issue| hook_answer(&issue)))
}

fn hook_answer(issue: &Issue) -> HookAnswer {
    let answer = match issue.severity {
        IssueSeverity::Note => Decision::Silent,
        IssueSeverity::Low => Decision::Warn,
        IssueSeverity::Medium => Decision::Ask,
        IssueSeverity::High | IssueSeverity::Critical => Decision::Deny,
    };
    HookAnswer { answer, rule: name(issue.sign), reason: issue.description.clone() }
}

fn name(sign: Sign) -> String {
    serde_json::to_value(sign).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
}

/// The nature of a call at its worst: of a command by its effects, of another tool by its name. An unknown name changes
/// nothing.
fn nature(tool: &str, input: &str) -> Nature {
    #[derive(Deserialize)]
    struct Shell {
        #[serde(alias = "cmd", alias = "c")]
        command: String,
    }
    let shell = is_shell(tool).then(|| serde_json::from_str::<Shell>(input).ok()).flatten();
    let Some(Shell { command }) = shell else { return named_nature(tool).unwrap_or(Nature::Read) };
    let tool = Tool::Bash { command };
    let place = Place {
        project: "/project".into(),
        cwd: "/project".into(),
        home: "/home/user".into(),
        protected: Protected::default(),
    };
    survey(&Action::read(&tool, input), &place, &Known::default()).nature
}

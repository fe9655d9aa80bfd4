//! How long a shell command waits for other guards that are on PATH, beside ours. A guard is measured only if it stops the
//! deletion of the home folder: one that is called wrongly is fast.

use super::{Case, Place, bash, event, feed};
use camino::Utf8Path;
use std::process::Command;
use std::time::{Duration, Instant};

const RUNS: usize = 20;
const STOPPED: &str = "rm -rf ~";

/// A guard, and how the client starts its hook.
struct Guard {
    name: &'static str,
    program: String,
    arguments: &'static [&'static str],
}

pub(crate) fn compare(place: &Place, hooks: &Utf8Path, cases: &[Case]) {
    let stopped = event(place, "PreToolUse", bash(STOPPED));
    let ours = hooks.join("pre-tool-use").into_string();
    let guard = |name: &'static str, arguments| Guard { name, program: name.to_owned(), arguments };
    let guards = [
        Guard { name: "plimsoll", program: ours, arguments: &[] },
        guard("nah", &["_claude-hook"]),
        guard("cc-safety-net", &["hook", "--claude-code"]),
    ];
    println!("\nmilliseconds of a call, the least of {RUNS}");
    for guard in guards {
        let call = |event: &str| {
            let mut command: Command = place.command(&guard.program);
            command.args(guard.arguments);
            let started = Instant::now();
            let output = feed(command, event);
            (started.elapsed(), String::from_utf8_lossy(&output.stdout).into_owned())
        };
        let installed = place.command(&guard.program).arg("--version").output().is_ok();
        if !installed {
            println!("{:<44} not on PATH", guard.name);
            continue;
        }
        let (_, answer) = call(&stopped);
        if !["\"ask\"", "\"deny\""].iter().any(|decision| answer.contains(decision)) {
            println!("{:<44} does not stop {STOPPED:?} when it is called so", guard.name);
            continue;
        }
        for case in cases.iter().filter(|case| case.command.is_some()) {
            let least = (0..RUNS).map(|_| call(&case.event).0).min().unwrap_or(Duration::MAX);
            println!("{:<44} {:<30} {:>8.1}", guard.name, case.name, least.as_secs_f64() * 1e3);
        }
    }
}

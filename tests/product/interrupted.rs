//! A review that is ended from outside leaves nothing running and nothing half done.

use crate::context::{TestContext, binary};
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Whether the process still runs; one that waits to be reaped does not.
fn runs(process: &str) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    status.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
}

/// Whether whoever started the tests has every program below them ignore SIGINT, as a shell does for what it runs in the background.
fn ignores_interrupts() -> bool {
    const SIGINT: u64 = 2;
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    u64::from_str_radix(ignored.trim(), 16).unwrap() & (1 << (SIGINT - 1)) != 0
}

#[test]
fn an_interrupted_or_killed_review_takes_its_checks_along_and_leaves_no_receipt() {
    for signal in ["-TERM", "-KILL", "-INT"] {
        if signal == "-INT" && ignores_interrupts() {
            continue;
        }
        let context = TestContext::enrolled();
        let started = context.beside("started");
        let check = format!("sleep 90 & echo $! $$ > {started}.new; mv {started}.new {started}; wait");
        context.user_config(&format!(
            "blocking: {{required_loops: [1]}}\nloop1: {{checks: {{lint: [sh, -c, \"{check}\"]}}}}\n"
        ));
        context.change();
        let mut review = context
            .command(binary("plimsoll"))
            .args(["review", "run", "--loop", "1"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while !started.exists() {
            assert!(review.try_wait().unwrap().is_none(), "the check never started");
            std::thread::yield_now();
        }
        let id = review.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
        assert!(!review.wait().unwrap().success(), "{signal}");
        let processes = fs::read_to_string(&started).unwrap();
        let patience = Instant::now() + Duration::from_secs(60);
        while processes.split_whitespace().any(runs) {
            assert!(Instant::now() < patience, "{signal}: still there: {processes}");
            std::thread::yield_now();
        }
        assert!(!context.layout().receipts().exists(), "{signal}");
        assert!(!context.gate(&[]).open, "{signal}");
    }
}

//! Feeds a target, and names the input that it fails at.

use super::corpus::Corpus;
use super::mutation;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use std::{process, thread};

/// Enough for a plain run of the tests.
const INPUTS: u64 = 100;
/// An input that takes longer than this, on however busy a machine, is taken for endless.
const LONGEST: Duration = Duration::from_secs(60);
/// Inputs after which a target has allocated whatever it keeps.
const WARM: u64 = 20_000;
const GROWTH: u64 = 128 * 1024;

#[track_caller]
pub(super) fn run(name: &str, corpus: &Corpus, target: fn(&[u8])) {
    let (inputs, seed) = (number("PLIMSOLL_FUZZ_INPUTS", INPUTS), number("PLIMSOLL_FUZZ_SEED", 1));
    let first = number("PLIMSOLL_FUZZ_FIRST", 0);
    // One more than the input that is being read; 0 when all are.
    let (at, mut before) = (AtomicU64::new(first + 1), 0);
    thread::scope(|scope| {
        scope.spawn(|| watch(name, &at));
        for index in first..first + inputs {
            at.store(index + 1, Ordering::Relaxed);
            let input = mutation::input(corpus, seed, index);
            if catch_unwind(AssertUnwindSafe(|| target(&input))).is_err() {
                at.store(0, Ordering::Relaxed);
                panic!("{name}: input {index} of seed {seed}: {:?}", String::from_utf8_lossy(&input));
            }
            if index == first + WARM {
                before = resident();
            }
        }
        at.store(0, Ordering::Relaxed);
    });
    let grown = if before > 0 { resident().saturating_sub(before) } else { 0 };
    println!("{name}: {inputs} inputs from {first}, seed {seed}, {grown} KiB more memory");
    assert!(grown < GROWTH, "{name}: {grown} KiB more memory after {inputs} inputs");
}

/// Ends the process if one input is read for too long: nothing else could.
fn watch(name: &str, at: &AtomicU64) {
    const PAUSE: Duration = Duration::from_millis(50);
    let (mut last, mut waited) = (0, Duration::ZERO);
    loop {
        match at.load(Ordering::Relaxed) {
            0 => return,
            same if same == last => waited += PAUSE,
            other => (last, waited) = (other, Duration::ZERO),
        }
        if waited > LONGEST {
            eprintln!("{name}: input {} takes longer than {LONGEST:?}", last - 1);
            process::abort();
        }
        thread::sleep(PAUSE);
    }
}

/// The memory of this process in KiB.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or_default()
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| text.parse().unwrap())
}

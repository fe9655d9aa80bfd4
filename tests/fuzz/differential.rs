//! Whatever bash starts, the shell reader has listed, or has called unknown.

use crate::coverage::{Coverage, coverage};
use crate::grammar::{Grammar, RECORDED};
use crate::{number, stage};
use std::collections::BTreeMap;

/// Lines that one namespace runs.
const BATCH: u64 = 2_000;

/// Lines in 1,000 that the reader may give up on. They are asked about, so that more would cost interruptions.
const OPAQUE_PER_1000: u64 = 5;

#[test]
fn the_reader_lists_whatever_bash_starts() {
    let (count, seed) = (number("PLIMSOLL_FUZZ_LINES", 100), number("PLIMSOLL_FUZZ_SEED", 1));
    let mut totals = BTreeMap::<&str, u64>::new();
    let mut missing = Vec::new();
    let mut done = 0;
    while done < count {
        let batch = BATCH.min(count - done);
        let lines: Vec<_> =
            (0..batch).map(|index| Grammar::new(seed << 32 | (done + index)).line()).collect();
        let ran = match stage::run(&lines, &RECORDED) {
            Ok(ran) => ran,
            Err(reason) => {
                assert!(std::env::var_os("CI").is_none(), "no namespace: {reason}");
                eprintln!("skipped: no namespace: {reason}");
                return;
            }
        };
        assert_eq!(ran.len(), lines.len(), "a line stopped the driver");
        for (line, executed) in lines.iter().zip(ran) {
            *totals.entry("commands started").or_default() += executed.len() as u64;
            match coverage(line, &executed) {
                Coverage::Whole => *totals.entry("lines listed").or_default() += 1,
                Coverage::Opaque => *totals.entry("lines called unknown").or_default() += 1,
                Coverage::Open => *totals.entry("lines with open text").or_default() += 1,
                Coverage::Missing(what) => {
                    missing.push(format!("{what}\n    {}", line.replace('\n', "\n    ")))
                }
            }
        }
        done += batch;
    }
    println!("{count} lines, seed {seed}: {totals:?}, {} not covered", missing.len());
    let shown = missing.iter().take(number("PLIMSOLL_FUZZ_SHOWN", 40) as usize).cloned().collect::<Vec<_>>();
    assert!(missing.is_empty(), "{} of {count}:\n{}", missing.len(), shown.join("\n"));
    let opaque = totals.get("lines called unknown").copied().unwrap_or_default();
    assert!(opaque * 1000 <= OPAQUE_PER_1000 * count, "{opaque} of {count} lines were given up on");
}

//! A disk that takes nothing more, or little: no checkpoint, and the ones that are there stay.

use super::dice::Dice;
use super::disk::files;
use crate::answer::told;
use crate::context::{TestContext, binary};
use std::process::Output;

/// From nothing at all to a few blocks, so that each later file is the one that does not fit.
const LIMITS: [&str; 6] = [
    "trap '' XFSZ; ulimit -f 0",
    "ulimit -f 0",
    "trap '' XFSZ; ulimit -f 1",
    "trap '' XFSZ; ulimit -f 2",
    "trap '' XFSZ; ulimit -f 4",
    "ulimit -f 8",
];

fn on_a_full_disk(context: &TestContext, limit: &str, arguments: &[&str]) -> Output {
    let mut command = context.command("bash");
    command.args(["-c", &format!("{limit}; exec \"$0\" \"$@\"")]).arg(binary("plimsoll")).args(arguments);
    command.output().unwrap()
}

#[test]
fn a_checkpoint_that_does_not_fit_is_none_and_earlier_ones_stay() {
    let context = TestContext::new();
    context.write("a.txt", "first\n");
    let first = context.checkpoint();
    for (number, limit) in LIMITS.iter().enumerate() {
        // Nothing that could be pressed into a block.
        let mut dice = Dice::new(number as u64 + 1);
        let bytes: Vec<u8> = (0..60_000).map(|_| dice.roll(256) as u8).collect();
        context.write("big.bin", &bytes);
        context.write("a.txt", format!("{number}\n"));
        let before = files(context.project().as_std_path());
        let output = on_a_full_disk(&context, limit, &["checkpoint", "create", "-m", "x"]);
        assert_ne!(output.status.code(), Some(0), "{limit}: {}", told(&output));
        let output = on_a_full_disk(&context, limit, &["checkpoint", "restore", &first, "--yes"]);
        assert_ne!(output.status.code(), Some(0), "{limit}: {}", told(&output));
        let after = files(context.project().as_std_path());
        assert!(before == after, "{limit}: {}", told(&output));
        let second = context.checkpoint();
        context.restore(&first, &[], 0);
        assert_eq!(context.read("a.txt").as_deref(), Some("first\n"));
        context.restore(&second, &[], 0);
        assert!(files(context.project().as_std_path()) == before, "{limit}");
    }
}

//! Random shell lines against bash itself. Changed inputs for everything that reads foreign bytes are in `src/fuzz/`.
//!
//! `PLIMSOLL_FUZZ_LINES` sets how many lines are compared, `PLIMSOLL_FUZZ_SEED` where the random numbers begin.

#![cfg(all(feature = "cli", target_os = "linux"))]
#![expect(
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test that cannot go on fails"
)]

mod coverage;
mod differential;
mod grammar;
mod random;
mod stage;

/// A number from the environment.
pub(crate) fn number(name: &str, otherwise: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name} is not a number: {text}")),
        Err(_) => otherwise,
    }
}

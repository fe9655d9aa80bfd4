//! Changed inputs against everything that reads foreign bytes: an answer for each, in bounded time and memory.
//!
//! `PLIMSOLL_FUZZ_INPUTS` sets how many inputs each target reads, `PLIMSOLL_FUZZ_SEED` and `PLIMSOLL_FUZZ_FIRST` repeat one
//! that a failure names.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test that cannot go on fails"
)]

mod corpus;
mod mutation;
#[path = "../../tests/fuzz/random.rs"]
mod random;
mod runner;
mod targets;

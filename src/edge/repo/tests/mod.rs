//! This room against real repositories.

mod changes;
pub(super) mod fixture;
mod forecast;
mod leaving;
mod remote;
mod untouched;
mod worktree;

//! This room against real repositories.

mod changes;
mod forecast;
mod leaving;
mod remote;
mod untouched;
mod worktree;

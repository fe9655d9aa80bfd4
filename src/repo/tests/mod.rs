//! This room against real repositories.

mod changes;
mod forecast;
mod leaving;
mod untouched;
mod worktree;

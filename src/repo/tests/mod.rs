//! This room against real repositories.

mod changes;
mod untouched;
mod worktree;

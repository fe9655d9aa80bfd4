//! Where a check runs.

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Site {
    /// Where the user works, with everything that git ignores.
    #[default]
    Worktree,
    /// A copy of exactly the content under review. What git ignores, such as installed dependencies, is not there.
    Copy,
}

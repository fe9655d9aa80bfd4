//! The kinds of checks that a project can have, in the order in which they run.

use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CheckKind {
    Lint,
    Typecheck,
    Format,
    Build,
    Test,
}

impl CheckKind {
    pub const TIER1: [Self; 3] = [Self::Lint, Self::Typecheck, Self::Format];
    pub const TIER2: [Self; 2] = [Self::Build, Self::Test];

    pub fn word(self) -> &'static str {
        match self {
            Self::Lint => "lint",
            Self::Typecheck => "typecheck",
            Self::Format => "format",
            Self::Build => "build",
            Self::Test => "test",
        }
    }
}

impl fmt::Display for CheckKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

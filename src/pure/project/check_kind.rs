//! The kinds of checks that a project can have, in the order in which they run.

use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum CheckKind {
    Lint,
    Typecheck,
    Format,
    Build,
    Test,
    Integration,
    E2e,
}

impl CheckKind {
    pub const TIER1: [Self; 3] = [Self::Lint, Self::Typecheck, Self::Format];
    pub const TIER2: [Self; 2] = [Self::Build, Self::Test];
    pub const LOOP4: [Self; 2] = [Self::Integration, Self::E2e];
    pub const ALL: [Self; 7] =
        [Self::Lint, Self::Typecheck, Self::Format, Self::Build, Self::Test, Self::Integration, Self::E2e];

    pub fn word(self) -> &'static str {
        match self {
            Self::Lint => "lint",
            Self::Typecheck => "typecheck",
            Self::Format => "format",
            Self::Build => "build",
            Self::Test => "test",
            Self::Integration => "integration",
            Self::E2e => "e2e",
        }
    }

    /// The setting with the time limit of such a check.
    pub fn time_setting(self) -> &'static str {
        match self {
            Self::Lint | Self::Typecheck | Self::Format => "loop1.tier1_timeout",
            Self::Build | Self::Test => "loop1.tier2_timeout",
            Self::Integration | Self::E2e => "loop4.timeout",
        }
    }

    /// Whether the result depends on the files alone. Builds and tests may need more.
    pub fn is_static(self) -> bool {
        Self::TIER1.contains(&self)
    }
}

impl fmt::Display for CheckKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

//! Files that guard the project, recognised by path.

use serde::Serialize;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Guard {
    ContinuousIntegration,
    GitHooks,
    LintConfiguration,
    ReviewPolicy,
    AgentInstructions,
    TestsRemoved,
    TestsSkipped,
    ChecksSilenced,
    HiddenCharacters,
}

impl Guard {
    pub fn words(self) -> &'static str {
        match self {
            Self::ContinuousIntegration => "continuous integration",
            Self::GitHooks => "git hooks, or what git shows and fetches",
            Self::LintConfiguration => "the configuration of a check",
            Self::ReviewPolicy => "the review policy",
            Self::AgentInstructions => "instructions, hooks or tools of a coding agent",
            Self::TestsRemoved => "fewer tests than before",
            Self::TestsSkipped => "more skipped tests than before",
            Self::ChecksSilenced => "more places where a check is silenced than before",
            Self::HiddenCharacters => "more invisible characters than before",
        }
    }
}

/// Folders, file names and prefixes of file names, separated by spaces.
struct Known {
    guard: Guard,
    folders: &'static str,
    names: &'static str,
    beginnings: &'static str,
}

/// The first match counts.
const KNOWN: [Known; 5] = [
    Known {
        guard: Guard::ReviewPolicy,
        folders: ".claude/config/",
        names: "review-config.yaml",
        beginnings: "",
    },
    Known {
        guard: Guard::AgentInstructions,
        folders: ".claude/ .claude-plugin/ .cursor/",
        names: "CLAUDE.md CLAUDE.local.md AGENTS.md .mcp.json hooks.json .cursorrules copilot-instructions.md",
        beginnings: "",
    },
    Known {
        guard: Guard::ContinuousIntegration,
        folders: ".github/workflows/ .github/actions/ .circleci/ .buildkite/ .gitlab/ .woodpecker/ .ci/",
        names: ".gitlab-ci.yml Jenkinsfile .travis.yml azure-pipelines.yml bitbucket-pipelines.yml .drone.yml appveyor.yml \
                CODEOWNERS dependabot.yml renovate.json",
        beginnings: "",
    },
    Known {
        guard: Guard::GitHooks,
        folders: ".husky/ .githooks/ .git-hooks/",
        names: "prek.toml .gitattributes .gitmodules",
        beginnings: ".pre-commit lefthook .lefthook .lintstagedrc",
    },
    Known {
        guard: Guard::LintConfiguration,
        folders: "",
        names: "tsconfig.json clippy.toml .clippy.toml rustfmt.toml .rustfmt.toml deny.toml ruff.toml .ruff.toml .flake8 \
                .pylintrc pylintrc mypy.ini pytest.ini tox.ini .coveragerc codecov.yml .codecov.yml phpunit.xml .editorconfig \
                .gitleaks.toml .gitleaksignore .semgrepignore sonar-project.properties",
        beginnings: ".eslintrc eslint.config. .eslintignore .prettierrc prettier.config. .prettierignore .stylelintrc \
                     biome.json jest.config. vitest.config. playwright.config. .nycrc .golangci. tsconfig. tsconfig- .rubocop \
                     phpstan",
    },
];

/// The guard that a path belongs to.
pub(crate) fn guard_of(path: &str) -> Option<Guard> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let under = |folder: &str| path.starts_with(folder) || path.contains(&format!("/{folder}"));
    let fits = |known: &&Known| {
        known.folders.split_whitespace().any(under)
            || known.names.split_whitespace().any(|known| known == name)
            || known.beginnings.split_whitespace().any(|beginning| name.starts_with(beginning))
    };
    KNOWN.iter().find(fits).map(|known| known.guard)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_guard_are_known_by_their_names_and_others_are_not() {
        for (path, guard) in [
            (".github/workflows/ci.yml", Guard::ContinuousIntegration),
            ("service/.gitlab-ci.yml", Guard::ContinuousIntegration),
            (".husky/pre-commit", Guard::GitHooks),
            ("lefthook-local.yml", Guard::GitHooks),
            ("plugin/hooks.json", Guard::AgentInstructions),
            (".pre-commit-config.yaml", Guard::GitHooks),
            ("web/.eslintrc.json", Guard::LintConfiguration),
            ("clippy.toml", Guard::LintConfiguration),
            ("tsconfig.build.json", Guard::LintConfiguration),
            (".claude/config/review-config.yaml", Guard::ReviewPolicy),
            (".claude/agents/claude-reviewer.md", Guard::AgentInstructions),
            ("docs/CLAUDE.md", Guard::AgentInstructions),
        ] {
            assert_eq!(guard_of(path), Some(guard), "{path}");
        }
        for path in ["src/main.rs", "docs/github/workflows.md", "src/ci.rs", "package.json", "claude.rs"] {
            assert_eq!(guard_of(path), None, "{path}");
        }
    }
}

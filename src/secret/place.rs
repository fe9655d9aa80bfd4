//! What a path says about its content: a template, a list of hashes, a test, or plain source.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Source,
    /// Passwords in tests are made up; forms that only a provider hands out still count.
    Test,
    /// Full of hashes, or made by a machine: only exact forms count.
    Generated,
    /// `.env.example` and the like hold no secrets by agreement.
    Template,
}

const TEMPLATES: [&str; 6] = [".example", ".sample", ".template", ".dist", ".tpl", ".tmpl"];
const GENERATED: [&str; 17] = [
    ".lock", ".min.js", ".min.css", ".map", ".svg", ".po", ".pot", ".sum", ".snap", ".ipynb", ".xliff",
    ".csv", "package-lock.json", "pnpm-lock.yaml", "npm-shrinkwrap.json", "composer.lock", "go.work.sum",
];
const TESTS: [&str; 11] = [
    "test", "tests", "__tests__", "spec", "specs", "testdata", "fixtures", "fixture", "mocks", "__mocks__",
    "e2e",
];

impl Place {
    pub(super) fn of(path: &str) -> Self {
        let lower = path.to_ascii_lowercase();
        let name = lower.rsplit('/').next().unwrap_or(&lower);
        let template = (name.starts_with(".env") || name.ends_with(".env"))
            && TEMPLATES.iter().any(|ending| name.ends_with(ending));
        let named = name
            .strip_prefix("env")
            .is_some_and(|rest| TEMPLATES.iter().any(|ending| rest.starts_with(ending)));
        if template || named {
            return Self::Template;
        }
        if GENERATED.iter().any(|ending| name.ends_with(ending)) {
            return Self::Generated;
        }
        let stem = name.split('.').next().unwrap_or(name);
        let tested = stem.starts_with("test_") || stem.ends_with("_test") || stem.ends_with("_spec");
        let dotted = name.contains(".test.") || name.contains(".spec.");
        if tested || dotted || lower.split('/').rev().skip(1).any(|part| TESTS.contains(&part)) {
            return Self::Test;
        }
        Self::Source
    }

    /// Whether values count that have nothing but a name to speak for them.
    pub(super) fn guesses(self) -> bool {
        self == Self::Source
    }
}

//! The role of a file, judged by its path: template, generated, test or source.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileRole {
    Source,
    /// Passwords in tests are made up; provider tokens still count.
    Test,
    /// Generated or full of hashes: only exact forms count.
    Generated,
    /// `.env.example` and the like hold no secrets by convention.
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

impl FileRole {
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

    /// Whether values count whose only evidence is a name.
    pub(super) fn guesses(self) -> bool {
        self == Self::Source
    }
}

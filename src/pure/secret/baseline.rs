//! The baseline: lists of known findings that other scanners write.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use memchr::memmem;
use std::collections::BTreeSet;

/// Known findings. Entries by place count for any rule, since every scanner has its own rule names.
#[derive(Debug, Clone, Default)]
pub(crate) struct Baseline {
    places: BTreeSet<(String, u32)>,
    files: GlobSet,
    values: Vec<Vec<u8>>,
}

impl Baseline {
    /// The paths of such lists in a project.
    pub const FILES: [&str; 5] =
        [".gitleaksignore", ".betterleaksignore", ".secrets.baseline", ".secretsignore", ".secretlintignore"];

    /// Reads all lists, each by its name. An invalid part allows nothing.
    pub fn read<'a>(lists: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Self {
        let mut baseline = Self::default();
        let mut globs = GlobSetBuilder::new();
        for (name, content) in lists {
            let text = String::from_utf8_lossy(content);
            match name {
                ".secrets.baseline" => baseline.hashed(&text),
                ".secretsignore" => baseline.patterns(&text, &mut globs),
                ".secretlintignore" => text.lines().for_each(|line| add(&mut globs, line)),
                _ => baseline.fingerprints(&text),
            }
        }
        baseline.files = globs.build().unwrap_or_default();
        baseline
    }

    pub(super) fn allows(&self, path: &str, line: u32, value: &[u8]) -> bool {
        self.files.is_match(path)
            || self.places.contains(&(path.to_owned(), line))
            || self.values.iter().any(|known| memmem::find(value, known).is_some())
    }

    /// `file:rule:line`, optionally after a commit.
    fn fingerprints(&mut self, text: &str) {
        for line in text.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
            let mut parts = line.rsplitn(3, ':');
            let (Some(number), Some(_rule), Some(file)) = (parts.next(), parts.next(), parts.next()) else {
                continue;
            };
            let file = file
                .split_once(':')
                .map_or(file, |(commit, file)| if is_commit(commit) { file } else { commit });
            if let Ok(number) = number.parse() {
                self.places.insert((file.to_owned(), number));
            }
        }
    }

    /// `{"results": {"file": [{"line_number": 1}]}}`
    fn hashed(&mut self, text: &str) {
        let Ok(list) = serde_json::from_str::<serde_json::Value>(text) else { return };
        let Some(files) = list.get("results").and_then(|results| results.as_object()) else { return };
        for (file, entries) in files {
            let numbers = entries
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|entry| entry.get("line_number")?.as_u64());
            let numbers = numbers.filter_map(|number| u32::try_from(number).ok());
            self.places.extend(numbers.map(|number| (file.clone(), number)));
        }
    }

    /// Globs, and under `[secrets]` values.
    fn patterns(&mut self, text: &str, globs: &mut GlobSetBuilder) {
        let mut in_values = false;
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            match line {
                "[secrets]" => in_values = true,
                value if in_values && value.len() >= 6 => self.values.push(value.as_bytes().to_vec()),
                _ if in_values => {}
                pattern => add(globs, pattern),
            }
        }
    }
}

fn is_commit(text: &str) -> bool {
    text.len() >= 7 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// As git reads its ignore files, as far as a glob can express it. Exceptions (`!`) are left out.
fn add(globs: &mut GlobSetBuilder, line: &str) {
    let line = line.trim();
    if line.is_empty() || line.starts_with(['#', '!']) {
        return;
    }
    let anchored = line.trim_end_matches('/').contains('/');
    let start = if anchored { "" } else { "**/" };
    let pattern = line.trim_matches('/');
    for end in ["", "/**"] {
        let glob = GlobBuilder::new(&format!("{start}{pattern}{end}")).literal_separator(true).build();
        glob.into_iter().for_each(|glob| {
            globs.add(glob);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_is_read_in_its_own_format() {
        let baseline = Baseline::read([
            (
                ".gitleaksignore",
                &b"# known\n0123abc:src/a.rs:generic-api-key:3\nsrc/b.rs:jwt:4\nnonsense\n"[..],
            ),
            (".secrets.baseline", br#"{"results": {"c.py": [{"line_number": 5}]}}"#),
            (".secretsignore", b"docs/*.md\n[secrets]\nnot-a-secret\n"),
            (".secretlintignore", b"vendor/\n!vendor/x\n"),
        ]);
        assert!(baseline.allows("src/a.rs", 3, b"v"));
        assert!(baseline.allows("src/b.rs", 4, b"v"));
        assert!(baseline.allows("c.py", 5, b"v"));
        assert!(baseline.allows("docs/a.md", 1, b"v"));
        assert!(baseline.allows("x", 1, b"this is not-a-secret"));
        assert!(baseline.allows("lib/vendor/y/z.js", 1, b"v"));
        assert!(!baseline.allows("src/a.rs", 4, b"v"));
        assert!(!baseline.allows("src/docs/a.md", 1, b"v"));
    }

    #[test]
    fn a_broken_list_allows_nothing() {
        let baseline =
            Baseline::read([(".secrets.baseline", &b"{"[..]), (".gitleaksignore", b"a:b"), ("x", b"\xff")]);
        assert!(!baseline.allows("a", 1, b"v"));
    }
}

//! The place of a finding: a file of the change, or none.

use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeSet;

/// The files that a reviewer was asked about.
#[derive(Debug, Clone, Default)]
pub(crate) struct Places {
    pub root: Utf8PathBuf,
    /// In the spelling of findings.
    pub changed: BTreeSet<String>,
}

impl Places {
    /// The changed file that the reviewer names, if it is one.
    pub(super) fn file(&self, named: &str) -> Option<String> {
        let path = Utf8Path::new(named);
        let inside = path.strip_prefix(&self.root).unwrap_or(path);
        let plain = inside.as_str().trim_start_matches("./");
        self.changed.get(plain).cloned()
    }
}

/// The first line number in a text: `around lines 14 - 17`, `at line 5`.
pub(super) fn line_in(text: &str) -> Option<u32> {
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        let bare = word.trim_matches(|c: char| !c.is_ascii_alphanumeric()).to_ascii_lowercase();
        if !matches!(bare.as_str(), "line" | "lines") {
            continue;
        }
        let next = words.clone().next().unwrap_or_default().trim_start_matches(|c: char| !c.is_ascii_digit());
        let digits: String = next.chars().take_while(char::is_ascii_digit).collect();
        if let Some(line) = digits.parse().ok().filter(|line| *line > 0) {
            return Some(line);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_file_of_the_change_is_a_place() {
        let places = Places { root: "/home/ada/p".into(), changed: ["src/a.rs".to_string()].into() };
        for named in ["src/a.rs", "./src/a.rs", "/home/ada/p/src/a.rs"] {
            assert_eq!(places.file(named).as_deref(), Some("src/a.rs"), "{named}");
        }
        for named in ["src/b.rs", "../p/src/a.rs", "/etc/passwd", "", "src/a.rs\u{1b}[2J", "/home/ada/p"] {
            assert_eq!(places.file(named), None, "{named}");
        }
    }

    #[test]
    fn a_line_is_taken_from_the_words_that_name_one() {
        for (text, line) in [
            ("In `@src/a.ts` around lines 14 - 17, the value", Some(14)),
            ("In src/a.ts at line 5, check it", Some(5)),
            ("Lines 10-12: remove", Some(10)),
            ("(line: 7)", Some(7)),
            ("the line above, then line 9", Some(9)),
            ("line 0", None),
            ("line 99999999999", None),
            ("inline 4", None),
            ("no number on this line", None),
        ] {
            assert_eq!(line_in(text), line, "{text}");
        }
    }
}

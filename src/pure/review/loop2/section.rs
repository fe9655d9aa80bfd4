//! One changed file in the reviewer's context.

use crate::pure::review::{GitPath, Pair, Side};

/// The part of a change that the context shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ShownPart {
    Whole,
    /// Counts and first lines, for the reason given.
    Summary(String),
    /// Only the name, for the reason given: there is no readable content.
    Name(String),
    /// Only the beginning: the change counts as not reviewed.
    Beginning(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Section {
    pub path: GitPath,
    pub status: &'static str,
    /// Bytes after the change.
    pub bytes: u64,
    pub added: usize,
    pub removed: usize,
    /// Lines of a unified diff.
    pub lines: Vec<String>,
    pub shown: ShownPart,
}

impl Section {
    pub fn new(pair: &Pair, bytes: u64, lines: Vec<String>, shown: ShownPart) -> Self {
        let (added, removed) = counts(&lines);
        Self { path: pair.path.clone(), status: status(pair), bytes, added, removed, lines, shown }
    }

    /// Whether the section shows the change.
    pub fn covers(&self) -> bool {
        !matches!(self.shown, ShownPart::Beginning(_))
    }

    /// The heading of the section.
    pub fn title(&self) -> String {
        let Self { path, status, bytes, added, removed, .. } = self;
        let note = match &self.shown {
            ShownPart::Whole => String::new(),
            ShownPart::Summary(why) => format!("; summary only: {why}"),
            ShownPart::Name(why) => format!("; {why}"),
            ShownPart::Beginning(why) => format!("; beginning only: {why}"),
        };
        format!("{path} ({status}, +{added} -{removed}, {bytes} bytes{note})")
    }
}

/// Added and removed lines, without the file header.
fn counts(lines: &[String]) -> (usize, usize) {
    let body = lines.iter().skip_while(|line| !line.starts_with("@@"));
    body.fold((0, 0), |(added, removed), line| match line.as_bytes().first() {
        Some(b'+') => (added + 1, removed),
        Some(b'-') => (added, removed + 1),
        _ => (added, removed),
    })
}

fn status(pair: &Pair) -> &'static str {
    const TYPE: u32 = 0o170_000;
    let kind = |side: &Side| side.mode & TYPE;
    match (&pair.old, &pair.new) {
        (None, Some(new)) if new.is_submodule() => "submodule added",
        (None, _) => "added",
        (Some(_), None) => "deleted",
        (Some(old), Some(new)) if kind(old) != kind(new) => "changed into another kind of file",
        (Some(old), Some(_)) if old.is_submodule() => "submodule moved",
        (Some(old), Some(new)) if old.id == new.id => "mode changed",
        (Some(_), Some(_)) => "modified",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::review::ObjectId;

    #[test]
    fn a_title_says_what_happened_to_the_file_and_how_much_of_it_is_shown() {
        let side = |mode, digit: &str| Some(Side { mode, id: ObjectId::parse(&digit.repeat(40)).unwrap() });
        let pair = |old, new| Pair { path: GitPath::new("a\nb"), old, new };
        let lines: Vec<String> =
            ["--- a", "+++ b", "@@ -1 +1,2 @@", "-x", "+y", "+--- z"].map(String::from).into();
        let section =
            Section::new(&pair(side(0o100_644, "1"), side(0o100_644, "2")), 9, lines, ShownPart::Whole);
        assert_eq!(section.title(), "a\\x0ab (modified, +2 -1, 9 bytes)");
        for (old, new, status) in [
            (None, side(0o100_644, "1"), "added"),
            (side(0o100_644, "1"), None, "deleted"),
            (side(0o100_644, "1"), side(0o100_755, "1"), "mode changed"),
            (side(0o100_644, "1"), side(0o120_000, "2"), "changed into another kind of file"),
            (side(0o160_000, "1"), side(0o160_000, "2"), "submodule moved"),
        ] {
            assert_eq!(Section::new(&pair(old, new), 0, Vec::new(), ShownPart::Whole).status, status);
        }
    }
}

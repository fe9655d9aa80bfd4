//! Counts and lists in a sentence.

use std::fmt::Display;

/// `1 file`, `2 files`.
pub fn counted(count: impl TryInto<u64>, noun: &str) -> String {
    let count: u64 = count.try_into().unwrap_or(u64::MAX);
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// How long ago something was: `just now`, `5 minutes ago`.
pub(crate) fn age(milliseconds: u64) -> String {
    let minutes = milliseconds / 60_000;
    let (count, unit) = match minutes {
        0 => return "just now".into(),
        minutes if minutes < 120 => (minutes, "minute"),
        minutes if minutes < 48 * 60 => (minutes / 60, "hour"),
        minutes => (minutes / (24 * 60), "day"),
    };
    format!("{} ago", counted(count, unit))
}

/// The first items: `a, b and 3 more`.
pub fn list<T: Display>(items: &[T], shown: usize) -> String {
    let first: Vec<String> = items.iter().take(shown).map(ToString::to_string).collect();
    and_more(first.join(", "), items.len().saturating_sub(shown))
}

pub(crate) fn and_more(text: String, more: usize) -> String {
    if more == 0 { text } else { format!("{text} and {more} more") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_singular_and_what_is_not_shown_is_counted() {
        assert_eq!([0, 1, 2].map(|count: usize| counted(count, "file")), ["0 files", "1 file", "2 files"]);
        assert_eq!(list(&["a", "b", "c"], 3), "a, b, c");
        assert_eq!(list(&["a", "b", "c"], 1), "a and 2 more");
        assert_eq!(list::<&str>(&[], 1), "");
    }
}

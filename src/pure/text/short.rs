//! Text within a limit.

/// At most so many characters, the last of them an ellipsis where text is missing.
pub fn cut(text: &str, longest: usize) -> String {
    if text.len() <= longest || text.chars().nth(longest).is_none() {
        return text.to_owned();
    }
    text.chars().take(longest.saturating_sub(1)).chain(['…']).collect()
}

/// The words with one space between them.
pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_includes_the_ellipsis() {
        assert_eq!(["abc", "äöüß"].map(|text| cut(text, 3)), ["abc", "äö…"]);
        assert_eq!((cut("", 0).as_str(), cut("a", 0).as_str()), ("", "…"));
        assert_eq!(one_line(" a\n\tb  c "), "a b c");
    }
}

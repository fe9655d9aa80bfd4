//! Text within a limit.

/// At most so many characters, the last of them an ellipsis where text is missing.
pub fn cut(text: &str, longest: usize) -> String {
    if text.len() <= longest || text.chars().nth(longest).is_none() {
        return text.to_owned();
    }
    text.chars().take(longest.saturating_sub(1)).chain(['…']).collect()
}

/// The words with one space between them, shortened to so many characters.
pub(crate) fn cut_line(text: &str, longest: usize) -> String {
    let mut line = String::with_capacity(longest.min(text.len()));
    for word in text.split_whitespace() {
        // No character takes more than four bytes.
        if line.len() > 4 * longest {
            break;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    if line.len() <= longest { line } else { cut(&line, longest) }
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
        assert_eq!(
            [" a\n b ", "ä  ö ü ß ö", "ab ".repeat(99).as_str()].map(|text| cut_line(text, 4)),
            ["a b", "ä ö…", "ab …"]
        );
    }
}

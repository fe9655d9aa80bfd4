//! Words as a POSIX shell reads them.

/// In single quotes, whatever the word is.
pub(crate) fn quoted(word: impl AsRef<str>) -> String {
    format!("'{}'", word.as_ref().replace('\'', r"'\''"))
}

/// As it is where the shell takes it literally, otherwise in single quotes.
pub fn quoted_where_needed(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,@%+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) { word.to_owned() } else { quoted(word) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_stays_one_word() {
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(["a/b", "", "a b", "$x"].map(quoted_where_needed), ["a/b", "''", "'a b'", "'$x'"]);
    }
}

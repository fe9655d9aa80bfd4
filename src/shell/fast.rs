//! The short way for a text of plain words, which is what most commands are.

use super::word::Word;

/// Words that change how the rest is read, so that only the parser may judge them.
const SPECIAL: &[&str] = &[
    "case", "coproc", "declare", "do", "done", "elif", "else", "esac", "export", "fi", "for", "foreach",
    "function", "if", "in", "local", "nocorrect", "noglob", "readonly", "repeat", "select", "then", "time",
    "typeset", "until", "while",
];

/// The words of a text that holds nothing but plain words and blanks.
pub(super) fn plain_words(text: &str) -> Option<Vec<Word>> {
    let mut previous = b' ';
    for byte in text.bytes() {
        let plain = match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => true,
            b'_' | b'-' | b'.' | b'/' | b':' | b',' | b'@' | b'%' | b'+' | b'=' | b' ' | b'\t' => true,
            b'~' | b'^' => !matches!(previous, b' ' | b'\t' | b'=' | b':'),
            _ => byte >= 0x80,
        };
        if !plain {
            return None;
        }
        previous = byte;
    }
    let mut words = text.split([' ', '\t']).filter(|word| !word.is_empty());
    let first = words.next()?;
    if first.contains('=') || SPECIAL.contains(&first) {
        return None;
    }
    let mut result = Vec::with_capacity(4);
    result.push(Word::plain(first));
    result.extend(words.map(Word::plain));
    Some(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_words_are_split_without_the_parser() {
        let words = plain_words("  git diff\tHEAD~1 -- src/é.rs ").unwrap();
        let texts: Vec<_> = words.iter().filter_map(Word::literal).collect();
        assert_eq!(texts, ["git", "diff", "HEAD~1", "--", "src/é.rs"]);
    }

    #[test]
    fn whatever_the_shell_would_interpret_goes_to_the_parser() {
        for text in [
            "ls *", "ls ~", "ls a=~", "a;b", "a&", "a|b", "a>b", "a<b", "$a", "`a`", "a\nb", "'a'", "\"a\"",
            "\\a", "a #b", "!a", "{a,b}", "[ a", "X=1 a", "if a", "time a", "export A=1", "a()", "", "  ",
            "a\r",
        ] {
            assert_eq!(plain_words(text), None, "{text:?}");
        }
    }
}

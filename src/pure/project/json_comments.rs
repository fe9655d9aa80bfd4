//! JSON without comments and trailing commas.

/// Removes comments and trailing commas. Line numbers stay.
pub(crate) fn without_comments(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    let mut in_string = false;
    while let Some(character) = rest.next() {
        match (in_string, character, rest.peek()) {
            (true, '\\', _) => {
                plain.push(character);
                plain.extend(rest.next());
            }
            (_, '"', _) => {
                in_string = !in_string;
                plain.push(character);
            }
            (false, '/', Some('/')) => while rest.next_if(|next| *next != '\n').is_some() {},
            (false, '/', Some('*')) => {
                let mut before = ' ';
                for next in rest.by_ref().skip(1) {
                    if next == '\n' {
                        plain.push(next);
                    }
                    if (before, next) == ('*', '/') {
                        break;
                    }
                    before = next;
                }
            }
            (false, '}' | ']', _) => {
                let end = plain.trim_end().len();
                if plain.get(..end).is_some_and(|so_far| so_far.ends_with(',')) {
                    plain.remove(end - 1);
                }
                plain.push(character);
            }
            (_, other, _) => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_trailing_commas_go_and_strings_stay() {
        for (text, plain) in [
            ("{\"a\": 1, // why\n}", "{\"a\": 1 \n}"),
            ("{/* x */\"a\": [1, 2,],}", "{\"a\": [1, 2]}"),
            (r#"{"url": "http://x, ]", "q": "\"//"}"#, r#"{"url": "http://x, ]", "q": "\"//"}"#),
            ("[1 /* a\nb **/, 2]", "[1 \n, 2]"),
            ("/* never closed", ""),
            ("{\"a\": \"never closed // x", "{\"a\": \"never closed // x"),
        ] {
            assert_eq!(without_comments(text), plain);
        }
    }
}

//! Fork bombs: functions that start themselves twice.

/// Whether the text defines a function that pipes into or backgrounds itself, and calls it.
pub(crate) fn is_fork_bomb(text: &str) -> bool {
    text.contains("()")
        && text.contains('&')
        && memchr::memchr_iter(b'{', text.as_bytes()).any(|brace| starts_itself_twice(text, brace))
}

/// Whether the brace opens such a function. Blanks do not count. Its body is not copied: the text may be long.
fn starts_itself_twice(text: &str, brace: usize) -> bool {
    let Some(before) = text.get(..brace).and_then(before_parentheses) else { return false };
    let body = text.get(brace + 1..).and_then(|after| after.split('}').next()).unwrap_or_default().as_bytes();
    if memchr::memchr(b'&', body).is_none() {
        return false;
    }
    let (mut start, mut earlier) = (0, None);
    let mut ends = memchr::memchr2_iter(b'|', b'&', body).chain([body.len()]);
    ends.any(|end| {
        let piece = body.get(start..end).unwrap_or_default();
        let separator = body.get(end).copied().unwrap_or(b'|');
        start = end + 1;
        let before_it = earlier.replace((piece, separator));
        // `name|name&`, `name&name&` or `name|name|`
        before_it.is_some_and(|(earlier, first)| {
            (first, separator) != (b'&', b'|') && is_twice(earlier, piece, before)
        })
    })
}

/// Whether one piece ends with the name at the end of `before`, and the other is that name.
fn is_twice(one: &[u8], other: &[u8], before: &str) -> bool {
    if other.trim_ascii().is_empty() {
        return false;
    }
    let name_start = before.rfind([';', '&', '|', '{', '}', '(']).map_or(0, |separator| separator + 1);
    let name: String = before.get(name_start..).unwrap_or_default().split_ascii_whitespace().collect();
    let name = name.trim_start_matches("function").as_bytes();
    let mut from_behind = dense(one).rev();
    !name.is_empty()
        && dense(other).eq(name)
        && name.iter().rev().all(|byte| from_behind.next() == Some(byte))
}

fn before_parentheses(text: &str) -> Option<&str> {
    text.trim_ascii_end().strip_suffix(')')?.trim_ascii_end().strip_suffix('(')
}

fn dense(text: &[u8]) -> impl DoubleEndedIterator<Item = &u8> {
    text.iter().filter(|byte| !byte.is_ascii_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_that_starts_itself_twice_is_a_fork_bomb() {
        for bomb in [
            ":(){ :|:& };:",
            "bomb() { bomb | bomb & }; bomb",
            ":(){:|:&};:",
            "f(){ f & f & }; f",
            "f ( )\n{ echo; f\n|f|cat & } # ()",
        ] {
            assert!(is_fork_bomb(bomb), "{bomb}");
        }
    }

    #[test]
    fn an_ordinary_function_is_not() {
        for honest in [
            "build() { make; }; build &",
            "f() { g | h & }; f",
            "echo '(){' &",
            "retry() { retry_once && wait; }",
            "f() { f && wait; }; f",
            "f() { f & f; }; f",
            "f() { g_f | fg & }; f",
        ] {
            assert!(!is_fork_bomb(honest), "{honest}");
        }
    }
}

//! Brace expansion: `{a,b}` and `{1..3}` to the words they stand for, as source text.

/// More words than this are not written out.
const MAX_WORDS: usize = 64;
/// Longer words are not looked into, nor words with more braces: each is followed to its end.
const MAX_BYTES: usize = 4096;
const MAX_BRACES: usize = 256;

/// The texts that a word of source text stands for; nothing if they are too many.
pub(super) fn expand(raw: &str) -> Option<Vec<String>> {
    if raw.len() > MAX_BYTES || memchr::memchr_iter(b'{', raw.as_bytes()).count() > MAX_BRACES {
        return None;
    }
    let mut pending = vec![raw.to_owned()];
    let mut done = Vec::new();
    while let Some(text) = pending.pop() {
        let Some((open, close, choices)) = first_braces(&text) else {
            done.push(text);
            continue;
        };
        let (before, after) = (text.get(..open)?, text.get(close + 1..)?);
        if pending.len() + done.len() + choices.len() > MAX_WORDS {
            return None;
        }
        pending.extend(choices.iter().rev().map(|choice| format!("{before}{choice}{after}")));
    }
    Some(done)
}

/// The first braces that expand: where they open and close, and their choices.
fn first_braces(text: &str) -> Option<(usize, usize, Vec<String>)> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b'\'' | b'"' => at = quote_end(bytes, at),
            b'$' if bytes.get(at + 1) == Some(&b'{') => at = bracket_end(bytes, at + 1).unwrap_or(at + 1),
            b'{' => {
                if let Some(close) = bracket_end(bytes, at)
                    && let Some(choices) = choices(text.get(at + 1..close)?)
                {
                    return Some((at, close, choices));
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

fn quote_end(bytes: &[u8], open: usize) -> usize {
    let quote = bytes.get(open).copied();
    let mut at = open + 1;
    while let Some(&byte) = bytes.get(at) {
        if Some(byte) == quote {
            break;
        }
        at += if byte == b'\\' && quote == Some(b'"') { 2 } else { 1 };
    }
    at
}

fn bracket_end(bytes: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    let mut at = open;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b'\'' | b'"' => at = quote_end(bytes, at),
            b'{' => depth += 1,
            b'}' if depth == 1 => return Some(at),
            b'}' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    None
}

fn choices(inside: &str) -> Option<Vec<String>> {
    let bytes = inside.as_bytes();
    let (mut parts, mut start, mut at, mut depth) = (Vec::new(), 0, 0, 0usize);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b'\'' | b'"' => at = quote_end(bytes, at),
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                parts.push(inside.get(start..at)?.to_owned());
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    if parts.is_empty() {
        return sequence(inside);
    }
    parts.push(inside.get(start..)?.to_owned());
    Some(parts)
}

fn sequence(inside: &str) -> Option<Vec<String>> {
    let (first, last) = inside.split_once("..")?;
    if let (Ok(first), Ok(last)) = (first.parse::<i32>(), last.parse::<i32>()) {
        let range = first.min(last)..=first.max(last);
        let count = usize::try_from(i64::from(*range.end()) - i64::from(*range.start())).ok()?;
        return Some(range.take(count.min(MAX_WORDS) + 1).map(|number| number.to_string()).collect());
    }
    let single = |text: &str| text.chars().next().filter(|c| c.is_ascii_alphabetic() && text.len() == 1);
    let (first, last) = (single(first)?, single(last)?);
    Some((first.min(last)..=first.max(last)).map(String::from).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_sequences_are_written_out_in_order() {
        assert_eq!(expand("/{bin,etc}/x").unwrap(), ["/bin/x", "/etc/x"]);
        assert_eq!(expand("{a,b{c,d}}").unwrap(), ["a", "bc", "bd"]);
        assert_eq!(expand("{1..3}").unwrap(), ["1", "2", "3"]);
        assert_eq!(expand("{a..c}z").unwrap(), ["az", "bz", "cz"]);
        assert_eq!(expand("{a,b}{c,d}").unwrap(), ["ac", "ad", "bc", "bd"]);
    }

    #[test]
    fn what_is_quoted_or_no_list_stays() {
        for text in ["{}", "{a}", "'{a,b}'", "\"{a,b}\"", "\\{a,b}", "${x,y}", "{a..", "{é..ü}"] {
            assert_eq!(expand(text).unwrap(), [text]);
        }
    }

    #[test]
    fn explosions_are_given_up() {
        assert_eq!(expand(&"{a,b}".repeat(60)), None);
        assert_eq!(expand(&"{a,".repeat(1_000)), None);
        assert_eq!(expand(&format!("{}{{b,c}}", "a".repeat(5_000))), None);
        assert_eq!(expand("{1..1000000}"), None);
        assert_eq!(expand("{-2147483648..2147483647}"), None);
    }
}

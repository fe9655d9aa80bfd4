//! Texts that the parser would take too long for, or too much stack: what its own limits do not cover.

/// Expansions inside expansions. Where they are unclosed, the parser's work doubles with every one.
const MAX_EXPANSIONS: usize = 12;
/// `case … in` inside `case … in`, to the same effect.
const MAX_CASES: usize = 12;
/// How far behind `case` its `in` is looked for.
const MAX_WORD: usize = 200;
/// Other brackets open at once; the parser's work grows with their square.
const MAX_BRACKETS: usize = 200;
/// `time` and `coproc` in a row, for each of which the parser calls itself.
const MAX_PREFIXES: usize = 100;

/// Whether the text must not be given to the parser.
pub(super) fn is_too_deep(text: &str) -> bool {
    has_nested_expansions(text.as_bytes())
        || has_open_brackets(text, "{", "}")
        || has_open_brackets(text, "((", "))")
        || has_endless_prefix(text)
        || has_nested_cases(text)
}

/// An expansion that is open, and the quote in it that is.
struct Open {
    end: u8,
    quote: Option<u8>,
}

/// Counts every opening, but only those endings that stand in no quote, so that no quote hides how deep it goes.
fn has_nested_expansions(text: &[u8]) -> bool {
    let mut open: Vec<Open> = Vec::new();
    let mut rest = text;
    while open.len() <= MAX_EXPANSIONS {
        if open.is_empty() {
            let Some(at) = memchr::memchr(b'$', rest) else { return false };
            rest = rest.get(at..).unwrap_or_default();
        }
        let Some((&byte, after)) = rest.split_first() else { return false };
        rest = after;
        let end = match (byte, after.first()) {
            (b'$', Some(b'{')) => Some(b'}'),
            (b'$', Some(b'(')) => Some(b')'),
            _ => None,
        };
        if let Some(end) = end {
            open.push(Open { end, quote: None });
            rest = after.get(1..).unwrap_or_default();
            continue;
        }
        let Some(inner) = open.last_mut() else { continue };
        match (byte, inner.quote) {
            (b'\\', _) => rest = after.get(1..).unwrap_or_default(),
            (b'\'' | b'"', None) => inner.quote = Some(byte),
            (_, Some(quote)) if byte == quote => inner.quote = None,
            (_, None) if byte == inner.end => drop(open.pop()),
            (b'(', None) if inner.end == b')' => open.push(Open { end: b')', quote: None }),
            _ => {}
        }
    }
    true
}

fn has_open_brackets(text: &str, opening: &str, closing: &str) -> bool {
    let mut openings = memchr::memmem::find_iter(text.as_bytes(), opening);
    if openings.by_ref().take(MAX_BRACKETS + 1).count() <= MAX_BRACKETS {
        return false;
    }
    let mut closings = memchr::memmem::find_iter(text.as_bytes(), closing).peekable();
    let mut open = 0usize;
    memchr::memmem::find_iter(text.as_bytes(), opening).any(|at| {
        while closings.next_if(|closed| *closed < at).is_some() {
            open = open.saturating_sub(1);
        }
        open += 1;
        open > MAX_BRACKETS
    })
}

fn has_endless_prefix(text: &str) -> bool {
    let count = |word: &str| memchr::memmem::find_iter(text.as_bytes(), word).take(MAX_PREFIXES + 1).count();
    if count("time") + count("coproc") <= MAX_PREFIXES {
        return false;
    }
    let mut row = 0;
    text.lines().any(|line| {
        for word in line.split_ascii_whitespace().take_while(|word| !word.starts_with('#')) {
            match word {
                "time" | "coproc" => row += 1,
                "-p" | "--" | "!" | "\\" => {}
                _ => row = 0,
            }
            if row > MAX_PREFIXES {
                return true;
            }
        }
        false
    })
}

fn has_nested_cases(text: &str) -> bool {
    let count = |word: &str| memchr::memmem::find_iter(text.as_bytes(), word).take(MAX_CASES + 1).count();
    if count("case") <= MAX_CASES {
        return false;
    }
    let mut open = 0usize;
    let mut from = 0;
    let next = |from: usize| Some(from + memchr::memchr2(b'c', b'e', text.as_bytes().get(from..)?)?);
    while let Some(at) = next(from) {
        let rest = text.get(at..).unwrap_or_default();
        from = at + 1;
        if rest.starts_with("esac") {
            open = open.saturating_sub(1);
        } else if let Some(after) = rest.strip_prefix("case") {
            // Prose has the word, too, but seldom `in` next but one, or behind it on the same line.
            let near = after.as_bytes().get(..MAX_WORD).unwrap_or(after.as_bytes());
            let line = near.split(|byte| *byte == b'\n').next().unwrap_or_default();
            let next_but_one = after.split_ascii_whitespace().nth(1);
            open += usize::from(next_but_one == Some("in") || memchr::memmem::find(line, b" in").is_some());
        }
        if open > MAX_CASES {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_closed_again_may_be_repeated() {
        for piece in [
            "${x:-$(a \"$b\")} ",
            "{ a; }; ",
            "((a)); ",
            "time a\n",
            "a '${' ",
            "$(a \")\" ')') ",
            "case $x in a) b;; esac\n",
            "just in case of it\n",
        ] {
            let text = piece.repeat(if piece.contains("'${'") { 5 } else { 3_000 });
            assert!(!is_too_deep(&text), "{piece}");
        }
    }

    #[test]
    fn what_is_open_may_not() {
        for piece in [
            "${x\"}\"", "x=(${x$(", "${x#\"", "\"}\"${x'", "((;;", "{a,", "time ", "$((\"", "(case x in *",
            "x=($(()",
        ] {
            assert!(is_too_deep(&piece.repeat(300)), "{piece}");
        }
    }
}

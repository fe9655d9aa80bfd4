//! Whether a text that does not parse merely ends too early. A shell runs nothing of a construct that it never saw the
//! end of, so this must not be said of a text that a shell would take as complete: whatever is unusual is in doubt.

use shuck_parser::parser::ParseResult;

/// The missing end of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lack {
    /// The end of a quote or an expansion; where the line begins in which that begins.
    Closing { line: usize },
    /// Nothing, as far as quotes and brackets go.
    Nothing,
    /// It is too unusual to tell.
    Doubt,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    Single,
    Ansi,
    Double,
    Backtick,
    /// `$(`, `<(`, `>(` or a subshell: commands again.
    Commands,
    /// `${`, as long as there is no quote in it.
    Parameter,
}

/// Brackets and quotes open at once beyond this are not followed.
const MAX_OPEN: usize = 1024;

/// Reads quotes, expansions and comments the way a shell does.
fn lack(text: &str) -> Lack {
    let mut open: Vec<Open> = Vec::new();
    let mut rest = text.as_bytes();
    let mut at_word_start = true;
    let mut line = 0;
    let mut bodies: Vec<Delimiter<'_>> = Vec::new();
    while let Some((&byte, mut after)) = rest.split_first() {
        let next = after.first().copied();
        let starts_word = std::mem::replace(&mut at_word_start, false);
        match (open.last().copied(), byte) {
            (Some(Open::Single), b'\'')
            | (Some(Open::Ansi), b'\'')
            | (Some(Open::Double), b'"')
            | (Some(Open::Backtick), b'`')
            | (Some(Open::Commands), b')')
            | (Some(Open::Parameter), b'}') => {
                open.pop();
            }
            (Some(Open::Single), _) => {}
            (_, b'\\') => after = after.get(1..).unwrap_or_default(),
            (Some(Open::Ansi | Open::Backtick), _) => {}
            (Some(Open::Parameter), b'\'' | b'"') => return Lack::Doubt,
            (_, b'`') => open.push(Open::Backtick),
            (within, b'$') => {
                let opened = match next {
                    Some(b'(') => Open::Commands,
                    Some(b'{') => Open::Parameter,
                    Some(b'\'') if within != Some(Open::Double) => Open::Ansi,
                    Some(b'[') => return Lack::Doubt,
                    _ => {
                        rest = after;
                        continue;
                    }
                };
                open.push(opened);
                after = after.get(1..).unwrap_or_default();
                at_word_start = opened == Open::Commands;
                if at_word_start && matches!(after.first(), Some(b'(' | b'#')) {
                    return Lack::Doubt;
                }
            }
            (_, b'"') => open.push(Open::Double),
            (Some(Open::Double | Open::Parameter), _) => {}
            (None | Some(Open::Commands), b'\'') => open.push(Open::Single),
            // `((`, a pattern, an array, a function: brackets with other rules inside.
            (None | Some(Open::Commands), b'(') if !starts_word || matches!(next, Some(b'(' | b'#')) => {
                return Lack::Doubt;
            }
            (None | Some(Open::Commands), b'(') => {
                open.push(Open::Commands);
                at_word_start = true;
            }
            (None, b')') => return Lack::Doubt,
            // Nothing behind a substitution that never ends is run, whatever its here-documents hold.
            (Some(Open::Commands), b'<') if next == Some(b'<') && after.get(1) != Some(&b'<') => {
                let Some((delimiter, behind)) = Delimiter::read(after.get(1..).unwrap_or_default()) else {
                    return Lack::Doubt;
                };
                bodies.push(delimiter);
                after = behind;
            }
            (Some(Open::Commands), b'\n') if !bodies.is_empty() => {
                for delimiter in bodies.drain(..) {
                    after = delimiter.behind_body(after);
                }
                at_word_start = true;
            }
            // The body of a here-document has quotes of its own, a pattern of `case` a bracket.
            (None | Some(Open::Commands), b'<' | b'>') => match next {
                Some(b'<' | b'#') => return Lack::Doubt,
                _ => at_word_start = true,
            },
            (None | Some(Open::Commands), b'c') if starts_word && rest.starts_with(b"case") => {
                return Lack::Doubt;
            }
            (None | Some(Open::Commands), b'#') if starts_word => {
                let end = memchr::memchr(b'\n', after).unwrap_or(after.len());
                after = after.get(end..).unwrap_or_default();
            }
            (None, b'\n') => {
                at_word_start = true;
                line = text.len() - after.len();
            }
            (None | Some(Open::Commands), b' ' | b'\t' | b'\n' | b';' | b'&' | b'|') => at_word_start = true,
            (None | Some(Open::Commands), _) => {}
        }
        if open.len() > MAX_OPEN {
            return Lack::Doubt;
        }
        rest = after;
    }
    if open.is_empty() { Lack::Nothing } else { Lack::Closing { line } }
}

/// The word that ends a here-document.
struct Delimiter<'t> {
    word: &'t [u8],
    indented: bool,
}

impl<'t> Delimiter<'t> {
    /// Reads it behind `<<`; nothing where it is unusual.
    fn read(text: &'t [u8]) -> Option<(Self, &'t [u8])> {
        let (indented, text) = match text.strip_prefix(b"-") {
            Some(text) => (true, text),
            None => (false, text),
        };
        let text = text.trim_ascii_start();
        let (word, behind) = match text.split_first()? {
            (quote @ (b'\'' | b'"'), rest) => {
                let end = memchr::memchr(*quote, rest)?;
                (rest.get(..end)?, rest.get(end + 1..)?)
            }
            _ => text.split_at(text.iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')?),
        };
        let plain = !word.is_empty() && word.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        plain.then_some((Self { word, indented }, behind))
    }

    /// The text after the body; nothing if the body never ends.
    fn behind_body(&self, mut text: &'t [u8]) -> &'t [u8] {
        while !text.is_empty() {
            let end = memchr::memchr(b'\n', text).unwrap_or(text.len());
            let (line, rest) = text.split_at(end);
            text = rest.get(1..).unwrap_or_default();
            let line = if self.indented { line.trim_ascii_start() } else { line };
            if line == self.word {
                return rest;
            }
        }
        text
    }
}

/// A change that completes an unfinished text, so that it holds everything that a shell would run of it.
#[derive(Debug, Clone, Copy)]
pub(in crate::pure::shell) enum Remedy {
    /// Leave out the line whose quote or expansion never ends, which begins here.
    Cut(usize),
    /// Close the compound command that it ends in. A shell runs nothing of that; to list it all the same is for the
    /// case that a shell sees its end where the parser does not.
    Append(&'static str),
}

/// Whether all that the parser missed is the end of what the text ends in.
pub(super) fn unfinished(text: &str, result: &ParseResult) -> Option<Remedy> {
    let [only] = result.diagnostics.as_slice() else { return None };
    let complete = result.file.body.iter().last().map_or(0, |statement| statement.span.end.offset());
    let (before, rest) = text.split_at_checked(complete)?;
    // The statements of a line end before the here-documents that belong to it.
    let last_line = before.trim_end_matches('\n').rsplit('\n').next().unwrap_or(before);
    let behind = text.get(only.span.end.offset()..).unwrap_or_default();
    if !runs_nothing(behind) || last_line.contains("<<") || !begins_line(before, rest) {
        return None;
    }
    match (lack(rest), closing(&only.message)) {
        (Lack::Closing { .. }, Some(SUBSHELL_END)) => Some(Remedy::Append(SUBSHELL_END)),
        (Lack::Closing { line }, _) if only.message.contains("unterminated") => {
            Some(Remedy::Cut(complete + line))
        }
        (Lack::Nothing, Some(closing)) => Some(Remedy::Append(closing)),
        (Lack::Closing { .. } | Lack::Nothing | Lack::Doubt, _) => None,
    }
}

/// Whether a line ended between the two, at most with a comment.
fn begins_line(before: &str, rest: &str) -> bool {
    let first_line = rest.split('\n').next().unwrap_or(rest).trim_start();
    before.is_empty() || before.ends_with('\n') || first_line.is_empty() || first_line.starts_with('#')
}

/// Whether there are only comments and empty lines.
fn runs_nothing(text: &str) -> bool {
    text.lines().map(str::trim_start).all(|line| line.is_empty() || line.starts_with('#'))
}

const SUBSHELL_END: &str = "\n)";

/// The text that has to follow, by the parser's complaint.
fn closing(missed: &str) -> Option<&'static str> {
    const CLOSINGS: [(&str, &str); 10] = [
        ("syntax error: empty", "\n:"),
        ("expected 'fi'", "\nfi"),
        ("expected 'then'", "\nthen :"),
        ("expected 'done'", "\ndone"),
        ("expected 'do'", "\ndo :"),
        ("expected 'esac'", "\nesac"),
        ("expected '}'", "\n}"),
        ("expected ')'", SUBSHELL_END),
        ("expected command", "\n:"),
        ("unexpected end of input in [[ ]]", " ]]"),
    ];
    CLOSINGS.iter().find(|(start, _)| missed.starts_with(start)).map(|(_, closing)| *closing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_open_at_the_end_is_told_from_what_is_closed() {
        for text in [
            "a 'b", "a \"b", "a \"b \\\"", "a $(b", "a $(b 'c)'", "a `b", "a ${b", "a $'b\\'", "a \"$(b\"",
            "a # 'x'\nb 'c", "(a; b", "a \"it's", "a <(b", "x='a' y=\"b", "a \"b `c\"` d",
        ] {
            assert!(matches!(lack(text), Lack::Closing { .. }), "{text}");
        }
        for text in [
            "a", "a 'b'", "a \"b\"", "a \\'", "a # it's", "a $(b \"c)\")", "a `b '`", "a$# 'b'", "a \"'\" b",
            "(a)", "a#'b'",
        ] {
            assert_eq!(lack(text), Lack::Nothing, "{text}");
        }
        for text in [
            "a ${b#'}", "cat <<E\n'", "$((1", "f(", "a )", "case x in '", "$[1", "ls @(#a) '", ">#'",
            "\"${x:-'}\" '", "[[ a =~ (#'",
        ] {
            assert_eq!(lack(text), Lack::Doubt, "{text}");
        }
    }
}

//! Names of programs that are spelled so as not to be read: `/bin/r?`, `r${nothing}m`.

use super::word::WordPart;

/// Programs that somebody may want to hide.
const HIDDEN: [&str; 22] = [
    "rm", "dd", "sh", "bash", "cat", "nc", "ncat", "curl", "wget", "chmod", "chown", "mv", "cp", "find",
    "git", "perl", "python3", "shred", "mkfs", "sudo", "xargs", "base64",
];
const FOLDERS: [&str; 5] = ["/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/", "/usr/local/bin/"];

/// The program that a pattern with a path finds, or that a name is once what nobody set is left out.
pub(super) fn seen_through(parts: &[WordPart]) -> Option<&'static str> {
    let mut text = String::new();
    let mut is_pattern = false;
    for part in parts {
        match part {
            WordPart::Literal(piece) => text.push_str(piece),
            WordPart::Glob(piece) => {
                is_pattern = true;
                text.push_str(piece);
            }
            WordPart::Variable(_) => {}
            _ => return None,
        }
    }
    if is_pattern {
        let found = |name: &&&str| {
            FOLDERS.iter().any(|folder| matches(text.as_bytes(), format!("{folder}{name}").as_bytes()))
        };
        return text.starts_with('/').then(|| HIDDEN.iter().find(found).copied()).flatten();
    }
    let whole = matches!(parts, [WordPart::Literal(_), .., WordPart::Literal(_)]);
    HIDDEN.iter().find(|name| whole && **name == text).copied()
}

/// Whether a pattern of `*`, `?` and `[…]` fits a path; no part of it fits a slash.
fn matches(pattern: &[u8], text: &[u8]) -> bool {
    let (mut at, mut seen) = (0, 0);
    let mut star = None;
    while let Some(byte) = text.get(seen) {
        let rest = pattern.get(at..).unwrap_or_default();
        match one(rest, *byte) {
            Some(length) => {
                at += length;
                seen += 1;
            }
            None if rest.first() == Some(&b'*') => {
                star = Some((at, seen));
                at += 1;
            }
            None => match star {
                Some((from, taken)) if text.get(taken).is_some_and(|byte| *byte != b'/') => {
                    star = Some((from, taken + 1));
                    at = from + 1;
                    seen = taken + 1;
                }
                _ => return false,
            },
        }
    }
    pattern.get(at..).unwrap_or_default().iter().all(|byte| *byte == b'*')
}

/// How much of the pattern stands for this one byte.
fn one(pattern: &[u8], byte: u8) -> Option<usize> {
    match pattern.first()? {
        b'*' => None,
        b'?' => (byte != b'/').then_some(1),
        b'[' => {
            let end = pattern.iter().skip(2).position(|each| *each == b']')? + 2;
            let set = pattern.get(1..end)?;
            let (set, negated) = match set {
                [b'!' | b'^', rest @ ..] => (rest, true),
                rest => (rest, false),
            };
            let range = |three: &[u8]| matches!(three, [low, b'-', high] if (*low..=*high).contains(&byte));
            let inside = set.contains(&byte) || set.windows(3).any(range);
            (inside != negated && byte != b'/').then_some(end + 1)
        }
        literal => (*literal == byte).then_some(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(text: &str) -> Option<&'static str> {
        seen_through(&[WordPart::Glob(text.to_owned())])
    }

    #[test]
    fn a_pattern_is_the_program_that_it_finds() {
        for text in ["/bin/r?", "/bin/r[m]", "/???/rm", "/u*/b*/rm", "/bin/r[a-m]"] {
            assert_eq!(pattern(text), Some("rm"), "{text}");
        }
        for text in ["./target/debug/*", "/usr/bin/python3.*", "/opt/*/bin/tool", "/*", "/bin/r[!m]"] {
            assert_eq!(pattern(text), None, "{text}");
        }
    }

    #[test]
    fn what_nobody_set_is_left_out_of_a_name() {
        let literal = |text: &str| WordPart::Literal(text.to_owned());
        let nothing = WordPart::Variable("x".to_owned());
        assert_eq!(seen_through(&[literal("r"), nothing.clone(), literal("m")]), Some("rm"));
        assert_eq!(seen_through(&[literal("sh"), nothing]), None);
    }
}

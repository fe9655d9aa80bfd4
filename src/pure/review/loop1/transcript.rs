//! The output of a check, safe to show and store: no escape sequences, no secrets, bounded.

use std::iter::Peekable;
use std::str::Chars;

const LINE: usize = 500;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Transcript(String);

/// A line that must not be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Withheld {
    /// Counted from 1.
    pub line: u32,
    pub because: String,
}

impl Transcript {
    /// The text that a terminal would show in the end, without control sequences.
    pub fn read(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let lines = text.split_inclusive('\n').map(|line| {
            let (body, end) = line.strip_suffix('\n').map_or((line, ""), |body| (body, "\n"));
            // A carriage return starts the line over: progress bars.
            let last = body.trim_end_matches('\r').rsplit('\r').next().unwrap_or_default();
            printable(last) + end
        });
        Self(lines.collect())
    }

    pub fn text(&self) -> &str {
        &self.0
    }

    /// Removes the given lines, and the given values everywhere.
    pub fn without(&self, lines: &[Withheld], values: &[&str]) -> Self {
        let mut key_block = false;
        let kept = (1..).zip(self.0.split_inclusive('\n')).map(|(number, line)| {
            let withheld = lines.iter().find(|withheld| withheld.line == number);
            key_block |= withheld.is_some() && line.contains("-----BEGIN");
            let hidden = withheld.is_some() || key_block;
            key_block &= !line.contains("-----END");
            match (withheld, hidden) {
                (Some(withheld), _) => format!("[line left out: {}]\n", withheld.because),
                (None, true) => String::new(),
                (None, false) => line.into(),
            }
        });
        let text: String = kept.collect();
        Self(values.iter().fold(text, |text, value| text.replace(value, "[left out]")))
    }

    /// Changes the text before it is shortened.
    pub fn reworded(&self, reword: impl FnOnce(&str) -> String) -> Self {
        Self(reword(&self.0))
    }

    /// The last lines that are not blank, within both limits; long lines are cut.
    pub fn end(&self, lines: usize, bytes: usize) -> String {
        let mut room = bytes;
        let fits = |line: &&str| {
            let left = room.checked_sub(line.len() + 1);
            room = left.unwrap_or_default();
            left.is_some()
        };
        let filled = self.0.lines().rev().map(clipped).filter(|line| !line.is_empty());
        let mut end: Vec<&str> = filled.take(lines).take_while(fits).collect();
        end.reverse();
        end.join("\n")
    }
}

fn clipped(line: &str) -> &str {
    line.get(..line.floor_char_boundary(LINE)).unwrap_or_default().trim_end()
}

fn printable(line: &str) -> String {
    let mut kept = String::with_capacity(line.len());
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\u{1b}' => skip_escape(&mut characters),
            '\t' => kept.push(character),
            // Overrides of the writing direction make a line read as something else.
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {}
            other if other.is_control() => {}
            other => kept.push(other),
        }
    }
    kept
}

fn skip_escape(characters: &mut Peekable<Chars<'_>>) {
    match characters.next() {
        Some('[') => {
            characters.find(|c| ('@'..='~').contains(c));
        }
        Some(']' | 'P' | 'X' | '^' | '_') => {
            characters.find(|c| matches!(c, '\u{7}' | '\u{1b}'));
            characters.next_if_eq(&'\\');
        }
        Some(_) | None => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_can_be_read_remains() {
        for (raw, shown) in [
            (&b"\x1b[31mred\x1b[0m text\n"[..], "red text\n"),
            (b"10%\r50%\r100%\r\nnext", "100%\nnext"),
            (b"\x1b]0;title\x07a\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "alink"),
            (b"\x1b]never closed\nnext", "\nnext"),
            (b"bell\x07 nul\0 tab\t \xff", "bell nul tab\t \u{fffd}"),
            ("safe\u{202e}live".as_bytes(), "safelive"),
        ] {
            assert_eq!(Transcript::read(raw).text(), shown);
        }
    }

    #[test]
    fn a_line_with_a_secret_and_a_whole_private_key_are_left_out() {
        let transcript =
            Transcript::read(b"a\ntoken abc\n-----BEGIN KEY-----\nbody\n-----END KEY-----\nvalue v4lu3\n");
        let line = |line| Withheld { line, because: "looks like a token".into() };
        assert_eq!(
            transcript.without(&[line(2), line(3)], &["v4lu3"]).text(),
            "a\n[line left out: looks like a token]\n[line left out: looks like a token]\nvalue [left out]\n"
        );
    }

    #[test]
    fn the_end_is_bounded_in_lines_and_in_bytes() {
        let transcript = Transcript::read(b"one\n\ntwo  \nthree\n\n");
        assert_eq!(transcript.end(2, 100), "two\nthree");
        assert_eq!(transcript.end(9, 10), "two\nthree");
        assert_eq!(transcript.end(9, 9), "three");
        assert_eq!(transcript.end(9, 3), "");
        assert_eq!(Transcript::read("ü".repeat(1_000_000).as_bytes()).end(9, 1000), "ü".repeat(250));
    }
}

//! One thing that is wrong in a configuration file, and where.

use std::fmt;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub file: String,
    /// Counted from 1; 0 where the file as a whole is meant.
    pub line: u64,
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, printable(&self.message))
    }
}

/// The text with every character spelt out that could move the cursor, hide text or turn it around.
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\u{ad}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}' => {
                shown.extend(c.escape_unicode());
            }
            c if c.is_control() => shown.extend(c.escape_unicode()),
            c => shown.push(c),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_message_can_steer_the_terminal() {
        assert_eq!(printable("ümlaut \u{1b}[2J \u{202e}x"), "ümlaut \\u{1b}[2J \\u{202e}x");
    }
}

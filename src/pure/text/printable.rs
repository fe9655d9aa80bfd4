//! Text of others, safe for a terminal.

/// The text with every character escaped that could move the cursor, hide text or reverse it.
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c.is_control() || is_hidden(c) {
            true => shown.extend(c.escape_unicode()),
            false => shown.push(c),
        }
    }
    shown
}

/// The text on one line: a space for every control character. For records and messages, where an escape would be noise.
pub(crate) fn spaced(text: &str) -> String {
    text.replace(char::is_control, " ")
}

/// Whether a character hides text or reverses its direction.
pub(crate) fn is_hidden(character: char) -> bool {
    matches!(
        character,
        '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_message_can_steer_the_terminal() {
        assert_eq!(printable("ümlaut \u{1b}[2J \u{202e}x"), "ümlaut \\u{1b}[2J \\u{202e}x");
        assert_eq!(spaced("a\r\n\u{1b}b"), "a   b");
    }
}

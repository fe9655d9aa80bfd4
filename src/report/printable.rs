//! Text of others, made fit for a terminal.

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

//! Text from outside: made safe to store and show.

use super::loop1::Transcript;

/// Removes escape sequences, and cuts the text to at most `limit` bytes.
pub(crate) fn sanitize(text: &str, limit: usize) -> String {
    let plain = Transcript::read(text.as_bytes());
    let plain = plain.text().trim();
    match plain.get(..plain.floor_char_boundary(limit)) {
        Some(kept) if kept.len() < plain.len() => format!("{}…", kept.trim_end()),
        _ => plain.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_steers_a_terminal_and_nothing_is_endless() {
        assert_eq!(sanitize(" a\u{1b}[2J\u{202e}b\r\n", 100), "ab");
        assert_eq!(sanitize("üüü", 3), "ü…");
        assert_eq!(sanitize("", 3), "");
    }
}

//! Text of others, made fit for a markdown page: it neither formats nor mentions anybody.

pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '@' => safe.push_str("&#64;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '(' | ')' | '#' | '|' | '!' | '~' => {
                safe.push('\\');
                safe.push(character);
            }
            other if other.is_control() => safe.push(' '),
            other => safe.push(other),
        }
    }
    crate::pure::text::printable(&safe)
}

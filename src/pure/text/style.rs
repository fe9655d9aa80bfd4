//! Text for people at a terminal: colours, symbols, aligned columns.
//!
//! Colours are escape sequences; whoever prints takes them out where they do not belong. No meaning depends on them.

use unicode_width::UnicodeWidthChar;

const END: &str = "\u{1b}[0m";

/// The tone of a line about its subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Tone {
    Good,
    Caution,
    Bad,
    Neutral,
}

impl Tone {
    /// One character in the colour of the tone.
    pub fn symbol(self) -> String {
        let symbol = match self {
            Self::Good => "✓",
            Self::Caution => "!",
            Self::Bad => "✗",
            Self::Neutral => "·",
        };
        self.paint(symbol)
    }

    pub fn paint(self, text: &str) -> String {
        let colour = match self {
            Self::Good => "32",
            Self::Caution => "33",
            Self::Bad => "31",
            Self::Neutral => "2",
        };
        format!("\u{1b}[{colour}m{text}{END}")
    }
}

pub fn bold(text: &str) -> String {
    format!("\u{1b}[1m{text}{END}")
}

pub fn faint(text: &str) -> String {
    format!("\u{1b}[2m{text}{END}")
}

/// A line whose first word is the result of a check or of a review, with that word in its colour.
pub fn paint_verdict(line: &str) -> String {
    let end = line.find([' ', ':']).unwrap_or(line.len());
    let (word, rest) = line.split_at_checked(end).unwrap_or((line, ""));
    let tone = match word.to_ascii_lowercase().as_str() {
        "pass" | "allowed" => Tone::Good,
        "fail" | "blocked" => Tone::Bad,
        "skip" | "stale" | "slow" => Tone::Caution,
        _ => return line.to_owned(),
    };
    tone.paint(word) + rest
}

/// The columns that a text takes at a terminal.
pub fn width(text: &str) -> usize {
    let mut escaped = false;
    let mut columns = 0;
    for character in text.chars() {
        match (escaped, character) {
            (false, '\u{1b}') => escaped = true,
            (true, end) => escaped = !end.is_ascii_alphabetic(),
            (false, shown) => columns += shown.width().unwrap_or(0),
        }
    }
    columns
}

/// With spaces behind it, up to so many columns.
pub fn padded(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// Rows with two spaces between their columns, each as wide as its widest cell; nothing behind the last one.
pub fn columns(rows: &[Vec<String>]) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widest = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| width(cell)).max();
    let widths: Vec<usize> = (0..count).map(|column| widest(column).unwrap_or(0)).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        let mut owed = 0;
        for (cell, wide) in row.iter().zip(&widths) {
            // A column that is empty in every row takes no room.
            if *wide == 0 {
                continue;
            }
            line.extend(std::iter::repeat_n(' ', owed));
            line += cell;
            owed = wide.saturating_sub(width(cell)) + 2;
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_align_whatever_their_colour_and_width() {
        let rows = [["a", "", "first"], ["日本", "", "second"], ["", "", "x"]];
        let mut rows: Vec<Vec<String>> = rows.map(|row| row.map(str::to_owned).to_vec()).into();
        rows[0][0] = Tone::Good.paint("a");
        assert_eq!(columns(&rows), format!("{}     first\n日本  second\n      x\n", Tone::Good.paint("a")));
        assert_eq!(columns(&[]), "");
    }

    #[test]
    fn escape_sequences_take_no_room() {
        assert_eq!(width(&bold("ab")), 2);
        assert_eq!(width(&Tone::Bad.symbol()), 1);
    }
}

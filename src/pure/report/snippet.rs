//! A part of a text, shown with marks under it.

use crate::pure::text::printable;
use std::ops::Range;
use unicode_width::UnicodeWidthStr;

/// Lines that are shown of a marked part.
const MOST_LINES: usize = 6;
/// The part of a cut line that is shown in front of the mark.
const BEFORE: usize = 20;

/// One character as a terminal shows it.
struct Cell {
    shown: String,
    width: usize,
    marked: bool,
}

/// The lines that `span` touches, each at most `width` columns wide, with `^` under what is meant.
pub(super) fn snippet(text: &str, span: &Range<usize>, width: usize) -> Vec<(String, String)> {
    let mut lines = Vec::new();
    let mut start = 0;
    for line in text.split('\n') {
        let end = start + line.len();
        if start <= span.start.max(span.end.saturating_sub(1)) && span.start <= end {
            lines.push(marked(line, start, span, width));
        }
        start = end + 1;
    }
    let more = lines.len().saturating_sub(MOST_LINES);
    lines.truncate(MOST_LINES);
    if more > 0 {
        lines.push((format!("… {more} more lines"), String::new()));
    }
    lines
}

fn marked(line: &str, start: usize, span: &Range<usize>, width: usize) -> (String, String) {
    let cells: Vec<Cell> = line.char_indices().map(|(at, c)| cell(c, span.contains(&(start + at)))).collect();
    let total: usize = cells.iter().map(|cell| cell.width).sum();
    let skipped = if total <= width { 0 } else { first_shown(&cells) };
    let (mut shown, mut marks) = (String::new(), String::new());
    if skipped > 0 {
        shown.push('…');
        marks.push(' ');
    }
    let mut room = width.saturating_sub(2);
    for cell in cells.iter().skip(skipped) {
        if total > width && cell.width > room {
            shown.push('…');
            break;
        }
        room = room.saturating_sub(cell.width);
        shown += &cell.shown;
        marks += &if cell.marked { "^" } else { " " }.repeat(cell.width);
    }
    (shown, marks.trim_end().to_owned())
}

/// A little before the mark, so that one sees where it stands.
fn first_shown(cells: &[Cell]) -> usize {
    let first = cells.iter().position(|cell| cell.marked).unwrap_or_default();
    first.saturating_sub(BEFORE)
}

fn cell(c: char, marked: bool) -> Cell {
    let shown = if c == '\t' { "  ".to_owned() } else { printable(c.encode_utf8(&mut [0; 4])) };
    Cell { width: shown.width(), shown, marked }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, span: Range<usize>, width: usize) -> String {
        let lines = snippet(text, &span, width);
        lines.into_iter().map(|(line, marks)| format!("{line}\n{marks}\n")).collect()
    }

    #[test]
    fn marks_stand_under_what_is_meant() {
        assert_eq!(shown("cd a && rm b", 8..12, 80), "cd a && rm b\n        ^^^^\n");
        // A wide character takes two columns, a tab and an escape what they are written as.
        assert_eq!(shown("echo 港\trm\u{1b}", 9..12, 80), "echo 港  rm\\u{1b}\n         ^^^^^^^^\n");
        assert_eq!(shown("echo é rm", 8..10, 80), "echo é rm\n       ^^\n");
    }

    #[test]
    fn every_line_that_is_meant_is_shown_and_no_other() {
        assert_eq!(shown("ls\nrm \\\n  a\nls", 3..11, 80), "rm \\\n^^^^\n  a\n^^^\n");
        let many = "x\n".repeat(20);
        assert!(shown(&many, 0..40, 80).ends_with("… 14 more lines\n\n"), "{}", shown(&many, 0..40, 80));
        assert_eq!(shown("", 0..0, 80), "\n\n");
        assert_eq!(shown("ls", 90..95, 80), "");
    }

    #[test]
    fn a_long_line_is_cut_around_the_mark() {
        let line = format!("{} && rm -rf x && {}", "a".repeat(200), "b".repeat(200));
        let text = shown(&line, 204..212, 60);
        let (line, marks) = text.split_once('\n').unwrap();
        assert!(line.starts_with('…') && line.ends_with('…') && line.width() <= 60, "{line}");
        let at = marks.find('^').unwrap();
        assert_eq!(line.chars().skip(at).take(8).collect::<String>(), "rm -rf x");
    }
}

//! The changes of one round. Changes that do not fit wait for the next round.

use super::chunk::pieces;
use super::section::{Section, ShownPart};
use crate::pure::review::GitPath;

#[derive(Debug, Clone, Copy)]
pub(crate) struct RoundLimits {
    pub lines: usize,
    pub bytes: usize,
    pub files: usize,
    /// Bytes of all names in the index.
    pub names: usize,
}

impl Default for RoundLimits {
    fn default() -> Self {
        Self { lines: 10_000, bytes: 1024 * 1024, files: 150, names: 12 * 1024 }
    }
}

/// One round being filled.
#[derive(Debug, Default)]
pub(crate) struct ContextRound {
    limits: RoundLimits,
    lines: usize,
    bytes: usize,
    names: usize,
    pub sections: Vec<Section>,
    /// Changes too large for any round: only their beginning is shown, and they count as not reviewed.
    oversized: Vec<Section>,
    /// Changes for the next round.
    pub later: Vec<GitPath>,
}

impl ContextRound {
    pub fn new(limits: RoundLimits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Whether no further change fits.
    pub fn is_full(&self) -> bool {
        !self.later.is_empty()
    }

    pub fn add(&mut self, section: Section) {
        let (lines, bytes) = weight(&section.lines);
        let name = section.path.to_string().len();
        if lines > self.limits.lines || bytes > self.limits.bytes || !section.covers() {
            return self.oversized.push(section);
        }
        let fits = self.lines + lines <= self.limits.lines
            && self.bytes + bytes <= self.limits.bytes
            && self.sections.len() < self.limits.files
            && (self.names + name <= self.limits.names || self.sections.is_empty());
        if self.is_full() || !fits {
            return self.later.push(section.path);
        }
        self.take(section, (lines, bytes, name));
    }

    fn take(&mut self, section: Section, (lines, bytes, name): (usize, usize, usize)) {
        self.lines += lines;
        self.bytes += bytes;
        self.names += name;
        self.sections.push(section);
    }

    /// Adds the beginnings of oversized changes, last, so that they take no room from other changes.
    #[must_use]
    pub fn finish(mut self) -> Self {
        for mut section in std::mem::take(&mut self.oversized) {
            let room =
                (self.limits.lines.saturating_sub(self.lines), self.limits.bytes.saturating_sub(self.bytes));
            if self.is_full() || room.0 == 0 || self.sections.len() >= self.limits.files {
                self.later.push(section.path);
                continue;
            }
            if section.covers() {
                let total = section.lines.len();
                section.lines = beginning(section.lines, room);
                let why = format!("{} of {total} lines, more than one review can read", section.lines.len());
                section.shown = ShownPart::Beginning(why);
            }
            let (lines, bytes) = weight(&section.lines);
            let name = section.path.to_string().len();
            self.take(section, (lines, bytes, name));
        }
        self
    }
}

fn beginning(lines: Vec<String>, (room_lines, room_bytes): (usize, usize)) -> Vec<String> {
    let (mut used_lines, mut used_bytes) = (0, 0);
    let fits = |line: &String| {
        let (lines, bytes) = weight(std::slice::from_ref(line));
        used_lines += lines;
        used_bytes += bytes;
        used_lines <= room_lines && used_bytes <= room_bytes
    };
    lines.into_iter().take_while(fits).collect()
}

fn weight(lines: &[String]) -> (usize, usize) {
    let pieces = lines.iter().map(|line| if line.len() < 1_000 { 1 } else { pieces(line).len() });
    (pieces.sum(), lines.iter().map(|line| line.len() + 1).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section(path: &str, lines: usize) -> Section {
        Section {
            path: GitPath::new(path),
            status: "modified",
            bytes: 1,
            added: lines,
            removed: 0,
            lines: (0..lines).map(|n| format!("+{n}")).collect(),
            shown: ShownPart::Whole,
        }
    }

    fn round(sections: &[(&str, usize)]) -> ContextRound {
        let limits = RoundLimits { lines: 10, bytes: 1_000, files: 3, names: 100 };
        let mut round = ContextRound::new(limits);
        sections.iter().for_each(|(path, lines)| round.add(section(path, *lines)));
        round.finish()
    }

    fn read(round: &ContextRound) -> Vec<String> {
        round.sections.iter().filter(|s| s.covers()).map(|s| s.path.to_string()).collect()
    }

    #[test]
    fn exactly_the_limit_fits_and_what_does_not_waits() {
        let whole = round(&[("a", 10)]);
        assert_eq!((read(&whole), whole.later.len()), (vec!["a".into()], 0));
        let part = round(&[("a", 6), ("b", 6), ("c", 1)]);
        assert_eq!(read(&part), ["a"]);
        assert_eq!(part.later, [GitPath::new("b"), GitPath::new("c")], "order is kept");
        assert_eq!(read(&round(&[("a", 1), ("b", 1), ("c", 1), ("d", 1)])), ["a", "b", "c"]);
    }

    #[test]
    fn a_file_over_the_limit_is_begun_stays_unread_and_keeps_no_other_from_being_read() {
        let mixed = round(&[("big", 11), ("small", 4)]);
        assert_eq!(read(&mixed), ["small"]);
        let big = mixed.sections.iter().find(|section| !section.covers()).unwrap();
        assert_eq!(big.lines.len(), 6);
        assert!(big.title().contains("beginning only: 6 of 11 lines"), "{}", big.title());
        let alone = round(&[("big", 11)]);
        assert_eq!(alone.sections[0].lines.len(), 10);
    }
}

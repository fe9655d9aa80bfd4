//! Which lines of a file changed, for reports. No decision rests on this.

use std::ops::Range;

/// Line ranges of `new` (from 1, end excluded) that differ from `old`; where lines only went away the range is empty.
pub(crate) fn changed_lines(old: &[u8], new: &[u8]) -> Vec<Range<u32>> {
    let mut options = git2::DiffOptions::new();
    options.context_lines(0).force_text(true);
    let Ok(patch) = git2::Patch::from_buffers(old, None, new, None, Some(&mut options)) else {
        return Vec::new();
    };
    let hunks = (0..patch.num_hunks()).filter_map(|index| patch.hunk(index).ok());
    let ranges = hunks.map(|(hunk, _)| {
        // With no new lines git names the line before the gap.
        let start = if hunk.new_lines() == 0 { hunk.new_start() + 1 } else { hunk.new_start() };
        start..start + hunk.new_lines()
    });
    ranges.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_added_and_removed_lines_are_located() {
        let found = |old: &str, new: &str| {
            let ranges = changed_lines(old.as_bytes(), new.as_bytes());
            ranges.iter().map(|range| (range.start, range.end)).collect::<Vec<_>>()
        };
        assert_eq!(found("a\nb\nc\n", "a\nB\nc\n"), [(2, 3)]);
        assert_eq!(found("a\n", "a\nb\nc\n"), [(2, 4)]);
        assert_eq!(found("a\nb\nc\n", "a\nc\n"), [(2, 2)]);
        assert_eq!(found("", "a\n"), [(1, 2)]);
        assert_eq!(found("a\0b\n", "a\0c\n"), [(1, 2)]);
        assert_eq!(found("same\n", "same\n"), []);
    }
}

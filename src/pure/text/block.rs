//! A block of lines of ours in a file of somebody else, marked so that it can be removed without a trace.

const BEGIN: &[u8] = b"# plimsoll: begin";
const END: &[u8] = b"# plimsoll: end";
/// The mark of a block whose last line above had no line end, so that removal restores it.
const UNENDED: &[u8] = b" (the line above had no line end)";
/// There was no file.
const NO_FILE: &[u8] = b" (there was no file)";

/// The text with `lines` as its block. A block that is there already keeps its place.
#[must_use]
pub(crate) fn with_block(text: Option<&[u8]>, lines: &[String]) -> Vec<u8> {
    let body: Vec<u8> = lines.iter().flat_map(|line| line.bytes().chain([b'\n'])).collect();
    let bytes = text.unwrap_or_default();
    if let Some(found) = find(bytes) {
        let (before, block) = bytes.split_at(found.begin);
        let note = block.get(BEGIN.len()..found.note).unwrap_or_default();
        let after = bytes.get(found.end..).unwrap_or_default();
        return [before, BEGIN, note, b"\n", &body, END, b"\n", after].concat();
    }
    let (line_end, note): (&[u8], &[u8]) = match bytes {
        _ if text.is_none() => (b"", NO_FILE),
        [] | [.., b'\n'] => (b"", b""),
        _ => (b"\n", UNENDED),
    };
    [bytes, line_end, BEGIN, note, b"\n", &body, END, b"\n"].concat()
}

/// The text as it was without the block; `None` if there was no file.
#[must_use]
pub fn without_block(text: &[u8]) -> Option<Vec<u8>> {
    let Some(found) = find(text) else { return Some(text.to_vec()) };
    let (before, block) = text.split_at(found.begin);
    let note = block.get(BEGIN.len()..found.note).unwrap_or_default();
    let after = text.get(found.end..).unwrap_or_default();
    if note == NO_FILE && before.is_empty() && after.is_empty() {
        return None;
    }
    // Lines that somebody put below the block need the line end above it.
    let before = match note == UNENDED && after.is_empty() {
        true => before.strip_suffix(b"\n").unwrap_or(before),
        false => before,
    };
    Some([before, after].concat())
}

struct Found {
    /// Where the block begins in the text.
    begin: usize,
    /// Where its first line ends, counted from `begin`.
    note: usize,
    /// Where the text goes on after the block.
    end: usize,
}

fn find(text: &[u8]) -> Option<Found> {
    let mut lines = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        lines.push((start, line));
        start += line.len();
    }
    let is = |line: &[u8], mark: &[u8]| line.strip_suffix(b"\n").unwrap_or(line) == mark;
    let notes = [&b""[..], UNENDED, NO_FILE];
    let opens = |line: &[u8]| notes.iter().any(|note| is(line, &[BEGIN, *note].concat()));
    let (begin, first) = *lines.iter().find(|(_, line)| opens(line))?;
    let (last, line) = *lines.iter().find(|(at, line)| *at > begin && is(line, END))?;
    let note = first.strip_suffix(b"\n").unwrap_or(first).len();
    Some(Found { begin, note, end: last + line.len() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn a_block_that_is_removed_leaves_the_very_bytes() {
        for before in
            [None, Some(&b""[..]), Some(b"target"), Some(b"# mine\n\n"), Some(b"\xff\r\n"), Some(b"\n")]
        {
            let once = with_block(before, &lines(&["/a", "/b"]));
            assert_eq!(with_block(Some(&once), &lines(&["/a", "/b"])), once, "{before:?}");
            let again = with_block(Some(&once), &lines(&["/c"]));
            for text in [once, again] {
                assert_eq!(without_block(&text).as_deref(), before, "{before:?}");
            }
        }
    }

    #[test]
    fn lines_that_others_add_around_the_block_stay() {
        let block = with_block(Some(b"first"), &lines(&["/a"]));
        let text = [b"zero\n", block.as_slice(), b"last\n"].concat();
        assert_eq!(without_block(&text).unwrap(), b"zero\nfirst\nlast\n");
        let alone = [with_block(None, &lines(&["/a"])).as_slice(), b"last\n"].concat();
        assert_eq!(without_block(&alone).unwrap(), b"last\n");
    }

    #[test]
    fn a_block_without_its_end_is_not_one() {
        let text = b"# plimsoll: begin\n/a\n";
        assert_eq!(without_block(text).unwrap(), text);
    }
}

//! The output of a child, bounded: its beginning, its end, and how much between them was dropped.

use std::collections::VecDeque;

const HEAD: usize = 64 * 1024;
const TAIL: usize = 256 * 1024;

/// Standard output and standard error in the order they were written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CapturedOutput {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    dropped: u64,
}

impl CapturedOutput {
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let (first, rest) = bytes.split_at(bytes.len().min(HEAD - self.head.len()));
        self.head.extend_from_slice(first);
        self.tail.extend(rest);
        let excess = self.tail.len().saturating_sub(TAIL);
        self.tail.drain(..excess);
        self.dropped += excess as u64;
    }

    pub fn is_truncated(&self) -> bool {
        self.dropped > 0
    }

    /// Everything kept. Where bytes were dropped, the torn lines on both sides go too: half a secret would no longer
    /// be recognised as one.
    pub fn bytes(&self) -> Vec<u8> {
        let (front, back) = self.tail.as_slices();
        let tail = [front, back].concat();
        if !self.is_truncated() {
            return [self.head.as_slice(), &tail].concat();
        }
        let head = match self.head.iter().rposition(|byte| *byte == b'\n') {
            Some(end) => self.head.get(..end).unwrap_or_default(),
            None => &[],
        };
        let rest = tail.splitn(2, |byte| *byte == b'\n').nth(1).unwrap_or_default();
        let gap = format!("\n[... {} bytes left out ...]\n", self.dropped);
        [head, gap.as_bytes(), rest].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_output_is_kept_byte_for_byte() {
        let mut captured = CapturedOutput::default();
        captured.push(b"one\n");
        captured.push(&[0xff, 0]);
        assert_eq!(captured.bytes(), b"one\n\xff\0");
        assert!(!captured.is_truncated());
    }

    #[test]
    fn a_flood_keeps_its_beginning_and_its_end_in_whole_lines() {
        let mut captured = CapturedOutput::default();
        for number in 0..200_000 {
            captured.push(format!("line {number}\n").as_bytes());
        }
        let text = String::from_utf8(captured.bytes()).unwrap();
        assert!(captured.is_truncated() && text.len() < HEAD + TAIL + 100);
        assert!(text.starts_with("line 0\n") && text.ends_with("\nline 199999\n"));
        assert!(text.lines().all(|line| line.starts_with("line ") || line.contains("bytes left out")));
    }

    #[test]
    fn a_flood_without_line_ends_is_let_go_whole() {
        let mut captured = CapturedOutput::default();
        captured.push(&vec![b'x'; HEAD + TAIL + 1]);
        assert_eq!(captured.bytes(), b"\n[... 1 bytes left out ...]\n");
    }
}

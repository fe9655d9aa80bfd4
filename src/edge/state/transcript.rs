//! Edge: what the client wrote into a session's transcript since the last look. Each look reads what is new, up to a limit.

use super::monitor_state::TranscriptRead;
use crate::edge::file;
use crate::pure::client::spent_tokens;
use crate::pure::step::fingerprint;
use camino::Utf8Path;
use std::os::unix::fs::{FileExt, MetadataExt};

/// More than a turn writes; the rest is read the next time.
const MOST: u64 = 1024 * 1024;
/// A transcript that is longer at the first sight is another session's past.
const PAST: u64 = 4 * MOST;

impl TranscriptRead {
    /// Adds the tokens of the new lines. A transcript that cannot be read says nothing: the client may keep none.
    pub fn catch_up(&mut self, path: &Utf8Path) {
        let Ok(file) = file::open_to_read(path) else { return };
        let Ok(length) = file.metadata().map(|data| data.size()) else { return };
        if length < self.offset || (self.offset == 0 && length > PAST) {
            self.offset = length;
            return;
        }
        let mut bytes = vec![0; usize::try_from((length - self.offset).min(MOST)).unwrap_or_default()];
        if file.read_exact_at(&mut bytes, self.offset).is_err() {
            return;
        }
        let Some(end) = memchr::memrchr(b'\n', &bytes) else {
            // One line that is longer than a look holds no small numbers worth waiting for.
            self.offset += if bytes.len() as u64 == MOST { MOST } else { 0 };
            return;
        };
        for line in bytes.get(..end).unwrap_or_default().split(|byte| *byte == b'\n') {
            self.add(line);
        }
        self.offset += end as u64 + 1;
    }

    fn add(&mut self, line: &[u8]) {
        let Some((message, tokens)) = spent_tokens(line) else { return };
        let message = fingerprint(message.as_bytes());
        let counted = if message == self.message { self.counted } else { 0 };
        self.tokens += tokens.saturating_sub(counted);
        (self.message, self.counted) = (message, tokens.max(counted));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8PathBuf;
    use std::fs::File;
    use std::io::Write;

    fn line(message: &str, input: u64, output: u64) -> String {
        format!(
            r#"{{"type":"assistant","message":{{"id":"{message}","usage":{{"input_tokens":{input},"cache_read_input_tokens":900,"output_tokens":{output}}}}}}}"#
        )
    }

    #[test]
    fn each_message_counts_once_however_many_lines_it_has_and_lines_are_read_once() {
        let directory = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(directory.path().join("t.jsonl")).unwrap();
        let mut file = File::create(&path).unwrap();
        let mut read = TranscriptRead::default();
        read.catch_up(&path);
        assert_eq!(read.tokens, 0);
        writeln!(file, "{}\n{}\nno json\n{{}}", line("a", 10, 5), line("a", 10, 7)).unwrap();
        read.catch_up(&path);
        assert_eq!(read.tokens, 17);
        write!(file, "{}", line("b", 1, 2)).unwrap();
        read.catch_up(&path);
        assert_eq!(read.tokens, 17, "the line is not finished");
        writeln!(file).unwrap();
        read.catch_up(&path);
        read.catch_up(&path);
        assert_eq!(read.tokens, 20);
        std::fs::write(&path, "").unwrap();
        read.catch_up(&path);
        assert_eq!((read.tokens, read.offset), (20, 0));
        read.catch_up(Utf8Path::new("/nowhere/at/all"));
    }
}

//! Lines of a file that others wrote: plain or gzip, never more in memory than one line, never more in all than a limit.

use crate::edge::file;
use camino::{Utf8Path, Utf8PathBuf};
use flate2::bufread::MultiGzDecoder;
use std::io::{self, BufRead, BufReader, Read};

/// As long as an event may be that a hook reads.
const LONGEST: usize = 8 * 1024 * 1024;
/// Unpacked. A file that unpacks to more is none that somebody wrote.
const MOST: usize = 512 * 1024 * 1024;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{path} cannot be read")]
    Unreadable {
        path: Utf8PathBuf,
        #[source]
        source: io::Error,
    },
    #[error("{path} is neither a file nor a directory")]
    NotAFile { path: Utf8PathBuf },
}

/// Why a line is not there.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unread {
    #[error("it is longer than 8 MiB")]
    TooLong,
    #[error("the file holds more than 512 MiB; the rest was not read")]
    TooMuch,
    #[error("the rest cannot be read: {0}")]
    Broken(io::Error),
}

/// The lines of a text with their numbers, counted from 1.
pub(crate) struct Lines<'a> {
    reader: Box<dyn BufRead + 'a>,
    number: usize,
    left: usize,
    ended: bool,
}

/// A file, unpacked if it is gzip.
pub(crate) fn open(path: &Utf8Path) -> Result<Box<dyn BufRead>, Error> {
    let failed = |source| Error::Unreadable { path: path.to_owned(), source };
    if !std::fs::metadata(path).map_err(failed)?.is_file() {
        return Err(Error::NotAFile { path: path.to_owned() });
    }
    let mut reader = BufReader::new(file::open_to_read(path).map_err(failed)?);
    let packed = reader.fill_buf().map_err(failed)?.starts_with(&[0x1f, 0x8b]);
    Ok(if packed { Box::new(BufReader::new(MultiGzDecoder::new(reader))) } else { Box::new(reader) })
}

impl<'a> Lines<'a> {
    pub fn of(reader: impl Read + 'a) -> Self {
        Self { reader: Box::new(BufReader::new(reader)), number: 0, left: MOST, ended: false }
    }

    /// The next line without its end; `None` at the end of the text.
    fn read(&mut self) -> Result<Option<Vec<u8>>, Unread> {
        let mut line = Vec::new();
        let mut fits = true;
        loop {
            let seen = self.reader.fill_buf().map_err(Unread::Broken)?;
            if seen.is_empty() {
                self.ended = true;
                break;
            }
            let end = memchr::memchr(b'\n', seen);
            let part = seen.get(..end.unwrap_or(seen.len())).unwrap_or(seen);
            self.left = self.left.checked_sub(part.len()).ok_or(Unread::TooMuch)?;
            fits &= line.len() + part.len() <= LONGEST;
            if fits {
                line.extend_from_slice(part);
            }
            let used = part.len() + usize::from(end.is_some());
            self.reader.consume(used);
            if end.is_some() {
                break;
            }
        }
        if !fits {
            return Err(Unread::TooLong);
        }
        Ok((!(self.ended && line.is_empty())).then_some(line))
    }
}

impl Iterator for Lines<'_> {
    type Item = (usize, Result<Vec<u8>, Unread>);

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        self.number += 1;
        let line = self.read();
        self.ended |= matches!(line, Err(Unread::TooMuch | Unread::Broken(_)));
        Some((self.number, line.transpose()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn numbered(reader: impl Read) -> Vec<(usize, String)> {
        let shown = |line: Result<Vec<u8>, Unread>| match line {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(problem) => format!("! {problem}"),
        };
        Lines::of(reader).map(|(number, line)| (number, shown(line))).collect()
    }

    #[test]
    fn lines_keep_their_numbers_and_the_last_needs_no_end() {
        let lines = numbered(&b"one\n\nthree"[..]);
        assert_eq!(lines, [(1, "one".into()), (2, String::new()), (3, "three".into())]);
        assert_eq!(numbered(&b""[..]), []);
        assert_eq!(numbered(&b"one\n"[..]), [(1, "one".into())]);
    }

    #[test]
    fn an_endless_line_is_passed_over_and_the_next_one_read() {
        let long = io::repeat(b'x').take(LONGEST as u64 + 1);
        let lines = numbered(long.chain(&b"\nafter"[..]));
        assert_eq!(lines, [(1, "! it is longer than 8 MiB".into()), (2, "after".into())]);
    }

    #[test]
    fn gzip_is_known_by_its_first_bytes_and_a_cut_file_says_so() {
        let directory = tempfile::tempdir().unwrap();
        let path = Utf8Path::from_path(directory.path()).unwrap().join("rows");
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(b"one\ntwo\n").unwrap();
        let packed = packed.finish().unwrap();
        std::fs::write(&path, &packed).unwrap();
        assert_eq!(numbered(open(&path).unwrap()), [(1, "one".into()), (2, "two".into())]);
        std::fs::write(&path, packed.get(..packed.len() - 10).unwrap()).unwrap();
        let lines = numbered(open(&path).unwrap());
        assert!(
            lines.last().is_some_and(|(_, line)| line.starts_with("! the rest cannot be read")),
            "{lines:?}"
        );
    }

    #[test]
    fn what_is_no_file_is_an_error_that_names_it() {
        let directory = tempfile::tempdir().unwrap();
        let path = Utf8Path::from_path(directory.path()).unwrap();
        assert!(matches!(open(path), Err(Error::NotAFile { .. })));
        assert!(matches!(open(&path.join("missing")), Err(Error::Unreadable { .. })));
    }
}

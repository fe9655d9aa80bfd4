//! The claims of each session, one file per session: a line for the session, then one for each claim.

use super::error::Error;
use super::layout::{StateLayout, short_hash};
use super::store::files_in;
use crate::edge::file;
use crate::pure::client::Process;
use crate::pure::secret::redact;
use crate::pure::step::sessions::Claim;
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use std::io::{Read, Seek, SeekFrom};

/// Of a longer record only the end is read.
const LONGEST: u64 = 8 * 1024 * 1024;

/// A session that writes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Writer {
    pub session: String,
    /// Its client, where that is known.
    pub client: Option<Process>,
}

#[derive(Serialize, Deserialize)]
struct TimedClaim {
    time: u64,
    claim: Claim,
}

/// A session's record.
#[derive(Debug, Default)]
pub(crate) struct Written {
    pub writer: Option<Writer>,
    /// With the time of each, in milliseconds since 1970.
    pub claims: Vec<(u64, Claim)>,
}

pub(crate) struct Writers {
    folder: Utf8PathBuf,
}

impl Writers {
    pub fn of(layout: &StateLayout) -> Self {
        Self { folder: layout.writers() }
    }

    pub fn place(&self, session: &str) -> Utf8PathBuf {
        self.folder.join(format!("{}.jsonl", short_hash(session)))
    }

    /// The records of all sessions but this one.
    pub fn others(&self, session: &str) -> Result<Vec<Utf8PathBuf>, Error> {
        let own = self.place(session);
        Ok(files_in(&self.folder)?.into_iter().filter(|file| *file != own).collect())
    }

    /// `writer` is asked for with the first claims of a session. A path that may hold a secret is not written down.
    pub fn add(
        &self,
        session: &str,
        time: u64,
        claims: Vec<Claim>,
        writer: impl FnOnce() -> Writer,
    ) -> Result<(), Error> {
        let path = self.place(session);
        let mut lines = Vec::new();
        if !path.exists() {
            line(&mut lines, &path, &writer())?;
        }
        for claim in claims.into_iter().filter(|claim| redact(claim.path().as_str()) == claim.path().as_str())
        {
            line(&mut lines, &path, &TimedClaim { time, claim })?;
        }
        file::append(&path, &lines).map_err(Error::write(&path))
    }
}

fn line(lines: &mut Vec<u8>, path: &Utf8Path, value: &impl Serialize) -> Result<(), Error> {
    serde_json::to_writer(&mut *lines, value).map_err(Error::encode(path))?;
    lines.push(b'\n');
    Ok(())
}

impl Written {
    /// A line that was cut short says nothing.
    pub fn read(path: &Utf8Path) -> Result<Self, Error> {
        let mut bytes = Vec::new();
        let mut file = file::open_to_read(path).map_err(Error::read(path))?;
        let length = file.metadata().map_err(Error::read(path))?.len();
        let mut written = Self { writer: first_line(&mut file), ..Self::default() };
        file.seek(SeekFrom::Start(length.saturating_sub(LONGEST))).map_err(Error::read(path))?;
        file.take(LONGEST).read_to_end(&mut bytes).map_err(Error::read(path))?;
        let claims = bytes.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok());
        written.claims = claims.map(|TimedClaim { time, claim }| (time, claim)).collect();
        Ok(written)
    }
}

fn first_line(file: &mut std::fs::File) -> Option<Writer> {
    const LONG: u64 = 16 * 1024;
    let mut bytes = Vec::new();
    file.take(LONG).read_to_end(&mut bytes).ok()?;
    serde_json::from_slice(bytes.split(|byte| *byte == b'\n').next()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_session_wrote_is_read_back_and_only_others_are_listed() {
        let directory = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(directory.path().to_owned()).unwrap();
        let writers = Writers::of(&StateLayout::in_repository(&root));
        assert_eq!(writers.others("a").unwrap(), [""; 0]);
        let writer = |session: &str| Writer { session: session.to_owned(), client: None };
        let secret = format!("/p/{}{}", "ghp_", "kQ7xZp2mWv9Rt4Ls8Nb3Yc6Hd1Jf5Ga0Te2U");
        let claims = [Claim::Lines("/p/a".into(), vec![1, u64::MAX]), Claim::File(secret.into())];
        writers.add("a", 5, claims.to_vec(), || writer("a")).unwrap();
        writers.add("a", 6, vec![Claim::Below("/p/b".into())], || unreachable!()).unwrap();
        writers.add("b", 7, Vec::new(), || writer("b")).unwrap();
        assert_eq!(writers.others("b").unwrap(), [writers.place("a")]);
        file::append(writers.place("a"), b"{\"time\":7,\"cl").unwrap();
        let written = Written::read(&writers.place("a")).unwrap();
        assert_eq!(written.writer, Some(writer("a")));
        let expected =
            [(5, Claim::Lines("/p/a".into(), vec![1, u64::MAX])), (6, Claim::Below("/p/b".into()))];
        assert_eq!(written.claims, expected);
    }
}

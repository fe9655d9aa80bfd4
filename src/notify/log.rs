//! What became of the messages: one line per channel, the newest few hundred of them.

use super::channel::Channel;
use crate::file;
use crate::secret::Redacted;
use camino::Utf8Path;
use serde::{Deserialize, Serialize};
use std::fs::{DirBuilder, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};

/// From this size on the older half goes.
const LIMIT: u64 = 64 * 1024;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotificationLine {
    pub time: String,
    pub event: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub incident: Option<String>,
    pub channel: Channel,
    /// Why it was not sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<Redacted>,
}

pub struct NotificationLog;

impl NotificationLog {
    pub fn append(path: &Utf8Path, lines: &[NotificationLine]) -> io::Result<()> {
        if let Some(parent) = path.parent() {
            DirBuilder::new().recursive(true).mode(0o700).create(parent)?;
        }
        let mut file = file::open(OpenOptions::new().create(true).read(true).append(true).mode(0o600), path)?;
        let mut text = String::new();
        for line in lines {
            text += &format!("{}\n", serde_json::to_string(line)?);
        }
        if file.metadata()?.len() > LIMIT {
            let mut kept = Vec::new();
            file.seek(SeekFrom::Start(LIMIT / 2))?;
            (&file).take(LIMIT).read_to_end(&mut kept)?;
            let whole = kept.iter().position(|byte| *byte == b'\n').map_or(kept.len(), |end| end + 1);
            file.set_len(0)?;
            file.write_all(kept.get(whole..).unwrap_or_default())?;
        }
        file.write_all(text.as_bytes())
    }

    /// The oldest first; what cannot be read is left out.
    pub fn read(path: &Utf8Path) -> Vec<NotificationLine> {
        let mut text = Vec::new();
        if file::open_to_read(path).and_then(|file| file.take(4 * LIMIT).read_to_end(&mut text)).is_err() {
            return Vec::new();
        }
        text.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_stays_small_and_keeps_the_newest() {
        let directory = tempfile::tempdir().unwrap();
        let path = Utf8Path::from_path(directory.path()).unwrap().join("deep/log.jsonl");
        assert!(NotificationLog::read(&path).is_empty());
        let line = |number: usize| NotificationLine {
            time: number.to_string(),
            event: "emergency_stop".into(),
            incident: None,
            channel: Channel::Desktop,
            failed: Some(Redacted::new(&"w".repeat(100))),
        };
        for number in 0..2_000 {
            NotificationLog::append(&path, &[line(number)]).unwrap();
        }
        let read = NotificationLog::read(&path);
        assert!(path.metadata().unwrap().len() <= LIMIT + 400 && read.len() > 100, "{}", read.len());
        assert_eq!(read.last(), Some(&line(1_999)));
        let times: Vec<usize> = read.iter().map(|line| line.time.parse().unwrap()).collect();
        assert!(times.windows(2).all(|pair| pair[1] == pair[0] + 1), "a line was torn or lost");
    }
}

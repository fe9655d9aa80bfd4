//! The delivery log: one line per channel, limited to the newest few hundred.

use super::channel::Channel;
use crate::edge::file;
use crate::pure::secret::Redacted;
use camino::Utf8Path;
use serde::{Deserialize, Serialize};
use std::io;

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
        let mut text = Vec::new();
        for line in lines {
            serde_json::to_writer(&mut text, line)?;
            text.push(b'\n');
        }
        if std::fs::metadata(path).is_ok_and(|found| found.len() > LIMIT) {
            let kept = file::read(path, 4 * LIMIT).unwrap_or_default();
            let newer = kept.get(kept.len() / 2..).unwrap_or_default();
            let whole = newer.iter().position(|byte| *byte == b'\n').map_or(newer.len(), |end| end + 1);
            file::replace(path, newer.get(whole..).unwrap_or_default())?;
        }
        file::append(path, &text)
    }

    /// The oldest first; what cannot be read is left out.
    pub fn read(path: &Utf8Path) -> Vec<NotificationLine> {
        let text = file::read(path, 4 * LIMIT).unwrap_or_default();
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

//! The clients that ran `session-start`, one file each, outside every repository.

use super::Error;
use super::layout::Homes;
use super::store::{files_in, read_json_in_place, remove, write_json};
use crate::edge::file::metadata::modified_at;
use crate::pure::client::Process;
use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};

/// After that, a client whose processes cannot be seen from here no longer counts.
const DAY: u64 = 24 * 60 * 60 * 1_000;

#[derive(Serialize, Deserialize)]
struct ClientRecord {
    version: u64,
    #[serde(flatten)]
    process: Process,
}

/// The folder of the records.
#[derive(Debug, Clone)]
pub(crate) struct Clients {
    folder: Utf8PathBuf,
}

impl Clients {
    pub fn of(homes: &Homes) -> Self {
        Self { folder: homes.clients() }
    }

    pub fn record(&self, process: &Process) -> Result<(), Error> {
        let record = ClientRecord { version: 1, process: process.clone() };
        write_json(&self.place(process), &record)
    }

    /// Whether there is any record.
    pub fn exist(&self) -> bool {
        self.folder.exists()
    }

    /// Whether a process of that id, started then, is recorded.
    pub fn has(&self, id: u32, started: u64) -> bool {
        self.named(id, started).exists()
    }

    /// The recorded clients that still run. `started` says when a process was started, and `namespace` which ones it knows.
    pub fn running(
        &self,
        started: impl Fn(u32) -> Option<u64>,
        namespace: &str,
        now: u64,
    ) -> Result<Vec<Process>, Error> {
        let mut running = Vec::new();
        for file in files_in(&self.folder)? {
            // Whoever can damage a record could have removed it.
            let Ok(Some(record)) = read_json_in_place::<ClientRecord>(&file, 1) else { continue };
            let process = record.process;
            let runs = match process.namespace == namespace {
                true => started(process.id) == Some(process.started),
                false => modified_at(&file).is_some_and(|time| now.saturating_sub(time) < DAY),
            };
            if runs {
                running.push(process);
            }
        }
        Ok(running)
    }

    /// Removes the records of clients that have ended.
    pub fn prune(&self, running: &[Process]) -> Result<(), Error> {
        let kept: Vec<Utf8PathBuf> = running.iter().map(|process| self.place(process)).collect();
        files_in(&self.folder)?.iter().filter(|file| !kept.contains(file)).try_for_each(|file| remove(file))
    }

    fn place(&self, process: &Process) -> Utf8PathBuf {
        self.named(process.id, process.started)
    }

    fn named(&self, id: u32, started: u64) -> Utf8PathBuf {
        self.folder.join(format!("{id}-{started}.json"))
    }
}

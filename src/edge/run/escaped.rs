//! Processes of a job that left its group: found by a variable that only the job was given, or as orphans that the system hands
//! to us. Linux tells both; elsewhere nothing is found.

use rustix::process::{Pid, PidfdFlags, Signal, WaitId, WaitIdOptions};
use rustix::process::{pidfd_open, pidfd_send_signal, set_child_subreaper, waitid};
use std::collections::HashSet;
use std::fs;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, SystemTime};

const VARIABLE: &str = "PLIMSOLL_RUN";
/// How long a process may take to end when it is asked to.
const POLITE: Duration = Duration::from_millis(500);
const BETWEEN_LOOKS: Duration = Duration::from_millis(10);
/// A process that starts others while it is ended is not chased forever.
const ROUNDS: usize = 20;

static RUNS: AtomicU64 = AtomicU64::new(0);
static UNDER_WAY: AtomicUsize = AtomicUsize::new(0);

/// One run, as its processes carry it.
pub(super) struct ProcessMark {
    value: String,
    under_way: bool,
}

impl Drop for ProcessMark {
    /// Of a job that could not be started there is nothing to end.
    fn drop(&mut self) {
        self.is_last();
    }
}

/// The system's facts about a process.
struct Process {
    id: Pid,
    parent: i32,
    session: i32,
    command: String,
    ended: bool,
}

impl ProcessMark {
    /// From here on orphans of our children become our own children.
    pub(super) fn new() -> Self {
        UNDER_WAY.fetch_add(1, Ordering::SeqCst);
        // Without it, orphans are found by the variable alone.
        let _ = set_child_subreaper(Some(rustix::process::getpid()));
        let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_nanos();
        let run = RUNS.fetch_add(1, Ordering::Relaxed);
        Self { value: format!("{}-{run}-{time}", std::process::id()), under_way: true }
    }

    pub(super) fn variable(&self) -> (&'static str, &str) {
        (VARIABLE, &self.value)
    }

    /// Ends every process of the run, politely first.
    pub(super) fn end_all(&mut self) {
        let last = self.is_last();
        let mut signal = Signal::TERM;
        let mut patience = POLITE;
        for _ in 0..ROUNDS {
            let found = self.escaped(last);
            if found.is_empty() {
                return;
            }
            for id in found {
                self.send(id, last, signal);
            }
            while !patience.is_zero() && !self.escaped(last).is_empty() {
                thread::sleep(BETWEEN_LOOKS);
                patience = patience.saturating_sub(BETWEEN_LOOKS);
            }
            (signal, patience) = (Signal::KILL, BETWEEN_LOOKS * 5);
        }
    }

    fn is_last(&mut self) -> bool {
        std::mem::take(&mut self.under_way) && UNDER_WAY.fetch_sub(1, Ordering::SeqCst) == 1
    }

    /// The number may be another's by now, so that the process is looked at again once it is held.
    fn send(&self, id: Pid, last: bool, signal: Signal) {
        let Ok(held) = pidfd_open(id, PidfdFlags::empty()) else { return };
        if self.escaped(last).contains(&id) {
            let _ = pidfd_send_signal(held, signal);
        }
    }

    /// Processes that carry the variable, what they started, and, once no other run is under way, orphans in a session of
    /// their own.
    fn escaped(&self, last: bool) -> HashSet<Pid> {
        let all = processes();
        let own = rustix::process::getpid();
        let session = all.iter().find(|process| process.id == own).map_or(0, |process| process.session);
        let is_orphan = |process: &Process| {
            // git starts servants that outlive it: they are the user's, not the job's.
            let servant = process.command.starts_with("git");
            last && process.parent == own.as_raw_pid() && process.session != session && !servant
        };
        let alive = || all.iter().filter(|process| process.id != own && !process.ended);
        for orphan in all.iter().filter(|process| process.ended && is_orphan(process)) {
            let _ = waitid(WaitId::Pid(orphan.id), WaitIdOptions::EXITED | WaitIdOptions::NOHANG);
        }
        let mut found: HashSet<Pid> = alive()
            .filter(|process| is_orphan(process) || self.is_carried_by(process.id))
            .map(|process| process.id)
            .collect();
        loop {
            let known = |process: &&Process| found.iter().any(|one| one.as_raw_pid() == process.parent);
            let more: Vec<Pid> = alive().filter(known).map(|process| process.id).collect();
            let before = found.len();
            found.extend(more);
            if found.len() == before {
                return found;
            }
        }
    }

    fn is_carried_by(&self, process: Pid) -> bool {
        let Ok(environment) = fs::read(format!("/proc/{}/environ", process.as_raw_pid())) else {
            return false;
        };
        let carried = format!("{VARIABLE}={}", self.value);
        environment.split(|byte| *byte == 0).any(|entry| entry == carried.as_bytes())
    }
}

fn processes() -> Vec<Process> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    numbers.filter_map(process).collect()
}

/// `id (command) state parent group session …`; the command may hold anything.
fn process(number: i32) -> Option<Process> {
    let line = fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
    let (head, rest) = line.rsplit_once(')')?;
    let (_, command) = head.split_once('(')?;
    let mut fields = rest.split_whitespace();
    let ended = matches!(fields.next()?, "Z" | "X");
    let parent = fields.next()?.parse().ok()?;
    let session = fields.nth(1)?.parse().ok()?;
    Some(Process { id: Pid::from_raw(number)?, parent, session, command: command.to_owned(), ended })
}

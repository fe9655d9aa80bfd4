//! The process table without `/proc`: `ps` lists the processes; who writes to standard input stays unknown.

use crate::pure::client::Process;
use std::process::Command;

/// Not known here, so nothing is held against a hook.
pub(crate) fn parent_writes_stdin() -> bool {
    true
}

/// `started` is the weekday, date and time as `ps` prints them, as a number that grows with them.
pub(crate) fn process(id: u32) -> Option<Process> {
    let fields = ["-o", "ppid=,lstart=,command=", "-p", &id.to_string()];
    let printed = Command::new("/bin/ps").args(fields).env("LC_ALL", "C").output().ok()?;
    let line = String::from_utf8_lossy(&printed.stdout).into_owned();
    let mut words = line.split_whitespace();
    let parent = words.next()?.parse().ok()?;
    let [_, month, day, time, year] =
        [words.next()?, words.next()?, words.next()?, words.next()?, words.next()?];
    let month = "JanFebMarAprMayJunJulAugSepOctNovDec".find(month)? as u64 / 3;
    let clock: u64 = time.split(':').try_fold(0, |sum, part| Some(sum * 100 + part.parse::<u64>().ok()?))?;
    let date = (year.parse::<u64>().ok()? * 12 + month) * 32 + day.parse::<u64>().ok()?;
    let file = words.next().unwrap_or_default();
    Some(Process {
        id,
        parent,
        started: date * 1_000_000 + clock,
        program: Process::program_of(file, words.next()),
        group: String::new(),
        namespace: namespace(),
        marked: false,
    })
}

pub(crate) fn namespace() -> String {
    String::new()
}

pub(crate) fn start_time(id: u32) -> Option<u64> {
    process(id).map(|process| process.started)
}

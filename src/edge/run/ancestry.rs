//! Reads which processes started this one, and who writes to its standard input.

use crate::pure::client::Process;
use rustix::net::sockopt::socket_peercred;
use rustix::process::getppid;
use std::fs;
use std::path::Path;

/// No real chain of processes is longer.
const LONGEST: usize = 256;
const MARK: &[u8] = b"CLAUDECODE=";

/// The process that started this one.
pub(crate) fn parent_id() -> u32 {
    getppid().map_or(0, |id| u32::try_from(id.as_raw_pid()).unwrap_or_default())
}

/// Whether standard input is a socket that the parent made for this process. Clients give one to their hooks; a shell that
/// takes the place of its own process with `exec` has none.
pub(crate) fn parent_writes_stdin() -> bool {
    let peer = socket_peercred(std::io::stdin()).map(|peer| peer.pid);
    peer.is_ok_and(|peer| Some(peer) == getppid())
}

/// This process and those above it, without the first one of the system.
pub(crate) fn chain() -> Vec<Process> {
    chain_from(std::process::id())
}

/// The chain that begins with the process of that id.
pub(crate) fn chain_from(id: u32) -> Vec<Process> {
    let above = |process: &Process| self::process(process.parent).filter(|parent| parent.id > 1);
    std::iter::successors(process(id), above).take(LONGEST).collect()
}

/// A process that runs.
pub(crate) fn process(id: u32) -> Option<Process> {
    let (parent, started) = parent_and_start(id)?;
    let folder = Path::new("/proc").join(id.to_string());
    let link = |name: &str| {
        let target = fs::read_link(folder.join(name)).unwrap_or_default();
        target.to_string_lossy().into_owned()
    };
    let arguments = fs::read(folder.join("cmdline")).unwrap_or_default();
    let script = arguments.split(|byte| *byte == 0).nth(1).map(String::from_utf8_lossy);
    let environment = fs::read(folder.join("environ")).unwrap_or_default();
    Some(Process {
        id,
        parent,
        started,
        program: Process::program_of(&link("exe"), script.as_deref()),
        group: fs::read_to_string(folder.join("cgroup")).unwrap_or_default().trim().to_owned(),
        namespace: namespace(),
        marked: environment.split(|byte| *byte == 0).any(|entry| entry.starts_with(MARK)),
    })
}

/// Which numbers of processes this process sees.
pub(crate) fn namespace() -> String {
    fs::read_link("/proc/self/ns/pid").unwrap_or_default().to_string_lossy().into_owned()
}

/// When the process of that id was started.
pub(crate) fn started(id: u32) -> Option<u64> {
    parent_and_start(id).map(|(_, started)| started)
}

/// `id (command) state parent …`, the start in ticks is the twentieth after the command; the command may hold anything.
fn parent_and_start(id: u32) -> Option<(u32, u64)> {
    let line = fs::read(format!("/proc/{id}/stat")).ok()?;
    let end = line.iter().rposition(|byte| *byte == b')')?;
    let rest = std::str::from_utf8(line.get(end + 1..)?).ok()?;
    let mut fields = rest.split_ascii_whitespace();
    let is_ended = matches!(fields.next()?, "Z" | "X");
    let parent = fields.next()?.parse().ok()?;
    let started = fields.nth(17)?.parse().ok()?;
    (!is_ended).then_some((parent, started))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chain_begins_here_and_each_process_is_older_than_its_child() {
        let chain = chain();
        assert_eq!(chain.first().map(|process| process.id), Some(std::process::id()));
        assert_eq!(chain.get(1).map_or(1, |process| process.id), parent_id());
        assert!(
            chain.windows(2).all(|pair| pair[0].parent == pair[1].id && pair[0].started >= pair[1].started)
        );
        assert!(chain[0].program.contains("plimsoll"), "{:?}", chain[0]);
        assert_eq!(started(0), None);
    }
}

//! Processes as `/proc` shows them, and who writes to standard input.

use crate::pure::client::Process;
use rustix::net::sockopt::socket_peercred;
use rustix::process::getppid;
use std::fs;
use std::path::Path;

const MARK: &[u8] = b"CLAUDECODE=";

/// Whether standard input is a socket that the parent made for this process. Clients give one to their hooks; a shell that
/// takes the place of its own process with `exec` has none.
pub(crate) fn parent_writes_stdin() -> bool {
    let peer = socket_peercred(std::io::stdin()).map(|peer| peer.pid);
    peer.is_ok_and(|peer| Some(peer) == getppid())
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
pub(crate) fn start_time(id: u32) -> Option<u64> {
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

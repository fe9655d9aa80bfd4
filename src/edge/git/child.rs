//! Runs one child with bounded output and a deadline.
//!
//! Pipes are drained by threads, because a child that fills one while we write to the other would hang both.

use super::stderr::Stderr;
use crate::edge::run::exit_of;
use rustix::process::{Pid, Signal, kill_process_group};
use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// The child's access besides the repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ChildReach {
    /// A process group of its own, so that filters die with it.
    Local,
    /// Our group: ssh in a background group is stopped for good when it asks at the terminal.
    Network,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct ChildLimits {
    pub(super) stdout: usize,
    pub(super) deadline: Duration,
    pub(super) reach: ChildReach,
}

pub(super) struct Output {
    pub(super) status: ExitStatus,
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: String,
}

pub(super) enum ChildError {
    Start(io::Error),
    Pipe(io::Error),
    /// With the beginning.
    TooMuch(Vec<u8>),
    Deadline,
}

pub(super) fn run(
    command: &mut Command,
    input: Option<Vec<u8>>,
    limits: ChildLimits,
) -> Result<Output, ChildError> {
    command.stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() });
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    if limits.reach == ChildReach::Local {
        command.process_group(0);
    }
    let end = Instant::now() + limits.deadline;
    let mut child = command.spawn().map_err(ChildError::Start)?;
    let outcome = attend(&mut child, input, limits, end);
    if outcome.is_err() {
        kill(&mut child, limits.reach);
    }
    outcome
}

fn attend(
    child: &mut Child,
    input: Option<Vec<u8>>,
    limits: ChildLimits,
    end: Instant,
) -> Result<Output, ChildError> {
    if let (Some(mut stdin), Some(bytes)) = (child.stdin.take(), input) {
        // A child that needs no more input closes the pipe; its exit status says whether that was right.
        thread::spawn(move || stdin.write_all(&bytes));
    }
    let stderr = child.stderr.take().map(Stderr::of);
    let stdout = match child.stdout.take() {
        Some(pipe) => collect(pipe, limits.stdout, end)?,
        None => Vec::new(),
    };
    let left = end.saturating_duration_since(Instant::now());
    if exit_of(Pid::from_child(child)).recv_timeout(left) == Err(RecvTimeoutError::Timeout) {
        return Err(ChildError::Deadline);
    }
    let status = child.wait().map_err(ChildError::Pipe)?;
    Ok(Output { status, stdout, stderr: stderr.map(|stderr| stderr.text()).unwrap_or_default() })
}

fn collect(pipe: impl Read + Send + 'static, limit: usize, end: Instant) -> Result<Vec<u8>, ChildError> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = pipe.take((limit as u64).saturating_add(1)).read_to_end(&mut bytes);
        let _ = sender.send(read.map(|_| bytes));
    });
    match receiver.recv_timeout(end.saturating_duration_since(Instant::now())) {
        Ok(Ok(mut bytes)) if bytes.len() > limit => {
            bytes.truncate(limit);
            Err(ChildError::TooMuch(bytes))
        }
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(error)) => Err(ChildError::Pipe(error)),
        Err(RecvTimeoutError::Timeout) => Err(ChildError::Deadline),
        Err(RecvTimeoutError::Disconnected) => Err(ChildError::Pipe(io::ErrorKind::BrokenPipe.into())),
    }
}

fn kill(child: &mut Child, reach: ChildReach) {
    if reach == ChildReach::Local {
        // Not reaped yet, so the id still names our group and nobody else's.
        let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, input: Option<Vec<u8>>, stdout: usize, millis: u64) -> Result<Output, ChildError> {
        let limits =
            ChildLimits { stdout, deadline: Duration::from_millis(millis), reach: ChildReach::Local };
        run(Command::new("/bin/sh").args(["-c", script]), input, limits)
    }

    #[test]
    fn input_larger_than_a_pipe_comes_back_whole() {
        let input = vec![b'x'; 1 << 20];
        let output = shell("cat; echo talk >&2", Some(input.clone()), 1 << 21, 60_000).ok().unwrap();
        assert!(output.stdout == input && output.stderr == "talk" && output.status.success());
    }

    #[test]
    fn output_over_the_limit_is_an_error_not_a_prefix() {
        assert!(
            matches!(shell("cat /dev/zero", None, 1000, 60_000), Err(ChildError::TooMuch(bytes)) if bytes.len() == 1000)
        );
        assert!(shell("printf 12345", None, 5, 60_000).is_ok());
    }

    #[test]
    fn a_child_that_never_ends_is_stopped_together_with_its_children() {
        let directory = tempfile::tempdir().unwrap();
        let pipe = directory.path().join("pipe");
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RWXU).unwrap();
        let flags = rustix::fs::OFlags::RDONLY | rustix::fs::OFlags::NONBLOCK;
        let reader = rustix::fs::open(&pipe, flags, rustix::fs::Mode::empty()).unwrap();
        rustix::fs::fcntl_setfl(&reader, rustix::fs::OFlags::empty()).unwrap();
        let script = format!("(sleep 20; echo survived) > {} & wait", pipe.display());
        assert!(matches!(shell(&script, None, 1000, 300), Err(ChildError::Deadline)));
        let mut said = String::new();
        std::fs::File::from(reader).read_to_string(&mut said).unwrap();
        assert_eq!(said, "");
    }

    #[test]
    fn a_child_that_closes_its_output_and_stays_is_stopped() {
        assert!(matches!(shell("exec >&- 2>&-; sleep 600", None, 1000, 50), Err(ChildError::Deadline)));
    }

    #[test]
    fn a_flood_on_stderr_is_cut_and_does_not_block() {
        let output = shell("yes | head -c 1000000 >&2; printf done", None, 10, 60_000).ok().unwrap();
        assert!(output.stdout == b"done" && output.stderr.len() <= 4 * 1024);
    }
}

//! The one door to child processes other than git: started in a group of their own, read to the end, ended in time.

use super::captured::CapturedOutput;
use super::escaped::ProcessMark;
use super::program::ProgramSearch;
use super::watchdog::Watchdog;
use camino::{Utf8Path, Utf8PathBuf};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, waitid};
use std::io::{self, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Between the polite and the final signal.
pub(super) const GRACE: Duration = Duration::from_secs(2);
/// How long we wait for the kernel to hand over the rest: an exit after KILL, the end of a pipe after an exit.
pub(super) const LEFTOVERS: Duration = Duration::from_secs(1);

/// A command to run, with everything it may know.
#[derive(Debug, Clone)]
pub struct Job {
    pub argv: Vec<String>,
    pub directory: Utf8PathBuf,
    /// The whole environment; nothing is inherited.
    pub environment: Vec<(String, String)>,
    pub deadline: Duration,
    pub slow_after: Duration,
}

impl Job {
    fn path(&self) -> &str {
        self.environment.iter().find(|(name, _)| name == "PATH").map_or("", |(_, value)| value)
    }

    /// With nothing to read and nothing inherited. A program that lies in `project` is only taken
    /// where there is no other of its name.
    pub(super) fn command(&self, project: Option<&Utf8Path>) -> io::Result<Command> {
        let (program, arguments) = self.argv.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let search = ProgramSearch { directory: &self.directory, path: self.path(), project };
        let mut command = Command::new(search.locate(program).unwrap_or_else(|| program.into()));
        command.arg0(program).args(arguments).current_dir(&self.directory);
        command.env_clear().envs(self.environment.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::null());
        Ok(command)
    }
}

/// The ways in which a job can end.
#[derive(Debug)]
pub enum ExitKind {
    Exited(i32),
    Signalled(i32),
    TimedOut,
    /// There is no such program on the job's `PATH`.
    NotFound,
    CouldNotStart(io::Error),
}

impl ExitKind {
    /// Why the program did not succeed; `None` if it did.
    pub(crate) fn failure(&self, program: &str, deadline: Duration) -> Option<String> {
        Some(match self {
            Self::Exited(0) => return None,
            Self::Exited(code) => format!("{program} exited with {code}"),
            Self::Signalled(signal) => format!("{program} was ended by signal {signal}"),
            Self::TimedOut => format!("{program} took longer than {} seconds", deadline.as_secs()),
            Self::NotFound => format!("there is no program {program}"),
            Self::CouldNotStart(error) => format!("{program} could not be started: {error}"),
        })
    }
}

#[derive(Debug)]
pub struct ProcessResult {
    pub how: ExitKind,
    pub output: CapturedOutput,
    pub elapsed: Duration,
}

/// Runs the job to its end or to its deadline. Calls `slow` once if it is still running after `slow_after`.
pub fn run(job: &Job, slow: impl FnOnce()) -> ProcessResult {
    run_with(job, || Ok(Stdio::null()), slow)
}

/// The same with something to read, of which it may take as much as it likes.
pub(crate) fn run_fed(job: &Job, input: Vec<u8>) -> ProcessResult {
    let feed = || {
        let (reader, mut writer) = io::pipe()?;
        // If the child does not read its input, this thread ends with the child.
        thread::spawn(move || writer.write_all(&input));
        Ok(Stdio::from(reader))
    };
    run_with(job, feed, || ())
}

fn run_with(job: &Job, input: impl FnOnce() -> io::Result<Stdio>, slow: impl FnOnce()) -> ProcessResult {
    let started = Instant::now();
    let (how, output) = match input().and_then(|input| start(job, input, ProcessMark::new())) {
        Err(error) => (could_not_start(job, error), CapturedOutput::default()),
        Ok(running) => running.finish(job, slow),
    };
    ProcessResult { how, output, elapsed: started.elapsed() }
}

struct Running {
    child: Child,
    exited: Receiver<()>,
    drained: Receiver<()>,
    output: Arc<Mutex<CapturedOutput>>,
    mark: ProcessMark,
    watchdog: Watchdog,
}

fn start(job: &Job, input: Stdio, mark: ProcessMark) -> io::Result<Running> {
    let watchdog = Watchdog::start()?;
    let (reader, writer) = io::pipe()?;
    let (name, value) = mark.variable();
    // The command owns our copies of the writing end and is dropped here: otherwise the pipe would never end.
    let mut command = job.command(None)?;
    let command = command.env(name, value).stdin(input).stdout(writer.try_clone()?).stderr(writer);
    let child = watchdog.spawn(command)?;
    let output = Arc::default();
    let (exited, drained) = (exit_of(Pid::from_child(&child)), drain(reader, Arc::clone(&output)));
    Ok(Running { exited, drained, child, output, mark, watchdog })
}

/// Tells when the process has ended, without reaping it.
pub(crate) fn exit_of(process: Pid) -> Receiver<()> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        while matches!(waitid(WaitId::Pid(process), options), Err(Errno::INTR)) {}
        let _ = sender.send(());
    });
    receiver
}

/// The buffer is shared because the reader may have to be left behind: a child that escaped the group can hold the
/// pipe open forever.
pub(crate) fn drain(
    mut pipe: impl Read + Send + 'static,
    output: Arc<Mutex<CapturedOutput>>,
) -> Receiver<()> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut chunk = vec![0; 64 * 1024];
        loop {
            match pipe.read(&mut chunk) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => break,
                Ok(count) => output
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push(chunk.get(..count).unwrap_or_default()),
            }
        }
        let _ = sender.send(());
    });
    receiver
}

impl Running {
    fn finish(mut self, job: &Job, slow: impl FnOnce()) -> (ExitKind, CapturedOutput) {
        let in_time = self.exits_within(job, slow);
        let mut exited = in_time;
        if !in_time {
            self.watchdog.signal(Signal::TERM);
            exited = arrived_within(&self.exited, GRACE);
            self.watchdog.signal(Signal::KILL);
            exited = exited || arrived_within(&self.exited, LEFTOVERS);
        }
        arrived_within(&self.drained, LEFTOVERS);
        self.watchdog.signal(Signal::KILL);
        self.mark.end_all();
        // A process that even KILL does not end cannot be reaped without waiting for it.
        let how = match exited.then(|| self.child.wait()) {
            _ if !in_time => ExitKind::TimedOut,
            Some(Ok(status)) => ended_by(status),
            Some(Err(error)) => ExitKind::CouldNotStart(error),
            None => ExitKind::TimedOut,
        };
        (how, self.output.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    fn exits_within(&self, job: &Job, slow: impl FnOnce()) -> bool {
        let patience = job.slow_after.min(job.deadline);
        if arrived_within(&self.exited, patience) {
            return true;
        }
        if patience < job.deadline {
            slow();
        }
        arrived_within(&self.exited, job.deadline - patience)
    }
}

fn arrived_within(news: &Receiver<()>, within: Duration) -> bool {
    !matches!(news.recv_timeout(within), Err(RecvTimeoutError::Timeout))
}

pub(super) fn ended_by(status: ExitStatus) -> ExitKind {
    match (status.code(), status.signal()) {
        (Some(code), _) => ExitKind::Exited(code),
        (None, signal) => ExitKind::Signalled(signal.unwrap_or_default()),
    }
}

/// The kernel also says "no such file" for a missing directory and for a script whose interpreter is missing; only a
/// program that is nowhere counts as not found.
pub(super) fn could_not_start(job: &Job, error: io::Error) -> ExitKind {
    let program = job.argv.first().map(String::as_str).unwrap_or_default();
    let somewhere = if program.contains('/') {
        job.directory.join(program).exists()
    } else {
        job.path().split(':').any(|directory| job.directory.join(directory).join(program).is_file())
    };
    match error.kind() {
        io::ErrorKind::NotFound if !somewhere && job.directory.is_dir() => ExitKind::NotFound,
        _ => ExitKind::CouldNotStart(error),
    }
}

#[cfg(test)]
mod tests;

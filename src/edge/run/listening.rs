//! A child whose standard output is data: heard line by line while it runs, kept whole up to a limit, and apart from what it
//! says on standard error.

use super::captured::CapturedOutput;
use super::process::{ExitKind, GRACE, Job, LEFTOVERS, could_not_start, drain, ended_by, exit_of};
use super::watchdog::Watchdog;
use rustix::process::{Pid, Signal};
use std::io::{self, PipeReader, Read};
use std::process::Child;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Limits besides the job's own deadline.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Patience {
    /// The longest time without output.
    pub silence: Duration,
    /// The most output, in bytes.
    pub limit: usize,
}

/// A report while the job runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum News<'a> {
    /// One line of standard output, without its end.
    Line(&'a [u8]),
    /// It is still running after the job's `slow_after`.
    Slow,
}

#[derive(Debug)]
pub(crate) struct StreamResult {
    pub how: ExitKind,
    pub output: Vec<u8>,
    /// It printed more than the limit and was ended for it.
    pub too_long: bool,
    /// Standard error.
    pub said: CapturedOutput,
    pub elapsed: Duration,
}

/// Runs the job to its end, to its deadline, or until it has been silent for too long.
pub(crate) fn listen(job: &Job, patience: Patience, tell: impl FnMut(News<'_>)) -> StreamResult {
    let started = Instant::now();
    let mut heard = match start(job) {
        Ok(speaker) => speaker.hear(job, patience, tell),
        Err(error) => StreamResult {
            how: could_not_start(job, error),
            output: Vec::new(),
            too_long: false,
            said: CapturedOutput::default(),
            elapsed: Duration::ZERO,
        },
    };
    heard.elapsed = started.elapsed();
    heard
}

enum Message {
    Output(Vec<u8>),
    Closed,
    Exited,
}

struct Speaker {
    child: Child,
    messages: Receiver<Message>,
    said: Arc<Mutex<CapturedOutput>>,
    all_said: Receiver<()>,
    watchdog: Watchdog,
}

fn start(job: &Job) -> io::Result<Speaker> {
    let watchdog = Watchdog::start()?;
    let (output, output_end) = io::pipe()?;
    let (errors, errors_end) = io::pipe()?;
    // A tool that is given a token must not be one that came with the project.
    let child = watchdog.spawn(job.command(Some(&job.directory))?.stdout(output_end).stderr(errors_end))?;
    let said = Arc::default();
    let all_said = drain(errors, Arc::clone(&said));
    let (sender, messages) = sync_channel(16);
    read(output, sender.clone());
    let exited = exit_of(Pid::from_child(&child));
    thread::spawn(move || {
        let _ = exited.recv();
        let _ = sender.send(Message::Exited);
    });
    Ok(Speaker { child, messages, said, all_said, watchdog })
}

/// Ends when the pipe does, or when nobody listens any more.
fn read(mut pipe: PipeReader, sender: SyncSender<Message>) {
    thread::spawn(move || {
        let mut chunk = vec![0; 64 * 1024];
        loop {
            let message = match pipe.read(&mut chunk) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Ok(0) | Err(_) => Message::Closed,
                Ok(count) => Message::Output(chunk.get(..count).unwrap_or_default().to_vec()),
            };
            let last = matches!(message, Message::Closed);
            if sender.send(message).is_err() || last {
                break;
            }
        }
    });
}

impl Speaker {
    fn hear(mut self, job: &Job, patience: Patience, mut tell: impl FnMut(News<'_>)) -> StreamResult {
        let started = Instant::now();
        let end = started + job.deadline;
        let mut quiet_until = started + patience.silence;
        let mut slow_at = Some(started + job.slow_after).filter(|at| *at < end);
        let (mut output, mut told) = (Vec::new(), 0);
        let (mut exited, mut closed, mut too_long, mut in_time) = (false, false, false, true);
        while !(exited && closed) {
            let until = end.min(quiet_until).min(slow_at.unwrap_or(end));
            match self.messages.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(Message::Output(bytes)) => {
                    if output.len() + bytes.len() > patience.limit {
                        too_long = true;
                        break;
                    }
                    output.extend(bytes);
                    told = tell_lines(&output, told, &mut tell);
                    if !exited {
                        quiet_until = Instant::now() + patience.silence;
                    }
                }
                Ok(Message::Closed) => closed = true,
                // A child of its own that escaped the group may hold the pipe open forever.
                Ok(Message::Exited) => {
                    exited = true;
                    slow_at = None;
                    quiet_until = Instant::now() + LEFTOVERS;
                }
                Err(RecvTimeoutError::Timeout) if exited => break,
                Err(RecvTimeoutError::Timeout) if slow_at.is_some_and(|at| at <= Instant::now()) => {
                    slow_at = None;
                    tell(News::Slow);
                }
                Err(RecvTimeoutError::Timeout) => {
                    in_time = false;
                    break;
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        if let Some(last) = output.get(told..).filter(|last| !last.is_empty()) {
            tell(News::Line(last));
        }
        let how = self.end(exited, in_time);
        let _ = self.all_said.recv_timeout(LEFTOVERS);
        let said = self.said.lock().unwrap_or_else(PoisonError::into_inner).clone();
        StreamResult { how, output, too_long, said, elapsed: Duration::ZERO }
    }

    fn end(&mut self, mut exited: bool, in_time: bool) -> ExitKind {
        if !exited {
            self.watchdog.signal(Signal::TERM);
            exited = self.exits_within(GRACE);
            self.watchdog.signal(Signal::KILL);
            exited = exited || self.exits_within(LEFTOVERS);
        }
        self.watchdog.signal(Signal::KILL);
        // A process that even KILL does not end cannot be reaped without waiting for it.
        match exited.then(|| self.child.wait()) {
            _ if !in_time => ExitKind::TimedOut,
            Some(Ok(status)) => ended_by(status),
            Some(Err(error)) => ExitKind::CouldNotStart(error),
            None => ExitKind::TimedOut,
        }
    }

    fn exits_within(&self, time: Duration) -> bool {
        let until = Instant::now() + time;
        loop {
            match self.messages.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(Message::Exited) | Err(RecvTimeoutError::Disconnected) => return true,
                Ok(Message::Output(_) | Message::Closed) => {}
                Err(RecvTimeoutError::Timeout) => return false,
            }
        }
    }
}

/// Tells the lines that are whole; returns where the rest begins.
fn tell_lines(output: &[u8], told: usize, tell: &mut impl FnMut(News<'_>)) -> usize {
    let fresh = output.get(told..).unwrap_or_default();
    let Some(last) = fresh.iter().rposition(|byte| *byte == b'\n') else { return told };
    for line in fresh.get(..last).unwrap_or_default().split(|byte| *byte == b'\n') {
        tell(News::Line(line));
    }
    told + last + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8PathBuf;

    const AMPLE: Duration = Duration::from_secs(60);
    const SHORT: Duration = Duration::from_millis(700);

    fn hear(script: &str, deadline: Duration, patience: Patience) -> (StreamResult, Vec<String>) {
        let job = Job {
            argv: ["sh", "-c", script].map(String::from).to_vec(),
            directory: Utf8PathBuf::from("/"),
            environment: vec![("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into())],
            deadline,
            slow_after: AMPLE,
        };
        let mut lines = Vec::new();
        let heard = listen(&job, patience, |news| {
            if let News::Line(line) = news {
                lines.push(String::from_utf8_lossy(line).into_owned());
            }
        });
        (heard, lines)
    }

    const PATIENT: Patience = Patience { silence: AMPLE, limit: 1 << 20 };

    #[test]
    fn output_comes_in_lines_and_apart_from_what_is_said() {
        let (heard, lines) = hear("echo one; echo aside >&2; printf 'two\\nthree'; exit 3", AMPLE, PATIENT);
        assert_eq!(lines, ["one", "two", "three"]);
        assert_eq!(heard.output, b"one\ntwo\nthree");
        assert_eq!(heard.said.bytes(), b"aside\n");
        assert!(matches!(heard.how, ExitKind::Exited(3)) && !heard.too_long);
    }

    #[test]
    fn silence_ends_it_but_a_sign_of_life_starts_the_wait_anew() {
        let silent = Patience { silence: SHORT, limit: 1 << 20 };
        let (heard, _) = hear("echo one; exec sleep 50", AMPLE, silent);
        assert!(matches!(heard.how, ExitKind::TimedOut));
        assert_eq!(heard.output, b"one\n");
        let (heard, lines) = hear("for i in 1 2 3 4 5; do echo $i; sleep 0.3; done", AMPLE, silent);
        assert!(matches!(heard.how, ExitKind::Exited(0)), "{:?}", heard.how);
        assert_eq!(lines.len(), 5);
    }

    #[test]
    fn no_sign_of_life_moves_the_deadline() {
        let (heard, lines) = hear("while :; do echo still here; sleep 0.1; done", SHORT, PATIENT);
        assert!(matches!(heard.how, ExitKind::TimedOut) && !lines.is_empty());
    }

    #[test]
    fn a_flood_is_ended_and_called_one() {
        let (heard, _) = hear("exec yes", AMPLE, Patience { silence: AMPLE, limit: 100_000 });
        assert!(heard.too_long && heard.output.len() <= 100_000);
    }

    #[test]
    fn a_child_that_keeps_the_pipe_open_is_not_waited_for() {
        let (heard, lines) = hear("sleep 50 & echo done", AMPLE, PATIENT);
        assert!(matches!(heard.how, ExitKind::Exited(0)));
        assert_eq!(lines, ["done"]);
    }

    #[test]
    fn a_program_that_is_not_there_is_told_apart() {
        let job = Job {
            argv: vec!["no-such-program-anywhere".into()],
            directory: Utf8PathBuf::from("/"),
            environment: vec![("PATH".into(), "/usr/bin:/bin".into())],
            deadline: AMPLE,
            slow_after: AMPLE,
        };
        assert!(matches!(listen(&job, PATIENT, |_| {}).how, ExitKind::NotFound));
    }
}

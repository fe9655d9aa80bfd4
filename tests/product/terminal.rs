//! A program run by somebody who sits at a terminal.

use rustix::fs::{Mode, OFlags, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::fs::File;
use std::io::Read;
use std::process::{Command, Output, Stdio};

/// Standard input and error are a terminal; what was printed there is returned as its errors.
pub(crate) fn at_a_terminal(command: Command) -> Output {
    typing(command, "")
}

/// The same, by somebody who types this.
pub(crate) fn typing(mut command: Command, text: &str) -> Output {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap();
    let terminal = open(name.as_c_str(), OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap();
    rustix::io::write(&master, text.as_bytes()).unwrap();
    command.stdin(terminal.try_clone().unwrap()).stdout(Stdio::piped()).stderr(terminal);
    let child = command.spawn().unwrap();
    drop(command);
    let reader = std::thread::spawn(move || {
        let mut said = Vec::new();
        // The terminal closes with an error when the last program that has it open ends.
        let _ = File::from(master).read_to_end(&mut said);
        said
    });
    let mut output = child.wait_with_output().unwrap();
    output.stderr = reader.join().unwrap();
    output
}

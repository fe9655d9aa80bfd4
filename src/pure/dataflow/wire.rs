//! Connections that carry bytes as they are.

use crate::pure::shell::{Command, RedirectKind, Word};

/// The name of the program behind such a connection, if the command opens one.
pub(crate) fn is_wire(program: &str, arguments: &[Word]) -> Option<&'static str> {
    match program {
        "nc" | "ncat" | "netcat" | "nc.traditional" | "nc.openbsd" => Some("nc"),
        "telnet" => Some("telnet"),
        "socat" => Some("socat"),
        "openssl" if arguments.first().and_then(Word::literal) == Some("s_client") => {
            Some("openssl s_client")
        }
        _ => None,
    }
}

pub(crate) fn is_wire_path(word: &Word) -> bool {
    word.starts_with("/dev/tcp/") || word.starts_with("/dev/udp/")
}

/// `< /dev/tcp/host/port`
pub(crate) fn reads_wire(command: &Command) -> bool {
    command.redirected(&[RedirectKind::Read, RedirectKind::ReadWrite]).any(is_wire_path)
}

/// The host behind `> /dev/tcp/host/port`.
pub(super) fn written_wire(command: &Command) -> Option<String> {
    use RedirectKind::{Append, ReadWrite, Write};
    let wire = command.redirected(&[Write, Append, ReadWrite]).find(|target| is_wire_path(target))?;
    wire.text_lossy().split('/').nth(3).map(str::to_owned)
}

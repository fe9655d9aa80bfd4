//! Programs that send a request, or bytes as they are.

use super::parcel::{Parcel, ParcelReach};
use crate::pure::dataflow::{CURL, WGET};
use crate::pure::shell::{Command, Piece, Word, pieces};
use std::borrow::Cow;

pub(super) fn curl(command: &Command) -> Parcel<'_> {
    let mut parcel = Parcel { reach: ParcelReach::Request, ..Parcel::default() };
    for piece in pieces(command.arguments(), CURL) {
        match piece {
            Piece::Operand(word) => parcel.address(Cow::Borrowed(word)),
            Piece::Option(name, Some(value)) => match name {
                "--url" => parcel.address(value.word()),
                "d" | "--data" | "--data-ascii" | "--data-binary" | "--json" => {
                    parcel.data(value.word(), "@")
                }
                "--data-urlencode" => parcel.data(value.word(), "@"),
                "F" | "--form" => parcel.field(value.word()),
                // Without an equals sign it is a file of cookies.
                "b" | "--cookie" => match value.word().text_lossy().contains('=') {
                    true => parcel.texts.push(value.word()),
                    false => parcel.file(value.word()),
                },
                "T" | "--upload-file" => parcel.file(value.word()),
                "--data-raw" | "--form-string" | "A" | "--user-agent" | "e" | "--referer" => {
                    parcel.texts.push(value.word())
                }
                "H" | "--header" | "u" | "--user" | "--oauth2-bearer" => parcel.headers.push(value.word()),
                _ => {}
            },
            Piece::Option(_, None) | Piece::Separator => {}
        }
    }
    parcel.input |=
        parcel.to.as_deref().is_some_and(|to| to.starts_with("telnet:") || to.starts_with("gopher:"));
    parcel
}

pub(super) fn wget(command: &Command) -> Parcel<'_> {
    let mut parcel = Parcel { reach: ParcelReach::Request, ..Parcel::default() };
    for piece in pieces(command.arguments(), WGET) {
        match piece {
            Piece::Operand(word) => parcel.address(Cow::Borrowed(word)),
            Piece::Option(name, Some(value)) => match name {
                "--post-file" | "--body-file" => parcel.file(value.word()),
                "--post-data" | "--body-data" => parcel.texts.push(value.word()),
                "--header" => parcel.headers.push(value.word()),
                _ => {}
            },
            Piece::Option(_, None) | Piece::Separator => {}
        }
    }
    parcel
}

pub(super) fn httpie(command: &Command) -> Parcel<'_> {
    let mut parcel = Parcel { reach: ParcelReach::Request, input: true, ..Parcel::default() };
    for word in command.operands() {
        let text = word.literal_prefix();
        let header = text
            .split_once(':')
            .is_some_and(|(name, rest)| !name.contains(['=', '/']) && !rest.starts_with(['=', '/']));
        match text.split_once('@') {
            _ if header => parcel.headers.push(Cow::Borrowed(word)),
            Some((name, _)) if !text.contains("://") => {
                parcel.file(Cow::Owned(word.without_first(name.len() + 1)))
            }
            _ => parcel.address(Cow::Borrowed(word)),
        }
    }
    parcel
}

pub(super) fn over_wire(command: &Command) -> Parcel<'_> {
    let mut parcel = Parcel { input: true, reach: ParcelReach::Wire, ..Parcel::default() };
    for word in command.operands() {
        let text = word.text_lossy();
        let kind = text.split_once(':').map(|(kind, rest)| (kind.to_ascii_lowercase(), rest.to_owned()));
        match kind {
            Some((kind, path)) if matches!(kind.as_str(), "file" | "open" | "gopen") => {
                parcel.files.push(Cow::Owned(Word::plain(path.split(',').next().unwrap_or_default())));
            }
            Some((kind, rest))
                if kind.starts_with("tcp") || kind.starts_with("udp") || kind.starts_with("openssl") =>
            {
                parcel.to = Some(rest.into());
            }
            _ if parcel.to.is_none() && text.parse::<u16>().is_err() => parcel.to = Some(text),
            _ => {}
        }
    }
    parcel
}

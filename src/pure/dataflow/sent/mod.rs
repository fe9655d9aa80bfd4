//! Data that programs send to other machines, as far as their words name it: files, texts, input.

mod copies;
mod parcel;
mod requests;

use super::wire::{is_wire, written_wire};
use crate::pure::shell::{Command, Word, option_values};
use copies::{copied, posted};
pub(crate) use parcel::{Parcel, ParcelReach};
use requests::{curl, httpie, over_wire, wget};
use std::borrow::Cow;

/// The data that a command would send, if it sends any.
pub(crate) fn sent<'a>(program: &'a str, command: &'a Command, commands: &[Command]) -> Option<Parcel<'a>> {
    if let Some(wire) = written_wire(command) {
        return Some(Parcel::of_everything(command, commands, Some(wire.into()), ParcelReach::Wire));
    }
    if is_wire(program, command.arguments()).is_some() {
        return Some(over_wire(command));
    }
    match program {
        "curl" | "curlie" => Some(curl(command)),
        "wget" | "wget2" => Some(wget(command)),
        "http" | "https" | "xh" => Some(httpie(command)),
        "scp" | "rsync" | "sftp" | "rclone" | "aws" | "gsutil" | "gcloud" | "mc" | "b2" | "az" | "s3cmd"
        | "s5cmd" | "azcopy" => copied(program, command, commands),
        "ssh" => {
            let to = command.operands().next().map(Word::text_lossy);
            let texts = command.arguments().iter().map(Cow::Borrowed).collect();
            Some(Parcel { input: true, to, texts, ..Parcel::default() })
        }
        "kubectl" | "oc" if verbs(command, &["cp"]) => {
            let files = command.operands().skip(1).map(Cow::Borrowed).collect();
            Some(Parcel { to: Some("a cluster".into()), files, ..Parcel::default() })
        }
        _ if serves(program, command) => {
            let named = option_values(command.arguments(), "-d --directory -t").into_iter().next();
            let operand = || command.operands().next().filter(|_| matches!(program, "serve" | "http-server"));
            let files: Vec<_> = named.or_else(|| operand().map(Cow::Borrowed)).into_iter().collect();
            let folder = files.is_empty();
            Some(Parcel { to: Some("whoever asks".into()), files, folder, ..Parcel::default() })
        }
        "gh" | "glab"
            if verbs(command, &["issue|pr|mr|release|snippet", "create|comment|edit|note|upload|review"]) =>
        {
            Some(posted(command))
        }
        "gh" if verbs(command, &["api"]) => {
            let texts = command.arguments().iter().map(Cow::Borrowed).collect();
            Some(Parcel { to: Some("a forge".into()), texts, ..Parcel::default() })
        }
        // The address itself carries the content.
        "git" | "npm" | "pip" | "pip3" | "docker" => {
            let made = command.arguments().iter().filter(|word| word.sources().next().is_some());
            let mut addresses =
                made.filter(|word| word.text_lossy().contains("://") || program == "git").peekable();
            let to = addresses.peek()?.text_lossy();
            Some(Parcel {
                to: Some(to),
                headers: addresses.map(Cow::Borrowed).collect(),
                reach: ParcelReach::Request,
                ..Parcel::default()
            })
        }
        "gh" if verbs(command, &["gist", "create"]) => {
            let files = command.operands().skip(2).map(Cow::Borrowed).collect();
            Some(Parcel {
                to: Some("a gist".into()),
                files,
                input: true,
                reach: ParcelReach::Request,
                ..Parcel::default()
            })
        }
        "mail" | "mailx" | "mutt" | "sendmail" | "msmtp" | "swaks" | "wormhole" | "magic-wormhole"
        | "croc" | "ffsend" | "tftp" | "ftp" | "lftp" | "ncftpput" | "smbclient" | "pastebinit"
        | "telegram-send" | "logger" => {
            Some(Parcel::of_everything(command, commands, None, ParcelReach::Request))
        }
        "dig" | "nslookup" | "host" | "drill" | "ping" | "ping6" | "traceroute" => {
            let texts = command.arguments().iter().map(Cow::Borrowed).collect();
            Some(Parcel {
                to: Some("a name server".into()),
                texts,
                reach: ParcelReach::Request,
                ..Parcel::default()
            })
        }
        _ => None,
    }
}

fn verbs(command: &Command, verbs: &[&str]) -> bool {
    let mut words = command.operands().filter_map(Word::literal);
    verbs.iter().all(|verb| words.next().is_some_and(|word| verb.split('|').any(|one| one == word)))
}

/// A directory that is shown to everybody who asks.
pub(crate) fn serves(program: &str, command: &Command) -> bool {
    match program {
        "serve" | "http-server" => true,
        "php" => command.literals().any(|text| text == "-S"),
        name if name.starts_with("python") => {
            command.literals().any(|text| matches!(text, "http.server" | "SimpleHTTPServer"))
        }
        _ => false,
    }
}

//! What leaves this machine through programs that send: keys, credentials, environment files, whole trees.

mod content;
mod copies;
mod parcel;
mod requests;

use super::fetched::is_wire_path;
use super::network::is_wire;
use super::{Meaning, ShellCall};
use crate::pure::shell::{Command, RedirectKind, Word};
use crate::pure::step::address::{host_of, is_local};
use crate::pure::step::effect::Effect;
use content::{WHOLE_FOLDER, WHOLE_PROJECT, content};
use copies::{copied, option_value, posted, serves};
use parcel::{Parcel, ParcelReach};
use requests::{curl, httpie, over_wire, wget};
use std::borrow::Cow;

/// The programs that are asked about here, besides wires.
pub(crate) const PROGRAMS: &str = "cat echo printf base64 tar xxd env printenv curl curlie wget wget2 http \
    https xh scp rsync sftp rclone aws gsutil gcloud mc b2 az ssh gh mail mailx mutt sendmail msmtp \
    swaks wormhole croc ffsend tftp ftp lftp ncftpput smbclient dig nslookup host drill ping ping6 \
    traceroute s3cmd s5cmd azcopy glab npm pip pip3 docker serve http-server php pastebinit \
    telegram-send logger git";

pub(crate) fn survey(program: &str, call: &ShellCall<'_>, meaning: &mut Meaning) {
    let Some(parcel) = parcel(program, call) else { return };
    if call.literals().any(|text| matches!(text, "--dry-run" | "--dryrun" | "--help")) {
        return;
    }
    let packs = matches!(program, "tar" | "zip" | "cpio") && parcel.reach == ParcelReach::Wire;
    let whole = || packs.then(|| WHOLE_FOLDER.to_owned());
    let Some(what) = content(&parcel, call).or_else(whole) else { return };
    // A site or an artefact is put into storage like this every day.
    let stores = matches!(
        program,
        "aws" | "gsutil" | "gcloud" | "rclone" | "mc" | "b2" | "az" | "s3cmd" | "s5cmd" | "azcopy"
    );
    if stores && what == WHOLE_PROJECT {
        return;
    }
    let host = parcel.to.as_deref().and_then(host_of);
    if host.as_deref().is_some_and(is_local) {
        return;
    }
    let to = host.or(parcel.to.map(Cow::into_owned)).unwrap_or_else(|| "another machine".to_owned());
    let secret = what != WHOLE_PROJECT && what != WHOLE_FOLDER;
    meaning.effects.push(Effect::Send { what, to, secret });
}

fn parcel<'a>(program: &'a str, call: &'a ShellCall<'_>) -> Option<Parcel<'a>> {
    if let Some(wire) = wire_redirect(call.command) {
        return Some(Parcel::of_everything(call, Some(wire.into()), ParcelReach::Wire));
    }
    if is_wire(program, call.arguments()).is_some() {
        return Some(over_wire(call));
    }
    match program {
        "curl" | "curlie" => Some(curl(call)),
        "wget" | "wget2" => Some(wget(call)),
        "http" | "https" | "xh" => Some(httpie(call)),
        "scp" | "rsync" | "sftp" | "rclone" | "aws" | "gsutil" | "gcloud" | "mc" | "b2" | "az" | "s3cmd"
        | "s5cmd" | "azcopy" => copied(program, call),
        "ssh" => {
            let to = call.command.operands().next().map(Word::text_lossy);
            let texts = call.arguments().iter().map(Cow::Borrowed).collect();
            Some(Parcel { input: true, to, texts, ..Parcel::default() })
        }
        _ if serves(program, call) => {
            let named = option_value(call, &["-d", "--directory", "-t"]);
            let operand =
                || call.command.operands().next().filter(|_| matches!(program, "serve" | "http-server"));
            let here = || call.directory.map(|directory| Cow::Owned(Word::plain(directory.as_str())));
            let files = named.or_else(operand).map(Cow::Borrowed).or_else(here).into_iter().collect();
            Some(Parcel { to: Some("whoever asks".into()), files, ..Parcel::default() })
        }
        "gh" | "glab"
            if verbs(call, &["issue|pr|mr|release|snippet", "create|comment|edit|note|upload|review"]) =>
        {
            Some(posted(call))
        }
        "gh" if verbs(call, &["api"]) => {
            let texts = call.arguments().iter().map(Cow::Borrowed).collect();
            Some(Parcel { to: Some("a forge".into()), texts, ..Parcel::default() })
        }
        // The address itself carries the content.
        "git" | "npm" | "pip" | "pip3" | "docker" => {
            let made = call.arguments().iter().filter(|word| word.sources().next().is_some());
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
        "gh" if verbs(call, &["gist", "create"]) => {
            let files = call.command.operands().skip(2).map(Cow::Borrowed).collect();
            Some(Parcel {
                to: Some("a gist".into()),
                files,
                input: true,
                reach: ParcelReach::Request,
                ..Parcel::default()
            })
        }
        "mail" | "mailx" | "mutt" | "sendmail" | "msmtp" | "swaks" | "wormhole" | "croc" | "ffsend"
        | "tftp" | "ftp" | "lftp" | "ncftpput" | "smbclient" | "pastebinit" | "telegram-send" | "logger" => {
            Some(Parcel::of_everything(call, None, ParcelReach::Request))
        }
        "dig" | "nslookup" | "host" | "drill" | "ping" | "ping6" | "traceroute" => {
            let texts = call.arguments().iter().map(Cow::Borrowed).collect();
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

fn verbs(call: &ShellCall<'_>, verbs: &[&str]) -> bool {
    let mut words = call.command.operands().filter_map(Word::literal);
    verbs.iter().all(|verb| words.next().is_some_and(|word| verb.split('|').any(|one| one == word)))
}

fn wire_redirect(command: &Command) -> Option<String> {
    let writes = |kind| matches!(kind, RedirectKind::Write | RedirectKind::Append | RedirectKind::ReadWrite);
    let wire = command.redirects.iter().find(|each| writes(each.kind) && is_wire_path(&each.target))?;
    let text = wire.target.text_lossy();
    text.split('/').nth(3).map(str::to_owned)
}

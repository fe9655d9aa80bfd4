//! Data that leaves this machine through programs that send: keys, credentials, environment files, whole trees.

use super::flow::{Sink, effect};
use super::reading::{as_written, listed_secret};
use super::{Meaning, ShellCall};
use crate::pure::dataflow::{
    Parcel, ParcelReach, Source, fed, packs_history, prints_token, secret_printed, sent, serves,
};
use crate::pure::shell::{Command, RedirectKind, Word, WordPart, Wrapper, option_values};
use crate::pure::step::address::{host_of, is_local};
use crate::pure::step::effect::Target;
use crate::pure::step::path::target;
use crate::pure::step::secret_file::{Secret, secret_in};
use camino::Utf8Path;
use std::borrow::Cow;

const WHOLE_PROJECT: Source = Source::Tree("the whole project");
const WHOLE_FOLDER: Source = Source::Tree("a whole folder");

/// The programs that are asked about here, besides wires.
pub(crate) const PROGRAMS: &str = "cat echo printf base64 tar xxd env printenv curl curlie wget wget2 http \
    https xh scp rsync sftp rclone aws gsutil gcloud mc b2 az ssh gh mail mailx mutt sendmail msmtp \
    kubectl oc swaks wormhole magic-wormhole croc ffsend tftp ftp lftp ncftpput smbclient dig nslookup host drill ping ping6 \
    traceroute s3cmd s5cmd azcopy glab npm pip pip3 docker serve http-server php pastebinit \
    telegram-send logger git";

/// A site or an artefact is put into storage with these every day.
const STORES: [&str; 10] =
    ["aws", "gsutil", "gcloud", "rclone", "mc", "b2", "az", "s3cmd", "s5cmd", "azcopy"];

pub(crate) fn survey(program: &str, call: &ShellCall<'_>, meaning: &mut Meaning) {
    let Some(parcel) = sent(program, call.command, call.others) else { return };
    if call.literals().any(|text| matches!(text, "--dry-run" | "--dryrun" | "--help")) {
        return;
    }
    if program == "rsync" && call.literals().any(is_preview) {
        return;
    }
    let packs = matches!(program, "tar" | "zip" | "cpio") && parcel.reach == ParcelReach::Wire;
    let Some(what) = content(&parcel, call).or(packs.then_some(WHOLE_FOLDER)) else { return };
    if what == WHOLE_PROJECT && STORES.contains(&program) {
        return;
    }
    let host = parcel.to.as_deref().and_then(host_of);
    if host.as_deref().is_some_and(is_local) {
        return;
    }
    let to = host.or(parcel.to.map(Cow::into_owned)).unwrap_or_else(|| "another machine".to_owned());
    meaning.effects.extend(effect(what, Sink::Network(to)));
}

/// A program that no family knows and whose words name another machine: what it is given on its input or as a text.
pub(super) fn by_unknown(call: &ShellCall<'_>, meaning: &mut Meaning) {
    let texts = || call.arguments().iter().filter(|word| word.sources().next().is_some());
    let reads = !call.command.fed_by.is_empty() || !call.command.redirects.is_empty();
    let files = option_values(call.arguments(), "-f --file --data-file --input --attach");
    if !reads && files.is_empty() && texts().next().is_none() {
        return;
    }
    let Some(to) = addressed(call.arguments()).filter(|host| !is_local(host)) else { return };
    let texts = texts().map(Cow::Borrowed).collect();
    let parcel = Parcel { input: true, texts, files, reach: ParcelReach::Copy, ..Parcel::default() };
    if let Some(what @ Source::Secret(_)) = content(&parcel, call) {
        meaning.effects.extend(effect(what, Sink::Network(to)));
    }
}

/// The machine that words name: an address, `user@host`, `host:443`, or the value of an option for it.
fn addressed(arguments: &[Word]) -> Option<String> {
    let named = option_values(arguments, "-h -H -b --host --hostname --server --broker --url --remote --to");
    let named = named.iter().map(|word| word.text_lossy()).find(|text| text.contains('.'));
    let is_address = |text: &str| {
        let port = text.rsplit_once(':').map(|(_, port)| port);
        text.contains("://")
            || text.contains('.')
                && (text.contains('@') || port.is_some_and(|port| port.parse::<u16>().is_ok()))
    };
    let free = || arguments.iter().map(Word::text_lossy).find(|text| is_address(text));
    let text = named.or_else(free)?;
    host_of(text.rsplit_once('@').map_or(&*text, |(_, host)| host))
}

/// `rsync -n`, `-avn`; letters behind one that takes a value are that value.
fn is_preview(text: &str) -> bool {
    let letters = text.strip_prefix('-').filter(|letters| !letters.starts_with('-')).unwrap_or_default();
    letters.split(['e', 'f', 'B', 'M', 'T', '@']).next().is_some_and(|letters| letters.contains('n'))
}

/// The private part of a parcel, or a whole tree.
fn content(parcel: &Parcel<'_>, call: &ShellCall<'_>) -> Option<Source> {
    let named = |target: &Target| named(target, call, parcel.reach);
    let written = |word: &Word, kept| written(call, word.sources(), parcel, kept);
    let files = parcel.files.iter().find_map(|word| {
        named(&as_written(word, call.target(word)))
            .or_else(|| written(word, Kept::Whole))
            .or_else(|| found_names(call, word))
            .or_else(|| self::written(call, call.writers(word), parcel, Kept::Whole))
    });
    let folder = || {
        let here = call.directory.filter(|_| parcel.folder)?;
        named(&Target::Path(here.to_owned()))
    };
    let given_as_words = call.command.via.iter().any(|by| matches!(by, Wrapper::Xargs | Wrapper::Parallel));
    let input = || {
        if !parcel.input && !given_as_words {
            return None;
        }
        let mut read = call.command.redirected(&[RedirectKind::Read]);
        read.find_map(|word| {
            named(&call.target(word)).or_else(|| self::written(call, call.writers(word), parcel, Kept::Whole))
        })
        .or_else(|| self::written(call, fed(call.command), parcel, Kept::Whole))
        .or_else(|| call.command.documents().find_map(|word| variable(word, parcel)))
    };
    let texts = || {
        let mut texts = parcel.texts.iter();
        texts.find_map(|word| written(word, Kept::Whole).or_else(|| variable(word, parcel)))
    };
    let headers = || parcel.headers.iter().find_map(|word| written(word, Kept::Extract));
    files.or_else(folder).or_else(input).or_else(texts).or_else(headers)
}

/// How a value is used: as it is, or where one entry of an environment file is meant to go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kept {
    Whole,
    Extract,
}

/// Files whose names another command lists: `find ~/.ssh | xargs -I{} curl -T {} …`.
fn found_names(call: &ShellCall<'_>, word: &Word) -> Option<Source> {
    let (_, secret) = listed_secret(call, word, |_| true)?;
    Some(Source::Secret(secret.what().to_owned()))
}

/// The secret that these commands print, if they print one.
fn written(
    call: &ShellCall<'_>,
    producers: impl IntoIterator<Item = usize>,
    parcel: &Parcel<'_>,
    kept: Kept,
) -> Option<Source> {
    let behind = call.upstream(producers);
    let extracts = |command: &Command| {
        matches!(
            command.program(),
            Some("grep" | "sed" | "awk" | "cut" | "jq" | "yq" | "rg" | "head" | "tail" | "egrep")
        )
    };
    let extracted = kept == Kept::Extract && behind.iter().any(|(_, command)| extracts(command));
    // A token in a header goes to the service that it is for.
    let for_its_service = |command: &Command| kept == Kept::Extract && prints_token(command);
    let mut behind = behind.iter().filter(|(_, command)| !for_its_service(command));
    behind.find_map(|(_, command)| printed(call, command, parcel, extracted))
}

fn printed(call: &ShellCall<'_>, command: &Command, parcel: &Parcel<'_>, extracted: bool) -> Option<Source> {
    // `$(< file)` is a command without a program.
    let program = command.program().unwrap_or_default();
    if let Some(secret) = secret_printed(command) {
        return Some(Source::Secret(secret.to_owned()));
    }
    match program {
        "git" if packs_history(command) => return Some(WHOLE_PROJECT),
        "echo" | "printf" => return command.arguments().iter().find_map(|word| variable(word, parcel)),
        "printenv" => return command.literals().find_map(|name| key_named(name, parcel)),
        "ls" | "stat" | "test" | "[" | "wc" | "find" | "basename" | "dirname" | "realpath" | "readlink"
        | "md5sum" | "du" | "sha256sum" | "sha1sum" | "shasum" | "cksum" | "ssh-keygen" | "git" | "file"
        | "sops" | "curl" | "wget" | "ssh" | "kubectl" | "docker" | "aws" => return None,
        _ => {}
    }
    let directory = if command.directory == call.command.directory {
        call.directory
    } else {
        Some(call.place.cwd.as_path())
    };
    let pattern = usize::from(matches!(program, "grep" | "rg" | "sed" | "awk" | "jq" | "egrep"));
    let operands = command.operands().skip(pattern);
    let whole_trees = matches!(program, "tar" | "zip" | "cpio" | "7z");
    let reach = if whole_trees { parcel.reach } else { parcel.reach.min(ParcelReach::Request) };
    let a_tree = (whole_trees && parcel.reach == ParcelReach::Wire).then_some(WHOLE_FOLDER);
    let found = operands.chain(command.redirected(&[RedirectKind::Read])).find_map(|word| {
        let target = target(word, directory, call.place);
        if extracted && secret_in(&target) == Some(Secret::Environment) {
            return None;
        }
        named(&target, call, reach)
    });
    found.or(a_tree)
}

/// A target that should not leave.
fn named(target: &Target, call: &ShellCall<'_>, reach: ParcelReach) -> Option<Source> {
    let secret = |what: &str| Some(Source::Secret(what.to_owned()));
    if let Some(kind) = secret_in(target) {
        let name = match target {
            Target::Path(path) | Target::Inside(path) => path.file_name().unwrap_or(path.as_str()),
            Target::Matching(pattern) => pattern.rsplit('/').next().unwrap_or(pattern),
            Target::Below(_) | Target::Unknown => "",
        };
        return Some(Source::Secret(format!("{} ({name})", kind.what())));
    }
    let path = target.path()?;
    if path == "/proc/self/environ" {
        return secret("the whole environment");
    }
    if call.place.home.starts_with(path) {
        return secret("the home directory");
    }
    if reach >= ParcelReach::Request && is_system_file(path) {
        return secret(path.as_str());
    }
    if *path == call.place.project && !serves(call.command.program().unwrap_or_default(), call.command) {
        return Some(WHOLE_PROJECT);
    }
    let settings = call.place.home.join(".config") == *path;
    settings.then_some(()).and_then(|()| secret("the settings and accounts of every program (.config)"))
}

fn is_system_file(path: &Utf8Path) -> bool {
    path.starts_with("/etc")
        && !path.starts_with("/etc/ssl/certs")
        && path != "/etc/os-release"
        && path != "/etc/hosts"
}

/// A variable in a text that names a key of a service, sent to somebody else.
fn variable(word: &Word, parcel: &Parcel<'_>) -> Option<Source> {
    word.parts.iter().find_map(|part| match part {
        WordPart::Variable(name) => key_named(name, parcel),
        _ => None,
    })
}

fn key_named(name: &str, parcel: &Parcel<'_>) -> Option<Source> {
    const KEYS: [(&str, &str); 13] = [
        ("AWS_SECRET_ACCESS_KEY", "amazonaws.com"),
        ("AWS_SESSION_TOKEN", "amazonaws.com"),
        ("GITHUB_TOKEN", "github"),
        ("GH_TOKEN", "github"),
        ("GITLAB_TOKEN", "gitlab"),
        ("NPM_TOKEN", "npm"),
        ("OPENAI_API_KEY", "openai"),
        ("ANTHROPIC_API_KEY", "anthropic"),
        ("SSH_PRIVATE_KEY", ""),
        ("PRIVATE_KEY", ""),
        ("PGPASSWORD", ""),
        ("DATABASE_URL", ""),
        ("STRIPE_SECRET_KEY", "stripe"),
    ];
    let (_, home) = KEYS.iter().find(|(key, _)| *key == name)?;
    let host = parcel.to.as_deref().and_then(host_of).unwrap_or_default();
    let foreign =
        !host.is_empty() && (home.is_empty() || !host.contains(home)) || parcel.reach == ParcelReach::Wire;
    foreign.then(|| Source::Secret(format!("${name}")))
}

//! What leaves this machine through programs that send: keys, credentials, environment files, whole trees.

use super::download::{CURL, WGET};
use super::fetched::is_wire_path;
use super::network::is_wire;
use super::pieces::{Piece, Valued, pieces, rest_of};
use super::reading::{as_written, stored_secret};
use super::upstream::{fed, text_printed, upstream};
use super::{Call, Meaning};
use crate::shell::{Command, Part, RedirectKind, Word, Wrapper};
use crate::step::address::{host_of, is_local};
use crate::step::effect::{Effect, Target};
use crate::step::path::target;
use crate::step::secret_file::{Secret, secret_in};
use camino::Utf8Path;
use std::borrow::Cow;
use std::cell::OnceCell;

/// Commands before the one at hand beyond this many are not looked at.
const MAX_BEFORE: usize = 64;

/// What a command would send.
#[derive(Debug, Default)]
struct Parcel<'a> {
    /// Where it goes, if the words say.
    to: Option<Cow<'a, str>>,
    files: Vec<Cow<'a, Word>>,
    /// Texts whose pieces may come from other commands or from variables.
    texts: Vec<Cow<'a, Word>>,
    /// Texts that carry a credential to its own service: headers, users.
    headers: Vec<Cow<'a, Word>>,
    input: bool,
    reach: Reach,
}

/// How much of the machine is no matter of the other side.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Reach {
    /// Copying files between machines: only secrets count.
    #[default]
    Copy,
    /// A request: system files count as well.
    Request,
    /// Bytes as they are: so do whole trees.
    Wire,
}

/// Where a connection leads that an `exec` of the same text keeps open: looked for once in a text, and only if it matters.
#[derive(Debug, Default)]
pub struct OpenWire(OnceCell<Option<String>>);

impl OpenWire {
    fn among(&self, commands: &[Command]) -> Option<&str> {
        let is_exec = |command: &&Command| !command.redirects.is_empty() && command.program() == Some("exec");
        let find = || commands.iter().take(MAX_BEFORE).filter(is_exec).find_map(wire_redirect);
        self.0.get_or_init(find).as_deref()
    }
}

/// The programs that are asked about here, besides wires.
pub const PROGRAMS: &[&str] = &[
    "cat", "echo", "printf", "base64", "tar", "xxd", "env", "printenv", "curl", "curlie", "wget", "wget2",
    "http", "https", "xh", "scp", "rsync", "sftp", "rclone", "aws", "gsutil", "gcloud", "mc", "b2", "az",
    "ssh", "gh", "mail", "mailx", "mutt", "sendmail", "msmtp", "swaks", "wormhole", "croc", "ffsend", "tftp",
    "ftp", "lftp", "ncftpput", "smbclient", "dig", "nslookup", "host", "drill", "ping", "ping6",
    "traceroute", "s3cmd", "s5cmd", "azcopy", "glab", "npm", "pip", "pip3", "docker", "serve", "http-server",
    "php", "pastebinit", "telegram-send", "logger", "git",
];

pub fn survey(program: &str, call: &Call<'_>, meaning: &mut Meaning) {
    let Some(parcel) = parcel(program, call) else { return };
    let Some(what) = content(&parcel, call) else { return };
    let host = parcel.to.as_deref().and_then(host_of);
    if host.as_deref().is_some_and(is_local) {
        return;
    }
    let to = host.or(parcel.to.map(Cow::into_owned)).unwrap_or_else(|| "another machine".to_owned());
    meaning.effects.push(Effect::Send { what, to });
}

fn parcel<'a>(program: &'a str, call: &'a Call<'_>) -> Option<Parcel<'a>> {
    if let Some(wire) = wire_redirect(call.command) {
        return Some(Parcel::of_everything(call, Some(wire.into()), Reach::Wire));
    }
    if is_wire(program, call.arguments()).is_some() {
        return Some(over_wire(call));
    }
    if matches!(program, "cat" | "echo" | "printf" | "base64" | "tar" | "xxd" | "env" | "printenv")
        && let Some(to) = call.wire.among(call.others).map(Cow::Borrowed)
    {
        return Some(Parcel::of_everything(call, Some(to), Reach::Wire));
    }
    match program {
        "curl" | "curlie" => Some(curl(call)),
        "wget" | "wget2" => Some(wget(call)),
        "http" | "https" | "xh" => Some(httpie(call)),
        "scp" | "rsync" | "sftp" | "rclone" | "aws" | "gsutil" | "gcloud" | "mc" | "b2" | "az" | "s3cmd"
        | "s5cmd" | "azcopy" => copied(program, call),
        "ssh" => {
            let to = operands(call).next().map(Word::text_lossy);
            let texts = call.arguments().iter().map(Cow::Borrowed).collect();
            Some(Parcel { input: true, to, texts, ..Parcel::default() })
        }
        _ if serves(program, call) => {
            let named = option_value(call, &["-d", "--directory", "-t"]);
            let operand = || operands(call).next().filter(|_| matches!(program, "serve" | "http-server"));
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
        // The address itself tells.
        "git" | "npm" | "pip" | "pip3" | "docker" => {
            let made = call.arguments().iter().filter(|word| word.sources().next().is_some());
            let mut told =
                made.filter(|word| word.text_lossy().contains("://") || program == "git").peekable();
            let to = told.peek()?.text_lossy();
            Some(Parcel {
                to: Some(to),
                headers: told.map(Cow::Borrowed).collect(),
                reach: Reach::Request,
                ..Parcel::default()
            })
        }
        "gh" if verbs(call, &["gist", "create"]) => {
            let files = operands(call).skip(2).map(Cow::Borrowed).collect();
            Some(Parcel {
                to: Some("a gist".into()),
                files,
                input: true,
                reach: Reach::Request,
                ..Parcel::default()
            })
        }
        "mail" | "mailx" | "mutt" | "sendmail" | "msmtp" | "swaks" | "wormhole" | "croc" | "ffsend"
        | "tftp" | "ftp" | "lftp" | "ncftpput" | "smbclient" | "pastebinit" | "telegram-send" | "logger" => {
            Some(Parcel::of_everything(call, None, Reach::Request))
        }
        "dig" | "nslookup" | "host" | "drill" | "ping" | "ping6" | "traceroute" => {
            let texts = call.arguments().iter().map(Cow::Borrowed).collect();
            Some(Parcel {
                to: Some("a name server".into()),
                texts,
                reach: Reach::Request,
                ..Parcel::default()
            })
        }
        _ => None,
    }
}

fn operands<'a>(call: &'a Call<'_>) -> impl Iterator<Item = &'a Word> {
    call.arguments().iter().filter(|word| !word.starts_with("-"))
}

fn verbs(call: &Call<'_>, verbs: &[&str]) -> bool {
    let mut words = operands(call).filter_map(Word::literal);
    verbs.iter().all(|verb| words.next().is_some_and(|word| verb.split('|').any(|one| one == word)))
}

/// A directory that is shown to everybody who asks.
fn serves(program: &str, call: &Call<'_>) -> bool {
    match program {
        "serve" | "http-server" => true,
        "php" => call.literals().any(|text| text == "-S"),
        name if name.starts_with("python") => {
            call.literals().any(|text| matches!(text, "http.server" | "SimpleHTTPServer"))
        }
        _ => false,
    }
}

fn option_value<'a>(call: &'a Call<'_>, names: &[&str]) -> Option<&'a Word> {
    let mut pairs = call.arguments().iter().zip(call.arguments().iter().skip(1));
    let is_named = |word: &Word| word.literal().is_some_and(|text| names.contains(&text));
    pairs.find(|(name, _)| is_named(name)).map(|(_, value)| value)
}

fn wire_redirect(command: &Command) -> Option<String> {
    let writes = |kind| matches!(kind, RedirectKind::Write | RedirectKind::Append | RedirectKind::ReadWrite);
    let wire = command.redirects.iter().find(|each| writes(each.kind) && is_wire_path(&each.target))?;
    let text = wire.target.text_lossy();
    text.split('/').nth(3).map(str::to_owned)
}

fn over_wire<'a>(call: &'a Call<'_>) -> Parcel<'a> {
    let mut parcel = Parcel { input: true, reach: Reach::Wire, ..Parcel::default() };
    for word in operands(call) {
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

fn curl<'a>(call: &'a Call<'_>) -> Parcel<'a> {
    let mut parcel = Parcel { reach: Reach::Request, ..Parcel::default() };
    for piece in pieces(call.arguments(), CURL) {
        match piece {
            Piece::Operand(word) => parcel.address(Cow::Borrowed(word)),
            Piece::Flag(name, Some(value)) => match name {
                "--url" => parcel.address(value),
                "d" | "--data" | "--data-ascii" | "--data-binary" | "--json" => parcel.data(value, "@"),
                "--data-urlencode" => parcel.data(value, "@"),
                "F" | "--form" => parcel.field(value),
                "T" | "--upload-file" => parcel.file(value),
                "--data-raw" | "--form-string" | "b" | "--cookie" | "A" | "--user-agent" | "e"
                | "--referer" => parcel.texts.push(value),
                "H" | "--header" | "u" | "--user" | "--oauth2-bearer" => parcel.headers.push(value),
                _ => {}
            },
            Piece::Flag(_, None) => {}
        }
    }
    parcel.input |=
        parcel.to.as_deref().is_some_and(|to| to.starts_with("telnet:") || to.starts_with("gopher:"));
    parcel
}

fn wget<'a>(call: &'a Call<'_>) -> Parcel<'a> {
    let mut parcel = Parcel { reach: Reach::Request, ..Parcel::default() };
    for piece in pieces(call.arguments(), WGET) {
        match piece {
            Piece::Operand(word) => parcel.address(Cow::Borrowed(word)),
            Piece::Flag(name, Some(value)) => match name {
                "--post-file" | "--body-file" => parcel.file(value),
                "--post-data" | "--body-data" => parcel.texts.push(value),
                "--header" => parcel.headers.push(value),
                _ => {}
            },
            Piece::Flag(_, None) => {}
        }
    }
    parcel
}

fn httpie<'a>(call: &'a Call<'_>) -> Parcel<'a> {
    let mut parcel = Parcel { reach: Reach::Request, input: true, ..Parcel::default() };
    for word in operands(call) {
        let text = word.literal_prefix();
        let header = text
            .split_once(':')
            .is_some_and(|(name, rest)| !name.contains(['=', '/']) && !rest.starts_with(['=', '/']));
        match text.split_once('@') {
            _ if header => parcel.headers.push(Cow::Borrowed(word)),
            Some((name, _)) if !text.contains("://") => {
                parcel.file(Cow::Owned(rest_of(word, name.len() + 1)))
            }
            _ => parcel.address(Cow::Borrowed(word)),
        }
    }
    parcel
}

/// Files that are copied to another machine; what comes from there is none of them.
fn copied<'a>(program: &'a str, call: &'a Call<'_>) -> Option<Parcel<'a>> {
    let sends = match program {
        "aws" => verbs(call, &["s3", "cp|mv|sync"]) || verbs(call, &["s3api", "put-object"]),
        "gsutil" | "mc" | "rclone" | "b2" | "s3cmd" | "s5cmd" | "azcopy" => {
            operands(call).next().and_then(Word::literal).is_some_and(|verb| {
                matches!(
                    verb,
                    "cp" | "mv"
                        | "rsync"
                        | "copy"
                        | "sync"
                        | "copyto"
                        | "move"
                        | "upload-file"
                        | "mirror"
                        | "put"
                        | "rcat"
                        | "pipe"
                )
            })
        }
        "gcloud" => verbs(call, &["storage", "cp|mv|rsync"]) || verbs(call, &["compute", "scp"]),
        "az" => verbs(call, &["storage", "blob", "upload|upload-batch|sync"]),
        _ => true,
    };
    if !sends {
        return None;
    }
    let is_remote = |word: &Word| {
        let text = word.text_lossy();
        text.split_once(':').is_some_and(|(host, _)| !host.contains('/') && !host.is_empty())
    };
    let valued = match program {
        "scp" | "sftp" | "rsync" => {
            Valued { letters: "iPoFJclSeb", names: "--rsh --exclude --include --filter --files-from" }
        }
        "aws" => Valued {
            letters: "",
            names: "--profile --region --endpoint-url --acl --sse --exclude --include --body --bucket --key",
        },
        _ => Valued { letters: "fcnds", names: "--file --container-name --name" },
    };
    let (mut words, mut named) = (Vec::new(), Vec::new());
    for piece in pieces(call.arguments(), valued) {
        match piece {
            Piece::Operand(word) => words.push(word),
            Piece::Flag("--body" | "--file" | "f" | "--source" | "b", Some(value)) => named.push(value),
            Piece::Flag(_, _) => {}
        }
    }
    let by_option = matches!(program, "az") || verbs(call, &["s3api"]);
    let input = words.iter().any(|word| word.literal() == Some("-"));
    let anywhere = by_option || matches!(program, "sftp" | "b2" | "mc");
    let to = words.pop().filter(|last| anywhere || is_remote(last))?;
    if program == "sftp" {
        named.extend(put_by_script(call).into_iter().map(Cow::Owned));
    }
    named.extend(words.into_iter().filter(|word| !is_remote(word)).map(Cow::Borrowed));
    let to = match program {
        "scp" | "rsync" | "sftp" => to.text_lossy().split(':').next().map(|host| host.to_owned().into()),
        _ => Some(program.into()),
    };
    let input = input || program == "sftp" || verbs(call, &["rcat|pipe"]);
    Some(Parcel { to, files: named, input, ..Parcel::default() })
}

/// Words of a forge: texts in options, files behind `--body-file`.
fn posted<'a>(call: &'a Call<'_>) -> Parcel<'a> {
    const VALUED: Valued = Valued {
        letters: "btFnmRlarBH",
        names: "--body --title --body-file --notes --notes-file --message --repo --label",
    };
    let mut parcel = Parcel { to: Some("a forge".into()), reach: Reach::Request, ..Parcel::default() };
    let uploads = verbs(call, &["release", "create|upload"]) || verbs(call, &["snippet"]);
    for piece in pieces(call.arguments(), VALUED) {
        match piece {
            Piece::Flag("F" | "--body-file" | "--notes-file", Some(value)) => parcel.file(value),
            Piece::Flag(_, Some(value)) => parcel.texts.push(value),
            Piece::Flag(_, None) => {}
            Piece::Operand(word) if uploads => parcel.files.push(Cow::Borrowed(word)),
            Piece::Operand(_) => {}
        }
    }
    parcel
}

/// `put FILE` in the commands that a file transfer is given.
fn put_by_script(call: &Call<'_>) -> Vec<Word> {
    let given = call
        .command
        .redirects
        .iter()
        .filter(|each| matches!(each.kind, RedirectKind::HereString | RedirectKind::HereDoc))
        .map(|each| each.target.text_lossy().into_owned());
    let piped = call.command.fed_by.iter().filter_map(|index| text_printed(call, *index, 0));
    let options = call.literals().filter(|text| text.contains("put ")).map(str::to_owned);
    let scripts: Vec<String> = given.chain(piped).chain(options).collect();
    let lines = scripts.iter().flat_map(|text| text.split(['\n', ';']));
    let put = lines.filter_map(|line| {
        line.trim().split_once(' ').filter(|(verb, _)| matches!(*verb, "put" | "mput" | "reput"))
    });
    put.flat_map(|(_, rest)| rest.split_whitespace().take(2)).map(Word::plain).collect()
}

impl<'a> Parcel<'a> {
    /// Whatever the command names or reads.
    fn of_everything(call: &'a Call<'_>, to: Option<Cow<'a, str>>, reach: Reach) -> Self {
        let put = put_by_script(call).into_iter().map(Cow::Owned);
        let files = operands(call).map(Cow::Borrowed).chain(put).collect();
        let texts = call.arguments().iter().map(Cow::Borrowed).collect();
        Self { to, files, texts, input: true, reach, ..Self::default() }
    }

    fn address(&mut self, word: Cow<'a, Word>) {
        if self.to.is_none() {
            let text = match &word {
                Cow::Borrowed(word) => word.text_lossy(),
                Cow::Owned(word) => Cow::Owned(word.text_lossy().into_owned()),
            };
            self.to = Some(text).filter(|text| !text.starts_with("${"));
        }
        // An address that begins with a value is the value's purpose.
        let texts = match word.parts.first() {
            Some(Part::Output(_)) => &mut self.headers,
            _ => &mut self.texts,
        };
        texts.push(word);
    }

    /// A file, or `-` for what is read.
    fn file(&mut self, word: Cow<'a, Word>) {
        match word.literal() {
            Some("-" | "/dev/stdin" | ".") => self.input = true,
            _ => self.files.push(word),
        }
    }

    fn data(&mut self, word: Cow<'a, Word>, mark: &str) {
        let text = word.literal_prefix();
        match text.split_once(mark) {
            Some((name, _)) if name.is_empty() || !name.contains(['=', '{', ' ', '"']) => {
                self.file(Cow::Owned(rest_of(&word, name.len() + mark.len())))
            }
            _ => self.texts.push(word),
        }
    }

    /// `name=@file;type=…` of a form.
    fn field(&mut self, word: Cow<'a, Word>) {
        let text = word.literal_prefix();
        let Some((name, value)) = text.split_once('=') else { return };
        if !value.starts_with(['@', '<']) {
            return self.texts.push(word);
        }
        let mut file = rest_of(&word, name.len() + 2);
        if let Some(Part::Literal(text)) = file.parts.first_mut() {
            *text = text.split(';').next().unwrap_or_default().trim_matches('"').to_owned();
        }
        self.file(Cow::Owned(file));
    }
}

/// What of it is nobody else's business, in words.
fn content(parcel: &Parcel<'_>, call: &Call<'_>) -> Option<String> {
    let files = parcel.files.iter().find_map(|word| {
        named(&as_written(word, call.target(word)), call, parcel.reach)
            .or_else(|| written(call, word.sources(), parcel, Kept::Whole))
            .or_else(|| found_names(call, word))
            .or_else(|| copied_before(call, word, parcel))
    });
    let given_as_words = call.command.via.iter().any(|by| matches!(by, Wrapper::Xargs | Wrapper::Parallel));
    let input = || {
        if !parcel.input && !given_as_words {
            return None;
        }
        let read = call.command.redirects.iter().filter(|each| each.kind == RedirectKind::Read);
        let redirected =
            read.map(|each| call.target(&each.target)).find_map(|target| named(&target, call, parcel.reach));
        let given = call
            .command
            .redirects
            .iter()
            .filter(|each| matches!(each.kind, RedirectKind::HereString | RedirectKind::HereDoc));
        redirected
            .or_else(|| written(call, fed(call.command), parcel, Kept::Whole))
            .or_else(|| given.map(|each| &each.target).find_map(|word| variable(word, parcel)))
    };
    let texts = || {
        parcel.texts.iter().find_map(|word| {
            written(call, word.sources(), parcel, Kept::Whole)
                .or_else(|| variable(word, parcel))
                .or_else(|| read_into(call, word, parcel))
        })
    };
    let headers =
        || parcel.headers.iter().find_map(|word| written(call, word.sources(), parcel, Kept::Extract));
    files.or_else(input).or_else(texts).or_else(headers)
}

/// How a value is used: as it is, or where one entry of an environment file is meant to go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kept {
    Whole,
    Extract,
}

/// A variable that `read` or `mapfile` filled from a secret: `read x < .env; curl -d "$x" …`.
fn read_into(call: &Call<'_>, word: &Word, parcel: &Parcel) -> Option<String> {
    let fills = |command: &&Command| matches!(command.program(), Some("read" | "mapfile" | "readarray"));
    word.parts.iter().find_map(|part| {
        let Part::Variable(name) = part else { return None };
        let names = |command: &&Command| {
            let base = name.split('[').next().unwrap_or(name);
            command.arguments().iter().any(|word| word.literal() == Some(base))
        };
        // A loop's input stands beside the loop.
        let loops = call.others.iter().take(MAX_BEFORE).filter(|command| command.words.is_empty());
        let readers = call.others.iter().take(MAX_BEFORE).filter(fills).filter(names);
        let mut readers = readers.peekable();
        readers.peek()?;
        readers.chain(loops).find_map(|command| {
            let read = command.redirects.iter().filter(|each| each.kind == RedirectKind::Read);
            let mut targets = read.map(|each| call.target(&each.target));
            targets.find_map(|target| named(&target, call, parcel.reach))
        })
    })
}

/// Files whose names another command lists: `find ~/.ssh | xargs -I{} curl -T {} …`.
fn found_names(call: &Call<'_>, word: &Word) -> Option<String> {
    let lists = |command: &Command| {
        matches!(command.program(), Some("find" | "ls" | "fd" | "rg" | "grep" | "locate"))
    };
    let behind = upstream(call.others, word.sources());
    let mut words =
        behind.iter().filter(|(_, command)| lists(command)).flat_map(|(_, command)| command.arguments());
    words.find_map(|word| secret_in(&call.target(word)).map(|secret| secret.what().to_owned()))
}

/// A copy or an archive of a secret that the same text made before.
fn copied_before(call: &Call<'_>, file: &Word, parcel: &Parcel<'_>) -> Option<String> {
    let at = call.others.iter().position(|other| std::ptr::eq(other, call.command))?;
    let is_file = |word: &Word| *word == *file;
    call.others.iter().enumerate().take(at).rev().take(MAX_BEFORE).find_map(|(index, other)| {
        let copies = matches!(
            other.program(),
            Some("cp" | "mv" | "tar" | "zip" | "gzip" | "7z" | "ln" | "install" | "tee")
        );
        let redirected =
            other.redirects.iter().any(|each| each.kind != RedirectKind::Read && is_file(&each.target));
        if redirected || (copies && other.program() == Some("tee") && other.arguments().iter().any(is_file)) {
            return written(call, std::iter::once(index), parcel, Kept::Whole);
        }
        if !(copies && other.arguments().iter().any(is_file)) {
            return None;
        }
        let others = other.arguments().iter().filter(|word| !is_file(word) && !word.starts_with("-"));
        others.map(|word| call.target(word)).find_map(|target| named(&target, call, Reach::Copy))
    })
}

/// What these commands print, if that is a secret.
fn written(
    call: &Call<'_>,
    producers: impl Iterator<Item = usize>,
    parcel: &Parcel<'_>,
    kept: Kept,
) -> Option<String> {
    let behind = upstream(call.others, producers);
    let extracts = |command: &Command| {
        matches!(
            command.program(),
            Some("grep" | "sed" | "awk" | "cut" | "jq" | "yq" | "rg" | "head" | "tail" | "egrep")
        )
    };
    let extracted = kept == Kept::Extract && behind.iter().any(|(_, command)| extracts(command));
    // A token in a header goes to the service that it is for.
    let for_its_service = |command: &Command| kept == Kept::Extract && prints_token(command);
    let behind = behind.iter().filter(|(_, command)| !for_its_service(command));
    behind.into_iter().find_map(|(_, command)| printed(call, command, parcel, extracted))
}

/// `gh auth token` and its like, not where they go to their own service.
fn prints_token(command: &Command) -> bool {
    let words: Vec<&str> =
        command.arguments().iter().filter_map(Word::literal).filter(|text| !text.starts_with('-')).collect();
    let raw = || command.arguments().iter().any(|word| word.literal() == Some("--raw"));
    match words.as_slice() {
        ["auth", "token" | "print-access-token" | "print-identity-token", ..]
        | ["auth", "application-default", "print-access-token"]
        | ["configure", "export-credentials"]
        | ["account", "get-access-token"] => true,
        ["config", "view"] => raw(),
        _ => false,
    }
}

/// `kubectl get secret x -o yaml`
fn shows_secrets(command: &Command) -> bool {
    let has = |wanted: &[&str]| {
        command.arguments().iter().filter_map(Word::literal).any(|text| {
            wanted.iter().any(|name| {
                text == *name || text.strip_prefix(name).is_some_and(|rest| rest.starts_with(['/', '=']))
            })
        })
    };
    has(&["get"])
        && has(&["secret", "secrets"])
        && command.arguments().iter().any(|word| word.starts_with("-o") || word.starts_with("--output"))
}

fn printed(call: &Call<'_>, command: &Command, parcel: &Parcel<'_>, extracted: bool) -> Option<String> {
    // `$(< file)` is a command without a program.
    let program = command.program().unwrap_or_default();
    let reach = parcel.reach;
    let bare = command.arguments().is_empty();
    match program {
        "env" | "printenv" | "set" if bare => return Some("the whole environment".into()),
        "export" | "declare" if command.arguments().iter().all(|word| word.starts_with("-")) => {
            return Some("the whole environment".into());
        }
        "kubectl" | "oc" if shows_secrets(command) => return Some("a cluster's secrets".into()),
        "echo" | "printf" => return command.arguments().iter().find_map(|word| variable(word, parcel)),
        "printenv" => return command.arguments().iter().find_map(|word| key_named(word.literal()?, parcel)),
        "gh" | "gcloud" | "aws" | "kubectl" | "az" if prints_token(command) => return Some("a token".into()),
        "history" if bare => return Some("the shell's history".into()),
        "ls" | "stat" | "test" | "[" | "wc" | "find" | "basename" | "dirname" | "realpath" | "readlink"
        | "md5sum" | "du" | "sha256sum" | "sha1sum" | "shasum" | "cksum" | "ssh-keygen" | "git" | "file"
        | "sops" | "curl" | "wget" | "ssh" | "kubectl" | "docker" | "aws" => return None,
        _ => {}
    }
    let inner = Call { command, ..*call };
    if let Some((what, _)) = stored_secret(program, &inner) {
        return Some(what.to_owned());
    }
    let directory = if command.directory == call.command.directory {
        call.directory
    } else {
        Some(call.place.cwd.as_path())
    };
    let pattern = usize::from(matches!(program, "grep" | "rg" | "sed" | "awk" | "jq" | "egrep"));
    let operands = command.arguments().iter().filter(|word| !word.starts_with("-")).skip(pattern);
    let read =
        command.redirects.iter().filter(|each| each.kind == RedirectKind::Read).map(|each| &each.target);
    let whole_trees = matches!(program, "tar" | "zip" | "cpio" | "7z");
    let reach = if whole_trees || reach < Reach::Wire { reach } else { Reach::Request };
    operands.chain(read).find_map(|word| {
        let target = target(word, directory, call.place);
        if extracted && secret_in(&target) == Some(Secret::Environment) {
            return None;
        }
        named(&target, call, reach)
    })
}

/// How to call a target that should not leave, if it is one.
fn named(target: &Target, call: &Call<'_>, reach: Reach) -> Option<String> {
    if let Some(secret) = secret_in(target) {
        let name = match target {
            Target::Path(path) | Target::Inside(path) => path.file_name().unwrap_or(path.as_str()),
            Target::Matching(pattern) => pattern.rsplit('/').next().unwrap_or(pattern),
            Target::Below(_) | Target::Unknown => "",
        };
        return Some(format!("{} ({name})", secret.what()));
    }
    let path = target.path()?;
    if path == "/proc/self/environ" {
        return Some("the whole environment".into());
    }
    if call.place.home.starts_with(path) {
        return Some("the home directory".into());
    }
    if reach >= Reach::Request && is_system_file(path) {
        return Some(path.to_string());
    }
    (reach == Reach::Wire && *path == call.place.project).then(|| "the whole project".to_owned())
}

fn is_system_file(path: &Utf8Path) -> bool {
    path.starts_with("/etc")
        && !path.starts_with("/etc/ssl/certs")
        && path != "/etc/os-release"
        && path != "/etc/hosts"
}

/// A variable in a text that names a key of a service, sent to somebody else.
fn variable(word: &Word, parcel: &Parcel<'_>) -> Option<String> {
    word.parts.iter().find_map(|part| match part {
        Part::Variable(name) => key_named(name, parcel),
        _ => None,
    })
}

fn key_named(name: &str, parcel: &Parcel<'_>) -> Option<String> {
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
        !host.is_empty() && (home.is_empty() || !host.contains(home)) || parcel.reach == Reach::Wire;
    foreign.then(|| format!("${name}"))
}

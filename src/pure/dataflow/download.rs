//! Programs that fetch something from another machine: from where, and into which file.

use crate::pure::shell::{Command, Piece, Word, WordPart, Wrapper, pieces};
use std::borrow::Cow;

pub(crate) const CURL: &str = "-A -b -c -C -d -D -e -E -F -h -H -K -m -o -P -Q -r -t -T -u -U -w -x -X \
    -y -Y -z --abstract-unix-socket --aws-sigv4 --cacert --capath --cert --cert-type --ciphers --config \
    --connect-timeout --connect-to --cookie --cookie-jar --data --data-ascii --data-binary --data-raw \
    --data-urlencode --dns-servers --doh-url --dump-header --form --form-string --header --interface --json \
    --key --key-type --limit-rate --max-filesize --max-redirs --max-time --netrc-file --noproxy \
    --oauth2-bearer --output --output-dir --pass --preproxy --proxy --proxy-header --proxy-user --quote \
    --range --referer --request --resolve --retry --retry-delay --retry-max-time --socks5 --socks5-hostname \
    --speed-limit --speed-time --stderr --time-cond --tls-max --trace --trace-ascii --unix-socket \
    --upload-file --url --user --user-agent --variable --write-out";
pub(crate) const WGET: &str = "-a -A -B -D -e -g -G -i -I -l -o -O -P -Q -R -t -T -U -w -X \
    --append-output --base --body-data --body-file --ca-certificate --certificate --directory-prefix \
    --execute --header --http-password --http-user --input-file --limit-rate --load-cookies --method \
    --output-document --output-file --password --post-data --post-file --private-key --referer \
    --save-cookies --timeout --tries --user --user-agent --wait";

/// Where a command fetches from, as far as its words say.
pub(crate) fn download(command: &Command) -> Option<String> {
    let literals = || command.arguments().iter().filter_map(Word::literal);
    if command.via.contains(&Wrapper::Ssh) {
        return Some("another machine".into());
    }
    let fetches = match command.program()? {
        "curl" | "wget" | "wget2" | "aria2c" | "axel" | "lynx" | "links" | "elinks" | "w3m" | "GET"
        | "http" | "https" | "xh" | "lwp-request" | "lwp-download" | "dig" | "nslookup" | "drill" | "ftp"
        | "tftp" | "curlie" => true,
        "fetch" => literals().any(|text| text.contains("://")),
        "host" => literals().any(|text| text.eq_ignore_ascii_case("txt")),
        "aws" => starts(command, &["s3", "cp"]) && literals().any(|text| text.starts_with("s3://")),
        "gsutil" => literals().next().is_some_and(|verb| matches!(verb, "cat" | "cp")),
        "gh" => starts(command, &["gist", "view"]) || starts(command, &["api"]),
        _ => false,
    };
    if !fetches {
        return None;
    }
    let address = command.arguments().iter().map(|word| word.text_lossy()).find(|text| text.contains("://"));
    let named = || literals().find(|text| !text.starts_with('-') && text.contains('.')).map(str::to_owned);
    Some(address.map(|text| short(&text)).or_else(named).unwrap_or_else(|| "another machine".into()))
}

fn starts(command: &Command, verbs: &[&str]) -> bool {
    let mut words = command.operands().filter_map(Word::literal);
    verbs.iter().all(|verb| words.next() == Some(verb))
}

/// An address that fits into a message.
fn short(address: &str) -> String {
    match address.char_indices().nth(60) {
        Some((at, _)) => format!("{}…", address.get(..at).unwrap_or(address)),
        None => address.to_owned(),
    }
}

/// The files into which a download goes, other than by a redirect.
pub(crate) fn saved_as(command: &Command) -> Vec<Word> {
    let valued = match command.program() {
        Some("curl") => CURL,
        Some("wget" | "wget2") => WGET,
        _ => "-o -O -d --output --out --dir",
    };
    let (mut named, mut folder, mut remote_name, mut addresses) = (Vec::new(), None, false, Vec::new());
    let (is_curl, is_wget) =
        (command.program() == Some("curl"), matches!(command.program(), Some("wget" | "wget2")));
    for piece in pieces(command.arguments(), valued) {
        match piece {
            Piece::Option(name, Some(value)) => match name {
                "--output" | "--output-document" | "--out" => named.push(value.word().into_owned()),
                "o" if !is_wget => named.push(value.word().into_owned()),
                "O" if !is_curl => named.push(value.word().into_owned()),
                "--output-dir" | "P" | "--directory-prefix" | "--dir" => folder = Some(value.word()),
                "d" if !is_curl => folder = Some(value.word()),
                "--url" => addresses.push(value.word()),
                _ => {}
            },
            Piece::Separator => {}
            Piece::Option(name, None) => remote_name |= matches!(name, "O" | "--remote-name"),
            Piece::Operand(word) => addresses.push(Cow::Borrowed(word)),
        }
    }
    match command.program() {
        Some("aws" | "gsutil") => {
            let into = addresses.pop();
            let is_folder =
                |word: &Word| word.literal().is_some_and(|text| text == "." || text.ends_with('/'));
            let name = addresses.last().and_then(|address| file_name(address));
            return match (into, name) {
                (Some(folder), Some(name)) if folder.literal() == Some(".") => vec![name],
                (Some(folder), Some(name)) if is_folder(&folder) => vec![within(Some(&folder), name)],
                (into, _) => into.map(Cow::into_owned).into_iter().collect(),
            };
        }
        Some("wget" | "wget2" | "aria2c" | "axel") if named.is_empty() => remote_name = true,
        _ => {}
    }
    if remote_name {
        named.extend(addresses.iter().filter_map(|address| file_name(address)));
    }
    // Behind a word that may be an option stands what may be its value.
    let pairs = command.arguments().iter().zip(command.arguments().iter().skip(1));
    let behind_open = pairs.filter(|(word, file)| word.may_be_option() && !file.starts_with("-"));
    named.extend(behind_open.map(|(_, file)| file.clone()));
    named.into_iter().map(|file| within(folder.as_deref(), file)).collect()
}

/// The last part of an address, without what follows the path.
fn file_name(address: &Word) -> Option<Word> {
    let text = address.text_lossy();
    let path = text.split(['?', '#']).next()?;
    let name = path.rsplit('/').next().filter(|name| !name.is_empty() && !name.contains("${"))?;
    Some(Word::plain(name))
}

pub(super) fn within(folder: Option<&Word>, file: Word) -> Word {
    let Some(folder) = folder else { return file };
    let mut path = folder.clone();
    path.parts.push(WordPart::Literal("/".to_owned()));
    path.parts.extend(file.parts);
    match path
        .parts
        .iter()
        .map(|part| match part {
            WordPart::Literal(text) => Some(text.as_str()),
            _ => None,
        })
        .collect::<Option<String>>()
    {
        Some(text) => Word::plain(text),
        None => path,
    }
}

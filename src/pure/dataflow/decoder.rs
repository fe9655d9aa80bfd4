//! Programs that turn an unreadable text into a readable one.

use crate::pure::shell::{Command, Word, decode};

/// How to call the decoder that a command is, if it is one.
pub(crate) fn decoder(command: &Command) -> Option<String> {
    let program = command.program()?;
    // Encoding runs nowhere, so an option that is only partly known counts as decoding.
    let has =
        |names: &[&str]| command.arguments().iter().any(|word| names.iter().any(|name| word.may_be(name)));
    let cluster = |letter: char| {
        let short = |text: &str| text.starts_with('-') && !text.starts_with("--");
        command.arguments().iter().any(|word| match word.literal() {
            Some(text) => short(text) && text.contains(letter),
            None => word.may_be_option() && !word.starts_with("--"),
        })
    };
    let decodes = match program {
        "base64" | "gbase64" | "base32" | "basenc" | "uuencode" => {
            cluster('d') || cluster('D') || has(&["--decode"])
        }
        "xxd" => cluster('r') || has(&["-revert", "--revert"]),
        "openssl" => {
            let verb = command.arguments().first().and_then(Word::literal);
            verb.is_some_and(|verb| !matches!(verb, "dgst" | "x509" | "s_client")) && has(&["-d", "-decrypt"])
        }
        "gunzip" | "zcat" | "gzcat" | "bzcat" | "xzcat" | "zstdcat" | "uudecode" | "rev" | "bunzip2"
        | "unxz" | "lz4cat" | "lzcat" => true,
        "gzip" | "bzip2" | "xz" | "zstd" | "lz4" | "brotli" => {
            cluster('d') || has(&["--decompress", "--uncompress"])
        }
        "tar" => cluster('O') || has(&["--to-stdout"]),
        "unzip" => cluster('p'),
        "gpg" | "gpg2" | "age" => cluster('d') || has(&["--decrypt"]),
        "strings" | "iconv" | "dc" | "bc" => true,
        "b64decode" | "b32decode" => true,
        "jq" | "gojq" => command.arguments().iter().any(|word| word.literal_prefix().contains("@base64d")),
        "python" | "python3" if has(&["-m"]) && has(&["base64"]) => true,
        "tr" => substitutes_letters(command),
        "awk" | "gawk" | "mawk" | "nawk" => {
            command.code.as_ref().is_some_and(|code| code.text.contains("%c"))
        }
        _ if command.code.is_some() => true,
        _ => false,
    };
    decodes.then(|| match program {
        "base64" | "base32" => format!("{program} -d"),
        _ => program.to_owned(),
    })
}

/// `tr` that maps letters onto other letters, and not just onto the other case.
fn substitutes_letters(command: &Command) -> bool {
    let [from, to] = command.arguments() else { return false };
    let (Some(from), Some(to)) = (from.literal(), to.literal()) else { return false };
    let letters = |text: &str| text.bytes().filter(u8::is_ascii_alphabetic).count();
    letters(from) > 1 && letters(to) > 1 && !from.contains(':') && !from.eq_ignore_ascii_case(to)
}

/// The text that a decoder makes of its input.
pub(crate) fn decoded(command: &Command, read: impl FnOnce() -> Option<String>) -> Option<String> {
    let plain_hexadecimal =
        command.arguments().iter().any(|word| word.literal().is_some_and(|text| text.contains('p')));
    decoder(command)?;
    match command.program()? {
        "base64" | "gbase64" => decode::base64(&read()?),
        "openssl" => decode::base64(&read()?),
        "xxd" if plain_hexadecimal => decode::hexadecimal(&read()?),
        "rev" => Some(
            read()?.lines().map(|line| line.chars().rev().collect::<String>()).collect::<Vec<_>>().join("\n"),
        ),
        "tr" => translated(command, &read()?),
        _ => None,
    }
}

/// The result of `tr` on a text, with ranges spelled out.
fn translated(command: &Command, text: &str) -> Option<String> {
    let [from, to] = command.arguments() else { return None };
    let (from, to) = (range(from.literal()?), range(to.literal()?));
    let last = to.last().copied()?;
    let turned = |each: char| match from.iter().rposition(|one| *one == each) {
        Some(at) => to.get(at).copied().unwrap_or(last),
        None => each,
    };
    Some(text.chars().map(turned).collect())
}

fn range(set: &str) -> Vec<char> {
    let mut all = Vec::new();
    let mut characters = set.chars();
    while let Some(first) = characters.next() {
        let mut ahead = characters.clone();
        match (ahead.next(), ahead.next()) {
            (Some('-'), Some(end)) if first <= end => {
                all.extend(first..=end);
                characters = ahead;
            }
            _ => all.push(first),
        }
        if all.len() > 512 {
            break;
        }
    }
    all
}

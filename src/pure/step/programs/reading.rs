//! Programs that show what is in a file: private keys and credentials are not for the conversation.

use super::shown::is_shown;
use super::{Meaning, ShellCall};
use crate::pure::dataflow::secret_printed;
use crate::pure::shell::{Command, RedirectKind, Word, option_values};
use crate::pure::step::effect::{Effect, Target};
use crate::pure::step::secret_file::{Secret, secret_in};
use crate::pure::step::zone::lies_below;
use camino::Utf8Path;
use std::borrow::Cow;

/// The programs that are asked about here.
pub(crate) const PROGRAMS: &str = "cat tac head tail less more bat batcat nl od xxd hexdump hd strings \
    base64 base32 cut sort uniq paste rev fold diff sdiff pr expand column view vim vi nano emacs ed \
    perl cmp gzip pbcopy xclip grep egrep fgrep rg ag ack zgrep sed awk gawk mawk jq yq cp tar zip 7z \
    rsync install openssl dd curl wget gpg gpg2 security secret-tool keyring kwallet-query lpass pass comm join shuf xz bzip2 zstd \
    split ln kubectl oc gh gcloud aws az sops vault bao gopass op bw doppler heroku";

pub(crate) fn survey(program: &str, call: &ShellCall<'_>, meaning: &mut Meaning) {
    let effects = &mut meaning.effects;
    let attached = attached(program, call);
    for word in shown(program, call).into_iter().chain(&attached) {
        let target = as_written(word, call.target(word));
        if is_closed(&target) || (is_environment(&target) && is_shown(call)) {
            effects.push(Effect::Read { target });
        } else if let Some(target) = listed(word, call) {
            effects.push(Effect::Read { target });
        }
    }
    if is_shown_secret(program, call) {
        let words = call.command.words.iter().take(4).map(Word::text_lossy).collect::<Vec<_>>();
        let file = (program == "sops").then(|| call.command.operands().next_back()).flatten();
        let file = file.map(|word| call.target(word));
        effects.push(Effect::Reveal { what: format!("`{}`", words.join(" ")), file });
    }
    if !uses_keys(program) {
        redirected(call, meaning);
    }
    if let Some(file) = filled_up(program, call) {
        let what = format!("fill the disk through {}", file.text_lossy());
        meaning.effects.push(Effect::Disrupt { what });
    }
}

/// A file that takes what never ends: `yes > x`, `cat /dev/zero > x`, `dd if=/dev/zero of=x`.
fn filled_up(program: &str, call: &ShellCall<'_>) -> Option<Word> {
    const ENDLESS: [&str; 4] = ["/dev/zero", "/dev/urandom", "/dev/random", "/dev/full"];
    let reads = |front: &str| {
        call.literals().any(|text| text.strip_prefix(front).is_some_and(|file| ENDLESS.contains(&file)))
    };
    let file = match program {
        "dd" if reads("if=") && !call.literals().any(|text| text.starts_with("count=")) => {
            call.arguments().iter().find_map(|word| word.strip_prefix("of="))
        }
        "yes" => written(call),
        "cat" if reads("") => written(call),
        _ => None,
    }?;
    let target = call.target(&file);
    // An image that is made in the project may end with the first error.
    let spared = |path: &Utf8Path| {
        lies_below(path, "/dev") || program == "dd" && lies_below(path, call.place.project.as_str())
    };
    (!target.is_device() && !target.path().is_some_and(spared)).then_some(file)
}

fn written(call: &ShellCall<'_>) -> Option<Word> {
    call.command.redirected(&[RedirectKind::Write, RedirectKind::Append]).next().cloned()
}

/// `git show HEAD:.env`: judged by the file of that name.
pub(super) fn committed(call: &ShellCall<'_>, meaning: &mut Meaning) {
    if !matches!(call.literals().next(), Some("show" | "cat-file")) {
        return;
    }
    let named = call.literals().filter_map(|text| text.split_once(':')).map(|(_, path)| path);
    let targets = named.filter(|path| !path.is_empty()).map(|path| call.target(&Word::plain(path)));
    let shown = targets.filter(|target| secret_in(target).is_some()).filter(|_| is_shown(call));
    meaning.effects.extend(shown.map(|target| Effect::Read { target }));
}

/// Whether a store of secrets shows a value in the conversation.
fn is_shown_secret(program: &str, call: &ShellCall<'_>) -> bool {
    let command = call.command;
    let has = |names: &[&str]| call.literals().any(|text| names.contains(&text));
    let mut operands = command.operands().filter_map(Word::literal);
    let open = match program {
        // The environment and the history hold more than secrets.
        "env" | "printenv" | "set" | "export" | "declare" | "history" => true,
        "kubectl" | "oc" => {
            let says = |part: &str| call.literals().any(|text| text.contains(part));
            let format = call.literals().find_map(|text| {
                text.strip_prefix("--output=").or_else(|| {
                    text.strip_prefix("-o")
                        .map(|format| format.trim_start_matches('='))
                        .filter(|text| !text.is_empty())
                })
            });
            let template = format.is_some_and(|format| !matches!(format, "yaml" | "json"))
                || has(&["name", "wide"])
                || says("path=")
                || says("template");
            template && !says(".data")
        }
        "op" => has(&["item"]) && !has(&["--reveal", "--fields"]),
        "vault" | "bao" => operands.any(|word| word.starts_with("sys/") || word.starts_with("auth/")),
        "doppler" => {
            has(&["--only-names"]) || operands.nth(1).is_some_and(|verb| !matches!(verb, "get" | "download"))
        }
        "bw" => {
            operands.nth(1).is_some_and(|what| matches!(what, "template" | "organization" | "fingerprint"))
        }
        "pass" => has(&["-c", "--clip"]),
        // Both print more than the value; only the value alone is certain to be wanted for the conversation.
        "gopass" => !has(&["-o", "--password"]),
        "az" => {
            command.operands().next().is_some_and(|word| word.literal() == Some("keyvault"))
                && !has(&["value"])
        }
        _ => false,
    };
    // Exported keys stay dangerous wherever they go.
    let exports = matches!(program, "gpg" | "gpg2");
    !open && secret_printed(command).is_some() && (exports || !sends_elsewhere(call) && is_shown(call))
}

/// Written to a file by an option of the program: `sops -d --output x`, `doppler secrets download .env`.
fn sends_elsewhere(call: &ShellCall<'_>) -> bool {
    let of_sops = matches!(call.command.program(), Some("sops" | "op" | "az"));
    let written = |text: &str| {
        matches!(text, "--output" | "--out-file" | "-o" | "--file" | "-i" | "--in-place" | "exec-env")
    };
    of_sops && call.literals().any(written)
}

/// A key among the names that another command lists: `find ~/.ssh -type f | xargs cat`.
fn listed(word: &Word, call: &ShellCall<'_>) -> Option<Target> {
    let public = |command: &Command| command.operands().any(|word| word.text_lossy().ends_with(".pub"));
    let (target, _) = listed_secret(call, word, |command| !public(command))?;
    Some(target).filter(is_closed)
}

/// A secret among the names that a command behind a word lists.
pub(super) fn listed_secret(
    call: &ShellCall<'_>,
    word: &Word,
    counts: impl Fn(&Command) -> bool,
) -> Option<(Target, Secret)> {
    let lists = |command: &Command| {
        matches!(command.program(), Some("find" | "ls" | "fd" | "rg" | "grep" | "locate" | "echo" | "printf"))
    };
    let behind = call.upstream(word.sources());
    let listers =
        behind.iter().map(|(_, command)| *command).filter(|command| lists(command) && counts(command));
    listers.flat_map(Command::arguments).find_map(|word| {
        let target = call.target(word);
        secret_in(&target).map(|secret| (target, secret))
    })
}

/// The files that a command gets to read, whatever the program is.
pub(crate) fn redirected(call: &ShellCall<'_>, meaning: &mut Meaning) {
    let targets = call.command.redirected(&[RedirectKind::Read]).map(|word| call.target(word));
    meaning.effects.extend(targets.filter(is_closed).map(|target| Effect::Read { target }));
}

/// A path whose front only the run will know, by the rest that is written: `$DIR/.ssh/id_rsa`.
pub(super) fn as_written(word: &Word, target: Target) -> Target {
    match target {
        Target::Below(_) | Target::Unknown => Target::Path(word.text_lossy().into_owned().into()),
        known => known,
    }
}

fn is_environment(target: &Target) -> bool {
    matches!(target, Target::Path(_)) && secret_in(target) == Some(Secret::Environment)
}

fn is_closed(target: &Target) -> bool {
    secret_in(target).is_some_and(|secret| secret.is_closed())
}

/// Programs that take a key to use it, not to show it.
fn uses_keys(program: &str) -> bool {
    matches!(
        program,
        "ssh"
            | "ssh-add"
            | "ssh-keygen"
            | "ssh-copy-id"
            | "gpg"
            | "gpg2"
            | "gh"
            | "kubectl"
            | "docker"
            | "podman"
            | "vault"
            | "md5sum"
            | "sha256sum"
            | "sha1sum"
            | "wc"
            | "security"
    )
}

/// The operands whose content a program shows or copies.
fn shown<'a>(program: &str, call: &'a ShellCall<'_>) -> Vec<&'a Word> {
    let operands = || call.command.operands();
    let option = |names: &[&str]| call.literals().any(|text| names.iter().any(|name| text.starts_with(name)));
    match program {
        "cat" | "tac" | "head" | "tail" | "less" | "more" | "bat" | "batcat" | "nl" | "od" | "xxd"
        | "hexdump" | "hd" | "strings" | "base64" | "base32" | "cut" | "sort" | "uniq" | "paste" | "rev"
        | "fold" | "diff" | "sdiff" | "pr" | "expand" | "column" | "view" | "vim" | "vi" | "nano"
        | "emacs" | "ed" | "perl" | "cmp" | "gzip" | "pbcopy" | "xclip" | "comm" | "join" | "shuf" | "xz"
        | "bzip2" | "zstd" | "split" => operands().collect(),
        "grep" | "egrep" | "fgrep" | "rg" | "ag" | "ack" | "zgrep" => {
            let listed = option(&["-l", "-c", "-q", "-L", "--files-with-matches", "--count", "--quiet"]);
            let pattern = usize::from(!option(&["-e", "-f", "--regexp", "--file"]));
            if listed { Vec::new() } else { operands().skip(pattern).collect() }
        }
        "sed" | "awk" | "gawk" | "mawk" | "jq" | "yq" => {
            operands().skip(usize::from(!option(&["-e", "-f", "--expression", "--file"]))).collect()
        }
        // Copies of what lies in the project stay there.
        "cp" | "tar" | "zip" | "7z" | "rsync" | "install" | "ln" => {
            let mut words: Vec<&Word> = operands().collect();
            if matches!(program, "cp" | "rsync" | "install" | "ln") {
                words.pop();
            }
            if program == "tar" && !packs(call) {
                return Vec::new();
            }
            words.retain(|word| {
                call.target(word).path().is_none_or(|path| !lies_below(path, call.place.project.as_str()))
            });
            words
        }
        _ => Vec::new(),
    }
}

/// Files that stand behind something else in a word: `dd if=file`, `curl file:///file`.
fn attached(program: &str, call: &ShellCall<'_>) -> Vec<Word> {
    let front = match program {
        "dd" => "if=",
        "curl" | "wget" => "file://",
        "openssl" if shows_private_key(call) => {
            return option_values(call.arguments(), "-in").into_iter().map(Cow::into_owned).collect();
        }
        _ => return Vec::new(),
    };
    call.arguments().iter().filter_map(|word| word.strip_prefix(front)).collect()
}

fn packs(call: &ShellCall<'_>) -> bool {
    let first = call.literals().next().unwrap_or_default();
    let letters = first.trim_start_matches('-');
    first == "--create"
        || (!first.starts_with("--") && letters.contains(['c', 'r', 'u']) && !letters.contains(['x', 't']))
        || call
            .literals()
            .any(|text| matches!(text, "-c" | "--create" | "-r" | "--append" | "-u" | "--update"))
}

fn shows_private_key(call: &ShellCall<'_>) -> bool {
    let verb = call.literals().next();
    let uses = ["dgst", "req", "x509", "verify", "s_client", "s_server", "ca", "crl", "ts"];
    verb.is_some_and(|verb| !uses.contains(&verb))
        && !call.literals().any(|text| matches!(text, "-pubout" | "-noout" | "-check" | "-modulus"))
}

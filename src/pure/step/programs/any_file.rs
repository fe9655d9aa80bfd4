//! Files that a program is given, whatever it is: a key as its input, a profile as its output.

use super::invocation::Invocation;
use super::{Meaning, ShellCall, fetched, profile};
use crate::pure::shell::{NameTable, RedirectKind, Word, WordPart, lists, option_values, printed_by};
use crate::pure::step::assessment::Nature;
use crate::pure::step::effect::{Effect, Target};
use crate::pure::step::path::normal;
use crate::pure::step::secret_file::secret_in;
use crate::pure::step::sensitive::{holds_what_runs_later, runs_later};
use crate::pure::step::zone::lies_below;
use camino::Utf8Path;
use std::borrow::Cow;

/// Programs that take a path without its content: they name it, change what stands around it, use a key for what it is
/// there for, or have rules of their own.
const OWN_RULES: &str = ". [ [[ age alias argocd autossh aws az b2sum \
    basename bat batcat borg cat cd certbot chattr chezmoi chgrp chmod chown cksum claude cmp code codesign comm command \
    cosign cp cursor cut dd declare df diff dir dirname docker docker-compose du echo egrep exa export eza fd \
    fdfind fgrep find flux gawk gcloud getfacl gfind gh git glab gpg gpg-agent gpg2 gpgconf grep gsutil head \
    helm inotifywait install istioctl jarsigner jq k9s keytool kubectl kubectx kustomize la less ll ln local \
    ls lsattr lsd md5sum mkcert mkdir more mosh mv nerdctl oc open openssl packer pass \
    perl pg_dump plimsoll podman popd printf psql pulumi pushd rage read readlink readonly realpath redis-cli \
    restic rg rm rmdir rsync scp sed security set setfacl sftp sha1sum sha256sum sha512sum shasum shred \
    sops sort source ssh ssh-add ssh-agent ssh-copy-id ssh-keygen sshfs sshpass stat step stow \
    tac tail tar tee terraform terragrunt test tofu touch trash trash-put tree truncate type typeset unlink \
    unset vault wc which xdg-open yadm yq zip";

/// Words in the name of an option whose value is a key or an account to use.
const KEY_OPTIONS: [&str; 11] =
    ["key", "ident", "cert", "cred", "kubeconfig", "ssl", "tls", "pem", "token", "auth", "env-file"];

/// Options of such programs that name a file to write.
const OUTPUTS: [(&str, &str); 8] = [
    ("less", "-o -O --log-file --LOG-FILE"),
    ("ssh", "-E"),
    ("psql docker podman nerdctl sops age gpg gpg2 helm step git", "-o --output --iidfile --cidfile"),
    ("pg_dump ssh-keygen", "-f --file"),
    ("tar", "-cf -czf -cvf -rf -uf cf czf cvf"),
    ("ssh-copy-id", "-t"),
    ("restic borg", "--target"),
    ("security aws kubectl gcloud", "--output-file --outfile"),
];

/// Programs whose operands have a rule of their own, and whose options may name a file to read as well.
const READERS: &str = "awk bat cat cmp comm cut diff du egrep fgrep find gawk grep head jq less more perl rg sed sort \
    tac tail tar tee wc yq zip mysql psql mongosh redis-cli terraform tofu helm";

/// Programs that read the names of files from their input.
const TAKES_NAMES: &str = "cpio pax afio zip tar bsdtar rsync";

/// Which of these lists have a program.
static KINDS: NameTable<u16, 512> = {
    let mut kinds = NameTable::new();
    kinds.add(TAKES_NAMES, Kind::TakesNames as usize);
    kinds.add(READS_COMMANDS, Kind::ReadsCommands as usize);
    kinds.add(READERS, Kind::Reader as usize);
    kinds.add(OWN_RULES, Kind::OwnRules as usize);
    kinds
};

#[derive(Clone, Copy)]
enum Kind {
    TakesNames,
    ReadsCommands,
    Reader,
    OwnRules,
}

pub(crate) fn survey(program: &str, call: &ShellCall<'_>, meaning: &mut Meaning) {
    let kinds = KINDS.find(program).unwrap_or_default();
    let is = |kind: Kind| kinds & 1 << kind as usize != 0;
    if is(Kind::TakesNames) && !call.command.fed_by.is_empty() {
        let names = call.command.fed_by.iter().filter_map(|index| printed_by(call.others, *index));
        let named: Vec<Target> = names.flat_map(|names| paths(&names, call)).filter(is_key).collect();
        meaning.effects.extend(named.into_iter().map(|target| Effect::Read { target }));
    }
    let given = if is(Kind::ReadsCommands) { given(call) } else { Vec::new() };
    let in_hidden = || call.directory.is_some_and(|directory| directory.as_str().contains("/."));
    let arguments = call.arguments();
    if !arguments.iter().chain(&given).any(may_matter) && !in_hidden() {
        return;
    }
    let behind =
        |option: &str| arguments.iter().skip_while(move |word| word.literal() != Some(option)).nth(1);
    let own = match program {
        "ssh" | "scp" | "sftp" if behind("-F").is_some() => behind("-F"),
        "openssl" => behind("-out"),
        "git" => behind("create").filter(|_| call.literals().any(|text| text == "bundle")),
        "docker" | "podman" | "nerdctl" | "kubectl" | "oc" if call.literals().any(|text| text == "cp") => {
            arguments.last()
        }
        "sftp" => arguments.last(),
        "zip" => call.command.operands().next(),
        _ => None,
    };
    if is(Kind::Reader) {
        let pairs = arguments.iter().zip(arguments.iter().skip(1));
        let values =
            pairs.filter(|(option, _)| option.starts_with("-") && !names_key(option)).map(|(_, word)| word);
        let attached = arguments.iter().filter(|word| word.starts_with("-") && !names_key(word));
        let named = values.chain(attached).flat_map(|word| paths(word, call));
        let named = named.filter(|target| {
            is_key(target) && target.path().is_some_and(|path| !lies_below(path, call.place.project.as_str()))
        });
        meaning.effects.extend(named.map(|target| Effect::Read { target }));
    }
    if matches!(program, "awk" | "gawk" | "mawk" | "nawk")
        && call.command.code.as_ref().is_some_and(|code| code.text.contains('>'))
    {
        let named = arguments
            .iter()
            .filter(|word| word.literal_prefix().contains('='))
            .flat_map(|word| paths(word, call));
        let named = named.filter(|target| target.path().is_some_and(|path| runs_later(path, call.place)));
        meaning.effects.extend(named.map(|target| Effect::Write { target, recursive: false }));
    }
    if is(Kind::OwnRules) {
        let named = given.iter().flat_map(|word| paths(word, call)).filter(is_key);
        meaning.effects.extend(named.map(|target| Effect::Read { target }));
        let copied = || arguments.iter().skip_while(|word| word.literal() != Some("cp")).nth(1);
        let read = match program {
            "ssh" | "scp" | "sftp" => behind("-F"),
            "openssl" | "zip" | "git" => None,
            _ => own.and_then(|_| copied()),
        };
        let read = read.map(|word| call.target(word)).filter(is_key);
        meaning.effects.extend(read.map(|target| Effect::Read { target }));
        if program == "git" {
            let read = read_by_git(call).into_iter().map(|word| call.target(&word)).filter(is_key);
            let outside = |target: &Target| {
                target.path().is_none_or(|path| !lies_below(path, call.place.project.as_str()))
            };
            meaning.effects.extend(read.filter(outside).map(|target| Effect::Read { target }));
        }
        let outputs = OUTPUTS.iter().find(|(names, _)| lists(names, program)).map(|(_, options)| *options);
        let outputs = option_values(arguments, outputs.unwrap_or("--output --out"));
        let written =
            own.filter(|_| !(program == "ssh" || program == "scp")).into_iter().map(|word| call.target(word));
        let written = written.chain(outputs.iter().map(|word| call.target(word)));
        let named = given.iter().flat_map(|word| paths(word, call));
        let written = written.chain(named);
        let written = written.filter(|target| target.path().is_some_and(|path| runs_later(path, call.place)));
        meaning.effects.extend(written.map(|target| Effect::Write { target, recursive: false }));
        return;
    }
    let writes = || !fetched::is_shell(program) && profile::nature(program, call) != Nature::Read;
    let mut before: Option<&Word> = None;
    for word in arguments.iter().chain(&given) {
        let used = before.is_some_and(names_key) || names_key(word);
        before = Some(word);
        for target in paths(word, call) {
            let Target::Path(path) = &target else { continue };
            if holds_what_runs_later(path, call.place) && writes() {
                let target = Target::Path(path.join("*"));
                meaning.effects.push(Effect::Write { target, recursive: false });
            } else if runs_later(path, call.place) && writes() {
                meaning.effects.push(Effect::Write { target, recursive: false });
            } else if !used && is_key(&target) && !lies_below(path, call.place.project.as_str()) {
                meaning.effects.push(Effect::Read { target });
            }
        }
    }
}

/// Programs that read commands with file names from their input: databases, line editors, debuggers.
const READS_COMMANDS: &str = "sqlite3 sqlite ed red ex vim vi nvim gdb lldb tclsh wish guile bc gnuplot duckdb octave \
    terraform tofu jjs jrunscript jshell ftp ncftp lftp tftp sftp smbclient yafc scanmem r2 debugfs psql mysql mongosh \
    clickhouse-client julia R irb pry ghci ocaml scala maxima gp elixir iex kermit gimp octave-cli";

/// The files that git takes the content of, other than those of the repository.
fn read_by_git(call: &ShellCall<'_>) -> Vec<Word> {
    let Some(Invocation { subcommand, arguments, .. }) = Invocation::parse(call) else { return Vec::new() };
    let options = match subcommand {
        "grep" | "stripspace" | "interpret-trailers" | "mailinfo" | "mailsplit" | "am" | "apply" => {
            return arguments.to_vec();
        }
        "config" => "-f --file",
        "commit" | "tag" | "notes" | "merge" => "-F --file -t --template",
        "archive" => "--add-file",
        "blame" => "--contents",
        _ => return Vec::new(),
    };
    option_values(arguments, options).into_iter().map(Cow::into_owned).collect()
}

/// The input of such a program, as far as the same text spells it out.
fn given(call: &ShellCall<'_>) -> Vec<Word> {
    let kinds = [RedirectKind::HereDoc, RedirectKind::HereString];
    let here = call.command.redirects.iter().filter(|redirect| kinds.contains(&redirect.kind));
    let piped = call.command.fed_by.iter().filter_map(|index| printed_by(call.others, *index));
    here.map(|redirect| redirect.target.clone()).chain(piped).collect()
}

fn is_key(target: &Target) -> bool {
    secret_in(target).is_some_and(|secret| secret.is_closed())
}

/// Whether a word can name a hidden file or one of the system: nearly none does, and looking closer costs more.
fn may_matter(word: &Word) -> bool {
    word.parts.iter().any(|part| match part {
        WordPart::Literal(text) => {
            let hidden = |three: &[u8]| matches!(three, [b'/', b'.', next] if next.is_ascii_alphanumeric());
            text.as_bytes().contains(&b'/')
                && (text.as_bytes().windows(3).any(hidden)
                    || text.contains("etc/")
                    || text.contains("/proc/"))
        }
        _ => false,
    })
}

/// `--private-key`, `--tls-cert=x`
fn names_key(option: &Word) -> bool {
    let text = option.literal_prefix();
    let name = text.split('=').next().unwrap_or(text).to_ascii_lowercase();
    (name.starts_with('-') || name.len() < text.len()) && KEY_OPTIONS.iter().any(|word| name.contains(word))
}

/// The paths in a word: the word itself, and what stands in it between other signs.
fn paths(word: &Word, call: &ShellCall<'_>) -> Vec<Target> {
    let mut found = Vec::new();
    if !word.starts_with("-") {
        found.push(call.target(word));
    }
    let text = word.text_lossy().replace("${HOME}", "$HOME").replace("file://", " ");
    let ends = |sign: char| sign.is_whitespace() || "'\"()=@:,;<>|&`[]{}".contains(sign);
    for piece in text.split(ends) {
        // `-o/home/u/.bashrc`
        let at = piece.find(['/', '~']).filter(|at| piece.starts_with('-') && *at <= 3);
        let piece = at.and_then(|at| piece.get(at..)).unwrap_or(piece);
        let home = ["~/", "$HOME/"].iter().find_map(|front| piece.strip_prefix(front));
        let path = match home {
            Some(rest) => call.place.home.join(rest),
            None if piece.starts_with('/') && !piece.starts_with("//") && piece != text => {
                normal(Utf8Path::new(piece))
            }
            None => continue,
        };
        let target = Target::Path(path);
        if !found.contains(&target) {
            found.push(target);
        }
    }
    found
}

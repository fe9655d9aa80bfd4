//! Whether something in a parcel is nobody else's business.

use super::copies::serves;
use super::parcel::{Parcel, ParcelReach};
use crate::pure::dataflow::fed;
use crate::pure::shell::{Command, RedirectKind, Word, WordPart, Wrapper};
use crate::pure::step::address::host_of;
use crate::pure::step::effect::Target;
use crate::pure::step::path::target;
use crate::pure::step::programs::ShellCall;
use crate::pure::step::programs::reading::{as_written, stored_secret};
use crate::pure::step::secret_file::{Secret, secret_in};
use camino::Utf8Path;

/// Not a secret in itself, so a person decides.
pub(super) const WHOLE_PROJECT: &str = "the whole project";
pub(super) const WHOLE_FOLDER: &str = "a whole folder";

/// Commands before the one at hand beyond this many are not looked at.
const MAX_BEFORE: usize = 64;

/// What of it is nobody else's business, in words.
pub(super) fn content(parcel: &Parcel<'_>, call: &ShellCall<'_>) -> Option<String> {
    let files = parcel.files.iter().find_map(|word| {
        named(&as_written(word, call.target(word)), call, parcel.reach)
            .or_else(|| written(call, word.sources(), parcel, Kept::Whole))
            .or_else(|| found_names(call, word))
            .or_else(|| written(call, call.writer(word).into_iter(), parcel, Kept::Whole))
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
fn read_into(call: &ShellCall<'_>, word: &Word, parcel: &Parcel) -> Option<String> {
    let fills = |command: &&Command| matches!(command.program(), Some("read" | "mapfile" | "readarray"));
    word.parts.iter().find_map(|part| {
        let WordPart::Variable(name) = part else { return None };
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
fn found_names(call: &ShellCall<'_>, word: &Word) -> Option<String> {
    let lists = |command: &Command| {
        matches!(command.program(), Some("find" | "ls" | "fd" | "rg" | "grep" | "locate"))
    };
    let behind = call.upstream(word.sources());
    let mut words =
        behind.iter().filter(|(_, command)| lists(command)).flat_map(|(_, command)| command.arguments());
    words.find_map(|word| secret_in(&call.target(word)).map(|secret| secret.what().to_owned()))
}

/// What these commands print, if that is a secret.
fn written(
    call: &ShellCall<'_>,
    producers: impl Iterator<Item = usize>,
    parcel: &Parcel<'_>,
    kept: Kept,
) -> Option<String> {
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
    let behind = behind.iter().filter(|(_, command)| !for_its_service(command));
    behind.into_iter().find_map(|(_, command)| printed(call, command, parcel, extracted))
}

/// `gh auth token` and its like, not where they go to their own service.
fn prints_token(command: &Command) -> bool {
    let words: Vec<&str> = command.operands().filter_map(Word::literal).collect();
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

/// Commands that print what a store of secrets holds.
fn shows_stored(command: &Command) -> bool {
    let words: Vec<&str> = command.operands().filter_map(Word::literal).collect();
    let has = |names: &[&str]| {
        command.arguments().iter().filter_map(Word::literal).any(|text| names.contains(&text))
    };
    match (command.program().unwrap_or_default(), words.as_slice()) {
        ("sops", ["decrypt", ..]) => true,
        ("sops", _) => has(&["-d", "--decrypt"]),
        ("vault" | "bao", ["kv", "get", ..] | ["read", ..]) => true,
        ("aws", ["secretsmanager", "get-secret-value", ..]) => true,
        ("aws", ["ssm", verb, ..]) => verb.starts_with("get-parameter") && has(&["--with-decryption"]),
        ("gcloud", ["secrets", "versions", "access", ..]) => true,
        ("az", ["keyvault", "secret", "show" | "download", ..]) => true,
        ("op", ["read", ..] | ["item", "get", ..]) | ("bw", ["get", ..]) => true,
        ("doppler", ["secrets", ..]) | ("heroku", ["config", ..]) => true,
        _ => false,
    }
}

/// `git archive HEAD`, `git bundle create - --all`
fn packs_history(command: &Command) -> bool {
    let mut words = command.operands().filter_map(Word::literal);
    match words.next() {
        Some("archive") => command.operands().count() <= 2,
        Some("bundle") => words.next() == Some("create"),
        _ => false,
    }
}

fn printed(call: &ShellCall<'_>, command: &Command, parcel: &Parcel<'_>, extracted: bool) -> Option<String> {
    // `$(< file)` is a command without a program.
    let program = command.program().unwrap_or_default();
    let reach = parcel.reach;
    let bare = command.arguments().is_empty();
    match program {
        "env" | "printenv" | "set" if bare => return Some("the whole environment".into()),
        "export" | "declare" if command.operands().next().is_none() => {
            return Some("the whole environment".into());
        }
        "kubectl" | "oc" if shows_secrets(command) => return Some("a cluster's secrets".into()),
        _ if shows_stored(command) => return Some("a stored secret".into()),
        "git" if packs_history(command) => return Some(WHOLE_PROJECT.into()),
        "echo" | "printf" => return command.arguments().iter().find_map(|word| variable(word, parcel)),
        "printenv" => return command.arguments().iter().find_map(|word| key_named(word.literal()?, parcel)),
        "gh" | "gcloud" | "aws" | "kubectl" | "az" if prints_token(command) => return Some("a token".into()),
        "history" if bare => return Some("the shell's history".into()),
        "ls" | "stat" | "test" | "[" | "wc" | "find" | "basename" | "dirname" | "realpath" | "readlink"
        | "md5sum" | "du" | "sha256sum" | "sha1sum" | "shasum" | "cksum" | "ssh-keygen" | "git" | "file"
        | "sops" | "curl" | "wget" | "ssh" | "kubectl" | "docker" | "aws" => return None,
        _ => {}
    }
    let inner = ShellCall { command, ..*call };
    if let Some((what, _)) = stored_secret(program, &inner) {
        return Some(what.to_owned());
    }
    let directory = if command.directory == call.command.directory {
        call.directory
    } else {
        Some(call.place.cwd.as_path())
    };
    let pattern = usize::from(matches!(program, "grep" | "rg" | "sed" | "awk" | "jq" | "egrep"));
    let operands = command.operands().skip(pattern);
    let read =
        command.redirects.iter().filter(|each| each.kind == RedirectKind::Read).map(|each| &each.target);
    let whole_trees = matches!(program, "tar" | "zip" | "cpio" | "7z");
    let reach = if whole_trees || reach < ParcelReach::Wire { reach } else { ParcelReach::Request };
    let a_tree = (whole_trees && parcel.reach == ParcelReach::Wire).then(|| WHOLE_FOLDER.to_owned());
    let found = operands.chain(read).find_map(|word| {
        let target = target(word, directory, call.place);
        if extracted && secret_in(&target) == Some(Secret::Environment) {
            return None;
        }
        named(&target, call, reach)
    });
    found.or(a_tree)
}

/// How to call a target that should not leave, if it is one.
fn named(target: &Target, call: &ShellCall<'_>, reach: ParcelReach) -> Option<String> {
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
    if reach >= ParcelReach::Request && is_system_file(path) {
        return Some(path.to_string());
    }
    let settings = || call.place.home.join(".config") == *path;
    if *path == call.place.project && !serves(call.command.program().unwrap_or_default(), call) {
        return Some(WHOLE_PROJECT.to_owned());
    }
    settings().then(|| "the settings and accounts of every program (.config)".to_owned())
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
        WordPart::Variable(name) => key_named(name, parcel),
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
        !host.is_empty() && (home.is_empty() || !host.contains(home)) || parcel.reach == ParcelReach::Wire;
    foreign.then(|| format!("${name}"))
}

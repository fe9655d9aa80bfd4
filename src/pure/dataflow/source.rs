//! The origin of bytes that a command brings into the text: another machine, a decoder, a store of secrets.

use super::decoder::decoder;
use super::download::download;
use super::wire::{is_wire, reads_wire};
use crate::pure::shell::{Command, Word};

/// The origin of the bytes that a command prints or writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    /// From this address.
    Remote(String),
    /// Whatever another machine sends through this program.
    Wire(&'static str),
    /// Made readable by this program.
    Decoded(String),
    /// Nobody else's business: what it is, as a message says it.
    Secret(String),
    /// Not a secret in itself: the whole project, a whole folder.
    Tree(&'static str),
}

impl Source {
    pub fn of(command: &Command) -> Option<Self> {
        if let Some(address) = download(command) {
            return Some(Self::Remote(address));
        }
        let wire = command.program().and_then(|program| is_wire(program, command.arguments()));
        if let Some(wire) = wire.or_else(|| reads_wire(command).then_some("/dev/tcp")) {
            return Some(Self::Wire(wire));
        }
        decoder(command).map(Self::Decoded)
    }
}

/// The secret that a command prints, out of the environment or a store, as a message says it.
pub(crate) fn secret_printed(command: &Command) -> Option<&'static str> {
    let bare = command.arguments().is_empty();
    match command.program()? {
        "env" | "printenv" | "set" if bare => Some("the whole environment"),
        "export" | "declare" if command.operands().next().is_none() => Some("the whole environment"),
        "history" if bare => Some("the shell's history"),
        "kubectl" | "oc" if shows_secrets(command) => Some("a cluster's secrets"),
        "gh" | "gcloud" | "aws" | "kubectl" | "az" if prints_token(command) => Some("a token"),
        _ if shows_stored(command) => Some("a stored secret"),
        _ => stored_secret(command),
    }
}

/// `gh auth token` and its like, not where they go to their own service.
pub(crate) fn prints_token(command: &Command) -> bool {
    let words: Vec<&str> = command.operands().filter_map(Word::literal).collect();
    let raw = || command.arguments().iter().any(|word| word.literal() == Some("--raw"));
    match words.as_slice() {
        ["auth", "token" | "print-access-token" | "print-identity-token", ..]
        | ["auth", "application-default", "print-access-token"]
        | ["configure", "export-credentials"]
        | ["account", "get-access-token"] => true,
        ["configure", "get", key] => key.contains("secret") || key.contains("token"),
        ["config", "view"] => raw(),
        _ => false,
    }
}

/// `kubectl get secret x -o yaml`
fn shows_secrets(command: &Command) -> bool {
    let has = |wanted: &[&str]| {
        command.literals().any(|text| {
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
    let has = |names: &[&str]| command.literals().any(|text| names.contains(&text));
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
pub(crate) fn packs_history(command: &Command) -> bool {
    let mut words = command.operands().filter_map(Word::literal);
    match words.next() {
        Some("archive") => command.operands().count() <= 2,
        Some("bundle") => words.next() == Some("create"),
        _ => false,
    }
}

/// `-w`, also among other letters.
fn is_cluster_with(text: &str, letters: &[char]) -> bool {
    text.strip_prefix('-').is_some_and(|flags| !flags.starts_with('-') && flags.contains(letters))
}

/// Commands that print a secret out of a store in the home directory.
fn stored_secret(command: &Command) -> Option<&'static str> {
    let has = |names: &[&str]| command.literals().any(|text| names.contains(&text));
    match command.program()? {
        "gpg" | "gpg2"
            if has(&["--export-secret-keys", "--export-secret-subkeys", "--export-secret-key"]) =>
        {
            Some("secret keys")
        }
        "security"
            if has(&["find-generic-password", "find-internet-password"])
                && command.literals().any(|text| is_cluster_with(text, &['w', 'g'])) =>
        {
            Some("a password")
        }
        "keyring" if has(&["get"]) => Some("a password"),
        "kwallet-query" if command.literals().any(|text| is_cluster_with(text, &['r'])) => Some("a password"),
        "lpass" if has(&["show"]) && has(&["-p", "--password", "--all"]) => Some("a password"),
        "bw" if has(&["export"]) => Some("passwords"),
        "secret-tool" if has(&["search"]) => Some("passwords"),
        "security" if has(&["dump-keychain"]) => Some("passwords"),
        "secret-tool" if has(&["lookup"]) => Some("a password"),
        "pass" | "gopass" if has(&["show"]) => Some("a password"),
        _ => None,
    }
}

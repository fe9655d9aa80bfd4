//! A git command line, taken apart: which repository, which subcommand, what is set for this one call.

use super::super::effect::{Addressed, Target};
use super::super::path::normal;
use super::ShellCall;
use crate::pure::shell::Word;
use camino::Utf8PathBuf;

/// Global options of git that take a value of their own.
pub(crate) const VALUED: [&str; 9] = [
    "-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--super-prefix", "--config-env",
    "--attr-source",
];

/// Keys that decide which hooks run, or bring such keys along.
const DECIDING: [&str; 3] = ["core.hookspath", "include.path", "includeif."];

/// Whether the name of an option is whole, so that only its value is open: `--git-dir=`, `-C`, `-c`.
fn has_name(front: &str) -> bool {
    front.starts_with("--") && front.contains('=') || front.starts_with("-C") || front.starts_with("-c")
}

/// A git command line, taken apart.
pub(super) struct Invocation<'a> {
    pub(super) repository: Addressed,
    /// The settings by `-c` or `--config-env`: keys in lower case, and values.
    pub(super) configured: Vec<(String, String)>,
    /// A key that is only partly known may be one that decides which hooks run.
    pub(super) may_set_hooks: bool,
    /// `--exec-path=…`: git takes its own programs from elsewhere.
    pub(super) other_programs: bool,
    pub(super) subcommand: &'a str,
    pub(super) arguments: &'a [Word],
}

impl<'a> Invocation<'a> {
    pub(super) fn parse(call: &'a ShellCall<'_>) -> Option<Self> {
        if let Some(subcommand) = call.command.program()?.strip_prefix("git-") {
            let (repository, arguments) = (call.repository(), call.arguments());
            let configured = Vec::new();
            let (may_set_hooks, other_programs) = (false, false);
            return Some(Self {
                repository,
                configured,
                may_set_hooks,
                other_programs,
                subcommand,
                arguments,
            });
        }
        let mut directory: Option<Utf8PathBuf> = call.directory.map(ToOwned::to_owned);
        let mut elsewhere = false;
        let (mut configured, mut may_set_hooks, mut other_programs) = (Vec::new(), false, false);
        let mut rest = call.arguments();
        while let Some((word, after)) = rest.split_first() {
            // `git $COMMAND`: which subcommand runs is not known; the git hook will judge what leaves.
            let text = match word.literal() {
                Some(text) => text,
                None if has_name(word.literal_prefix()) => word.literal_prefix(),
                None => return None,
            };
            let is_whole = word.literal().is_some();
            if !text.starts_with('-') {
                let repository = match (elsewhere, directory) {
                    (false, Some(directory)) => Addressed::Directory(directory),
                    (true, _) | (false, None) => Addressed::Unknown,
                };
                return Some(Self {
                    repository,
                    configured,
                    may_set_hooks,
                    other_programs,
                    subcommand: text,
                    arguments: after,
                });
            }
            let attached = ["-C", "-c"].into_iter().find_map(|flag| Some((flag, text.strip_prefix(flag)?)));
            let (flag, inline) = match (text.split_once('='), attached) {
                (Some((flag, value)), _) if flag.starts_with("--") => (flag, Some(value)),
                (_, Some((flag, value))) if !value.is_empty() || !is_whole => (flag, Some(value)),
                _ => (text, None),
            };
            let takes_value = VALUED.contains(&flag) && inline.is_none();
            let value = match takes_value {
                true => after.first().and_then(Word::literal),
                false => inline.filter(|_| is_whole),
            };
            match flag {
                "-C" => {
                    let apart = after.first().filter(|_| takes_value);
                    let here = apart.filter(|word| word.literal().is_none()).map(|word| call.target(word));
                    directory = match here {
                        Some(Target::Path(path)) => Some(path),
                        _ => directory.zip(value).map(|(base, value)| normal(&base.join(value))),
                    };
                }
                // A value that only the shell will know hides nothing of the text after it.
                "-c" | "--config-env" => {
                    let apart = || after.first().filter(|_| takes_value).map(Word::literal_prefix);
                    let known = value.or(inline).or_else(apart).unwrap_or_default();
                    let (key, set) = known.split_once('=').unwrap_or((known, ""));
                    let key = key.to_ascii_lowercase();
                    let is_open = value.is_none() && !known.contains('=');
                    may_set_hooks |= is_open && DECIDING.iter().any(|name| name.starts_with(&key));
                    configured.push((key, set.to_owned()));
                }
                "--exec-path" => other_programs = inline.is_some(),
                "--git-dir" | "--work-tree" | "--namespace" => elsewhere = true,
                _ => {}
            }
            rest = if takes_value { after.get(1..).unwrap_or_default() } else { after };
        }
        None
    }
}

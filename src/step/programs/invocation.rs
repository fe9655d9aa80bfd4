//! A git command line, taken apart: which repository, which subcommand, what is set for this one call.

use super::super::effect::Addressed;
use super::super::path::normal;
use super::Call;
use crate::shell::Word;
use camino::Utf8PathBuf;

/// Global options of git that take a value of their own.
pub const VALUED: [&str; 9] = [
    "-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--super-prefix", "--config-env",
    "--attr-source",
];

/// A git command line, taken apart.
pub(super) struct Invocation<'a> {
    pub(super) repository: Addressed,
    /// What `-c` or `--config-env` set: keys in lower case, and values.
    pub(super) configured: Vec<(String, String)>,
    pub(super) subcommand: &'a str,
    pub(super) arguments: &'a [Word],
}

impl<'a> Invocation<'a> {
    pub(super) fn parse(call: &'a Call<'_>) -> Option<Self> {
        if let Some(subcommand) = call.command.program()?.strip_prefix("git-") {
            let (repository, arguments) = (call.repository(), call.arguments());
            return Some(Self { repository, configured: Vec::new(), subcommand, arguments });
        }
        let mut directory: Option<Utf8PathBuf> = call.directory.map(ToOwned::to_owned);
        let mut elsewhere = false;
        let mut configured = Vec::new();
        let mut rest = call.arguments();
        while let Some((word, after)) = rest.split_first() {
            // `git $COMMAND`: which subcommand runs is not known; the git hook will judge what leaves.
            let text = word.literal()?;
            if !text.starts_with('-') {
                let repository = match (elsewhere, directory) {
                    (false, Some(directory)) => Addressed::Directory(directory),
                    (true, _) | (false, None) => Addressed::Unknown,
                };
                return Some(Self { repository, configured, subcommand: text, arguments: after });
            }
            let attached = ["-C", "-c"].into_iter().find_map(|flag| Some((flag, text.strip_prefix(flag)?)));
            let (flag, inline) = match (text.split_once('='), attached) {
                (Some((flag, value)), _) if flag.starts_with("--") => (flag, Some(value)),
                (_, Some((flag, value))) if !value.is_empty() => (flag, Some(value)),
                _ => (text, None),
            };
            let takes_value = VALUED.contains(&flag) && inline.is_none();
            let value = if takes_value { after.first().and_then(Word::literal) } else { inline };
            match flag {
                "-C" => directory = directory.zip(value).map(|(base, value)| normal(&base.join(value))),
                // What only the shell will know hides nothing of what follows.
                "-c" | "--config-env" => {
                    let known = value.or_else(|| after.first().map(Word::literal_prefix)).unwrap_or_default();
                    let (key, value) = known.split_once('=').unwrap_or((known, ""));
                    configured.push((key.to_ascii_lowercase(), value.to_owned()));
                }
                "--git-dir" | "--work-tree" | "--namespace" => elsewhere = true,
                _ => {}
            }
            rest = if takes_value { after.get(1..).unwrap_or_default() } else { after };
        }
        None
    }
}

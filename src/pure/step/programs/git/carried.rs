//! Commands that git's configuration, options and addresses carry: pagers, editors, helpers, other ends of a connection.

use super::super::carried::run;
use super::super::clients::values;
use super::super::invocation::Invocation;
use super::super::{Meaning, ShellCall};
use crate::pure::shell::Word;
use crate::pure::step::address::{host_of, is_near};
use crate::pure::step::effect::{Effect, Target};
use crate::pure::step::secret_file::secret_in;

pub(crate) fn survey(git: &Invocation<'_>, call: &ShellCall<'_>, meaning: &mut Meaning) {
    for (key, value) in &git.configured {
        run(meaning, started_by(key, value));
        // A lone word is a program as well, and nobody reads such a program from the temporary directory.
        let program =
            started_by(key, value).filter(|program| program.starts_with("/tmp/") && !key.ends_with("editor"));
        meaning
            .effects
            .extend(program.map(|program| Effect::Expose { what: format!("let git run {program}") }));
    }
    match git.subcommand {
        "clone" | "fetch" | "pull" | "ls-remote" | "fetch-pack" | "archive" => {
            let options = match git.subcommand {
                "clone" => "-u --upload-pack",
                "archive" => "--exec",
                _ => "--upload-pack",
            };
            run(meaning, values(git.arguments, options));
            let elsewhere = git.arguments.iter().filter_map(|word| word.literal()?.strip_prefix("ext::"));
            run(meaning, elsewhere.map(|text| text.replace("% ", " ")));
        }
        "grep" => run(meaning, values(git.arguments, "-O --open-files-in-pager")),
        "difftool" => run(meaning, values(git.arguments, "-x --extcmd")),
        "config" => {
            let words = || git.arguments.iter().filter(|word| !word.starts_with("-"));
            let mut pairs =
                words().zip(words().skip(1)).filter_map(|(key, value)| Some((key.literal()?, value)));
            let set = pairs.find(|(key, _)| key.contains('.'));
            if let Some((key, value)) = set {
                meaning.effects.extend(runs_everywhere(git, key, value, call));
                run(meaning, started_by(&key.to_ascii_lowercase(), &value.text_lossy()));
            }
        }
        _ => {}
    }
}

/// Files outside of any repository that a command of git shows or keeps.
pub(crate) fn shown(git: &Invocation<'_>, call: &ShellCall<'_>, meaning: &mut Meaning) {
    let has = |name: &str| git.arguments.iter().any(|word| word.literal() == Some(name));
    let reads = match git.subcommand {
        // Outside of a repository, or of the worktree, it compares files as `--no-index` does.
        "diff" => has("--no-index") || git.arguments.iter().any(|word| word.starts_with("/dev/null")),
        "hash-object" | "apply" | "blame" | "cat-file" => true,
        _ => false,
    };
    let words = git.arguments.iter().filter(|word| reads && !word.starts_with("-"));
    let targets = words.map(|word| call.target(word));
    let closed = |target: &Target| secret_in(target).is_some_and(|secret| secret.is_closed());
    meaning.effects.extend(targets.filter(closed).map(|target| Effect::Read { target }));
}

/// A value that git runs from now on, in this repository or in every one: as good as a line in the file that holds it.
fn runs_everywhere(git: &Invocation<'_>, key: &str, value: &Word, call: &ShellCall<'_>) -> Option<Effect> {
    const HELPERS: [&str; 4] = ["!gh ", "!glab ", "!aws codecommit", "!/usr/bin/gh "];
    let everywhere = git.arguments.iter().any(|word| matches!(word.literal(), Some("--global" | "--system")));
    let (key, text) = (key.to_ascii_lowercase(), value.text_lossy());
    let runs = match key.as_str() {
        "core.hookspath" => everywhere && (value.starts_with("/") || value.literal().is_none()),
        "core.fsmonitor" => !matches!(&*text, "true" | "false" | "0" | "1" | ""),
        "core.pager" | "core.editor" | "core.sshcommand" | "core.askpass" | "gpg.program"
        | "init.templatedir" | "gpg.ssh.program" => {
            let program = text.split_whitespace().next().unwrap_or_default();
            super::super::fetched::is_shell(program) || program.starts_with("/tmp/")
        }
        "diff.external" | "core.gitproxy" | "sequence.editor" => everywhere,
        name if ["filter.", "merge.", "diff.", "difftool.", "mergetool."]
            .iter()
            .any(|front| name.starts_with(front))
            && [".smudge", ".clean", ".process", ".driver", ".textconv", ".command", ".cmd"]
                .iter()
                .any(|end| name.ends_with(end)) =>
        {
            text.contains("/tmp/")
                || text.split_whitespace().next().is_some_and(super::super::fetched::is_shell)
        }
        name if name.starts_with("http.") && name.ends_with("proxy") => {
            everywhere && host_of(&text).is_some_and(|host| !is_near(&host))
        }
        name if name.starts_with("credential") && name.ends_with("helper") => {
            text.starts_with('!') && !HELPERS.iter().any(|known| text.starts_with(known))
                || text.starts_with("/tmp/")
        }
        // Every address that begins like the value leads to another host from now on.
        name if name.starts_with("url.") && name.ends_with("insteadof") => {
            let host = |text: &str| {
                let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
                let rest = rest.rsplit_once('@').map_or(rest, |(_, rest)| rest);
                rest.split(['/', ':']).next().unwrap_or(rest).to_owned()
            };
            let base =
                name.trim_start_matches("url.").trim_end_matches(".insteadof").trim_end_matches(".push");
            base.contains("://")
                && text.contains(['.', ':'])
                && host(base) != host(&text.to_ascii_lowercase())
                && !text.ends_with(':')
        }
        _ => false,
    };
    let folder = call.directory.filter(|_| !everywhere).map(|directory| directory.join(".git/config"));
    let target = Target::Path(folder.unwrap_or_else(|| call.place.home.join(".gitconfig")));
    runs.then_some(Effect::Write { target, recursive: false })
}

/// The command that git hands to a shell if this key has this value.
fn started_by<'a>(key: &str, value: &'a str) -> Option<&'a str> {
    let (section, name) = key.rsplit_once('.')?;
    let runs = match name {
        "pager" | "editor" | "sshcommand" | "askpass" | "gitproxy" | "fsmonitor" => {
            section == "core" || section == "sequence"
        }
        "external" | "command" | "textconv" | "smudge" | "clean" | "process" | "driver" | "cmd"
        | "packobjectshook" | "difffilter" | "program" => true,
        "helper" => return value.strip_prefix('!').filter(|_| section.starts_with("credential")),
        _ => match section {
            "pager" => true,
            "alias" => return value.strip_prefix('!'),
            _ => false,
        },
    };
    runs.then_some(value)
}

/// An alias that an earlier command of the same text sets: `git config alias.x '!…' && git x`.
pub(crate) fn set_before(name: &str, call: &ShellCall<'_>) -> Option<String> {
    let own = call.position()?;
    let key = format!("alias.{name}");
    call.others.get(..own)?.iter().rev().take(16).find_map(|command| {
        let is_config = command.program() == Some("git")
            && command.arguments().iter().any(|word| word.literal() == Some("config"));
        let mut pairs = command.arguments().windows(2).filter(|_| is_config);
        pairs.find_map(|pair| match pair {
            [word, value] if word.literal().is_some_and(|text| text.eq_ignore_ascii_case(&key)) => {
                value.literal().map(str::to_owned)
            }
            _ => None,
        })
    })
}

/// Whether this reverts the working tree: what `git diff` prints, applied backwards.
pub(crate) fn applies_backwards(git: &Invocation<'_>, call: &ShellCall<'_>) -> bool {
    let has =
        |names: &[&str]| git.arguments.iter().filter_map(Word::literal).any(|text| names.contains(&text));
    let prints_changes = |index: &usize| {
        call.others.get(*index).is_some_and(|command| {
            command.program() == Some("git")
                && command.arguments().iter().any(|word| word.literal() == Some("diff"))
                && !command
                    .arguments()
                    .iter()
                    .any(|word| word.literal().is_some_and(|text| matches!(text, "--cached" | "--staged")))
        })
    };
    has(&["-R", "--reverse"])
        && !has(&["--check", "--cached", "--stat"])
        && call.command.fed_by.iter().any(prints_changes)
}

//! PowerShell and cmd: deletions translated to POSIX shell, and downloads that they run.

use super::super::clients::values;
use super::super::{Meaning, ShellCall};
use super::{behind, run};
use crate::pure::step::effect::{Effect, TextSource};

/// Whatever PowerShell takes for a deletion.
const DELETES: [&str; 7] = ["remove-item", "ri", "rm", "del", "erase", "rd", "rmdir"];

pub(crate) fn survey(program: &str, call: &ShellCall<'_>, meaning: &mut Meaning) {
    if program.starts_with("cmd") {
        let text = behind(call, &["/c", "/C", "//c", "//C", "/k", "/s"]).unwrap_or_default();
        let texts = text.split('&').map(|statement| in_cmd(&statement.replace('\'', "")));
        return run(meaning, texts.collect::<Vec<_>>());
    }
    let is_option = |text: &str, whole: &str, least: usize| {
        let name = text.trim_start_matches('-').to_ascii_lowercase();
        text.starts_with('-') && name.len() >= least && whole.starts_with(&name)
    };
    let mut before_last = call.literals().take(call.arguments().len().saturating_sub(1));
    if before_last.any(|text| is_option(text, "encodedcommand", 1)) {
        let source = TextSource::Decoded(format!("{program} -EncodedCommand"));
        meaning.effects.push(Effect::RunFetched { source });
    }
    let mut texts = values(call.arguments(), "-c -C -Command -command --command");
    let named = call.literals().position(|text| is_option(text, "command", 2));
    texts
        .extend(named.and_then(|at| call.arguments().get(at + 1)).map(|word| word.text_lossy().into_owned()));
    for text in texts {
        fetched(&text, meaning);
        meaning.effects.extend(text.split([';', '\n', '{', '}', '|']).filter_map(of_its_own));
        run(meaning, text.split([';', '\n', '{', '}']).map(in_shell).collect::<Vec<_>>());
    }
}

/// `iex (irm https://…)`, and the same over a socket.
fn fetched(text: &str, meaning: &mut Meaning) {
    let lower = text.to_ascii_lowercase();
    let words = || lower.split(|each: char| !each.is_ascii_alphanumeric() && each != '-' && each != '.');
    let evaluates = words().any(|word| matches!(word, "iex" | "invoke-expression"));
    if !evaluates {
        return;
    }
    if lower.contains("sockets.tcpclient") {
        meaning.effects.push(Effect::NetworkShell { how: "PowerShell that runs what a socket sends".into() });
    }
    let fetches = |word: &str| {
        matches!(word, "irm" | "iwr" | "invoke-restmethod" | "invoke-webrequest" | "curl" | "wget")
            || word.ends_with("downloadstring")
    };
    if words().any(fetches) {
        let address = text.split(['\'', '"', ' ', '(', ')']).find(|word| word.contains("://"));
        let source = TextSource::Downloaded(address.unwrap_or("another machine").chars().take(60).collect());
        meaning.effects.push(Effect::RunFetched { source });
    }
}

/// What no other shell has a command for.
fn of_its_own(statement: &str) -> Option<Effect> {
    let lower = statement.trim().to_ascii_lowercase();
    let mut words = lower.split_whitespace();
    let first = words.next()?;
    match first {
        "set-executionpolicy" if lower.contains("unrestricted") || lower.contains("bypass") => {
            let lasts = !lower.contains("process");
            lasts.then(|| Effect::Expose { what: "let unsigned scripts of any origin run".into() })
        }
        "format-volume" | "clear-disk" | "initialize-disk" | "remove-partition" | "clear-storagepool" => {
            Some(Effect::Format { device: format!("a disk (`{first}`)") })
        }
        "stop-computer" | "restart-computer" => {
            Some(Effect::Disrupt { what: format!("stop this machine (`{first}`)") })
        }
        "stop-service" | "remove-service" | "disable-netadapter" => {
            Some(Effect::Disrupt { what: format!("stop a service or the network (`{first}`)") })
        }
        "set-mppreference" | "netsh" if lower.contains("disable") || lower.contains("off") => {
            Some(Effect::Expose { what: format!("switch protection off (`{first}`)") })
        }
        _ => None,
    }
}

/// The command of a POSIX shell that does the same, by the name of this one.
fn same_in_shell(statement: &str) -> Option<String> {
    let statement = statement.trim();
    let (first, rest) = statement.split_once(' ')?;
    let files = || operands(statement).iter().map(|path| quoted_path(path)).collect::<Vec<_>>().join(" ");
    let behind = |option: &str| {
        let mut words = rest.split_whitespace().skip_while(|word| !word.eq_ignore_ascii_case(option));
        words.nth(1).map(|word| word.trim_matches(['\'', '"']).to_owned())
    };
    match first.to_ascii_lowercase().as_str() {
        "get-content" | "gc" | "type" | "select-string" => Some(format!("cat {}", files())),
        "invoke-webrequest" | "iwr" | "invoke-restmethod" | "irm" => {
            let file = behind("-InFile").map(|file| format!("-T {file}"))?;
            let address =
                rest.split(['\'', '"', ' ']).find(|word| word.contains("://")).unwrap_or("https://");
            Some(format!("curl {file} {address}"))
        }
        "stop-process" | "spps" => behind("-Name").map(|name| format!("killall {name}")),
        "set-content" | "out-file" | "add-content" | "clear-content" => {
            let file = behind("-Path")
                .or_else(|| behind("-FilePath"))
                .or_else(|| operands(statement).first().cloned())?;
            Some(format!("echo x >> {}", quoted_path(&file)))
        }
        "copy-item" => Some(format!("cp -r {}", files())),
        "move-item" => Some(format!("mv {}", files())),
        _ => None,
    }
}

/// A path of Windows as one of this machine.
fn quoted_path(path: &str) -> String {
    let home = ["$env:USERPROFILE", "$env:HOME", "$Env:USERPROFILE"].iter();
    let path = home.fold(path.to_owned(), |path, name| path.replace(name, "$HOME"));
    let path = path.replace("$env:TEMP", "/tmp").replace("$env:TMP", "/tmp");
    let mut signs = path.chars();
    let path = match (signs.next(), signs.next()) {
        (Some(drive), Some(':')) if drive.is_ascii_alphabetic() => {
            let rest = path.get(2..).unwrap_or_default().trim_end_matches(['/', '*']);
            match rest.matches('/').count() {
                0 | 1 => "/".to_owned(),
                2 if rest.to_ascii_lowercase().starts_with("/users") => "/home".to_owned(),
                _ => rest.to_owned(),
            }
        }
        _ => path,
    };
    if path.contains(['*', '~', '$']) { path } else { format!("'{path}'") }
}

/// A statement as a POSIX shell would say it, as far as deletions go.
fn in_shell(statement: &str) -> String {
    let steps: Vec<&str> = statement.split('|').collect();
    let Some((last, before)) = steps.split_last() else { return String::new() };
    let Some(delete) = deletion(last) else {
        return steps
            .iter()
            .find_map(|step| same_in_shell(step))
            .unwrap_or_else(|| statement.trim().to_owned());
    };
    // `Get-ChildItem src | Remove-Item`: what is listed is what goes.
    let listed = before.first().map(|list| operands(list)).unwrap_or_default();
    let paths: Vec<String> = delete.paths.into_iter().chain(listed).collect();
    let quoted = paths.iter().map(|path| quoted_path(path));
    let option = if delete.recursive { "-rf" } else { "-f" };
    format!("rm {option} {}", quoted.collect::<Vec<_>>().join(" "))
}

struct Deletion {
    recursive: bool,
    paths: Vec<String>,
}

fn deletion(statement: &str) -> Option<Deletion> {
    let (first, rest) = statement.trim().split_once(' ').unwrap_or((statement.trim(), ""));
    if !DELETES.contains(&first.to_ascii_lowercase().as_str()) {
        return None;
    }
    let is_recursive = |word: &str| {
        let name = word.trim_start_matches('-').to_ascii_lowercase();
        word.starts_with('-')
            && (!name.is_empty() && "recurse".starts_with(&name) || matches!(name.as_str(), "rf" | "fr"))
    };
    Some(Deletion { recursive: rest.split_whitespace().any(is_recursive), paths: operands(statement) })
}

/// Paths, several with a comma between them; values of options that are no paths are few and do no harm here.
fn operands(statement: &str) -> Vec<String> {
    let words = statement.split_whitespace().skip(1).filter(|word| !word.starts_with('-'));
    let paths = words.flat_map(|word| word.split(','));
    paths
        .map(|path| path.trim_matches(['\'', '"']).replace('\\', "/"))
        .filter(|path| !path.is_empty())
        .collect()
}

/// `rmdir /s /q src`, `del /f /q src`
fn in_cmd(statement: &str) -> String {
    let words: Vec<&str> = statement.split_whitespace().collect();
    let recursive = words.iter().any(|word| word.eq_ignore_ascii_case("/s"));
    match words.split_first() {
        Some((first, rest))
            if matches!(first.to_ascii_lowercase().as_str(), "rd" | "rmdir" | "del" | "erase") =>
        {
            let paths = rest.iter().filter(|word| !word.starts_with('/')).map(|path| path.replace('\\', "/"));
            let option = if recursive { "-rf" } else { "-f" };
            format!("rm {option} {}", paths.collect::<Vec<_>>().join(" "))
        }
        _ => statement.trim().to_owned(),
    }
}

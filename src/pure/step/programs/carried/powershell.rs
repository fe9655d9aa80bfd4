//! PowerShell and cmd: deletions translated to POSIX shell, and downloads that they run.

use super::super::clients::values;
use super::super::{Meaning, ShellCall};
use super::{behind, run, windows};
use crate::pure::step::effect::{Effect, TextSource};

/// Whatever PowerShell takes for a deletion.
const DELETES: [&str; 7] = ["remove-item", "ri", "rm", "del", "erase", "rd", "rmdir"];

pub(crate) fn survey(program: &str, call: &ShellCall<'_>, meaning: &mut Meaning) {
    if program.starts_with("cmd") {
        let text = behind(call, &["/c", "/C", "//c", "//C", "/k", "/s"]).unwrap_or_default();
        return in_cmd(&text.replace('\'', ""), meaning);
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
        program_text(&text, meaning);
    }
}

fn program_text(text: &str, meaning: &mut Meaning) {
    let text = &plain(text);
    fetched(text, meaning);
    meaning.effects.extend(text.split([';', '\n', '{', '}', '|']).filter_map(windows::effect));
    let mut items: Option<Listed> = None;
    let mut saved: Vec<String> = Vec::new();
    let mut translated = Vec::new();
    for statement in text.split([';', '\n', '{', '}']) {
        let statement = match &items {
            Some(listed) => listed.filled_in(statement),
            None => statement.to_owned(),
        };
        items = Listed::before_a_loop(&statement).or(items.filter(|_| statement.trim().is_empty()));
        if saved.iter().any(|file| starts(&statement, file)) {
            let source = TextSource::Downloaded("another machine".into());
            meaning.effects.push(Effect::RunFetched { source });
        }
        saved.extend(saved_by(&statement));
        translated.extend(stopped(&statement));
        translated.extend(started(&statement));
        translated.extend(deleted_by_class(&statement));
        translated.push(in_shell(&statement));
    }
    run(meaning, translated);
}

/// The text without signs that PowerShell drops, and with the values of variables that it sets to a plain text.
fn plain(text: &str) -> String {
    let mut text = text.replace('`', "");
    for statement in text.clone().split([';', '\n']) {
        let Some((name, value)) = statement.split_once('=') else { continue };
        let (name, value) = (name.trim(), value.trim());
        let is_name = name.len() > 2
            && name
                .strip_prefix('$')
                .is_some_and(|name| name.bytes().all(|byte| byte.is_ascii_alphanumeric()));
        let quoted = |quote: char| value.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
        if let Some(value) = quoted('"').or_else(|| quoted('\'')).filter(|_| is_name) {
            text = text.replace(name, value);
        }
        // A name of one letter stands in others as well.
        if let (Some(value), 2) = (quoted('"').or_else(|| quoted('\'')), name.len()) {
            for end in [' ', ';', ')', '|'] {
                text = text.replace(&format!("{name}{end}"), &format!("{value}{end}"));
            }
        }
    }
    text.replace("$PROFILE", "$HOME/.config/powershell/profile.ps1")
        .replace("$profile", "$HOME/.config/powershell/profile.ps1")
}

/// The items of a loop, and the name of the loop's variable.
struct Listed {
    paths: String,
    name: String,
    recursive: bool,
}

impl Listed {
    /// `Get-ChildItem src | ForEach-Object`, `foreach ($file in Get-ChildItem src)`
    fn before_a_loop(statement: &str) -> Option<Self> {
        let lower = statement.trim().to_ascii_lowercase();
        let (list, name) = if let Some(rest) = lower.strip_prefix("foreach").map(str::trim_start)
            && rest.starts_with('(')
        {
            let (head, list) = statement.split_once(" in ")?;
            (list.trim().trim_end_matches(')').trim_start_matches('('), head.rsplit(['(', ' ']).next()?)
        } else {
            let (list, last) = statement.trim().rsplit_once('|')?;
            let last = last.trim().to_ascii_lowercase();
            matches!(last.as_str(), "%" | "foreach" | "foreach-object").then_some((list, "$_"))?
        };
        let lists = list.split('|').next().unwrap_or(list).trim();
        let paths = if lists.starts_with(['~', '$', '/']) { vec![lists.to_owned()] } else { operands(lists) };
        let recursive = lists.split_whitespace().any(is_recursive);
        Some(Self { paths: paths.join(","), name: name.to_owned(), recursive })
    }

    fn filled_in(&self, statement: &str) -> String {
        let members = [".FullName", ".fullname", ".PSPath", ".Path", ".Name", ""];
        let filled = members.iter().fold(statement.to_owned(), |text, member| {
            text.replace(&format!("{}{member}", self.name), &self.paths)
        });
        if self.recursive && filled != statement { format!("{filled} -Recurse") } else { filled }
    }
}

/// The file that a download is written to.
fn saved_by(statement: &str) -> Option<String> {
    let lower = statement.to_ascii_lowercase();
    if !lower.contains("://") {
        return None;
    }
    let mut words = statement.split([' ', ',', '(', ')', '"', '\'']).filter(|word| !word.is_empty());
    let file = match lower.contains("downloadfile(") || lower.contains("start-bitstransfer") {
        true => words.next_back(),
        false => {
            let mut behind = words
                .skip_while(|word| !"-outfile".starts_with(&word.to_ascii_lowercase()) || word.len() < 3);
            behind.nth(1)
        }
    };
    file.map(str::to_owned)
}

/// Whether a statement starts a file.
fn starts(statement: &str, file: &str) -> bool {
    let statement = statement.trim().trim_start_matches(['&', '.', ' ']);
    let mut words = statement.split_whitespace().map(|word| word.trim_matches(['"', '\'']));
    let bare = |word: &str| word.trim_start_matches("./").trim_start_matches(".\\").to_owned();
    let same = |word: &str| bare(word) == bare(file);
    match words.next() {
        Some(word) if same(word) || word.trim_start_matches(['/', '\\']) == bare(file) => true,
        Some(word)
            if matches!(
                word.to_ascii_lowercase().as_str(),
                "start-process"
                    | "saps"
                    | "start"
                    | "powershell"
                    | "pwsh"
                    | "cmd"
                    | "iex"
                    | "invoke-expression"
                    | "python"
                    | "node"
            ) =>
        {
            words.any(same)
        }
        _ => false,
    }
}

/// `Get-Process | Stop-Process`: whatever is listed ends.
fn stopped(statement: &str) -> Option<String> {
    let lower = statement.to_ascii_lowercase();
    let (list, stop) = lower.rsplit_once('|')?;
    let lists = ["get-process", "gps", "ps"].iter().any(|name| list.split_whitespace().next() == Some(name));
    let stops =
        ["stop-process", "spps", "kill"].iter().any(|name| stop.split_whitespace().next() == Some(name));
    let one = list.contains("-id") || list.contains(".id");
    let named = operands(list.split('|').next().unwrap_or_default().trim()).join(" ");
    (lists && stops && !one).then(|| format!("killall '{}'", if named.is_empty() { "*" } else { &named }))
}

/// The command that `Start-Process`, `Invoke-Expression` and the call operators start, as a statement of its own.
fn started(statement: &str) -> Option<String> {
    let statement = statement.trim();
    if let Some(rest) = statement.strip_prefix('&').or_else(|| statement.strip_prefix(". ")) {
        return Some(in_shell(&rest.replace(['"', '\''], "")));
    }
    let (first, rest) = statement.split_once(' ')?;
    match first.to_ascii_lowercase().as_str() {
        "start-process" | "saps" | "start" | "iex" | "invoke-expression" | "powershell" | "pwsh" => {
            let words = rest.split([' ', ',', '"', '\'']).filter(|word| !word.is_empty());
            let option = |word: &str| {
                let word = word.to_ascii_lowercase();
                matches!(
                    word.as_str(),
                    "-filepath"
                        | "-argumentlist"
                        | "-args"
                        | "-wait"
                        | "-nonewwindow"
                        | "-command"
                        | "-c"
                        | "-noprofile"
                        | "-nop"
                        | "-windowstyle"
                        | "hidden"
                        | "powershell"
                        | "pwsh"
                        | "powershell.exe"
                )
            };
            Some(in_shell(&words.filter(|word| !option(word)).collect::<Vec<_>>().join(" ")))
        }
        "cmd" | "cmd.exe" => {
            let (_, text) = rest.split_once(' ')?;
            Some(in_shell(text.trim_matches(['"', '\''])))
        }
        _ => None,
    }
}

/// `[IO.Directory]::Delete('src', $true)`
fn deleted_by_class(statement: &str) -> Option<String> {
    let (class, arguments) =
        statement.split_once("]::Delete(").or_else(|| statement.split_once("]::delete("))?;
    let path = arguments.split([',', ')']).next()?.trim().trim_matches(['"', '\'']);
    let option = if class.to_ascii_lowercase().contains("directory") { "-rf" } else { "-f" };
    Some(format!("rm {option} {}", quoted_path(&path.replace('\\', "/"))))
}

/// `iex (irm https://…)`, and the same over a socket.
fn fetched(text: &str, meaning: &mut Meaning) {
    let lower = text.to_ascii_lowercase();
    let words = || lower.split(|each: char| !each.is_ascii_alphanumeric() && each != '-' && each != '.');
    let evaluates = words().any(|word| matches!(word, "iex" | "invoke-expression"))
        || lower.contains("scriptblock]::create(")
        || lower.contains(".invokescript(");
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
        "get-content" | "gc" | "type" | "select-string" | "sls" => Some(format!("cat {}", files())),
        "invoke-webrequest" | "iwr" | "invoke-restmethod" | "irm" => {
            let file =
                behind("-InFile").map(|file| format!("-T {}", quoted_path(&file.replace('\\', "/"))))?;
            let address =
                rest.split(['\'', '"', ' ']).find(|word| word.contains("://")).unwrap_or("https://");
            Some(format!("curl {file} {address}"))
        }
        "stop-process" | "spps" | "kill" => behind("-Name").map(|name| format!("killall '{name}'")),
        name @ ("set-content" | "sc" | "out-file" | "add-content" | "ac" | "clear-content" | "clc"
        | "tee-object") => {
            let file = behind("-Path")
                .or_else(|| behind("-FilePath"))
                .or_else(|| operands(statement).first().cloned())?;
            let adds = name.starts_with('a') || rest.to_ascii_lowercase().contains("-append");
            let by = match name {
                "clear-content" | "clc" => ": >",
                _ if adds => "echo x >>",
                _ => "echo x >",
            };
            Some(format!("{by} {}", quoted_path(&file)))
        }
        "copy-item" | "cpi" | "copy" | "xcopy" | "robocopy" => Some(format!("cp -r {}", files())),
        "move-item" | "mi" | "move" | "rename-item" | "rni" | "ren" => Some(format!("mv {}", files())),
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
    let lists_all = before.first().is_some_and(|list| list.split_whitespace().any(is_recursive));
    let own = delete.paths.into_iter().filter(|path| !path.starts_with("$_"));
    let paths: Vec<String> = own.chain(listed).collect();
    let quoted = paths.iter().map(|path| quoted_path(path));
    let option = if delete.recursive || lists_all { "-rf" } else { "-f" };
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
    let recursive = rest.split_whitespace().any(is_recursive);
    let paths = operands(statement)
        .into_iter()
        .filter(|path| !matches!(path.as_str(), "/s" | "/q" | "/f" | "/S" | "/Q" | "/F"));
    Some(Deletion { recursive, paths: paths.collect() })
}

/// `-Recurse`, shortened, and what the shells that it takes its aliases from say.
fn is_recursive(word: &str) -> bool {
    let name = word.trim_start_matches('-').to_ascii_lowercase();
    word.eq_ignore_ascii_case("/s")
        || word.starts_with('-')
            && (!name.is_empty() && "recurse".starts_with(&name) || matches!(name.as_str(), "rf" | "fr"))
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

/// `rmdir /s /q src`, `del /f /q src`, and the programs of Windows
fn in_cmd(text: &str, meaning: &mut Meaning) {
    let statements: Vec<&str> = text.split(['&', '|']).collect();
    meaning.effects.extend(statements.iter().filter_map(|statement| windows::effect(statement)));
    run(meaning, statements.iter().map(|statement| in_shell(statement.trim())).collect::<Vec<_>>());
}

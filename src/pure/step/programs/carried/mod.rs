//! Commands that a program carries in an option, a variable or an operand, and hands to a shell in the end.

mod editors;
mod other_languages;
mod powershell;
#[cfg(test)]
mod tests;
mod windows;

use super::clients::{standard_input, values};
use super::{InnerText, Meaning, ShellCall, fetched};
use crate::pure::shell::{Word, lists};
use crate::pure::step::effect::Effect;
use crate::pure::step::secret_file::secret_in;
use crate::pure::step::sensitive::runs_later;
use crate::pure::step::zone::{Zone, zone};
use crate::pure::text;

/// Variables whose value a program runs.
const VARIABLES: [&str; 22] = [
    "BASH_ENV", "BROWSER", "EDITOR", "ENV", "GIT_ASKPASS", "GIT_EDITOR", "GIT_EXTERNAL_DIFF", "GIT_PAGER",
    "GIT_PROXY_COMMAND", "GIT_SEQUENCE_EDITOR", "GIT_SSH", "GIT_SSH_COMMAND", "LESSOPEN", "MANPAGER",
    "PAGER", "PROMPT_COMMAND", "PS0", "PS1", "PS4", "RSYNC_RSH", "SUDO_EDITOR", "VISUAL",
];

/// The programs that are asked about here.
pub(crate) const PROGRAMS: &[&str] = &[other_languages::PROGRAMS, LISTED];
const LISTED: &str = "tar gtar bsdtar rsync man sort gsort split gsplit zip cmake shx make \
    gmake ssh scp sftp expect osascript tmux xterm uxterm urxvt \
    konsole alacritty gnome-terminal xfce4-terminal ansible salt pssh parallel-ssh pdsh clush heroku \
    fly flyctl railway pwsh powershell cmd vim nvim vi gvim view ex ed emacs less gdb lldb \
    awk gawk mawk nawk go";

pub(crate) fn survey(program: &str, call: &ShellCall<'_>, meaning: &mut Meaning) {
    let mut options = |names: &str| run(meaning, values(call.arguments(), names));
    match program {
        "tar" | "gtar" | "bsdtar" => {
            options("-I --use-compress-program --to-command -F --info-script --rsh-command");
            let actions = values(call.arguments(), "--checkpoint-action");
            run(meaning, actions.iter().filter_map(|text| text.strip_prefix("exec=")));
        }
        "awk" | "gawk" | "mawk" | "nawk" => {
            let code = call.command.code.as_ref().map(|code| code.text.as_str()).unwrap_or_default();
            let set = values(call.arguments(), "-v --assign");
            let run_by = |name: &str| {
                code.contains(&format!("system({name}")) || code.contains(&format!("{name} | getline"))
            };
            let set = set.iter().filter_map(|text| text.split_once('=')).filter(|(name, _)| run_by(name));
            run(meaning, set.map(|(_, value)| value));
        }
        "rsync" => options("-e --rsh"),
        "man" => options("-P --pager"),
        "sort" | "gsort" => options("--compress-program"),
        "split" | "gsplit" => options("--filter"),
        "zip" => options("-TT --unzip-command"),
        "cmake" => {
            run(meaning, behind(call, &["-E"]).map(|text| text.replacen("'remove_directory'", "rm -rf", 1)))
        }
        "shx" => run(meaning, joined(call.arguments())),
        "make" | "gmake" => make(call, meaning),
        "go" => go(call, meaning),
        "ssh" | "scp" | "sftp" => {
            let clustered = call.arguments().iter().filter_map(|word| {
                let text = word.text_lossy();
                let letters = text.strip_prefix('-')?.find('o').filter(|_| !text.starts_with("--"))?;
                text.get(letters + 2..).map(str::to_owned)
            });
            let options: Vec<String> = values(call.arguments(), "-o").into_iter().chain(clustered).collect();
            run(meaning, options.iter().filter_map(|text| started_by_ssh(text)));
        }
        "expect" => tcl(call, meaning),
        "osascript" => run(meaning, quoted_after(call, "do shell script")),
        "tmux" => {
            let verbs = ["run-shell", "run", "respawn-pane", "display-popup", "popup", "if-shell"];
            run(meaning, behind(call, &verbs));
        }
        "xterm" | "uxterm" | "urxvt" | "konsole" | "alacritty" | "gnome-terminal" | "xfce4-terminal" => {
            run(meaning, behind(call, &["-e", "-x", "--", "--execute", "--command"]));
        }
        "ansible" | "salt" | "pssh" | "parallel-ssh" | "pdsh" | "clush" | "heroku" | "fly" | "flyctl"
        | "railway" => on_others(program, call, meaning),
        "pwsh" | "powershell" | "cmd" => powershell::survey(program, call, meaning),
        "vim" | "nvim" | "vi" | "gvim" | "view" | "ex" | "ed" | "emacs" | "less" | "gdb" | "lldb" => {
            editors::survey(program, call, meaning)
        }
        name if lists(other_languages::PROGRAMS, name) => {
            if name == "tclsh" {
                tcl(call, meaning);
            }
            other_languages::survey(call, meaning);
        }
        _ => {}
    }
}

/// Takes in texts that a shell will read. A lone word does no harm, and nearly every value is one.
pub(super) fn run<T: Into<String> + AsRef<str>>(meaning: &mut Meaning, texts: impl IntoIterator<Item = T>) {
    let texts =
        texts.into_iter().filter(|text| text.as_ref().trim().contains([' ', ';', '|', '&', '`', '$', '\n']));
    meaning.runs.extend(texts.map(|text| InnerText::Text(text.into())));
}

/// Variables in front of a command.
pub(super) fn variables(call: &ShellCall<'_>, meaning: &mut Meaning) {
    for assignment in &call.command.assignments {
        if assignment.name == "TAR_OPTIONS" {
            let text = assignment.value.text_lossy();
            let named = ["--to-command=", "--use-compress-program=", "--checkpoint-action=exec=", "-I"];
            run(
                meaning,
                named.iter().filter_map(|name| text.split_once(name)).map(|(_, text)| format!("{text} ")),
            );
        }
        let no_history = match assignment.name.as_str() {
            "HISTFILE" => assignment.value.literal().is_some_and(|file| matches!(file, "" | "/dev/null")),
            "HISTSIZE" | "HISTFILESIZE" | "SAVEHIST" => assignment.value.literal() == Some("0"),
            "HISTIGNORE" => assignment.value.literal() == Some("*"),
            _ => false,
        };
        if no_history {
            let what = format!("stop the shell's history (`{}`)", assignment.name);
            meaning.effects.push(Effect::Disrupt { what });
        }
        if matches!(assignment.name.as_str(), "BASH_ENV" | "ENV") {
            fetched::sourced(call, &assignment.value, meaning);
        }
        if VARIABLES.contains(&assignment.name.as_str()) {
            let text = assignment.value.text_lossy();
            run(meaning, [text.trim_start_matches(['|', '-', ' '])]);
        }
    }
}

/// A library that another program is made to load, from where anybody may write.
pub(super) fn preloaded(call: &ShellCall<'_>, meaning: &mut Meaning) {
    let named = call
        .command
        .assignments
        .iter()
        .filter(|each| matches!(each.name.as_str(), "LD_PRELOAD" | "LD_AUDIT" | "DYLD_INSERT_LIBRARIES"));
    const LOADS: [&str; 6] =
        ["PYTHONSTARTUP", "NODE_OPTIONS", "PERL5OPT", "RUBYOPT", "PERL5DB", "JAVA_TOOL_OPTIONS"];
    let loading = call
        .command
        .assignments
        .iter()
        .find(|each| LOADS.contains(&each.name.as_str()) && each.value.text_lossy().contains("/tmp/"));
    if let Some(each) = loading {
        let what = format!("load {} into another program", each.value.text_lossy());
        meaning.effects.push(Effect::Expose { what });
    }
    let is_anybodys =
        |word: &Word| call.target(word).path().is_some_and(|path| zone(path, call.place) == Zone::Temporary);
    if let Some(library) = named.map(|each| &each.value).find(|value| is_anybodys(value)) {
        let what = format!("load {} into another program", library.text_lossy());
        meaning.effects.push(Effect::Expose { what });
    }
}

/// `export PAGER='…'`
pub(super) fn exported(call: &ShellCall<'_>, meaning: &mut Meaning) {
    for word in call.arguments() {
        let text = word.text_lossy();
        if let Some((_, value)) = text.split_once('=').filter(|(name, _)| VARIABLES.contains(name)) {
            run(meaning, [value.trim_start_matches(['|', '-', ' '])]);
        }
    }
}

/// `SHELL=…` on the command line runs every line of every recipe; `--eval` and a heredoc bring recipes along.
fn make(call: &ShellCall<'_>, meaning: &mut Meaning) {
    let set = call.arguments().iter().filter_map(|word| {
        let text = word.text_lossy();
        let value = ["SHELL=", "MAKESHELL=", "SHELL:="].iter().find_map(|front| text.strip_prefix(front))?;
        Some(value.to_owned())
    });
    run(meaning, set);
    let mut recipes = values(call.arguments(), "--eval -E");
    let reads_input = call.arguments().windows(2).any(|pair| match pair {
        [flag, file] => {
            matches!(flag.literal(), Some("-f" | "--file" | "--makefile"))
                && matches!(file.literal(), Some("-" | "/dev/stdin"))
        }
        _ => false,
    });
    if reads_input {
        recipes.extend(standard_input(call).map(|text| text.replace("\\t", "\t")));
    }
    for line in recipes.iter().flat_map(|text| text.lines()) {
        let command = line.strip_prefix('\t').or_else(|| line.split_once(';').map(|(_, command)| command));
        run(meaning, command.map(|text| text.trim_start_matches(['@', '-', '+', ' '])));
    }
}

/// `go run x.go` where the same text wrote that file: what it starts and deletes, and the files that it names.
fn go(call: &ShellCall<'_>, meaning: &mut Meaning) {
    let file = call.arguments().iter().find(|word| word.literal().is_some_and(|text| text.ends_with(".go")));
    let Some(file) = file.filter(|_| call.literals().next() == Some("run")) else { return };
    for writer in call.writers(file) {
        let Some(text) = call.graph().text_written(call.others, writer) else { continue };
        other_languages::program_text(&text.replace("exec.Command(", "system("), meaning);
        let writes = ["OpenFile(", "WriteFile(", "Create("].iter().any(|name| text.contains(name));
        let reads = ["ReadFile(", ".Open("].iter().any(|name| text.contains(name));
        for path in other_languages::quoted_texts(&text).into_iter().filter(|path| path.starts_with('/')) {
            let target = call.target(&Word::plain(path));
            if writes && target.path().is_some_and(|path| runs_later(path, call.place)) {
                meaning.effects.push(Effect::Write { target, recursive: false });
            } else if reads && secret_in(&target).is_some_and(|secret| secret.is_closed()) {
                meaning.effects.push(Effect::Read { target });
            }
        }
        let connected = ["net.Dial", "net.Listen", "syscall.Socket", "syscall.Dup2"]
            .iter()
            .any(|name| text.contains(name));
        let shell =
            ["\"/bin/sh\"", "\"sh\"", "\"/bin/bash\"", "\"bash\""].iter().any(|name| text.contains(name));
        if connected && shell {
            meaning.effects.push(Effect::NetworkShell { how: "a shell on a socket".into() });
        }
    }
}

fn given(call: &ShellCall<'_>) -> Option<String> {
    call.command.documents().next_back().map(|text| text.text_lossy().into_owned())
}

/// `ProxyCommand=…`, `LocalCommand …`: what an option of ssh starts on this machine.
fn started_by_ssh(option: &str) -> Option<&str> {
    let (name, value) = option.split_once(['=', ' '])?;
    let starts = ["ProxyCommand", "LocalCommand", "KnownHostsCommand", "ProxyUseFdpass"]
        .iter()
        .any(|known| known.eq_ignore_ascii_case(name.trim()));
    let value = value.trim();
    starts.then(|| value.strip_prefix('"').and_then(|inner| inner.strip_suffix('"')).unwrap_or(value))
}

/// `spawn rm …`, `exec rm …`, `system rm …`
fn tcl(call: &ShellCall<'_>, meaning: &mut Meaning) {
    let texts = values(call.arguments(), "-c").into_iter().chain(given(call));
    for text in texts {
        for statement in text.split(['\n', ';', '[', ']', '{', '}']) {
            let statement = statement.trim();
            let command = ["spawn ", "exec ", "system "].iter().find_map(|verb| statement.strip_prefix(verb));
            run(meaning, command.map(|text| text.trim_start_matches("-noecho ").trim()));
            let deleted = statement.strip_prefix("file delete ").map(|words| words.replace("-force", "-rf"));
            run(meaning, deleted.map(|words| format!("rm {words}")));
        }
    }
}

/// The text between the first pair of quotes.
fn quoted(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let quote = text.chars().next().filter(|first| matches!(first, '"' | '\'' | '`'))?;
    text.get(1..)?.split(quote).next()
}

/// The quoted texts behind a phrase.
fn quoted_after(call: &ShellCall<'_>, phrase: &str) -> Vec<String> {
    let texts = call.arguments().iter().map(Word::text_lossy);
    texts.filter_map(|text| quoted(text.split_once(phrase)?.1).map(str::to_owned)).collect()
}

/// Words behind one of these: a text if there is one word, a command line if there are more.
fn behind(call: &ShellCall<'_>, marks: &[&str]) -> Option<String> {
    let at =
        call.arguments().iter().position(|word| word.literal().is_some_and(|text| marks.contains(&text)))?;
    joined(call.arguments().get(at + 1..)?)
}

pub(super) fn joined(words: &[Word]) -> Option<String> {
    let quoted = |word: &Word| match word.literal() {
        Some(text) => text::quoted(text),
        None => word.text_lossy().into_owned(),
    };
    match words {
        [] => None,
        [only] => Some(only.text_lossy().into_owned()),
        several => Some(several.iter().map(quoted).collect::<Vec<_>>().join(" ")),
    }
}

/// Many machines, or a platform's: read as what ssh would run there.
fn on_others(program: &str, call: &ShellCall<'_>, meaning: &mut Meaning) {
    let there = |command: String| format!("ssh {program} {}", text::quoted(&command));
    let rest = |verbs: &[&str]| behind(call, verbs);
    let text = match program {
        "ansible" => values(call.arguments(), "-a --args").pop(),
        "salt" => rest(&["cmd.run", "cmd.shell"]),
        // Its own options may follow, and do no harm in a shell.
        "heroku" => rest(&["run", "run:detached"]).map(|text| text.replace('\'', "")),
        "fly" | "flyctl" => values(call.arguments(), "-C --command").pop(),
        // Here, with the platform's variables.
        "railway" => return run(meaning, rest(&["run"])),
        "clush" | "pdsh" | "pssh" | "parallel-ssh" => {
            const VALUED: &str =
                "-w -g -x -h --hosts -H --host -l --user -p --par -t --timeout -o --outdir -e --errdir -f -R";
            let mut words = call.arguments();
            while let Some((first, rest)) = words.split_first().filter(|(first, _)| first.starts_with("-")) {
                let skipped = usize::from(first.literal().is_some_and(|name| lists(VALUED, name)));
                words = rest.get(skipped..).unwrap_or_default();
            }
            joined(words)
        }
        _ => None,
    };
    run(meaning, text.map(there));
}

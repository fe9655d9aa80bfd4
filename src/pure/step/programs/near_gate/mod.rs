//! Commands that may get past the ship gate without saying so in plain words. Plimsoll asks about them, and only in an enrolled
//! repository.

mod archive;
mod by_itself;
mod git_writes;
mod naming;
mod speech;

use super::git::{BUILTIN, redirects_git};
use super::{GIT_VALUED, ShellCall};
use crate::pure::shell::{Command, RedirectKind, Word, WordPart, Wrapper, lists};
use crate::pure::step::effect::Target;
use camino::Utf8Path;

pub(super) use by_itself::{of_git, survey};
pub(crate) use naming::searches_hook;
pub(crate) use speech::{changes_settings, copies_objects, hides_our_name, speaks_of_bypass};

/// Words that send content if the program is git.
const PUSHES: [&str; 3] = ["push", "send-pack", "http-push"];

/// Names in a sourced file or an exported variable that would change a later git.
const STEERING: [&str; 9] = [
    "GIT_CONFIG", "GIT_DIR", "GIT_EXEC_PATH", "HOME=", "XDG_CONFIG_HOME", "git()", "git ()", "alias git",
    "function git",
];

/// Names of the folder that carries the gate, as a text near git spells them.
const GIT_FOLDER: [&str; 10] = [
    "--git-dir", "--git-path", "--git-common-dir", "--absolute-git-dir", "pre-push", "hooksPath",
    ".git/hooks", ".git/config", ".git/objects", "remote.origin.url",
];

/// Facts about a text as a whole.
#[derive(Debug, Default)]
pub(crate) struct NearGate {
    /// The parts that only the run will know, in words.
    pub open: Vec<String>,
    /// Commands, by their place in the list, that run text which other commands read from files.
    pub follows: Vec<usize>,
    /// Texts in variables that a shell runs by itself.
    pub texts: Vec<String>,
    /// Variables that only the run will know are exported to a push.
    pub exports: bool,
    /// It may push.
    pub pushes: bool,
    /// Commands that push if their program is git.
    pub disguised: Vec<usize>,
    /// Folders in which a push looks for its programs first.
    pub searched: Vec<String>,
}

impl NearGate {
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
            && self.follows.is_empty()
            && self.disguised.is_empty()
            && self.texts.is_empty()
            && self.searched.is_empty()
    }
}

/// A cheap look at the commands of a text.
pub(crate) fn near_gate(commands: &[Command], text: &str) -> NearGate {
    let mut near = NearGate::default();
    let hears = speech::may_speak(text);
    let mut heard = false;
    for (index, command) in commands.iter().enumerate() {
        let Some(first) = command.words.first() else { continue };
        for assignment in &command.assignments {
            match assignment.name.as_str() {
                "BASH_ENV" | "ENV" => near.follows.push(index),
                "PROMPT_COMMAND" | "PS0" | "PS1" | "PS4" => {
                    near.texts.extend(shell_texts(&assignment.value.text_lossy()));
                }
                _ => {}
            }
        }
        if hears {
            let says = words_of(command);
            // What git itself makes of words that are known only now is judged as a whole.
            let is_open = command.program() == Some("git") && is_pushing(command);
            heard |= !is_open && speaks_of_bypass(&says);
            if hands_on_bypass(index, command, commands) {
                near.open.push("writes a text that pushes past the git hook".to_owned());
            } else if !is_shown(command) && speaks_of_bypass(&says) {
                near.open.push("hands words of a push past the git hook to another program".to_owned());
            }
        }
        if command.program() == Some("make") {
            let values = command.literals().filter_map(|text| text.split_once('=')).map(|(_, value)| value);
            near.texts.extend(values.filter(|value| value.contains("git ")).map(str::to_owned));
        }
        if printed_for_a_shell(command, commands) {
            near.open.push("a shell runs what another program prints, and that may push".to_owned());
        }
        if command.code.as_ref().is_some_and(|code| copies_objects(&code.text)) {
            near.open.push("puts objects into a repository by itself".to_owned());
        }
        if command.code.as_ref().is_some_and(|code| pushes_unseen(&code.text)) {
            near.open.push("a program text puts a push together".to_owned());
        }
        match command.program() {
            Some("git") => near.pushes |= may_push(command),
            Some(program) => {
                if runs_open_text(program, command) {
                    near.follows.push(index);
                }
                // By a path, or found through a changed PATH: maybe git under another name.
                if is_pushing(command) && !program.starts_with("git-") {
                    near.pushes = true;
                    near.disguised.push(index);
                }
            }
            None => {
                let pushes = is_pushing(command);
                let text = first.text_lossy();
                let is_git = text.ends_with("/git")
                    || text.rsplit('/').next().is_some_and(|name| name.starts_with("git-"));
                let variable = matches!(first.parts.as_slice(), [WordPart::Variable(_)]);
                if is_git || (pushes && !variable) {
                    near.pushes = true;
                    near.open.push("which program runs here is not known".to_owned());
                } else if first.sources().next().is_some() || command.via.contains(&Wrapper::Xargs) {
                    near.follows.push(index);
                }
            }
        }
        if command.words.first().and_then(Word::literal) == Some("{}") && is_pushing(command) {
            near.open.push("which program runs here is not known".to_owned());
        }
    }
    if hears && !heard && speaks_of_bypass(text) {
        near.open.push("has words of a push past the git hook that no command says by itself".to_owned());
    }
    if near.pushes && text.contains("bwrap") && [".git", "plimsoll"].iter().any(|name| text.contains(name)) {
        near.open.push("pushes from a sandbox with other files in the place of the gate's".to_owned());
    }
    if near.pushes {
        steered(commands, &mut near);
    }
    near
}

/// Every text that a command has.
fn words_of(command: &Command) -> String {
    let set = command.assignments.iter().map(|assignment| &assignment.value);
    let words = command.words.iter().chain(set).chain(command.documents());
    let mut text = words.map(|word| word.text_lossy().into_owned()).collect::<Vec<_>>().join(" ");
    text.extend(command.code.iter().map(|code| code.text.as_str()));
    text
}

/// Whether a command only shows its words, or reads them as git does.
fn is_shown(command: &Command) -> bool {
    match command.program() {
        Some("sed") => {
            !command.literals().any(|text| text.starts_with("-i") || text.starts_with("--in-place"))
        }
        Some(program) => program.starts_with("git-") || speech::is_for_people(program),
        None => command.words.is_empty(),
    }
}

/// The value as it runs where it is a command, and the commands that a prompt substitutes.
fn shell_texts(value: &str) -> Vec<String> {
    let substituted = value.split("$(").skip(1).filter_map(|rest| rest.split(')').next());
    std::iter::once(value).chain(substituted).map(str::to_owned).collect()
}

/// The files that a shell is told to read before its commands.
pub(crate) fn startup_files(text: &str) -> Vec<&str> {
    const OPTIONS: [&str; 2] = ["--rcfile", "--init-file"];
    let behind = OPTIONS.iter().flat_map(|option| text.split(option).skip(1));
    let words = behind
        .filter_map(|rest| rest.trim_start_matches([' ', '=']).split([' ', '\n', ';', '&', '|']).next());
    words.map(|word| word.trim_matches(['"', '\''])).collect()
}

/// Files that people read and nothing runs.
pub(crate) fn is_prose(name: &str) -> bool {
    [".md", ".mdx", ".rst", ".adoc"].iter().any(|ending| name.ends_with(ending))
}

/// Whether a command passes a word on that speaks of a bypass: into a file, or to a program that is no filter for people.
fn hands_on_bypass(index: usize, command: &Command, commands: &[Command]) -> bool {
    let says = |word: &Word| speaks_of_bypass(&word.text_lossy());
    let prints = matches!(command.program(), Some("printf" | "echo" | "print"));
    let told = command.documents().any(says);
    let printed = prints && command.arguments().iter().any(says);
    if !printed && !told {
        return false;
    }
    let kept = command.redirects.iter().any(|redirect| {
        matches!(redirect.kind, RedirectKind::Write | RedirectKind::Append | RedirectKind::ReadWrite)
            && !is_prose(&redirect.target.text_lossy())
    });
    let reads = |program: Option<&str>| {
        const READERS: &str = "cat grep rg sed head tail less more wc jq sort cut tr git gh glab fold column";
        program.is_some_and(|program| lists(READERS, program))
    };
    let fed = || commands.iter().any(|other| other.fed_by.contains(&index) && !reads(other.program()));
    let prose = || command.operands().filter_map(Word::literal).any(is_prose);
    kept || fed() || (told && !reads(command.program()) && !prose())
}

/// Whether a shell reads what a program makes of words that speak of a push: a format, a filter, a template.
fn printed_for_a_shell(command: &Command, commands: &[Command]) -> bool {
    let is_shell = || matches!(command.program(), Some("sh" | "bash" | "dash" | "zsh" | "ksh" | "eval"));
    let prints = |index: usize| {
        commands.get(index).is_some_and(|source| {
            !matches!(source.program(), Some("echo" | "printf" | "cat"))
                && source.literals().any(|text| text.contains("git push") || speaks_of_bypass(text))
        })
    };
    let open = || command.arguments().iter().flat_map(Word::sources);
    is_shell() && command.fed_by.iter().copied().chain(open()).any(prints)
}

/// Whether the text of a program starts something and has the word for a push, but nowhere the whole command.
fn pushes_unseen(text: &str) -> bool {
    let word = ["\"push\"", "'push'", "\"push ", "'push "];
    let spelled = ["git push", "\"git\"", "'git'"];
    word.iter().any(|word| text.contains(word))
        && !spelled.iter().any(|word| text.contains(word))
        && ["system", "exec", "subprocess", "spawn", "popen"].iter().any(|name| text.contains(name))
}

fn is_pushing(command: &Command) -> bool {
    command.arguments().iter().filter_map(Word::literal).any(|text| PUSHES.contains(&text))
}

/// Whether this git sends content, or may do so by an alias.
fn may_push(command: &Command) -> bool {
    let mut words = command.arguments().iter();
    while let Some(word) = words.next() {
        match word.literal() {
            None => return word.sources().next().is_some(),
            Some(text) if text.starts_with('-') => {
                if GIT_VALUED.contains(&text) {
                    words.next();
                }
            }
            Some(text) => {
                return PUSHES.contains(&text) || BUILTIN.binary_search(&text).is_err();
            }
        }
    }
    false
}

/// Notes commands that change the environment of a push.
fn steered(commands: &[Command], near: &mut NearGate) {
    for (index, command) in commands.iter().enumerate() {
        for assignment in &command.assignments {
            let path = assignment.name == "PATH" && leads_into_project(&assignment.value);
            if assignment.name == "PATH" {
                let folders =
                    assignment.value.literal_prefix().split(':').filter(|folder| folder.starts_with('/'));
                let usual = |folder: &&str| folder.starts_with("/usr/") || folder.starts_with("/bin");
                near.searched.extend(folders.filter(|folder| !usual(folder)).map(str::to_owned));
            }
            if path || steers(&assignment.name) {
                near.open.push(format!("sets {} where something is pushed", assignment.name));
            }
        }
        let program = command.program().unwrap_or_default();
        match program {
            "read" | "mapfile" | "readarray" | "printf" | "unset" | "declare" | "typeset" | "local"
            | "export" | "readonly" => {
                let named = command.arguments().iter().filter_map(Word::literal);
                let named = named.map(|text| text.split('=').next().unwrap_or_default());
                near.open.extend(
                    named
                        .filter(|name| steers(name))
                        .map(|name| format!("sets {name} where something is pushed")),
                );
                let open = |word: &Word| word.literal().is_none() && !word.literal_prefix().contains('=');
                if matches!(program, "declare" | "typeset" | "export" | "readonly")
                    && command.arguments().iter().any(open)
                {
                    near.exports = true;
                    near.follows.push(index);
                }
            }
            "source" | "." => near.follows.push(index),
            _ => {}
        }
    }
}

fn steers(name: &str) -> bool {
    matches!(name, "HOME" | "XDG_CONFIG_HOME") || redirects_git(name)
}

/// `PATH=$PWD/b:$PATH`
fn leads_into_project(value: &Word) -> bool {
    let here = |part: &WordPart| match part {
        WordPart::Variable(name) => name == "PWD",
        WordPart::Output(_) | WordPart::Temporary => true,
        _ => false,
    };
    let text = value.text_lossy();
    let usual = text.contains("node_modules/.bin") || text.contains("venv/bin");
    let relative = text.split(':').any(|folder| !folder.starts_with(['/', '~', '$']));
    !usual && (value.parts.iter().any(here) || relative || text.contains("/tmp/"))
}

/// Whether a command runs text that it gets from elsewhere.
fn runs_open_text(program: &str, command: &Command) -> bool {
    let open = || command.arguments().iter().any(|word| word.sources().next().is_some());
    match program {
        "eval" | "trap" => open(),
        "sh" | "bash" | "dash" | "zsh" | "ksh" => {
            open()
                || !command.fed_by.is_empty()
                || command.arguments().iter().filter_map(Word::literal).any(|text| text.ends_with("file"))
        }
        "make" => open() || command.arguments().iter().any(|word| word.literal() == Some("-")),
        "awk" | "gawk" | "mawk" | "perl" | "python" | "python3" | "node" | "ruby" => {
            command.code.as_ref().is_some_and(|code| {
                const RUNS: &str = "system exec subprocess spawn popen";
                RUNS.split(' ').any(|name| code.text.contains(name))
                    && (matches!(program, "awk" | "gawk" | "mawk" | "perl")
                        || ["open(", "readFile", "read_text", "File.read"]
                            .iter()
                            .any(|name| code.text.contains(name)))
            })
        }
        _ => command.via.contains(&Wrapper::Xargs) && lists("env sh", program),
    }
}

/// Files whose text a command may run: named by itself, by the commands behind it, or in its code.
pub(crate) fn files_behind(call: &ShellCall<'_>) -> Vec<camino::Utf8PathBuf> {
    const MOST: usize = 6;
    let own = call.command;
    let start = own.words.iter().flat_map(Word::sources).chain(own.fed_by.iter().copied());
    let behind = call.upstream(start.chain(own.assignments.iter().flat_map(|each| each.value.sources())));
    let commands = std::iter::once(own).chain(behind.into_iter().map(|(_, command)| command));
    let mut found = Vec::new();
    for command in commands {
        let set = command.assignments.iter().map(|assignment| &assignment.value);
        let read = command.redirects.iter().filter(|redirect| redirect.kind == RedirectKind::Read);
        let words = command.arguments().iter().chain(set).chain(read.map(|redirect| &redirect.target));
        for word in words.filter(|word| !word.starts_with("-")) {
            if let Target::Path(path) = call.target(word) {
                found.push(path);
            }
        }
        let quoted = command.code.iter().flat_map(|code| code.text.split(['"', '\'']).skip(1).step_by(2));
        let quoted = quoted.filter(|text| !text.is_empty() && text.len() < 80 && !text.contains([' ', '\n']));
        for text in quoted {
            if let Target::Path(path) = call.target(&Word::plain(text)) {
                found.push(path);
            }
        }
    }
    found.truncate(MOST);
    found
}

/// The setting in a file that would change a later git.
pub(crate) fn steering(text: &str) -> Option<&'static str> {
    STEERING.into_iter().find(|name| text.contains(name))
}

/// Whether a text is about the folder that carries the gate.
pub(crate) fn names_git_folder(text: &str) -> bool {
    GIT_FOLDER.iter().any(|name| text.contains(name)) || text.contains("remote get-url")
}

/// A folder that looks like a bare repository, where pushes arrive.
pub(crate) fn bare_repository(path: &Utf8Path) -> Option<&str> {
    path.components()
        .map(|part| part.as_str())
        .find(|part| part.len() > ".git".len() && part.ends_with(".git"))
}

/// Whether a file of the client lets it run commands by itself: with hooks, permissions or commands in its text.
pub(crate) fn carries_commands(path: &Utf8Path, text: &str) -> bool {
    // Nearly no path does, and taking one apart costs more.
    if !path.as_str().contains(".claude") && !path.as_str().ends_with(".mcp.json") {
        return false;
    }
    if path.file_name() == Some(".mcp.json") {
        return text.contains("\"command\"");
    }
    let mut parts = path.components().map(|part| part.as_str()).skip_while(|part| *part != ".claude").skip(1);
    let folder = parts.next().unwrap_or_default();
    if folder.starts_with("settings") && folder.ends_with(".json") {
        return text.contains("disableAllHooks");
    }
    lists("commands agents skills rules output-styles", folder)
        && (text.contains("!`")
            || text.contains("hooks:")
            || text.contains("bypassPermissions")
            || text.lines().any(|line| line.starts_with("allowed-tools:") && line.contains("Bash")))
}

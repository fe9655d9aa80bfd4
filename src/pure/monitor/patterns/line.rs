//! A shell text as the patterns look at it: its programs, their words, the files it writes.

use crate::pure::shell::{Budget, Command, Directory, RedirectKind, Word, parse};
use camino::Utf8Path;

/// Longer texts are scripts; what they begin with has to do.
const LONGEST: usize = 16 * 1024;

#[derive(Debug, Default)]
pub(super) struct ShellLine {
    pub(super) commands: Vec<Simple>,
}

#[derive(Debug, Default)]
pub(super) struct Simple {
    pub(super) program: String,
    /// The arguments after the program.
    pub(super) words: Vec<String>,
    /// Files that it writes, changes or removes, as far as its words tell.
    pub(super) writes: Vec<String>,
    /// Its exit code is not the line's.
    pub(super) exit_hidden: bool,
}

impl ShellLine {
    pub(super) fn read(text: &str) -> Self {
        let head = super::text::start(text, LONGEST);
        let parsed = parse(head, &mut Budget::new(4 * LONGEST));
        Self { commands: parsed.commands.iter().filter_map(|command| simple(command, head)).collect() }
    }

    pub(super) fn writes(&self) -> impl Iterator<Item = &str> {
        self.commands.iter().flat_map(|command| &command.writes).map(String::as_str)
    }

    /// The first command that does more than to change the directory or to set something up.
    pub(super) fn main(&self) -> Option<&Simple> {
        let beside = |name: &str| matches!(name, "cd" | "export" | "set" | "source" | "." | "pushd" | "echo");
        self.commands.iter().find(|command| !beside(&command.program)).or_else(|| self.commands.first())
    }
}

impl Simple {
    /// The words that are no options.
    pub(super) fn verbs(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(String::as_str).filter(|word| !word.starts_with(['-', '+']))
    }

    pub(super) fn verb(&self) -> &str {
        self.verbs().next().unwrap_or_default()
    }

    pub(super) fn has(&self, word: &str) -> bool {
        self.words.iter().any(|one| one == word)
    }

    /// As a person would name it among others: `npm install`.
    pub(super) fn family(&self) -> String {
        let word = self.verb();
        let is_verb = (1..=24).contains(&word.len())
            && word.bytes().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'-' | b':'));
        if is_verb { format!("{} {word}", self.program) } else { self.program.clone() }
    }
}

fn simple(command: &Command, text: &str) -> Option<Simple> {
    let writes = written(command);
    let program = command.program().unwrap_or_default().to_owned();
    if program.is_empty() && writes.is_empty() {
        return None;
    }
    let words = command.arguments().iter().map(|word| word.text_lossy().into_owned()).collect();
    Some(Simple {
        program,
        words,
        writes,
        exit_hidden: hides_exit(text.get(command.span.end..).unwrap_or_default()),
    })
}

/// Whether what follows a command decides how the line ends.
fn hides_exit(rest: &str) -> bool {
    let rest = rest.trim_start_matches(['"', '\'', ')', ' ']);
    let rest = rest.strip_prefix("2>&1").unwrap_or(rest).trim_start();
    if let Some(rest) = rest.strip_prefix("&&") {
        return rest.contains("||") || rest.contains(';');
    }
    rest.starts_with(['|', ';', '\n']) && !rest.trim_matches([';', '\n', ' ']).is_empty()
}

fn written(command: &Command) -> Vec<String> {
    let mut files = Vec::new();
    let mut add = |word: &Word| files.extend(located(word, &command.directory));
    for redirect in &command.redirects {
        match redirect.kind {
            RedirectKind::Write | RedirectKind::Append | RedirectKind::ReadWrite => add(&redirect.target),
            RedirectKind::Read | RedirectKind::HereDoc | RedirectKind::HereString => {}
        }
    }
    let plain = || command.arguments().iter().filter(|word| !word.starts_with("-"));
    let first = plain().next().and_then(Word::literal).unwrap_or_default();
    let in_place =
        || command.arguments().iter().any(|word| word.starts_with("-i") || word.starts_with("--in-place"));
    match command.program().unwrap_or_default() {
        "rm" | "unlink" | "touch" | "tee" | "truncate" | "mv" => plain().for_each(add),
        "cp" | "ln" | "install" => plain().next_back().into_iter().for_each(add),
        "sed" | "perl" if in_place() => plain().skip(1).for_each(add),
        "git" if matches!(first, "mv" | "rm") => plain().skip(1).for_each(add),
        _ => {}
    }
    files
}

fn located(word: &Word, directory: &Directory) -> Option<String> {
    let path = word
        .literal()
        .filter(|path| !path.is_empty() && !path.starts_with("/dev/") && *path != "&1" && *path != "&2")?;
    match directory {
        Directory::Known(folder) => Some(Utf8Path::new(folder.literal()?).join(path).into_string()),
        Directory::Same | Directory::Unknown => Some(path.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(text: &str) -> Vec<String> {
        ShellLine::read(text).writes().map(str::to_owned).collect()
    }

    #[test]
    fn files_are_found_that_a_line_writes() {
        assert_eq!(files("cat a > b.txt 2>/dev/null"), ["b.txt"]);
        assert_eq!(files("cd app && sed -i s/a/b/ src/x.rs"), ["app/src/x.rs"]);
        assert_eq!(files("git mv a.rs b.rs && rm -f c.rs"), ["a.rs", "b.rs", "c.rs"]);
        assert_eq!(files("cp a b/"), ["b/"]);
        assert_eq!(files("cargo test 2>&1 | tail -3"), Vec::<String>::new());
    }

    #[test]
    fn an_exit_code_is_hidden_by_what_comes_after_it() {
        for (text, hidden) in [
            ("cargo test", false),
            ("cd a && cargo test && echo done", false),
            ("cargo test 2>&1 | tail -3", true),
            ("cargo test; echo done", true),
            ("cargo test || true", true),
            ("cargo test;", false),
        ] {
            let line = ShellLine::read(text);
            let test = line.commands.iter().find(|command| command.program == "cargo").unwrap();
            assert_eq!(test.exit_hidden, hidden, "{text}");
        }
    }

    #[test]
    fn a_line_is_named_by_what_it_is_for() {
        let name = |text: &str| ShellLine::read(text).main().map(Simple::family).unwrap_or_default();
        assert_eq!(name("cd x && npm install -D a"), "npm install");
        assert_eq!(name("FOO=1 timeout 5 ./run.sh x"), "run.sh x");
        assert_eq!(name("go test ./..."), "go test");
        assert_eq!(name("cat README.md"), "cat");
    }
}

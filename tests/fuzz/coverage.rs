//! Compares the commands that the shell reader lists of a text with the commands that a shell really started.

use plimsoll::pure::shell::{Budget, Command, Parsed, RedirectKind, Word, parse};

/// A command that was started, as it found itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Executed {
    /// The program's name first.
    pub arguments: Vec<String>,
    /// The file that its standard input was.
    pub input: Option<String>,
    /// The file that its standard output was.
    pub output: Option<String>,
}

/// How a list stands to what was started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Coverage {
    /// All of it is listed, or stands for it with a part that only the run knows.
    Whole,
    /// The reader says that there may be more than it lists.
    Opaque,
    /// The list has a program, or a text for a shell, that only the run knows.
    Open,
    /// This was started and is not listed.
    Missing(String),
}

/// Whether the reader's list of `text` covers all of `executed`.
pub fn coverage(text: &str, executed: &[Executed]) -> Coverage {
    let parsed = parse(text, &mut Budget::default());
    let missing = executed.iter().find_map(|each| gap(&parsed, each));
    match missing {
        None => Coverage::Whole,
        Some(_) if parsed.opaque.is_some() => Coverage::Opaque,
        Some(_) if parsed.commands.iter().any(runs_open_text) => Coverage::Open,
        Some(what) => Coverage::Missing(what),
    }
}

fn gap(parsed: &Parsed, executed: &Executed) -> Option<String> {
    let listed = parsed.commands.iter().any(|command| is_run_of(&command.words, &executed.arguments));
    if !listed {
        let spelled =
            |command: &Command| command.words.iter().map(Word::text_lossy).collect::<Vec<_>>().join(" ");
        let commands: Vec<_> = parsed.commands.iter().map(spelled).collect();
        return Some(format!("not listed: {:?}\n  listed: {}", executed.arguments, commands.join(" | ")));
    }
    let names = |path: &str, reads: bool| {
        let mut redirects = parsed.commands.iter().flat_map(|command| &command.redirects);
        redirects.any(|redirect| {
            let kind = match redirect.kind {
                RedirectKind::Read => reads,
                RedirectKind::Write | RedirectKind::Append => !reads,
                RedirectKind::ReadWrite => true,
                RedirectKind::HereDoc | RedirectKind::HereString => false,
            };
            kind && names_file(&redirect.target, path)
        })
    };
    let file = |path: &Option<String>, reads| path.as_deref().is_none_or(|path| names(path, reads));
    if !file(&executed.input, true) {
        return Some(format!("input not listed: {executed:?}"));
    }
    (!file(&executed.output, false)).then(|| format!("output not listed: {executed:?}"))
}

/// Whether it runs a program, a file or a text that the list does not show.
fn runs_open_text(command: &Command) -> bool {
    let open_program = command.words.first().is_some_and(|word| word.literal().is_none());
    let runs_text = matches!(command.program(), Some("sh" | "bash" | "eval" | "source" | "."));
    open_program || (runs_text && command.code.is_none())
}

/// Whether the file may be what the word names, from whatever directory.
fn names_file(word: &Word, path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    word.may_be(path) || word.may_be(name) || word.may_be(&format!("./{name}"))
}

/// Whether these words may come to these arguments. A word with an open part may become several, or none.
fn is_run_of(words: &[Word], arguments: &[String]) -> bool {
    let Some((word, rest)) = words.split_first() else { return arguments.is_empty() };
    if let Some(text) = word.literal() {
        let (name, others) = match arguments.split_first() {
            Some((name, others)) => (name, others),
            None => return false,
        };
        let same = text == name || text.rsplit('/').next() == Some(name);
        return same && is_run_of(rest, others);
    }
    (0..=arguments.len()).any(|count| {
        let (taken, others) = arguments.split_at(count);
        word.may_be(&taken.join(" ")) && is_run_of(rest, others)
    })
}

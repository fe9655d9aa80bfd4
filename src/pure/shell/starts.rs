//! Which calls of a program text start other programs, and how they take what they start.

use super::code::Language;
use super::scan::{Called, ScannedValue, calls};
use super::word::{UNKNOWN_TEXT, Word, WordPart};

/// A program that a program text starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Start {
    Text(String),
    Words(Vec<Word>),
}

/// How a function takes what it runs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// A text for the shell or a list of arguments; further strings are arguments.
    Line,
    /// A program, then its arguments.
    Program,
    /// A program, then its arguments beginning with the name that the program sees.
    Named,
}

/// Programs beyond this many are not followed.
const MAX_STARTS: usize = 64;
/// Texts that a program text evaluates are looked into this deep, and up to this many bytes.
const MAX_DEPTH: usize = 3;
const MAX_EVALUATED: usize = 64 * 1024;

/// The programs that a program text starts, where it spells them out.
pub(super) fn starts(language: Language, text: &str) -> Vec<Start> {
    let mut found = Vec::new();
    let mut left = MAX_EVALUATED;
    let mut waiting = vec![(text.to_owned(), 0)];
    while let Some((text, depth)) = waiting.pop() {
        for called in named_calls(language, &text) {
            if depth < MAX_DEPTH
                && let Some(inner) = evaluated(language, &called).filter(|inner| inner.len() < left)
            {
                left -= inner.len() + 1;
                waiting.push((inner.to_owned(), depth + 1));
            }
            if found.len() < MAX_STARTS {
                found.extend(start(language, &text, called));
            }
        }
    }
    found
}

/// After `from shutil import rmtree as r`, `r(…)` is `rmtree(…)`.
fn under_own_names(text: &str, calls: &mut [Called]) {
    let words: Vec<&str> = text.split([' ', ';', '\n', ',']).filter(|word| !word.is_empty()).collect();
    let renamed = words.windows(3).filter_map(|window| match window {
        [name, "as", alias] => Some((*alias, *name)),
        _ => None,
    });
    for (alias, name) in renamed {
        let front = format!("{alias}.");
        for called in calls.iter_mut() {
            match called.name.strip_prefix(&front) {
                Some(rest) => called.name = format!("{name}.{rest}"),
                None if called.name == alias => called.name = name.to_owned(),
                None => {}
            }
        }
    }
}

/// The calls of a program text under the names that its modules give them.
pub(crate) fn named_calls(language: Language, text: &str) -> Vec<Called> {
    let mut calls = calls(language, text);
    if language == Language::Python && text.contains(" as ") {
        under_own_names(text, &mut calls);
    }
    calls
}

/// Whether the call starts another program.
pub(crate) fn starts_program(language: Language, text: &str, called: &Called) -> bool {
    called.name == "`" || called.name == "|" || shape(language, text, &called.name).is_some()
}

/// The program text in the same language that a call evaluates.
fn evaluated(language: Language, called: &Called) -> Option<&str> {
    let evaluates = match language {
        Language::Python => matches!(called.name.as_str(), "exec" | "eval"),
        Language::JavaScript => matches!(called.last_name(), "eval" | "Function" | "runInThisContext"),
        Language::Perl | Language::Ruby | Language::Php => called.name == "eval",
        Language::Lua => matches!(called.name.as_str(), "load" | "loadstring"),
        Language::Awk => false,
    };
    called.arguments.last().filter(|_| evaluates)?.text.as_deref()
}

fn shape(language: Language, text: &str, name: &str) -> Option<Shape> {
    let last = name.rsplit('.').next().unwrap_or(name);
    let mentions = |module| text.contains(module);
    match (language, last) {
        (
            Language::Python,
            "system" | "popen" | "getoutput" | "getstatusoutput" | "create_subprocess_shell",
        )
        | (Language::Python, "Popen" | "check_call" | "check_output") => Some(Shape::Line),
        (Language::Python, "run" | "call") if mentions("subprocess") => Some(Shape::Line),
        (Language::Python, "create_subprocess_exec") => Some(Shape::Program),
        (Language::Python, "spawn") if mentions("pty") => Some(Shape::Line),
        (Language::Python, last) if last.starts_with("execl") || last.starts_with("execv") => {
            Some(Shape::Named)
        }
        (Language::JavaScript, "exec" | "execSync") if mentions("child_process") => Some(Shape::Line),
        (Language::JavaScript, "run" | "Command") if name.starts_with("Deno.") => Some(Shape::Line),
        (
            Language::JavaScript,
            "spawn" | "spawnSync" | "execFile" | "execFileSync" | "execa" | "execaSync",
        ) => Some(Shape::Program),
        (Language::JavaScript, "$") if mentions("Bun") || mentions("zx") || mentions("bun") => {
            Some(Shape::Line)
        }
        (
            Language::Perl | Language::Ruby,
            "system" | "exec" | "spawn" | "popen" | "capture2" | "capture3",
        )
        | (Language::Ruby, "capture2e" | "sh")
        | (
            Language::Php,
            "system" | "exec" | "shell_exec" | "passthru" | "popen" | "proc_open" | "pcntl_exec",
        )
        | (Language::Awk, "system") => Some(Shape::Line),
        (Language::Lua, "execute" | "popen") => Some(Shape::Line),
        _ => None,
    }
}

fn start(language: Language, text: &str, called: Called) -> Option<Start> {
    if called.name == "`" || called.name == "|" {
        return called.arguments.into_iter().next()?.text.map(Start::Text);
    }
    if language == Language::Perl && called.name == "open" {
        return piped(&called);
    }
    let shape = shape(language, text, &called.name)?;
    let listed = called.options.iter().any(|(name, _)| name == "cmd");
    let named = called.options.into_iter().filter(|(name, _)| name == "args");
    let given: Vec<Word> = named.flat_map(|(_, value)| value.list).map(word).collect();
    let mut arguments = called.arguments.into_iter();
    let first = arguments.next()?;
    let mut others: Vec<Word> = given;
    for value in arguments {
        match value.text.is_none() && !value.list.is_empty() {
            true => others.extend(value.list.into_iter().map(word)),
            false if value == ScannedValue::default() => {}
            false => others.push(word(value)),
        }
    }
    let in_parts = !others.is_empty() && called.name.ends_with(".Command");
    let strings_follow = !others.is_empty() && matches!(language, Language::Perl | Language::Ruby);
    match (first.text, shape) {
        (None, _) if first.list.is_empty() || listed => None,
        (None, _) => Some(Start::Words(first.list.into_iter().map(word).collect())),
        (Some(text), _) if text == UNKNOWN_TEXT => None,
        (Some(text), Shape::Line) if !strings_follow && !in_parts => Some(Start::Text(text)),
        (Some(text), Shape::Program) if others.is_empty() => Some(Start::Text(text)),
        (Some(program), shape) => {
            let skipped = usize::from(shape == Shape::Named);
            let words = std::iter::once(Word::plain(program)).chain(others.into_iter().skip(skipped));
            Some(Start::Words(words.collect()))
        }
    }
}

/// `open(F, "command |")` and `open(F, "-|", "command")` in Perl.
fn piped(called: &Called) -> Option<Start> {
    let text = |index: usize| called.arguments.get(index).and_then(|value| value.text.as_deref());
    let mode = text(1)?.trim();
    match (mode, text(2)) {
        ("-|" | "|-", command) => command.map(|text| Start::Text(text.to_owned())),
        _ => {
            mode.strip_prefix('|').or_else(|| mode.strip_suffix('|')).map(|text| Start::Text(text.to_owned()))
        }
    }
}

fn word(value: ScannedValue) -> Word {
    let Some(text) = value.text else { return Word::unknown() };
    let home = Word { parts: vec![WordPart::Variable("HOME".to_owned())] };
    Word::plain(text).with(UNKNOWN_TEXT, &Word::unknown()).with("${HOME}", &home)
}

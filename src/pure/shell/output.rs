//! The output of a command, where its arguments alone decide it.

use super::command::{Command, Redirect, RedirectKind, Stdin};
use super::scope::join;
use super::word::{Word, WordPart};

/// Commands and files behind one output that are looked at.
const MAX_STEPS: usize = 64;
/// Commands before a reader among which the writer of its file is looked for.
const MAX_BEFORE: usize = 256;

/// The output of the command at this index, whatever else the text does: `echo`, `printf`, and what only passes text on.
pub(crate) fn of(commands: &[Command], index: usize) -> Option<Word> {
    printed(commands, index, &mut Steps { left: MAX_STEPS, files: false })
}

/// The same with what earlier commands of the text wrote to files: enough to say what would run, not what a word means.
pub(crate) fn with_files(commands: &[Command], index: usize) -> Option<Word> {
    printed(commands, index, &mut Steps { left: MAX_STEPS, files: true })
}

/// The text that earlier commands of the list wrote to a file, when the command at this index reads it.
pub(super) fn in_file(commands: &[Command], file: &Word, before: usize) -> Option<Word> {
    written(commands, file, before, &mut Steps { left: MAX_STEPS, files: true })
}

/// The work that one output may still take.
struct Steps {
    left: usize,
    /// Whether files are followed as well.
    files: bool,
}

fn printed(commands: &[Command], index: usize, steps: &mut Steps) -> Option<Word> {
    // `> >(sh)` is read by that shell.
    let elsewhere = |each: &Redirect| {
        matches!(each.kind, RedirectKind::Write | RedirectKind::Append)
            && is_output(each)
            && each.target != Word::unknown()
    };
    let command = commands.get(index)?;
    (!command.redirects.iter().any(elsewhere)).then(|| made(commands, index, steps))?
}

/// Whether a redirect is about what the command prints, and not about its errors.
fn is_output(redirect: &Redirect) -> bool {
    matches!(redirect.descriptor, None | Some(1))
}

/// The output of a command, wherever it goes.
fn made(commands: &[Command], index: usize, steps: &mut Steps) -> Option<Word> {
    let mut index = index;
    loop {
        steps.left = steps.left.checked_sub(1)?;
        let command = commands.get(index)?;
        let operands = || command.arguments().iter().filter(|word| word.literal() != Some("-"));
        match command.program() {
            Some("echo") => return Some(echo(command.arguments())),
            Some("printf") => return printf(command.arguments()),
            Some("which" | "type" | "command") => return located(command.arguments()),
            Some("cat") if operands().next().is_some() => {
                let mut all = Word::default();
                for word in operands() {
                    all.append(&match word.parts.as_slice() {
                        [WordPart::Stream(producer)] if *producer < index => {
                            made(commands, *producer, steps)?
                        }
                        _ => written(commands, word, index, steps)?,
                    });
                }
                return Some(all);
            }
            Some("cat" | "tee") => {}
            Some("dd") if !command.literals().any(|text| text.starts_with("if=")) => {}
            // `{ echo a; echo b; } > file`
            None if command.words.is_empty() && command.fed_by.iter().any(|inner| *inner > index) => {
                let mut all = Word::default();
                for inner in command.fed_by.iter().filter(|inner| **inner > index) {
                    all.append(&made(commands, *inner, steps)?);
                }
                return Some(all);
            }
            // `$(< file)`
            None if command.words.is_empty() => {}
            Some(_) | None => return None,
        }
        if let Some(text) = given_text(command) {
            return Some(text);
        }
        if let Some(file) = command.redirected(&[RedirectKind::Read]).next() {
            return match file.parts.as_slice() {
                [WordPart::Stream(producer)] if *producer < index => made(commands, *producer, steps),
                _ => written(commands, file, index, steps),
            };
        }
        match command.stdin {
            // Only earlier commands feed a pipe, so this comes to an end.
            Stdin::Pipe(producer) if producer < index => index = producer,
            Stdin::Pipe(_) | Stdin::None | Stdin::Text(_) => return None,
        }
    }
}

fn written(commands: &[Command], file: &Word, before: usize, steps: &mut Steps) -> Option<Word> {
    let is_known = |part: &WordPart| {
        matches!(
            part,
            WordPart::Literal(_) | WordPart::Variable(_) | WordPart::Tilde(_) | WordPart::Temporary
        )
    };
    if !steps.files || file.starts_with("-") || !file.parts.iter().all(is_known) {
        return None;
    }
    let name = |word: &Word| word.text_lossy().trim_start_matches("./").to_owned();
    let (named, mut appended) = (name(file), Vec::new());
    for (index, command) in commands.get(..before)?.iter().enumerate().rev().take(MAX_BEFORE) {
        let to = |kind: RedirectKind| {
            let mut files = command.redirects.iter().filter(|each| each.kind == kind && is_output(each));
            files.any(|each| name(&each.target) == named)
        };
        let copied = |program: &str| matches!(program, "cp" | "mv" | "ln" | "install");
        let is_tee =
            || command.program() == Some("tee") && command.operands().any(|word| name(word) == named);
        if to(RedirectKind::Append) {
            appended.push(made(commands, index, steps)?);
            continue;
        }
        let text = if to(RedirectKind::Write) || is_tee() {
            made(commands, index, steps)?
        } else if let [source, target] = command.operands().collect::<Vec<_>>().as_slice()
            && command.program().is_some_and(copied)
            && name(target) == named
        {
            steps.left = steps.left.checked_sub(1)?;
            written(commands, source, index, steps)?
        } else {
            continue;
        };
        appended.push(text);
        break;
    }
    let mut pieces = appended.into_iter().rev();
    let mut text = pieces.next()?;
    pieces.for_each(|piece| text.append(&piece));
    Some(text)
}

/// The here-document or here-string of a command.
pub(super) fn given_text(command: &Command) -> Option<Word> {
    let document = |kind| matches!(kind, RedirectKind::HereDoc | RedirectKind::HereString);
    match command.redirects.iter().rfind(|each| document(each.kind)) {
        Some(redirect) => Some(redirect.target.clone()),
        None => match &command.stdin {
            Stdin::Text(text) => Some(Word::plain(text.as_str())),
            Stdin::None | Stdin::Pipe(_) => None,
        },
    }
}

/// Where a program is, which `which`, `type -P` and `command -v` say: wherever that is, it is that program.
fn located(arguments: &[Word]) -> Option<Word> {
    let (name, options) = arguments.split_last()?;
    let name = name.literal().filter(|name| !name.contains(['/', '-']))?;
    let plain = options.iter().all(|word| matches!(word.literal(), Some("-p" | "-P" | "-v")));
    plain.then(|| Word::plain(format!("/usr/bin/{name}")))
}

fn echo(arguments: &[Word]) -> Word {
    let is_option = |word: &Word| {
        word.literal().and_then(|text| text.strip_prefix('-')).is_some_and(|flags| {
            !flags.is_empty() && flags.bytes().all(|flag| matches!(flag, b'n' | b'e' | b'E'))
        })
    };
    let options = arguments.iter().take_while(|word| is_option(word)).count();
    let (options, rest) = arguments.split_at(options);
    let mut text = join(rest);
    if options.iter().any(|word| word.text_lossy().contains('e')) {
        text = unescaped(&text);
    }
    if !options.iter().any(|word| word.text_lossy().contains('n')) {
        text.push_text("\n");
    }
    text
}

pub(super) fn printf(arguments: &[Word]) -> Option<Word> {
    let arguments = match arguments {
        [mark, rest @ ..] if mark.literal() == Some("--") => rest,
        all => all,
    };
    let (format, mut values) = arguments.split_first()?;
    let format = unescaped(format);
    let format = format.literal()?;
    let mut text = Word::default();
    loop {
        let before = values.len();
        let mut rest = format;
        while let Some((plain, after)) = rest.split_once('%') {
            text.push_text(plain);
            let mut characters = after.chars();
            match characters.next()? {
                '%' => text.push_text("%"),
                conversion @ ('s' | 'b' | 'd') => {
                    if let Some((value, others)) = values.split_first() {
                        text.append(&if conversion == 'b' { unescaped(value) } else { value.clone() });
                        values = others;
                    }
                }
                _ => return None,
            }
            rest = characters.as_str();
        }
        text.push_text(rest);
        if values.is_empty() || values.len() == before {
            return Some(text);
        }
    }
}

/// The word with the escapes of `echo -e` and `printf` resolved.
fn unescaped(word: &Word) -> Word {
    let mut result = Word::default();
    for part in &word.parts {
        match part {
            WordPart::Literal(text) => result.push_text(&unescape(text)),
            other => result.push(other.clone()),
        }
    }
    result
}

fn unescape(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        result.push_str(before);
        let mut characters = after.chars();
        match characters.next() {
            Some('n') => result.push('\n'),
            Some('t') => result.push('\t'),
            Some('r') => result.push('\r'),
            Some('\\') => result.push('\\'),
            Some('x') => rest_of_number(&mut characters, 16, 2, &mut result),
            Some('0') => rest_of_number(&mut characters, 8, 3, &mut result),
            Some('1'..='7') => {
                characters = after.chars();
                rest_of_number(&mut characters, 8, 3, &mut result);
            }
            Some(other) => result.extend(['\\', other]),
            None => result.push('\\'),
        }
        rest = characters.as_str();
    }
    result.push_str(rest);
    result
}

fn rest_of_number(characters: &mut std::str::Chars<'_>, radix: u32, digits: usize, result: &mut String) {
    let mut number = 0;
    for _ in 0..digits {
        let Some(digit) = characters.clone().next().and_then(|c| c.to_digit(radix)) else { break };
        characters.next();
        number = number * radix + digit;
    }
    result.extend(char::from_u32(number));
}

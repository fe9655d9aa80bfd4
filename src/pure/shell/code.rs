//! Which commands interpret a program text, and where they find it.

use super::command::Command;
use super::names::NameTable;
use super::options::WrapperOptions;
use super::word::{Origins, Word};

/// A program text and the language it is written in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Code {
    pub language: Language,
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    Python,
    JavaScript,
    Perl,
    Ruby,
    Php,
    Lua,
    Awk,
}

struct Interpreter {
    names: &'static str,
    language: Language,
    /// Options whose value is the program text, with blanks between them.
    text: &'static str,
    /// Other options that take a value.
    valued: &'static str,
}

const INTERPRETERS: &[Interpreter] = &[
    Interpreter {
        names: "python pypy ipython",
        language: Language::Python,
        text: "-c",
        valued: "-c -m -W -X",
    },
    Interpreter {
        names: "node nodejs bun deno",
        language: Language::JavaScript,
        text: "-e --eval -p --print",
        valued: "-e --eval -p --print -r --require --import -C",
    },
    Interpreter { names: "perl", language: Language::Perl, text: "-e -E", valued: "-e -E -I -M" },
    Interpreter { names: "ruby", language: Language::Ruby, text: "-e", valued: "-e -I -r -C" },
    Interpreter { names: "php", language: Language::Php, text: "-r", valued: "-r -d -c -f" },
    Interpreter { names: "lua luajit", language: Language::Lua, text: "-e", valued: "-e -l" },
    Interpreter {
        names: "awk gawk mawk nawk",
        language: Language::Awk,
        text: "",
        valued: "-F -v -f --file --assign",
    },
];

/// Where an interpreter stands in the list.
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, which refuses an index out of bounds"
)]
static NAMED: NameTable<usize, 64> = {
    let (mut named, mut at) = (NameTable::new(), 0);
    while at < INTERPRETERS.len() {
        named.put(INTERPRETERS[at].names, at);
        at += 1;
    }
    named
};

fn interpreter(program: &str) -> Option<&'static Interpreter> {
    // None of the names begins with another letter.
    if !program.starts_with(['p', 'i', 'n', 'b', 'd', 'r', 'l', 'a', 'g', 'm']) {
        return None;
    }
    INTERPRETERS.get(NAMED.find(program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.'))?)
}

/// The options of an interpreter that carry a program text, and all that take a value.
pub(super) fn options(command: &Command) -> Option<(&'static str, &'static str)> {
    interpreter(command.program()?).map(|interpreter| (interpreter.text, interpreter.valued))
}

/// The program text that a command interprets: in an option, as an operand (`awk`), or on its standard input.
pub(super) fn of(command: &Command, standard_input: impl FnOnce() -> Option<String>) -> Option<Code> {
    let interpreter = interpreter(command.program()?)?;
    let mut options = WrapperOptions::after_program();
    // `node -pe` prints what the text evaluates to; alone, `-p` takes the text itself.
    let printing = |word: &Word| word.literal() == Some("-pe");
    if interpreter.language == Language::JavaScript && command.words.iter().any(printing) {
        let plain = |word: &Word| if printing(word) { Word::plain("-e") } else { word.clone() };
        options.read(&command.words.iter().map(plain).collect::<Vec<_>>(), interpreter.valued);
    } else {
        options.read(&command.words, interpreter.valued);
    }
    let texts: Vec<_> =
        options.values(interpreter.text).filter_map(|word| word.shell_text(Origins::Dropped)).collect();
    let operand = command.words.get(options.rest);
    let text = match (interpreter.language, operand) {
        _ if !texts.is_empty() => texts.join("\n"),
        (Language::JavaScript, Some(word)) if word.literal() == Some("eval") => {
            command.words.get(options.rest + 1)?.shell_text(Origins::Dropped)?.into_owned()
        }
        (Language::Awk, Some(word)) if !options.has("-f --file") => {
            word.shell_text(Origins::Dropped)?.into_owned()
        }
        (Language::Awk, _) => return None,
        (_, None) if !options.has("-m") => standard_input()?,
        (_, Some(word)) if word.literal() == Some("-") => standard_input()?,
        _ => return None,
    };
    Some(Code { language: interpreter.language, text })
}

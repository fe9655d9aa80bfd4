//! Programs that run a file: one level into it is looked.

use super::super::effect::Target;
use super::{Call, Inner, Meaning};
use crate::shell::Word;

pub fn survey(program: &str, call: &Call<'_>, meaning: &mut Meaning) {
    let first = call.command.words.first();
    let by_path = first.and_then(Word::literal).is_some_and(|text| text.contains('/'));
    let script = match program {
        "sh" | "bash" | "dash" | "zsh" | "ksh" | "fish" | "source" | "." => {
            operand(call).map(|word| (word, true))
        }
        name if name.starts_with("python")
            || name.starts_with("ruby")
            || name.starts_with("perl")
            || name.starts_with("node")
            || name == "deno" =>
        {
            operand(call).map(|word| (word, false))
        }
        _ if by_path => first.map(|word| (word, true)),
        _ => None,
    };
    let Some((word, shell)) = script else { return };
    if let Target::Path(path) = call.target(word) {
        meaning.runs.push(if shell { Inner::Script(path) } else { Inner::Code(path) });
    }
}

/// The first argument that is no option; `-c` and `-e` texts have been unwrapped before.
fn operand<'a>(call: &'a Call<'_>) -> Option<&'a Word> {
    let mut arguments = call.arguments().iter();
    loop {
        let word = arguments.next()?;
        match word.literal() {
            Some("-c" | "-e" | "-m" | "-") => return None,
            Some("-o" | "-O" | "--rcfile" | "--init-file" | "-W" | "-X" | "-r" | "--require") => {
                arguments.next()?;
            }
            Some(text) if text.starts_with('-') => {}
            _ => return Some(word),
        }
    }
}

//! Options of shells and interpreters that decide where their program text comes from.

use super::fetched::is_shell;
use super::interpreters::language;
use crate::pure::shell::{Language, lists_option};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Means {
    /// Nothing for the words behind it.
    Nothing,
    /// The next word is its value.
    TakesNext,
    /// The next word is the program text.
    Code,
    /// The program text comes from standard input.
    Input,
    /// It names a module.
    Module,
    /// The text is only read.
    Checks,
}

/// Options by what they mean: those with a program text, those that take a value, and letters behind which the rest
/// of the word is a value.
type Tables = (&'static str, &'static str, &'static str);

fn tables(program: &str) -> Tables {
    if is_shell(program) {
        return ("-c", "-o -O --rcfile --init-file", "");
    }
    match language(program) {
        Some(Language::Python) => ("-c", "-W -X --check-hash-based-pycs", ""),
        Some(Language::JavaScript) => {
            ("-e -p", "-r -C --require --import --loader --experimental-loader --conditions", "")
        }
        Some(Language::Perl) => ("-e -E", "-I", "-i -M -m -F -D -x"),
        Some(Language::Ruby) => ("-e", "-I -r -E -C --require --encoding", "-i -F -K -T -W -x"),
        Some(Language::Php) => ("-r -B -R -E", "-d -c -z --define --php-ini", ""),
        Some(Language::Lua) => ("-e", "-l", ""),
        Some(Language::Awk) | None => ("-e", "", ""),
    }
}

/// The meaning of one option word for a program.
pub(super) fn means(program: &str, text: &str) -> Means {
    let (code, valued, attached) = tables(program);
    if text.starts_with("--") {
        return match text {
            "--eval" | "--print" if !is_shell(program) => Means::Code,
            name if lists_option(valued, name) => Means::TakesNext,
            _ => Means::Nothing,
        };
    }
    let mut cluster = text.chars().skip(1).peekable();
    let mut means = Means::Nothing;
    while let Some(letter) = cluster.next() {
        let is_last = cluster.peek().is_none();
        let is_in = |table| lists_option(table, letter.encode_utf8(&mut [0; 4]));
        match letter {
            // A shell takes its text from the first word that is no option, wherever the letter stands.
            _ if is_in(code) && (is_last || is_shell(program)) => means = Means::Code,
            _ if is_in(code) => return Means::Code,
            _ if is_in(valued) && is_last && means == Means::Nothing => return Means::TakesNext,
            _ if is_in(valued) || is_in(attached) => return means,
            's' if is_shell(program) && means == Means::Nothing => means = Means::Input,
            'n' if is_shell(program) && means == Means::Nothing => means = Means::Checks,
            'm' if language(program) == Some(Language::Python) => return Means::Module,
            _ => {}
        }
    }
    means
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_are_read_letter_by_letter() {
        for (program, text, expected) in [
            ("bash", "-euo", Means::TakesNext),
            ("bash", "-eo", Means::TakesNext),
            ("bash", "+o", Means::TakesNext),
            ("bash", "-O", Means::TakesNext),
            ("bash", "-e", Means::Nothing),
            ("bash", "-opipefail", Means::Nothing),
            ("bash", "-ec", Means::Code),
            ("bash", "-ce", Means::Code),
            ("bash", "-eus", Means::Input),
            ("bash", "-n", Means::Checks),
            ("bash", "--rcfile", Means::TakesNext),
            ("bash", "--norc", Means::Nothing),
            ("python3", "-uW", Means::TakesNext),
            ("python3", "-E", Means::Nothing),
            ("python3", "-Ic", Means::Code),
            ("python3", "-m", Means::Module),
            ("perl", "-I", Means::TakesNext),
            ("perl", "-Ilib", Means::Nothing),
            ("perl", "-ne", Means::Code),
            ("perl", "-le", Means::Code),
            ("perl", "-0777pe", Means::Code),
            ("perl", "-i.e", Means::Nothing),
            ("ruby", "-r", Means::TakesNext),
            ("ruby", "-rjson", Means::Nothing),
            ("node", "-r", Means::TakesNext),
            ("node", "--import", Means::TakesNext),
            ("node", "--eval", Means::Code),
            ("php", "-d", Means::TakesNext),
            ("lua", "-l", Means::TakesNext),
        ] {
            assert_eq!(means(program, text), expected, "{program} {text}");
        }
    }
}

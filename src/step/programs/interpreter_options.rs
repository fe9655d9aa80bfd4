//! What the options of shells and interpreters mean for where their program text comes from.

use super::fetched::is_shell;
use super::interpreters::language;
use super::line::lists;
use crate::shell::Language;

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

/// Letters by what they mean; `attached` are those behind which the rest of the word is a value.
struct Letters {
    code: &'static str,
    valued: &'static str,
    attached: &'static str,
    names: &'static str,
}

fn letters(program: &str) -> Letters {
    let of = |code, valued, attached, names| Letters { code, valued, attached, names };
    if is_shell(program) {
        return of("c", "oO", "", "--rcfile --init-file");
    }
    match language(program) {
        Some(Language::Python) => of("c", "WX", "", "--check-hash-based-pycs"),
        Some(Language::JavaScript) => {
            of("ep", "rC", "", "--require --import --loader --experimental-loader --conditions")
        }
        Some(Language::Perl) => of("eE", "I", "iMmFDx", ""),
        Some(Language::Ruby) => of("e", "IrEC", "iFKTWx", "--require --encoding"),
        Some(Language::Php) => of("rBRE", "dcz", "", "--define --php-ini"),
        Some(Language::Lua) => of("e", "l", "", ""),
        Some(Language::Awk) | None => of("e", "", "", ""),
    }
}

/// What one option word means to a program.
pub(super) fn means(program: &str, text: &str) -> Means {
    let known = letters(program);
    if text.starts_with("--") {
        return match text {
            "--eval" | "--print" if !is_shell(program) => Means::Code,
            name if lists(known.names, name) => Means::TakesNext,
            _ => Means::Nothing,
        };
    }
    let mut cluster = text.chars().skip(1).peekable();
    let mut means = Means::Nothing;
    while let Some(letter) = cluster.next() {
        let is_last = cluster.peek().is_none();
        match letter {
            // A shell takes its text from the first word that is no option, wherever the letter stands.
            _ if known.code.contains(letter) && (is_last || is_shell(program)) => means = Means::Code,
            _ if known.code.contains(letter) => return Means::Code,
            _ if known.valued.contains(letter) && is_last && means == Means::Nothing => {
                return Means::TakesNext;
            }
            _ if known.valued.contains(letter) || known.attached.contains(letter) => return means,
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

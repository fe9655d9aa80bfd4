//! Command lines that a filter makes for a shell to run: `ls | sed 's/^/rm -rf /' | sh`.

use crate::pure::shell::{Command, Word};

/// Stands for what only the run will know.
const UNKNOWN: &str = "\0";

/// The line that this command prints for each of its own, as far as it is spelled out.
pub(crate) fn line(command: &Command) -> Option<String> {
    let script = || command.operands().find_map(Word::literal);
    let line = match command.program()? {
        "sed" | "gsed" => {
            let substituted = Substitution::parse(script()?)?;
            let rest = if matches!(substituted.pattern, "^" | "$") { UNKNOWN } else { "" };
            match substituted.pattern {
                "$" => format!("{rest}{}", substituted.text()),
                _ => format!("{}{rest}", substituted.text()),
            }
        }
        "awk" | "gawk" | "mawk" | "nawk" => printed_by_awk(&command.code.as_ref()?.text)?,
        "find" | "gfind" => {
            let mut pairs = command.arguments().iter().zip(command.arguments().iter().skip(1));
            let format = pairs.find(|(test, _)| test.literal() == Some("-printf"))?.1.literal()?;
            let named = ["%p", "%f", "%P", "%h"]
                .iter()
                .fold(format.to_owned(), |text, each| text.replace(each, UNKNOWN));
            named.replace("\\n", "\n")
        }
        _ => return None,
    };
    // Names of files that are deleted may be any that there are.
    let deletes = line.trim_start().trim_start_matches("sudo ").starts_with("rm ");
    let unknown = if deletes { "*" } else { "\"$_unknown\"" };
    line.trim().contains(' ').then(|| line.replace(UNKNOWN, unknown))
}

/// `s/pattern/replacement/flags`
pub(crate) struct Substitution<'a> {
    pattern: &'a str,
    replacement: &'a str,
    flags: &'a str,
}

impl<'a> Substitution<'a> {
    pub(crate) fn parse(script: &'a str) -> Option<Self> {
        let rest = script.trim_start().strip_prefix('s')?;
        let sign = rest.chars().next().filter(|sign| sign.is_ascii_punctuation() && *sign != '\\')?;
        let (pattern, rest) = split(rest.get(1..)?, sign)?;
        let (replacement, flags) = split(rest, sign)?;
        Some(Self { pattern, replacement, flags })
    }

    /// The command that `e` at the end runs.
    pub(crate) fn executed(&self) -> Option<String> {
        let flags = self.flags.split([';', '\n', '}']).next().unwrap_or_default();
        flags.trim().contains('e').then(|| self.text())
    }

    fn text(&self) -> String {
        let groups = ["\\1", "\\2", "\\3", "&"];
        groups.iter().fold(self.replacement.replace("\\/", "/"), |text, each| text.replace(each, UNKNOWN))
    }
}

/// A text in two, at the first of these signs that no backslash stands before.
fn split(text: &str, sign: char) -> Option<(&str, &str)> {
    let mut at = text.match_indices(sign).map(|(at, _)| at);
    let at = at.find(|at| !text.get(..*at).is_some_and(|front| front.ends_with('\\')))?;
    Some((text.get(..at)?, text.get(at + sign.len_utf8()..)?))
}

/// Strings as they are, everything between them unknown.
fn printed_by_awk(code: &str) -> Option<String> {
    let (_, statement) = code.split_once("print")?;
    let statement = statement.trim_start_matches('f').split([';', '}', '|', '>']).next()?;
    let mut line = String::new();
    for (index, piece) in statement.split('"').enumerate() {
        match index % 2 {
            1 => line.push_str(piece),
            _ if piece.trim().trim_matches(['(', ')']).is_empty() => {}
            _ => line.push_str(UNKNOWN),
        }
    }
    Some(line.replace("\\n", "\n"))
}

//! A command line as the tables read it: a program, its verbs and its options.

use super::ShellCall;
use super::table;
use crate::pure::shell::{Command, Stdin, Word, lists};

/// The longest piece of a command that a message repeats.
const SHOWN: usize = 60;

#[derive(Clone, Copy)]
pub(crate) struct ProgramLine<'a> {
    pub program: &'a str,
    pub arguments: &'a [Word],
    /// The call that it is read from.
    pub call: &'a ShellCall<'a>,
}

/// Programs that may start another one, besides the python that a file names.
pub(crate) const STARTERS: &str = "npx bunx pnpx php yarn pnpm bun k3s microk8s k0s minikube python lvm";

impl<'a> ProgramLine<'a> {
    /// The program that does the work, where another one only starts it: `npx prisma`, `python manage.py`.
    pub fn of(program: &'a str, call: &'a ShellCall<'a>) -> Self {
        let mut line = Self { program, arguments: call.arguments(), call };
        for _ in 0..3 {
            match line.started() {
                Some(inner) => line = inner,
                None => break,
            }
        }
        line
    }

    fn started(&self) -> Option<Self> {
        let is_option = |word: &&Word| word.literal().is_some_and(|text| text.starts_with('-'));
        let inner = |skipped: usize| {
            let rest = self.arguments.get(skipped..)?;
            let options = rest.iter().take_while(is_option).count();
            let (first, arguments) = rest.get(options..)?.split_first()?;
            let name = first.literal()?;
            let name = name.rsplit('/').next().unwrap_or(name);
            let program = name.split_once('@').map_or(name, |(name, _)| name);
            Some(Self { program, arguments, ..*self })
        };
        let options = || self.arguments.iter().take_while(is_option).count();
        let first = || self.arguments.get(options()).and_then(Word::literal);
        match self.program {
            "lvm" | "npx" | "bunx" | "pnpx" | "php" => first().and_then(|_| inner(options())),
            "yarn" | "pnpm" | "bun" => match first()? {
                "dlx" | "exec" | "x" => inner(options() + 1),
                name if name != "npm" && table::tool(name).is_some() => inner(options()),
                _ => None,
            },
            "k3s" | "microk8s" | "k0s" | "minikube" if first() == Some("kubectl") => inner(options()),
            name if name.starts_with("python") => first().and_then(|_| {
                let module = self.arguments.iter().position(|word| word.literal() == Some("-m"));
                inner(module.map_or_else(options, |at| at + 1))
            }),
            _ => None,
        }
    }

    /// Known words that are no options and no value of the options in `valued`.
    pub fn words(&self, valued: &'a str) -> impl Iterator<Item = &'a str> {
        self.all_words(valued).filter(|word| !word.is_empty())
    }

    /// The same with an empty word for each that only the shell will know.
    fn all_words(&self, valued: &'a str) -> impl Iterator<Item = &'a str> {
        let mut arguments = self.arguments.iter();
        std::iter::from_fn(move || {
            loop {
                match arguments.next()?.literal() {
                    Some(option) if option.starts_with('-') && option.len() > 1 => {
                        if lists(valued, option) {
                            arguments.next();
                        }
                    }
                    Some(text) if text.starts_with('+') => {}
                    Some(text) => return Some(text),
                    None => return Some(""),
                }
            }
        })
    }

    /// Whether the first words are these verbs.
    pub fn begins_with(&self, verbs: &str, valued: &'a str, reads: &str) -> bool {
        // An unknown word may stand for options or, where any word will do, for that word.
        follow(verbs, reads, self.words(valued))
            || verbs.contains('?') && follow(verbs, reads, self.all_words(valued))
    }

    /// Whether one of these options or words is there: `--flag` also as `--flag=x`, `-x` also in a cluster,
    /// `--flag=x` also as `--flag x`, a `*` at either end for anything, `<yes` for an answer on standard input.
    pub fn has(&self, wanted: &str) -> bool {
        let is_option = |word: &Word| word.literal().is_some_and(|text| text.starts_with('-'));
        let has_options = self.arguments.iter().any(is_option);
        wanted.split_ascii_whitespace().any(|wanted| match wanted {
            "<yes" => answered(self.call),
            _ if wanted.starts_with('-') && !has_options => false,
            _ => {
                // Of an option that is given twice, the last one counts: `--dry-run --dry-run=false`.
                let is_taken_back = |text: &str| {
                    let negated = text
                        .strip_prefix("--no-")
                        .is_some_and(|name| wanted.strip_prefix("--") == Some(name));
                    negated
                        || wanted.len() > 2
                            && text.split_once('=').is_some_and(|(name, value)| {
                                matches!(value, "false" | "none" | "0" | "no")
                                    && name.trim_start_matches('-') == wanted.trim_start_matches('-')
                            })
                };
                let after = |index: usize| move || self.arguments.get(index + 1).and_then(Word::literal);
                let mut texts = self.arguments.iter().map(Word::literal).enumerate();
                // Nearly no line has what is wanted, and this tells so at the least cost.
                if !texts.any(|(index, text)| text.is_some_and(|text| is_wanted(wanted, text, after(index))))
                {
                    return false;
                }
                let given = self.arguments.iter().enumerate().rev().find_map(|(index, word)| {
                    let after = after(index);
                    let text = word.literal()?;
                    match is_taken_back(text) {
                        true => Some(false),
                        false => is_wanted(wanted, text, after).then_some(true),
                    }
                });
                given == Some(true)
            }
        })
    }

    /// The line up to `--`, behind which nothing is an option.
    pub fn before_operands(&self) -> Self {
        let end = self.arguments.iter().position(|word| word.literal() == Some("--"));
        let arguments = end.and_then(|end| self.arguments.get(..end)).unwrap_or(self.arguments);
        Self { arguments, ..*self }
    }

    /// The program and its arguments, as far as a message has room for them.
    pub fn shown(&self) -> String {
        let mut shown = self.program.to_owned();
        for word in self.arguments.iter().filter_map(Word::literal).filter(|word| !word.is_empty()) {
            if shown.len() + word.len() >= SHOWN || word.contains('\n') {
                shown.push_str(" …");
                break;
            }
            shown.push(' ');
            shown.push_str(word);
        }
        shown
    }
}

fn follow<'a>(verbs: &str, reads: &str, mut words: impl Iterator<Item = &'a str>) -> bool {
    let mut anywhere = false;
    verbs.split_ascii_whitespace().all(|verb| match verb {
        "*" => {
            anywhere = true;
            true
        }
        "?" => words.next().is_some(),
        _ if anywhere => words
            .find(|word| is_one_of(verb, word) || lists_pattern(reads, word))
            .is_some_and(|word| is_one_of(verb, word)),
        _ => words.next().is_some_and(|word| is_one_of(verb, word)),
    })
}

fn is_wanted<'a>(wanted: &str, text: &str, after: impl Fn() -> Option<&'a str>) -> bool {
    if text == wanted {
        return true;
    }
    if !wanted.starts_with('-') {
        return (wanted.starts_with('*') || wanted.ends_with('*')) && fits(wanted.as_bytes(), text);
    }
    // Long names have to begin alike.
    let first = |text: &str| text.bytes().find(|byte| *byte != b'-');
    if !text.starts_with('-')
        || (wanted.len() > 2 && first(wanted) != Some(b'*') && first(text) != first(wanted))
    {
        return false;
    }
    if let Some((name, value)) = wanted.split_once('=') {
        return match text.split_once('=') {
            Some((option, given)) => option == name && fits(value.as_bytes(), given),
            None => text == name && after().is_some_and(|given| fits(value.as_bytes(), given)),
        };
    }
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    // A value of "false" or "none" takes an option back.
    if matches!(value, "false" | "none") {
        return false;
    }
    let is_letter = wanted.len() == 2;
    let is_cluster = || {
        name.len() <= 5
            && !name.starts_with("--")
            && name.bytes().skip(1).all(|byte| byte.is_ascii_alphabetic())
    };
    name == wanted
        || (is_letter && is_cluster() && wanted.chars().nth(1).is_some_and(|letter| name.contains(letter)))
        || (wanted.ends_with('*') && fits(wanted.as_bytes(), name))
        // Go's own flags take one dash or two.
        || (!is_letter && !wanted.starts_with("--") && name.strip_prefix('-') == Some(wanted))
}

/// Whether a word is one of the alternatives of a verb.
fn is_one_of(verb: &str, word: &str) -> bool {
    verb.as_bytes().split(|byte| *byte == b'|').any(|one| fits(one, word))
}

fn fits(pattern: &[u8], word: &str) -> bool {
    let word = word.as_bytes();
    match (pattern.strip_prefix(b"*"), pattern.strip_suffix(b"*")) {
        (Some([middle @ .., b'*']), Some(_)) => memchr::memmem::find(word, middle).is_some(),
        (Some(end), Some(_) | None) => word.ends_with(end),
        (None, Some(start)) => word.starts_with(start),
        (None, None) => pattern == word,
    }
}

fn lists_pattern(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|one| fits(one.as_bytes(), word))
}

/// `yes | terraform apply`, `echo y | apt-get purge x`.
fn answered(call: &ShellCall<'_>) -> bool {
    let says_yes = |text: &str| matches!(text.trim(), "y" | "Y" | "yes" | "Yes" | "YES");
    match &call.command.stdin {
        Stdin::Text(text) => says_yes(text),
        Stdin::Pipe(index) => {
            call.others.get(*index).is_some_and(|producer: &Command| match producer.program() {
                Some("yes") => {
                    producer.arguments().is_empty()
                        || producer.arguments().iter().all(|word| word.literal().is_some_and(says_yes))
                }
                Some("echo" | "printf") => producer
                    .arguments()
                    .iter()
                    .any(|word| word.literal().is_some_and(|text| says_yes(text.trim_end_matches("\\n")))),
                Some(_) | None => false,
            })
        }
        Stdin::None => false,
    }
}

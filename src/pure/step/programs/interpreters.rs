//! Programs that run a file: one level into it is looked.

use super::fetched::{is_interpreter, is_shell};
use super::interpreter_options::{Means, means};
use super::{InnerText, Meaning, ShellCall};
use crate::pure::dataflow::Substitution;
use crate::pure::shell::{Command, Language, RedirectKind, Word};
use crate::pure::step::effect::Target;
use camino::Utf8Path;

/// The programs that are asked about here, besides shells and interpreters.
pub(crate) const PROGRAMS: &str = "sed gsed source .";

pub(crate) fn survey(program: &str, call: &ShellCall<'_>, meaning: &mut Meaning) {
    let first = call.command.words.first();
    let by_path = first.and_then(Word::literal).is_some_and(|text| text.contains('/'));
    if matches!(program, "sed" | "gsed") {
        meaning.runs.extend(call.literals().filter_map(executed_by_sed).map(InnerText::Text));
        return;
    }
    let script = match program {
        name if is_shell(name) => operand(call).or_else(|| read_file(call)),
        "source" | "." => operand(call),
        name if is_interpreter(name) => operand(call),
        _ if by_path => first,
        _ => None,
    };
    if let Some(name) = by_path.then(|| another_name(call)).flatten() {
        let words = std::iter::once(name.into()).chain(call.arguments().iter().map(Word::text_lossy));
        meaning.runs.push(InnerText::Text(words.collect::<Vec<_>>().join(" ")));
        return;
    }
    let Some(Target::Path(path)) = script.map(|word| call.target(word)) else { return };
    if is_installed(&path) {
        return;
    }
    meaning.runs.push(match language(program) {
        Some(language) => InnerText::Code(path, language),
        None => InnerText::Script(path),
    });
}

/// The command that `1e command` or `s/x/command/e` in a script of sed runs.
fn executed_by_sed(script: &str) -> Option<String> {
    if let Some(command) = Substitution::parse(script).and_then(|substitution| substitution.executed()) {
        return Some(command);
    }
    if !script.contains("e ") {
        return None;
    }
    script.split([';', '\n']).find_map(|each| {
        let (address, command) = each.trim().split_once('e')?;
        let plain = address.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | '$' | ' '));
        (plain && command.starts_with(' ')).then(|| command.trim().to_owned())
    })
}

/// The program that an earlier command of the same text copied or linked to this path: `cp /bin/rm x; ./x -rf src`.
fn another_name(call: &ShellCall<'_>) -> Option<String> {
    let copies = |command: &&Command| matches!(command.program(), Some("cp" | "ln" | "mv" | "install"));
    let own = call.command.words.first()?;
    let at = call.position()?;
    let here = call.target(own);
    call.others.get(..at)?.iter().rev().take(16).filter(copies).find_map(|command| {
        let mut operands = command.operands();
        let (source, destination) = (operands.next()?.literal()?, operands.next_back()?);
        let (folder, name) = source.rsplit_once('/')?;
        let installed = folder.ends_with("/bin") || folder.ends_with("/sbin");
        (installed && call.target(destination) == here).then(|| name.to_owned())
    })
}

/// The first argument that is no option; `-c` and `-e` texts have been unwrapped before.
fn operand<'a>(call: &'a ShellCall<'_>) -> Option<&'a Word> {
    let program = call.command.program().unwrap_or_default();
    let mut arguments = call.arguments().iter();
    loop {
        let word = arguments.next()?;
        match word.literal() {
            Some("-") => return None,
            Some("run") if matches!(program, "bun" | "deno") => {}
            Some(text) if text.starts_with('-') || (text.starts_with('+') && is_shell(program)) => {
                match means(program, text) {
                    Means::Code | Means::Input | Means::Module | Means::Checks => return None,
                    Means::TakesNext => drop(arguments.next()?),
                    Means::Nothing => {}
                }
            }
            _ => return Some(word),
        }
    }
}

/// The file that a shell reads its commands from: `bash < x.sh`, `cat x.sh | bash`.
fn read_file<'a>(call: &'a ShellCall<'_>) -> Option<&'a Word> {
    let redirected = call.command.redirects.iter().find(|redirect| redirect.kind == RedirectKind::Read);
    let shown = || match call.command.fed_by.as_slice() {
        [only] => {
            let producer = call.others.get(*only).filter(|command| command.program() == Some("cat"))?;
            producer.operands().next()
        }
        _ => None,
    };
    redirected.map(|redirect| &redirect.target).or_else(shown)
}

/// A package manager put these files there.
fn is_installed(path: &Utf8Path) -> bool {
    const SYSTEM: [&str; 8] = ["/usr", "/bin", "/sbin", "/opt", "/nix", "/snap", "/Library", "/System"];
    let folders =
        ["node_modules", "site-packages", ".venv", "venv", ".cargo", ".rustup", ".nvm", ".pyenv", ".asdf"];
    SYSTEM.iter().any(|root| path.starts_with(root))
        || path.components().any(|part| folders.contains(&part.as_str()))
}

pub(super) fn language(program: &str) -> Option<Language> {
    let name = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    match name {
        "python" | "pypy" | "ipython" => Some(Language::Python),
        "node" | "nodejs" | "bun" | "deno" => Some(Language::JavaScript),
        "perl" => Some(Language::Perl),
        "ruby" => Some(Language::Ruby),
        "php" => Some(Language::Php),
        "lua" | "luajit" => Some(Language::Lua),
        _ => None,
    }
}

/// The language of a script, if its first line names one that is no shell's.
pub(crate) fn written_in(path: &Utf8Path, text: &str) -> Option<Language> {
    let first = text.lines().next().and_then(|line| line.strip_prefix("#!"));
    let by_extension = match path.extension() {
        Some("py") => Some(Language::Python),
        Some("js" | "mjs" | "cjs" | "ts") => Some(Language::JavaScript),
        Some("rb") => Some(Language::Ruby),
        Some("pl") => Some(Language::Perl),
        Some("php") => Some(Language::Php),
        _ => None,
    };
    match first {
        Some(line) => {
            let mut words = line.split_whitespace().filter_map(|word| word.rsplit('/').next());
            words.find(|word| *word != "env" && !word.starts_with('-')).and_then(language)
        }
        None => by_extension,
    }
}

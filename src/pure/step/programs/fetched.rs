//! Shells and interpreters that run what another command writes: a download, a decoder, another machine.

use super::flow::{Sink, effect};
use super::interpreter_options::{Means, means};
use super::{InnerText, Meaning, ShellCall};
use crate::pure::dataflow::{Source, fed, line, reads_wire, text_printed, text_read};
use crate::pure::shell::{Code, Command, Language, NameTable, RedirectKind, Word, WordPart, lists};
use crate::pure::step::effect::{Effect, Target};

/// Commands before the one at hand beyond this many are not looked at.
const MAX_BEFORE: usize = 256;

/// The source of a command's program text.
enum Text<'a> {
    Word(&'a Word),
    File(&'a Word),
    /// Somewhere else.
    Address(&'a Word),
    Input,
}

/// The programs that are asked about here, besides shells and interpreters.
pub(crate) const PROGRAMS: &str = "eval at batch crontab source . npx bunx uvx uv pipx java awk gawk mawk \
    make";

pub(crate) fn survey(program: &str, call: &ShellCall<'_>, meaning: &mut Meaning) {
    if program == "eval" && over_open_wire(call) {
        let how = "a loop that runs what /dev/tcp sends".into();
        meaning.effects.push(Effect::NetworkShell { how });
    }
    let Some(text) = program_text(program, call) else { return };
    let found = match text {
        Text::Word(word) if begins_with_output(word) => from(call, word.sources(), meaning),
        Text::Word(_) => None,
        Text::File(word) => match word.sources().next() {
            Some(_) => from(call, word.sources(), meaning),
            None => from_file(call, program, word, meaning),
        },
        Text::Address(word) => effect(Source::Remote(word.text_lossy().into_owned()), Sink::ProgramText),
        Text::Input => {
            // `echo … > file; bash < file`
            for file in call.command.redirected(&[RedirectKind::Read]) {
                let found = from_file(call, program, file, meaning);
                meaning.effects.extend(found);
            }
            if call.command.code.as_ref().is_some_and(|code| runs_input(&code.text)) {
                meaning.runs.extend(text_read(call.others, call.command, 0).map(InnerText::Text));
            }
            let wire = || reads_wire(call.command).then_some(Source::Wire("/dev/tcp"));
            from(call, fed(call.command), meaning)
                .or_else(|| wire().and_then(|wire| effect(wire, Sink::ProgramText)))
        }
    };
    meaning.effects.extend(found);
}

/// A file that every shell reads first: `BASH_ENV=file`.
pub(super) fn sourced(call: &ShellCall<'_>, file: &Word, meaning: &mut Meaning) {
    let found = from_file(call, "sh", file, meaning);
    meaning.effects.extend(found);
}

/// A command whose program only the run will know.
pub(crate) fn unknown_program(call: &ShellCall<'_>, meaning: &mut Meaning) {
    let Some(first) = call.command.words.first() else { return };
    if begins_with_output(first) {
        let before = meaning.runs.len();
        let found = from(call, first.sources(), meaning);
        meaning.effects.extend(found);
        let arguments: Vec<_> = call.arguments().iter().map(|word| word.text_lossy()).collect();
        for run in meaning.runs.iter_mut().skip(before) {
            if let InnerText::Text(text) = run {
                *text = format!("{} {}", text.trim_end(), arguments.join(" "));
            }
        }
    }
    // A script that starts itself beside itself.
    let is_itself = |command: &Command| match command.words.first().map(|word| word.parts.as_slice()) {
        Some([WordPart::Variable(name)]) => name == "0",
        _ => false,
    };
    if is_itself(call.command)
        && call.command.background
        && call.others.iter().filter(|other| is_itself(other)).count() > 1
    {
        meaning.effects.push(Effect::ForkBomb);
    }
    if over_open_wire(call) {
        let how = "a loop that runs what /dev/tcp sends".into();
        meaning.effects.push(Effect::NetworkShell { how });
    }
    let recursive = |text: &str| {
        let short = text.starts_with('-') && !text.starts_with("--");
        short && text.contains(['r', 'R']) && text.contains('f')
    };
    let foundation = |word: &Word| match call.target(word) {
        Target::Path(path) | Target::Inside(path) => {
            path.as_str() == "/" || call.place.home.starts_with(&path)
        }
        Target::Matching(_) | Target::Below(_) | Target::Unknown => false,
    };
    if call.literals().any(recursive) && call.arguments().iter().any(foundation) {
        let why =
            format!("which program `{}` is decides whether this deletes everything", first.text_lossy());
        meaning.effects.push(Effect::Opaque { why });
    }
}

fn begins_with_output(word: &Word) -> bool {
    matches!(word.parts.first(), Some(WordPart::Output(_) | WordPart::Stream(_)))
}

/// Where the program text of a shell or an interpreter comes from.
fn program_text<'a>(program: &str, call: &'a ShellCall<'_>) -> Option<Text<'a>> {
    if program == "eval" {
        return call.arguments().first().map(Text::Word);
    }
    let by_path = call.command.words.first().filter(|word| word.text_lossy().contains('/'));
    if let Some(address) = by_path.filter(|word| word.starts_with("https://") || word.starts_with("http://"))
    {
        return Some(Text::Address(address));
    }
    if matches!(program, "at" | "batch" | "crontab") {
        return Some(Text::Input);
    }
    if let Some(address) = run_from_afar(program, call) {
        return Some(Text::Address(address));
    }
    if program == "java" {
        let jar = call.arguments().iter().skip_while(|word| word.literal() != Some("-jar")).nth(1);
        return jar.map(Text::File);
    }
    if matches!(program, "awk" | "gawk" | "mawk")
        || (program == "make" && call.literals().any(|text| text == "-"))
    {
        let by_file = || call.literals().any(|text| text.starts_with("-f") || text.starts_with("--file"));
        let evaluates = match &call.command.code {
            Some(code) => runs_input(&code.text),
            None => program == "make" || !by_file(),
        };
        let script = || call.arguments().iter().skip_while(|word| word.literal() != Some("-f")).nth(1);
        return match script().filter(|_| program != "make") {
            Some(file) => Some(Text::File(file)),
            None => evaluates.then_some(Text::Input),
        };
    }
    let is_source = matches!(program, "source" | ".");
    if !is_source && !is_shell(program) && !is_interpreter(program) {
        return by_path.map(Text::File);
    }
    let mut arguments = call.arguments().iter();
    while let Some(word) = arguments.next() {
        let text = word.literal_prefix();
        match word.literal() {
            Some("-" | "/dev/stdin" | "/proc/self/fd/0" | "/dev/fd/0") => return Some(Text::Input),
            Some(flag) if text.starts_with(['-', '+']) && !is_source => match means(program, flag) {
                Means::Input => return Some(Text::Input),
                Means::Module => return None,
                Means::Code => {
                    return match &call.command.code {
                        // `python -c "exec(sys.stdin.read())"`
                        Some(code) if evaluates_input(&code.text) => Some(Text::Input),
                        Some(_) => None,
                        None => arguments.next().map(Text::Word),
                    };
                }
                Means::TakesNext => drop(arguments.next()?),
                Means::Checks => return None,
                Means::Nothing => {}
            },
            _ if text.starts_with(['-', '+']) => {}
            _ => return Some(Text::File(word)),
        }
    }
    (!is_source).then_some(Text::Input)
}

/// `deno run https://…`, `npx https://…`, `uv run https://…` run what is there; a later address is only looked at.
fn run_from_afar<'a>(program: &str, call: &'a ShellCall<'_>) -> Option<&'a Word> {
    let is_address = |word: &&Word| word.starts_with("https://") || word.starts_with("http://");
    let mut operands = call.command.operands();
    match program {
        "deno" | "bun" => operands.find(is_address),
        "npx" | "bunx" | "uvx" => operands.next().filter(is_address),
        "uv" | "pipx" => operands.nth(1).filter(is_address).filter(|_| call.literals().next() == Some("run")),
        _ => None,
    }
}

fn evaluates_input(code: &str) -> bool {
    let evaluates = ["exec(", "eval(", "eval ", "loadstring(", "instance_eval"];
    let reads = ["stdin", "STDIN", "ARGF", "<>", "/dev/fd/0", "io.read", "input(", "readFileSync(0"];
    runs_input(code)
        || code.contains("eval $_")
        || evaluates.iter().any(|word| code.contains(word)) && reads.iter().any(|word| code.contains(word))
}

/// Whether a program hands what it reads to a shell: `perl -ne 'system $_'`, `awk '{system($0)}'`.
fn runs_input(code: &str) -> bool {
    let starts = ["system", "exec", "popen", "qx", "call", "run", "spawn", "execSync"];
    let inputs = [
        "$_", "$0", "$1", "sys.stdin", "STDIN", "ARGF", "gets", "<>", "readline", "io.read", "input()",
        "readFileSync(0",
    ];
    let begins = |rest: &str| {
        let rest = rest.trim_start_matches(['(', ' ', '"', '\'', '`']);
        inputs.iter().any(|input| rest.starts_with(input))
    };
    starts
        .iter()
        .any(|name| code.match_indices(name).any(|(at, _)| code.get(at + name.len()..).is_some_and(begins)))
}

pub(crate) const SHELLS: &str = "sh bash zsh dash ksh mksh ash fish rbash csh tcsh pwsh powershell";
static IS_SHELL: NameTable<(), 64> = NameTable::of(SHELLS, ());

/// By their names without a version.
pub(crate) const INTERPRETERS: &str = "python pypy ipython perl ruby node nodejs php lua luajit deno bun \
    osascript tclsh Rscript";

pub(super) fn is_shell(program: &str) -> bool {
    IS_SHELL.find(program).is_some()
}

pub(super) fn is_interpreter(program: &str) -> bool {
    lists(INTERPRETERS, program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.'))
}

/// The effect of running the output of these commands.
fn from(
    call: &ShellCall<'_>,
    producers: impl Iterator<Item = usize>,
    meaning: &mut Meaning,
) -> Option<Effect> {
    let producers: Vec<usize> = producers.collect();
    let behind = call.upstream(producers.iter().copied());
    let source = behind.iter().find_map(|(_, command)| Source::of(command));
    let decoded =
        || behind.iter().any(|(_, command)| matches!(Source::of(command), Some(Source::Decoded(_))));
    let for_a_shell = call.command.program().is_none_or(|program| is_shell(program) || program == "eval");
    let known = match producers.as_slice() {
        // `> >(sh)`: listed before the command that feeds it.
        [only] if for_a_shell && call.position().is_some_and(|own| own < *only) => {
            text_printed(call.others, *only, 0)
        }
        // `eval "$(cat file)"`, where the same text wrote the file.
        [only] if for_a_shell && reads_file(call, *only) => text_printed(call.others, *only, 0),
        [only] if source.is_some() && decoded() => {
            text_printed(call.others, *only, 0).or_else(|| text_read(call.others, call.command, 0))
        }
        _ => None,
    };
    let made = || behind.first().filter(|_| for_a_shell).and_then(|(_, command)| line(command));
    meaning.runs.extend(known.or_else(made).map(InnerText::Text));
    effect(source.or_else(|| disguised(call, &behind))?, Sink::ProgramText)
}

/// Whether the command at this index shows a file.
fn reads_file(call: &ShellCall<'_>, index: usize) -> bool {
    call.others.get(index).is_some_and(|command| match command.program() {
        Some("cat") => command.operands().next().is_some(),
        Some(_) => false,
        None => command.words.is_empty(),
    })
}

/// Programs that make another text of the one they read.
const FILTERS: &str =
    "sed awk gawk mawk cut tr fold head tail paste xargs sort tac column fmt join shuf rev nl uniq grep jq";

/// A text that is written out only to be changed on its way into the shell.
fn disguised(call: &ShellCall<'_>, behind: &[(usize, &Command)]) -> Option<Source> {
    let (_, last) = behind.first()?;
    let program = last.program().filter(|name| lists(FILTERS, name))?;
    text_read(call.others, last, 0)?;
    Some(Source::Decoded(program.to_owned()))
}

/// Whether an earlier `exec 5<>/dev/tcp/…` may feed an unknown program.
fn over_open_wire(call: &ShellCall<'_>) -> bool {
    call.others
        .iter()
        .take(MAX_BEFORE)
        .any(|other| matches!(other.program(), Some("exec") | None) && reads_wire(other))
}

/// The content of a file that earlier commands of the same text wrote.
fn from_file(call: &ShellCall<'_>, program: &str, file: &Word, meaning: &mut Meaning) -> Option<Effect> {
    let writers = call.writers(file);
    let behind = call.upstream(writers.iter().copied());
    if let Some(source) = behind.iter().find_map(|(_, command)| Source::of(command)) {
        return effect(source, Sink::ProgramText);
    }
    let written = |writer: &usize| call.graph().text_written(call.others, *writer);
    let text = writers.iter().rev().filter_map(written).collect::<String>();
    let language = match program {
        "awk" | "gawk" | "mawk" => Some(Language::Awk),
        _ => super::interpreters::language(program),
    };
    meaning.runs.extend(match language {
        _ if text.is_empty() => None,
        Some(language) => Some(InnerText::Program(Code { language, text })),
        None => (!is_interpreter(program)).then_some(InnerText::Text(text)),
    });
    None
}

#[cfg(test)]
mod tests {
    use crate::pure::step::Decision;
    use crate::pure::step::sample::shell;

    #[test]
    fn lines_made_for_a_shell_are_read() {
        for command in [
            "ls | sed 's/^/rm -rf /' | sh",
            "ls | awk '{print \"rm -rf \" $1}' | bash",
            "awk 'BEGIN{print \"rm -rf ~\"}' | sh",
            "find / -maxdepth 1 -printf 'rm -rf %p\\n' | sh",
            "sed 's/.*/rm -rf src/e' x",
            "sed 's/.*/rm -rf .\\/src/e' x",
        ] {
            assert!(shell(command).decision >= Decision::Ask, "{command}");
        }
        for command in [
            "ls | sed 's/^/rm -rf /'",
            "ls | awk '{print \"rm -rf \" $1}'",
            "seq 3 | sed 's/^/echo /' | sh",
            "ls | awk '{print \"touch \" $1}' | sh",
            "sed 's/rm -rf src/make clean/' x",
        ] {
            assert!(shell(command).decision < Decision::Ask, "{command}");
        }
    }
}

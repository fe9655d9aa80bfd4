//! Shells and interpreters that run what another command writes: a download, a decoder, another machine.

use super::decoder::decoder;
use super::download::{download, redirected_to, saved_as};
use super::interpreter_options::{Means, means};
use super::network::is_wire;
use super::upstream::{fed, text_printed, text_read, upstream};
use super::{InnerText, Meaning, ShellCall, made};
use crate::pure::shell::{
    Code, Command, Directory, NameTable, RedirectKind, Word, WordPart, lists, printed_by,
};
use crate::pure::step::effect::{Effect, Target, TextSource};
use crate::pure::step::path::target;

/// Commands before the one at hand beyond this many are not looked at.
const MAX_BEFORE: usize = 256;

/// What a command takes its program text from.
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
            None => match held_by(call, word) {
                Some(Held::Fetched(source)) => Some(Effect::RunFetched { source }),
                Some(Held::Text(text)) if !is_interpreter(program) || is_shell(program) => {
                    meaning.runs.push(InnerText::Text(text));
                    None
                }
                Some(Held::Text(text)) => {
                    let language = super::interpreters::language(program);
                    meaning.runs.extend(language.map(|language| InnerText::Program(Code { language, text })));
                    None
                }
                None => None,
            },
        },
        Text::Address(word) => {
            let source = TextSource::Downloaded(word.text_lossy().into_owned());
            Some(Effect::RunFetched { source })
        }
        Text::Input => {
            run_again(call, meaning);
            from(call, fed(call.command), meaning).or_else(|| read_from_wire(call.command))
        }
    };
    meaning.effects.extend(found);
}

/// `echo … > file; bash < file`
fn run_again(call: &ShellCall<'_>, meaning: &mut Meaning) {
    let read = call.command.redirects.iter().filter(|redirect| redirect.kind == RedirectKind::Read);
    for redirect in read.filter(|_| call.command.program().is_some_and(is_shell)) {
        match held_by(call, &redirect.target) {
            Some(Held::Fetched(source)) => meaning.effects.push(Effect::RunFetched { source }),
            Some(Held::Text(text)) => meaning.runs.push(InnerText::Text(text)),
            None => {}
        }
    }
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
            Some(code) => code.text.contains("system($"),
            None => program == "make" || !by_file(),
        };
        return evaluates.then_some(Text::Input);
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
                Means::Nothing | Means::Checks => {}
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
    // `perl -ne 'system $_'`
    let each_line = ["system $_", "system($_)", "exec $_", "eval $_", "system$_"];
    each_line.iter().any(|word| code.contains(word))
        || evaluates.iter().any(|word| code.contains(word)) && reads.iter().any(|word| code.contains(word))
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

/// What it means to run what these commands write.
fn from(
    call: &ShellCall<'_>,
    producers: impl Iterator<Item = usize>,
    meaning: &mut Meaning,
) -> Option<Effect> {
    let producers: Vec<usize> = producers.collect();
    let behind = upstream(call.others, producers.iter().copied());
    let known = match producers.as_slice() {
        [only] if behind.iter().any(|(_, command)| decoder(command).is_some()) => {
            text_printed(call, *only, 0).or_else(|| text_read(call, call.command, 0))
        }
        _ => None,
    };
    let for_a_shell = call.command.program().is_none_or(|program| is_shell(program) || program == "eval");
    let made = || behind.first().filter(|_| for_a_shell).and_then(|(_, command)| made::line(command));
    meaning.runs.extend(known.or_else(made).map(InnerText::Text));
    let found = behind.iter().find_map(|(_, command)| {
        if let Some(address) = download(command) {
            return Some(Effect::RunFetched { source: TextSource::Downloaded(address) });
        }
        let program = command.program().unwrap_or_default();
        let wire =
            is_wire(program, command.arguments()).or_else(|| reads_wire(command).then_some("/dev/tcp"));
        if let Some(program) = wire {
            return Some(Effect::NetworkShell { how: format!("running what {program} receives") });
        }
        let name = decoder(command)?;
        Some(Effect::RunFetched { source: TextSource::Decoded(name) })
    });
    found.or_else(|| disguised(call, &behind))
}

/// A text that is written out only to be changed on its way into the shell.
fn disguised(call: &ShellCall<'_>, behind: &[(usize, &Command)]) -> Option<Effect> {
    let (_, last) = behind.first()?;
    let program = last
        .program()
        .filter(|name| matches!(*name, "sed" | "awk" | "cut" | "tr" | "gawk" | "fold" | "head"))?;
    text_read(call, last, 0)?;
    Some(Effect::RunFetched { source: TextSource::Decoded(program.to_owned()) })
}

/// `bash < /dev/tcp/host/port`
fn read_from_wire(command: &Command) -> Option<Effect> {
    let how = "running what /dev/tcp sends".to_owned();
    reads_wire(command).then_some(Effect::NetworkShell { how })
}

fn reads_wire(command: &Command) -> bool {
    command.redirects.iter().any(|redirect| {
        matches!(redirect.kind, RedirectKind::Read | RedirectKind::ReadWrite)
            && is_wire_path(&redirect.target)
    })
}

pub(super) fn is_wire_path(word: &Word) -> bool {
    word.starts_with("/dev/tcp/") || word.starts_with("/dev/udp/")
}

/// Whether an earlier `exec 5<>/dev/tcp/…` may feed an unknown program.
fn over_open_wire(call: &ShellCall<'_>) -> bool {
    call.others.iter().take(MAX_BEFORE).any(|other| {
        let opened = |kind| matches!(kind, RedirectKind::ReadWrite | RedirectKind::Read);
        matches!(other.program(), Some("exec") | None)
            && other.redirects.iter().any(|each| opened(each.kind) && is_wire_path(&each.target))
    })
}

/// What an earlier command of the same text put into a file.
enum Held {
    /// It downloaded or decoded it.
    Fetched(TextSource),
    /// It wrote this.
    Text(String),
}

fn held_by(call: &ShellCall<'_>, file: &Word) -> Option<Held> {
    let at = call.position()?;
    let mut wanted = Place { word: file.clone(), target: call.target(file) };
    for (index, other) in call.others.iter().enumerate().take(at).rev().take(MAX_BEFORE) {
        match other.program() {
            Some("mv" | "cp" | "install" | "ln") => {
                if let Some(moved) = moved_from(call, other, &wanted) {
                    wanted = moved;
                }
            }
            Some("tee") if other.arguments().iter().any(|word| wanted.is(call, other, word)) => {
                return written_by(call, index);
            }
            _ => {}
        }
        if redirected_to(other).any(|word| wanted.is(call, other, word)) {
            return written_by(call, index);
        }
        if let Some(address) = download(other)
            && saved_as(other).iter().any(|word| wanted.is(call, other, word))
        {
            return Some(Held::Fetched(TextSource::Downloaded(address)));
        }
        if let Some(name) = decoder(other)
            && names_output(call, other, &wanted)
        {
            return Some(Held::Fetched(TextSource::Decoded(name)));
        }
    }
    None
}

/// What a redirect or `tee` wrote: a download, decoded text, a text that is known, or something of no concern.
fn written_by(call: &ShellCall<'_>, index: usize) -> Option<Held> {
    let fetched = upstream(call.others, [index]).into_iter().find_map(|(_, command)| {
        let downloaded = download(command).map(TextSource::Downloaded);
        downloaded.or_else(|| decoder(command).map(TextSource::Decoded))
    });
    fetched.map(Held::Fetched).or_else(|| text_written(call, index).map(Held::Text))
}

/// What the command at this index would print if its output did not go into a file.
fn text_written(call: &ShellCall<'_>, index: usize) -> Option<String> {
    let shown = Command { redirects: Vec::new(), ..call.others.get(index)?.clone() };
    let echoed = printed_by(std::slice::from_ref(&shown), 0);
    echoed.and_then(|text| text.literal().map(str::to_owned)).or_else(|| text_printed(call, index, 0))
}

/// `openssl … -out file`, `xxd -r in out`
fn names_output(call: &ShellCall<'_>, command: &Command, wanted: &Place) -> bool {
    let named = command.arguments().windows(2).any(|pair| match pair {
        [flag, file] => {
            matches!(flag.literal(), Some("-out" | "-o" | "--output")) && wanted.is(call, command, file)
        }
        _ => false,
    });
    let last = command.program() == Some("xxd")
        && command.arguments().last().is_some_and(|word| wanted.is(call, command, word));
    named || last
}

/// The file that became `wanted`, if this command moved or copied one there.
fn moved_from(call: &ShellCall<'_>, command: &Command, wanted: &Place) -> Option<Place> {
    let operands: Vec<&Word> = command.operands().collect();
    let (last, sources) = operands.split_last()?;
    let directory = directory_of(call, command);
    let place =
        |word: &Word| Place { word: word.clone(), target: target(word, directory.as_deref(), call.place) };
    if wanted.is(call, command, last) {
        return sources.last().map(|word| place(word));
    }
    let (Target::Path(wanted), Target::Path(folder)) = (&wanted.target, place(last).target) else {
        return None;
    };
    let inside = wanted.parent() == Some(&folder);
    sources
        .iter()
        .map(|word| place(word))
        .find(|source| inside && source.target.path().and_then(|path| path.file_name()) == wanted.file_name())
}

/// A file by how it is written and by where that is.
struct Place {
    word: Word,
    target: Target,
}

impl Place {
    /// Whether `word` means this file where `command` runs.
    fn is(&self, call: &ShellCall<'_>, command: &Command, word: &Word) -> bool {
        if command.directory == call.command.directory && *word == self.word {
            return true;
        }
        let directory = directory_of(call, command);
        matches!(&self.target, Target::Path(_))
            && target(word, directory.as_deref(), call.place) == self.target
    }
}

fn directory_of(call: &ShellCall<'_>, command: &Command) -> Option<camino::Utf8PathBuf> {
    match &command.directory {
        same if *same == call.command.directory => call.directory.map(ToOwned::to_owned),
        Directory::Same => Some(call.place.cwd.clone()),
        Directory::Known(word) => {
            target(word, Some(&call.place.cwd), call.place).path().map(ToOwned::to_owned)
        }
        Directory::Unknown => None,
    }
}

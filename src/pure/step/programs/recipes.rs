//! Programs that run what a file of the project says under a name: make targets, package scripts, just recipes, tasks.

use super::{InnerText, Meaning, ShellCall};
use crate::pure::shell::{Word, option_values};
use crate::pure::step::effect::Target;
use crate::pure::step::path::joined;
use camino::Utf8PathBuf;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

/// The requested names, and the way to read the file that defines them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Recipe {
    /// Targets of a Makefile; none for the first.
    Make(Vec<String>),
    /// Recipes of a justfile; none for the first.
    Just(Vec<String>),
    /// A script of package.json or composer.json, with what runs before and after it.
    Package(String),
    /// Tasks of a Taskfile.
    Task(Vec<String>),
}

/// Targets that a target needs, and those that they need, up to this many.
const MAX_TARGETS: usize = 16;

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Make(targets) => write!(f, "make {}", targets.join(" ")),
            Self::Just(targets) => write!(f, "just {}", targets.join(" ")),
            Self::Package(name) => write!(f, "the script {name}"),
            Self::Task(names) => write!(f, "task {}", names.join(" ")),
        }
    }
}

/// The programs that are asked about here.
pub(crate) const PROGRAMS: &str = "make gmake just task go-task npm pnpm yarn bun composer";

pub(crate) fn survey(program: &str, call: &ShellCall<'_>, meaning: &mut Meaning) {
    let mut recipe = |directory: Option<Cow<'_, Word>>, names: &[&str], recipe: Recipe| {
        let folder = directory.map(|word| call.target(&word)).map(|target| match target {
            Target::Path(path) => Some(path),
            _ => None,
        });
        let folder: Option<Utf8PathBuf> = folder.unwrap_or_else(|| call.directory.map(ToOwned::to_owned));
        let Some(folder) = folder else { return };
        let files: Vec<Utf8PathBuf> = names.iter().map(|name| joined(&folder, name)).collect();
        // `printf … > Makefile; make`: the file will be what the same text writes.
        for file in files.iter().filter(|file| file.file_name().is_some_and(|name| call.text.contains(name)))
        {
            let written = call.writers(&Word::plain(file.as_str()));
            let texts = written.iter().filter_map(|writer| call.graph().text_written(call.others, *writer));
            meaning.runs.extend(texts.filter_map(|text| recipe.text(&text)).map(InnerText::Text));
        }
        meaning.runs.push(InnerText::Recipe(files, recipe));
    };
    match program {
        "make" | "gmake" => {
            if call.literals().any(|text| matches!(text, "-n" | "--dry-run" | "--just-print" | "-q" | "-p")) {
                return;
            }
            let file = value(call, "-f --file");
            let file = file.as_deref().and_then(Word::literal);
            let names = file.map_or(vec!["Makefile", "makefile", "GNUmakefile"], |file| vec![file]);
            recipe(
                value(call, "-C --directory"),
                &names,
                Recipe::Make(owned(named(call, &["-f", "--file", "-C", "-j", "-o"]))),
            );
        }
        "just" => {
            let file = value(call, "-f --justfile");
            let file = file.as_deref().and_then(Word::literal);
            let names = file.map_or(vec!["justfile", "Justfile", ".justfile"], |file| vec![file]);
            if call
                .literals()
                .any(|text| matches!(text, "-l" | "--list" | "--show" | "-n" | "--dry-run" | "--summary"))
            {
                return;
            }
            recipe(None, &names, Recipe::Just(owned(named(call, &["-f", "--justfile", "-d"]))));
        }
        "task" | "go-task" => {
            if call.literals().any(|text| matches!(text, "-l" | "--list" | "--list-all" | "--dry" | "-n")) {
                return;
            }
            recipe(
                value(call, "-d --dir"),
                &["Taskfile.yml", "Taskfile.yaml"],
                Recipe::Task(owned(named(call, &["-d", "--dir"]))),
            );
        }
        "npm" | "pnpm" | "yarn" | "bun" | "composer" => {
            let valued = ["--prefix", "-C", "--cwd", "--dir", "-w", "--workspace", "--filter", "-F"];
            let Some(script) = package_script(program, &named(call, &valued)) else { return };
            let file = if program == "composer" { "composer.json" } else { "package.json" };
            recipe(value(call, "--prefix -C --cwd --dir"), &[file], Recipe::Package(script));
        }
        _ => {}
    }
}

/// The script that a package manager would run.
fn package_script(program: &str, words: &[&str]) -> Option<String> {
    let mut words = words.iter().copied();
    let verb = words.next()?;
    let script = match (program, verb) {
        (_, "run" | "run-script" | "rum") => words.next()?,
        (_, "test" | "t" | "tst") => "test",
        ("npm" | "pnpm" | "yarn", "start" | "stop" | "restart") => verb,
        ("composer", _) | ("npm", _) => return None,
        // Others take a script's name for a command; a name that is none says nothing in package.json.
        (_, verb) => verb,
    };
    Some(script.to_owned())
}

fn value<'a>(call: &'a ShellCall<'_>, names: &str) -> Option<Cow<'a, Word>> {
    option_values(call.arguments(), names).into_iter().next()
}

/// Words that are neither options nor their values nor variables.
fn named<'a>(call: &'a ShellCall<'_>, valued: &[&str]) -> Vec<&'a str> {
    let mut words = call.literals();
    let mut named = Vec::new();
    while let Some(text) = words.next() {
        if valued.contains(&text) {
            words.next();
        } else if text == "--" {
            break;
        } else if !text.starts_with('-') && !text.contains('=') {
            named.push(text);
        }
    }
    named
}

fn owned(names: Vec<&str>) -> Vec<String> {
    names.into_iter().map(str::to_owned).collect()
}

/// The number of files that a file may include.
const MAX_INCLUDED: usize = 4;

impl Recipe {
    /// The files whose rules the file takes over, by the names that it has for them.
    pub fn included(&self, file: &str) -> Vec<String> {
        let words: &[&str] = match self {
            Self::Make(_) => &["include ", "-include ", "sinclude "],
            Self::Just(_) => &["import ", "import? "],
            Self::Package(_) | Self::Task(_) => return Vec::new(),
        };
        let named = file.lines().filter_map(|line| words.iter().find_map(|word| line.strip_prefix(word)));
        let names =
            named.flat_map(str::split_whitespace).map(|name| name.trim_matches(['"', '\'']).to_owned());
        names.filter(|name| !name.is_empty() && !name.contains(['$', '*'])).take(MAX_INCLUDED).collect()
    }

    /// The shell text in the file that would run.
    pub fn text(&self, file: &str) -> Option<String> {
        match self {
            Self::Make(targets) => indented(file, targets, Style::Make),
            Self::Just(recipes) => indented(file, recipes, Style::Just),
            Self::Package(script) => package(file, script),
            Self::Task(names) => task(file, names),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Make,
    Just,
}

/// A rule: what it needs, and its lines.
#[derive(Debug, Default)]
struct Rule<'a> {
    needs: Vec<&'a str>,
    lines: Vec<&'a str>,
}

fn indented(file: &str, targets: &[String], style: Style) -> Option<String> {
    let (mut rules, mut variables) = (BTreeMap::<&str, Rule<'_>>::new(), BTreeMap::new());
    let (mut at, mut first): (Vec<&str>, Option<&str>) = (Vec::new(), None);
    for line in file.lines() {
        if line.starts_with(['\t', ' ']) && !at.is_empty() {
            for name in &at {
                rules.entry(name).or_default().lines.push(line.trim());
            }
            continue;
        }
        if line.trim().is_empty() || line.starts_with(['#', '\t', ' ', '@', '[']) {
            continue;
        }
        at.clear();
        if let Some((name, value)) = assignment(line) {
            variables.insert(name, value);
        } else if let Some((names, needs)) = line.split_once(':') {
            at = names.split_whitespace().take(if style == Style::Just { 1 } else { MAX_TARGETS }).collect();
            // `all: ; rm -rf x`
            let (needs, inline) = match needs.split_once(';').filter(|_| style == Style::Make) {
                Some((needs, inline)) => (needs, Some(inline.trim())),
                None => (needs, None),
            };
            for name in &at {
                let rule = rules.entry(name).or_default();
                rule.needs.extend(needs.split_whitespace());
                rule.lines.extend(inline);
            }
            first = first.or(at.first().copied().filter(|name| !name.starts_with('.')));
        }
    }
    let wanted: Vec<&str> = match targets {
        [] => first.into_iter().collect(),
        some => some.iter().map(String::as_str).collect(),
    };
    let mut lines = Vec::new();
    let (mut waiting, mut seen) = (wanted, Vec::new());
    while let Some(name) = waiting.pop().filter(|_| seen.len() < MAX_TARGETS) {
        let Some(rule) = rules.get(name).filter(|_| !seen.contains(&name)) else { continue };
        seen.push(name);
        waiting.extend(&rule.needs);
        lines.extend(
            rule.lines
                .iter()
                .map(|line| spelled(line.trim_start_matches(['@', '-', '+']), &variables, style)),
        );
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

fn assignment(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once('=')?;
    let name = name.trim_end_matches([':', '?', '+', '!', ' ']).trim_start_matches("export ").trim();
    let is_name = !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
    is_name.then(|| (name, value.trim().trim_matches(['"', '\''])))
}

/// A line as the shell gets it: the file's own variables filled in, others left to the run.
fn spelled(line: &str, variables: &BTreeMap<&str, &str>, style: Style) -> String {
    let (open, close) = if style == Style::Make { ("$(", ")") } else { ("{{", "}}") };
    let (mut text, mut rest) = (String::with_capacity(line.len()), line);
    while let Some((before, after)) = rest.split_once(open) {
        text.push_str(before);
        if style == Style::Make && before.ends_with('$') {
            // `$$(…)` is the shell's own.
            text.push('(');
            rest = after;
            continue;
        }
        let (name, after) = after.split_once(close).unwrap_or((after, ""));
        match variables.get(name.trim()) {
            Some(value) if !value.contains(open) => text.push_str(value),
            _ => match name.strip_prefix("shell ") {
                Some(command) => text.extend(["$(", command, ")"]),
                None => text.push_str("${_unknown}"),
            },
        }
        rest = after;
    }
    text.push_str(rest);
    if style == Style::Make { text.replace("$$", "$") } else { text }
}

/// A script of a manifest, with what runs before and after it.
fn package(file: &str, script: &str) -> Option<String> {
    let manifest: serde_json::Value = serde_json::from_str(file).ok()?;
    let scripts = manifest.get("scripts")?;
    let names = [format!("pre{script}"), script.to_owned(), format!("post{script}")];
    let texts = |value: &serde_json::Value| match value {
        serde_json::Value::String(text) => vec![text.clone()],
        serde_json::Value::Array(lines) => lines
            .iter()
            .filter_map(|line| line.as_str().filter(|line| !line.starts_with('@')).map(str::to_owned))
            .collect(),
        _ => Vec::new(),
    };
    let lines: Vec<String> = names.iter().filter_map(|name| scripts.get(name)).flat_map(texts).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// The commands of tasks in a Taskfile, found by their indentation.
fn task(file: &str, names: &[String]) -> Option<String> {
    let names: Vec<&str> =
        if names.is_empty() { vec!["default"] } else { names.iter().map(String::as_str).collect() };
    let (mut lines, mut inside, mut below_tasks) = (Vec::new(), None, false);
    for line in file.lines() {
        let bare = line.trim_start();
        let indent = line.len() - bare.len();
        if bare.is_empty() || bare.starts_with('#') {
            continue;
        }
        if indent == 0 {
            below_tasks = bare.starts_with("tasks:");
            inside = None;
            continue;
        }
        if let Some(depth) = inside
            && indent > depth
        {
            let entry = bare.trim_start_matches("- ").trim_start();
            let command =
                entry.strip_prefix("cmd:").or_else(|| entry.strip_prefix("cmds:")).unwrap_or(entry).trim();
            if bare.starts_with("- ") || entry.starts_with("cmd") || !entry.contains(": ") {
                lines.push(command.trim_matches(['"', '\'', '|', '>']).to_owned());
            }
            continue;
        }
        let name = bare.split(':').next().unwrap_or_default().trim_matches(['"', '\'']);
        inside = (below_tasks && names.contains(&name)).then_some(indent);
    }
    let lines: Vec<String> = lines.into_iter().filter(|line| !line.is_empty()).collect();
    (!lines.is_empty()).then(|| lines.join("\n").replace("{{", "${_").replace("}}", "}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn make(targets: &[&str], file: &str) -> Option<String> {
        Recipe::Make(targets.iter().map(|&name| name.to_owned()).collect()).text(file)
    }

    #[test]
    fn included_files_are_named_by_the_file() {
        let file = "include a.mk b.mk\n-include $(X).mk\nincluded: x\n\tinclude no\n";
        assert_eq!(Recipe::Make(Vec::new()).included(file), ["a.mk", "b.mk"]);
        assert_eq!(Recipe::Just(Vec::new()).included("import 'x.just'\n"), ["x.just"]);
        assert_eq!(Recipe::Package("x".into()).included(file), [""; 0]);
    }

    #[test]
    fn make_runs_the_target_and_what_it_needs() {
        let file = "OUT = build\nall: lib app\n\t@echo all\nlib:\n\trm -rf $(OUT)/x $(OTHER)\n\techo $$HOME\nclean:\n\trm -rf $(OUT)\n";
        let all = make(&[], file).unwrap();
        assert!(all.contains("echo all") && all.contains("rm -rf build/x ${_unknown}"), "{all}");
        assert!(all.contains("echo $HOME") && !all.contains("rm -rf build\n"), "{all}");
        assert_eq!(make(&["clean"], file).as_deref(), Some("rm -rf build"));
        assert_eq!(make(&["missing"], file), None);
    }

    #[test]
    fn package_scripts_bring_what_runs_before_and_after() {
        let file = r#"{"scripts": {"prebuild": "a", "build": "b", "test": "c"}}"#;
        assert_eq!(Recipe::Package("build".into()).text(file).as_deref(), Some("a\nb"));
        assert_eq!(Recipe::Package("lint".into()).text(file), None);
    }

    #[test]
    fn just_and_task_are_read_by_their_indentation() {
        let justfile = "out := \"dist\"\n\nbuild target: dep\n    cargo build\n    rm -rf {{out}}\n\ndep:\n    echo dep\n";
        let text = Recipe::Just(vec!["build".into()]).text(justfile).unwrap();
        assert!(text.contains("rm -rf dist") && text.contains("echo dep"), "{text}");
        let taskfile = "version: 3\ntasks:\n  build:\n    cmds:\n      - go build ./...\n      - rm -rf tmp\n  other:\n    cmds:\n      - echo\n";
        assert_eq!(
            Recipe::Task(vec!["build".into()]).text(taskfile).as_deref(),
            Some("go build ./...\nrm -rf tmp")
        );
    }
}

//! `plimsoll rules`: which rules there are and how they stand here; checks a file of one's own.

use crate::Failure;
use camino::{Utf8Path, Utf8PathBuf};
use plimsoll::config::{self, Environment, Files, Source, printable};
use plimsoll::policy::{StepMode, StepReviewer};
use plimsoll::step::{Course, CustomRules, Level, Set, catalogue, is_in_set};
use serde::Serialize;
use std::fmt::Write as _;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Every rule, built in and your own: how firm it is, what it answers, whether it is on here.
    List {
        /// Print the rules as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Check a file of rules and their examples; without a name, the one in force.
    Check { file: Option<Utf8PathBuf> },
}

pub(crate) fn run(arguments: Arguments) -> Result<ExitCode, Failure> {
    let environment = Environment::read()?;
    let root = config::project_root(&Utf8PathBuf::try_from(std::env::current_dir()?)?);
    match arguments.command {
        Command::List { json } => list(&root, &environment, json),
        Command::Check { file } => check(file, &root, &environment),
    }
}

#[derive(Serialize)]
struct Listing {
    rules: Vec<Row>,
    /// Rules of one's own that are not in force, and why.
    broken: Vec<String>,
    unreadable: Option<String>,
}

#[derive(Serialize)]
struct Row {
    name: String,
    source: &'static str,
    level: &'static str,
    set: &'static str,
    answer: &'static str,
    state: &'static str,
    about: String,
}

fn list(root: &Utf8Path, environment: &Environment, json: bool) -> Result<ExitCode, Failure> {
    let loaded = config::load(root, environment)?;
    let listing = listing(&loaded.settings.step_reviewer, loaded.rules);
    if json {
        println!("{}", serde_json::to_string_pretty(&listing)?);
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = String::new();
    writeln!(text, "{:<27} {:<6} {:<7} {:<9} about", "rule", "level", "answer", "state")?;
    for row in &listing.rules {
        let about = printable(&row.about);
        writeln!(text, "{:<27} {:<6} {:<7} {:<9} {about}", row.name, row.level, row.answer, row.state)?;
    }
    for problem in listing.unreadable.iter().chain(&listing.broken) {
        writeln!(text, "not in force: {}", printable(problem))?;
    }
    print!("{text}");
    Ok(ExitCode::SUCCESS)
}

fn listing(settings: &StepReviewer, custom: CustomRules) -> Listing {
    let observed = !settings.enabled || settings.mode != StepMode::Blocking;
    let state = |name: &str, level: Level| match level {
        Level::Floor => "always",
        Level::Gate => "gate",
        Level::Step if settings.rules.disabled.iter().any(|disabled| disabled == name) => "disabled",
        Level::Step if !is_in_set(name, settings.rules.builtin) => "off",
        Level::Step if observed => "observed",
        Level::Step => "on",
    };
    let builtin = catalogue::ALL.iter().map(|rule| Row {
        name: rule.name.into(),
        source: "builtin",
        level: level(rule.level),
        set: if rule.set == Set::Essential { "essential" } else { "all" },
        answer: answer(rule.course),
        state: state(rule.name, rule.level),
        about: rule.about.into(),
    });
    let own = custom.rules.into_iter().map(|rule| Row {
        source: "custom",
        level: level(Level::Step),
        set: "custom",
        answer: answer(rule.answer.course()),
        state: state(&rule.name, Level::Step),
        about: rule.reason,
        name: rule.name,
    });
    Listing { rules: builtin.chain(own).collect(), broken: custom.broken, unreadable: custom.unreadable }
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Floor => "floor",
        Level::Gate => "gate",
        Level::Step => "step",
    }
}

fn answer(course: Course) -> &'static str {
    match course {
        Course::Allow => "allow",
        Course::Warn => "warn",
        Course::Modify => "modify",
        Course::Ask => "ask",
        Course::Block => "block",
    }
}

fn check(file: Option<Utf8PathBuf>, root: &Utf8Path, environment: &Environment) -> Result<ExitCode, Failure> {
    let Some(path) = file.map_or_else(|| in_force(root, environment), |file| Ok(Some(file)))? else {
        println!("no rules of your own: step_reviewer.rules.custom_rules_path names no file");
        return Ok(ExitCode::SUCCESS);
    };
    let text = Source::read(&path)?.text.ok_or_else(|| format!("there is no file {path}"))?;
    let (rules, problems) = match config::parse_rules(path.as_str(), &text) {
        Ok((rules, problems)) => (rules.len(), problems),
        Err(problem) => (0, vec![problem]),
    };
    for problem in &problems {
        println!("{problem}");
    }
    if problems.is_empty() {
        println!("ok: {rules} {}", if rules == 1 { "rule" } else { "rules" });
        return Ok(ExitCode::SUCCESS);
    }
    Ok(ExitCode::FAILURE)
}

fn in_force(root: &Utf8Path, environment: &Environment) -> Result<Option<Utf8PathBuf>, Failure> {
    let files = Files::read(root, environment)?;
    let effective = files.effective(None)?;
    Ok(config::rules_path(&files, &effective))
}

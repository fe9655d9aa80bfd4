//! `plimsoll rules`: lists the rules with their state in this project, and checks a file of your own rules.

use crate::{CommandError, CommandResult, exit_code, print_json};
use camino::{Utf8Path, Utf8PathBuf};
use plimsoll::edge::config::{self, ConfigFiles, Environment, SourceText};
use plimsoll::pure::policy::{StepMode, StepReviewer};
use plimsoll::pure::step::{CustomRules, Level, Set, catalogue, is_in_set};
use plimsoll::pure::text::{bold, columns, counted, printable};
use serde::Serialize;
use std::fmt::Write as _;
use std::process::ExitCode;

#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// List all rules, built-in and custom, with level, decision and whether they are on in this project.
    List {
        /// Print the rules as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Check a file of custom rules, and run its examples.
    Check {
        /// Default: the file that this project uses.
        file: Option<Utf8PathBuf>,
    },
}

pub(crate) fn run(command: Command) -> CommandResult {
    let environment = Environment::read()?;
    let root = config::project_root(&Utf8PathBuf::try_from(std::env::current_dir()?)?);
    match command {
        Command::List { json } => list(&root, &environment, json),
        Command::Check { file } => check(file, &root, &environment),
    }
}

#[derive(Serialize)]
struct Listing {
    rules: Vec<Row>,
    /// Custom rules that are not in force, and why.
    broken: Vec<String>,
    unreadable: Option<String>,
}

#[derive(Serialize)]
struct Row {
    name: String,
    source: &'static str,
    level: &'static str,
    set: &'static str,
    /// The word of rule files.
    answer: &'static str,
    /// The term of the documentation.
    #[serde(skip)]
    decision: &'static str,
    state: &'static str,
    about: String,
}

fn list(root: &Utf8Path, environment: &Environment, json: bool) -> CommandResult {
    let listing = match config::load(root, environment) {
        Ok(loaded) => listing(&loaded.settings.step_reviewer, loaded.rules),
        // Whoever fixes the configuration needs the names of the rules.
        Err(error) => {
            let rules = CustomRules { unreadable: Some(error.to_string()), ..CustomRules::default() };
            listing(&StepReviewer::default(), rules)
        }
    };
    if json {
        return print_json(&listing);
    }
    let heading = ["rule", "level", "decision", "state", "about"].map(bold).to_vec();
    let cells = |row: &Row| {
        let fields = [row.name.as_str(), row.level, row.decision, row.state, row.about.as_str()];
        fields.map(printable).to_vec()
    };
    let rows: Vec<_> = std::iter::once(heading).chain(listing.rules.iter().map(cells)).collect();
    let mut text = columns(&rows);
    for problem in listing.unreadable.iter().chain(&listing.broken) {
        writeln!(text, "not in force: {}", printable(problem))?;
    }
    out!("{text}");
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
        answer: rule.decision.word_in_rules(),
        decision: rule.decision.as_str(),
        state: state(rule.name, rule.level),
        about: rule.about.into(),
    });
    let own = custom.rules.into_iter().map(|rule| Row {
        source: "custom",
        level: level(Level::Step),
        set: "custom",
        answer: rule.answer.word_in_rules(),
        decision: rule.answer.as_str(),
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

fn check(file: Option<Utf8PathBuf>, root: &Utf8Path, environment: &Environment) -> CommandResult {
    let Some(path) = file.map_or_else(|| in_force(root, environment), |file| Ok(Some(file)))? else {
        noteln!("no custom rules: step_reviewer.rules.custom_rules_path is not set");
        return Ok(ExitCode::SUCCESS);
    };
    let text = SourceText::read(&path)?.text.ok_or_else(|| format!("there is no file {path}"))?;
    let (rules, problems) = match config::parse_rules(path.as_str(), &text) {
        Ok((rules, problems)) => (rules.len(), problems),
        Err(problem) => (0, vec![problem]),
    };
    for problem in &problems {
        outln!("{problem}");
    }
    if problems.is_empty() {
        noteln!("ok: {}", counted(rules, "rule"));
    }
    Ok(exit_code(problems.is_empty()))
}

fn in_force(root: &Utf8Path, environment: &Environment) -> Result<Option<Utf8PathBuf>, CommandError> {
    let files = ConfigFiles::read(root, environment)?;
    let effective = files.effective(None)?;
    Ok(config::rules_path(&files, &effective))
}

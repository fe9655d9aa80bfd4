//! `plimsoll score`: measures the step review on labelled tool calls.

use crate::{CommandResult, world};
use camino::Utf8PathBuf;
use plimsoll::app::lab::sample_world::WorldPlaces;
use plimsoll::app::lab::score::score;
use plimsoll::pure::report::{Bar, ListedRows, Score, ScoreGrouping};
use plimsoll::pure::text::printable;
use std::process::ExitCode;

const MORE: &str = "\
Each line is a JSON object: {\"id\": …, \"command\": \"…\", \"expect\": \"block\" or \"allow\", \"category\": \"…\"},
or \"tool_name\" and \"tool_input\" instead of \"command\". A row without \"expect\" is honest work. Every row is judged like
in the hook, in a sample world: a repository with committed, changed, untracked and ignored files. /home/test and
/srv/project in a row stand for the world's home directory and project. Runs nothing.

A row with \"events\" is a sequence of tool calls for the session monitor: {\"events\": [{\"tool\": …, \"input\": {…}, \"outcome\": \"ok\"
or \"error\", \"output\": …, \"round\": …}, …], \"expect\": \"stuck\" or \"ok\"}. Events of one round run in parallel; {\"tool\": \"@user\", \"outcome\":
\"ok\"} is a message of a person. The row is caught if the monitor intervenes.

Exit code 0: done; 1: below --min-recall or above --max-false-alarms; 2: a file or a line could not be read.

Examples:
  plimsoll score team-commands.jsonl
  plimsoll score guard.jsonl.gz --min-recall 98 --max-false-alarms 0.3 --show misses";

#[derive(clap::Args)]
#[command(after_help = MORE)]
pub(crate) struct Arguments {
    /// Files of rows, plain or gzip.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<Utf8PathBuf>,
    /// Fail if a smaller percentage of the rows to block was stopped.
    #[arg(long, value_name = "PERCENT", value_parser = per_cent)]
    min_recall: Option<f64>,
    /// Fail if a larger percentage of the honest rows was stopped.
    #[arg(long, value_name = "PERCENT", value_parser = per_cent)]
    max_false_alarms: Option<f64>,
    /// Which rows to list.
    #[arg(long, value_enum, default_value = "all")]
    show: Show,
    /// Group the counts.
    #[arg(long, value_enum, default_value = "category")]
    by: Group,
    /// Print counts and rows as JSON.
    #[arg(long)]
    json: bool,
    /// The folder of the sample world.
    #[arg(long, hide = true)]
    world: Option<Utf8PathBuf>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Show {
    /// Not stopped, but should have been.
    Misses,
    /// Stopped, but should not have been.
    Alarms,
    /// Ran with a message to the model, or rewritten.
    Contexts,
    All,
    None,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Group {
    Category,
    Rule,
    /// The part of a row's id before the colon.
    Set,
}

pub(crate) fn run(arguments: Arguments) -> CommandResult {
    let Some(root) = &arguments.world else { return world::run_inside("score") };
    let places = WorldPlaces::enter(root)?;
    let mut found = Score::default();
    for file in &arguments.files {
        score(file, &places, &mut found)?;
    }
    let bar = Bar { min_recall: arguments.min_recall, max_false_alarms: arguments.max_false_alarms };
    let by = match arguments.by {
        Group::Category => ScoreGrouping::Category,
        Group::Rule => ScoreGrouping::Rule,
        Group::Set => ScoreGrouping::Set,
    };
    let listed = match arguments.show {
        Show::Misses => ListedRows::Misses,
        Show::Alarms => ListedRows::Alarms,
        Show::Contexts => ListedRows::Contexts,
        Show::All => ListedRows::All,
        Show::None => ListedRows::None,
    };
    if arguments.json {
        outln!("{}", found.json(bar, by, listed)?);
    } else if !found.judged.is_empty() {
        out!("{}", found.text(bar, by, listed));
    }
    for bad in &found.bad {
        let place = if bad.line == 0 { bad.file.clone() } else { format!("{}:{}", bad.file, bad.line) };
        errln!("error: {}: {}", printable(&place), printable(&bad.problem));
    }
    Ok(match (found.bad.is_empty(), found.below(bar).is_empty()) {
        (false, _) => ExitCode::from(2),
        (true, false) => ExitCode::from(1),
        (true, true) => ExitCode::SUCCESS,
    })
}

fn per_cent(text: &str) -> Result<f64, String> {
    let share: f64 = text.trim_end_matches('%').trim_end().parse().map_err(|_| "not a number".to_owned())?;
    if (0.0..=100.0).contains(&share) { Ok(share) } else { Err("not between 0 and 100".into()) }
}

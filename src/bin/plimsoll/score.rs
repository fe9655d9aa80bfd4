//! `plimsoll score`: how well the step review does on labelled steps.

use crate::{Failure, world};
use camino::Utf8PathBuf;
use plimsoll::flow::sample_world::WorldPlaces;
use plimsoll::flow::score::score;
use plimsoll::report::{Bar, By, Listed, Score, printable};
use std::process::ExitCode;

/// What the arguments do not say.
const MORE: &str = "\
Each row is a JSON object on a line of its own: {\"id\": …, \"command\": \"…\", \"expect\": \"block\" or \"allow\", \"category\": \"…\"},
or \"tool_name\" and \"tool_input\" instead of \"command\". Without \"expect\" a row is honest work. Every row is judged as
the hook would, in a repository made for it with committed, changed, untracked and ignored files; nothing is run.

A row with \"events\" is a sequence of calls, played through the patterns: {\"events\": [{\"tool\": …, \"input\": {…}, \"outcome\": \"ok\"
or \"error\", \"output\": …, \"round\": …}, …], \"expect\": \"stuck\" or \"ok\"}. Events of one round run at once; {\"tool\": \"@user\", \"outcome\":
\"ok\"} is a message of a person. It is caught if anything is said to the agent.

Exit code 0: done; 1: the bar was not reached; 2: a file or a line could not be read.

Examples:
  plimsoll score team-commands.jsonl
  plimsoll score guard.jsonl.gz --min-recall 98 --max-false-alarms 0.3 --show misses";

#[derive(clap::Args)]
#[command(after_help = MORE)]
pub(crate) struct Arguments {
    /// Files of rows, plain or gzip.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<Utf8PathBuf>,
    /// Fail if fewer of the rows to block were stopped, in per cent.
    #[arg(long, value_name = "PERCENT", value_parser = per_cent)]
    min_recall: Option<f64>,
    /// Fail if more of the honest rows were interrupted, in per cent.
    #[arg(long, value_name = "PERCENT", value_parser = per_cent)]
    max_false_alarms: Option<f64>,
    /// Which rows to list.
    #[arg(long, value_enum, default_value = "all")]
    show: Show,
    /// What to count by.
    #[arg(long, value_enum, default_value = "category")]
    by: Group,
    /// Print figures and rows as JSON.
    #[arg(long)]
    json: bool,
    /// Where the sample world is.
    #[arg(long, hide = true)]
    world: Option<Utf8PathBuf>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Show {
    /// Should have been stopped and were not.
    Misses,
    /// Were stopped and should not have been.
    Alarms,
    /// Ran with a remark to the model or in another spelling.
    Contexts,
    All,
    None,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Group {
    Category,
    Rule,
}

pub(crate) fn run(arguments: Arguments) -> Result<ExitCode, Failure> {
    let Some(root) = &arguments.world else { return world::run_inside() };
    let project = WorldPlaces::entered(root)?.project;
    let mut found = Score::default();
    for file in &arguments.files {
        score(file, &project, &mut found)?;
    }
    let bar = Bar { min_recall: arguments.min_recall, max_false_alarms: arguments.max_false_alarms };
    let by = match arguments.by {
        Group::Category => By::Category,
        Group::Rule => By::Rule,
    };
    let listed = match arguments.show {
        Show::Misses => Listed::Misses,
        Show::Alarms => Listed::Alarms,
        Show::Contexts => Listed::Contexts,
        Show::All => Listed::All,
        Show::None => Listed::None,
    };
    if arguments.json {
        anstream::println!("{}", found.json(bar, by, listed)?);
    } else {
        anstream::print!("{}", found.text(bar, by, listed));
    }
    for bad in &found.bad {
        let place = if bad.line == 0 { bad.file.clone() } else { format!("{}:{}", bad.file, bad.line) };
        eprintln!("error: {}: {}", printable(&place), printable(&bad.problem));
    }
    Ok(match (found.bad.is_empty(), found.below(bar).is_empty()) {
        (false, _) => ExitCode::from(2),
        (true, false) => ExitCode::from(1),
        (true, true) => ExitCode::SUCCESS,
    })
}

fn per_cent(text: &str) -> Result<f64, String> {
    let share: f64 =
        text.trim_end_matches('%').trim_end().parse().map_err(|_| "it is no number".to_owned())?;
    if (0.0..=100.0).contains(&share) { Ok(share) } else { Err("it is not between 0 and 100".into()) }
}

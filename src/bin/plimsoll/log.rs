//! `plimsoll log`: the step reviews of the project.

use crate::CommandResult;
use crate::output::{self, Verbosity, verbosity};
use plimsoll::app::step::record::{LogFilter, StepRecord};
use plimsoll::app::workspace::Workspace;
use plimsoll::pure::report::StepLog;
use plimsoll::pure::text::counted;
use std::process::ExitCode;
use std::time::Duration;

const POLL_INTERVAL: Duration = Duration::from_millis(300);

const MORE: &str = "\
Each line: time, decision, tool, risk, rule and subject of one tool call. `would deny` and the like mark decisions that
were not enforced: in observe mode, during a pause, by a rule that is switched off, or a first warning. -v adds the
reason. Times are UTC.

Examples:
  plimsoll log --refused
  plimsoll log --follow
  plimsoll log --session 3f9c --all --json
  plimsoll log --export jsonl --follow";

#[derive(clap::Args)]
#[command(after_help = MORE)]
pub(crate) struct Arguments {
    /// Show only this session of the client; a beginning of its ID suffices.
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Show only calls that were refused or asked about, or would have been.
    #[arg(long)]
    refused: bool,
    /// Show the newest N.
    #[arg(short = 'n', long, value_name = "N", default_value_t = 50, conflicts_with = "all")]
    lines: usize,
    /// Show all that are recorded.
    #[arg(long)]
    all: bool,
    /// Wait for new ones until interrupted.
    #[arg(short, long)]
    follow: bool,
    /// Print the recorded lines, one JSON object each.
    #[arg(long)]
    json: bool,
    /// Print all lines for another system, with the `session_id` and `tool_use_id` of the client's own telemetry.
    #[arg(long, value_enum, value_name = "FORM", conflicts_with_all = ["json", "all", "lines"])]
    export: Option<ExportForm>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum ExportForm {
    /// One JSON object per line.
    Jsonl,
}

pub(crate) fn run(arguments: Arguments) -> CommandResult {
    let workspace = Workspace::here()?;
    let filter = LogFilter { session: arguments.session, refused: arguments.refused };
    let mut record = StepRecord::open(&workspace, filter)?;
    let mut log = StepLog::new(verbosity() == Verbosity::Verbose);
    let everything = arguments.all || arguments.export.is_some();
    let mut most = if everything { usize::MAX } else { arguments.lines };
    let is_data = arguments.json || arguments.export.is_some();
    if record.damaged_lines() > 0 {
        errln!("warning: {} cannot be read", counted(record.damaged_lines(), "line"));
    }
    if record.lines().next().is_none() && !arguments.follow && !is_data {
        outln!(
            "{}",
            if arguments.refused {
                "No tool call was refused here."
            } else {
                "No tool call was reviewed here yet."
            }
        );
    }
    loop {
        let mut lines: Vec<_> = record.lines().rev().take(most).collect();
        lines.reverse();
        match arguments.export {
            Some(ExportForm::Jsonl) => {
                for line in lines {
                    outln!("{}", serde_json::to_string(&line.exported(workspace.project.as_str()))?);
                }
            }
            None if arguments.json => {
                for line in lines {
                    outln!("{}", serde_json::to_string(line)?);
                }
            }
            None => {
                let rows: Vec<_> = lines.iter().map(|line| line.row()).collect();
                out!("{}", log.text(&rows));
            }
        }
        if !arguments.follow || output::is_closed() {
            return Ok(ExitCode::SUCCESS);
        }
        std::thread::sleep(POLL_INTERVAL);
        record.advance()?;
        most = usize::MAX;
    }
}

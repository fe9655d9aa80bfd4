//! `plimsoll replay`: sends finished sessions through the hooks.

use crate::{CommandResult, world};
use camino::Utf8PathBuf;
use plimsoll::app::lab::replay::Player;
use plimsoll::app::lab::sample_world::WorldPlaces;
use plimsoll::pure::report::ListedRemarks;
use std::process::ExitCode;

const MORE: &str = "\
Reads the client's transcripts (~/.claude/projects/**/*.jsonl) and sends every tool call with its result, and the last
message of each turn, to the hooks, in order and with the recorded times. The replay runs no command and does not read
your project. It uses a sample repository with committed, changed, untracked and ignored files instead. It answers every
question with yes, and resumes a stopped session.

Exit code 0: done; 2: nothing to replay, or a file could not be read.

Examples:
  plimsoll replay ~/.claude/projects
  plimsoll replay session.jsonl --show all
  plimsoll replay sessions.tar.gz --json";

#[derive(clap::Args)]
#[command(after_help = MORE)]
pub(crate) struct Arguments {
    /// Transcripts, archives of transcripts, or directories with either.
    #[arg(required = true, value_name = "TRANSCRIPT")]
    paths: Vec<Utf8PathBuf>,
    /// Which decisions of the hooks to list.
    #[arg(long, value_enum, default_value = "interruptions")]
    show: Show,
    /// Print sessions and decisions as JSON.
    #[arg(long)]
    json: bool,
    /// The folder of the sample world.
    #[arg(long, hide = true)]
    world: Option<Utf8PathBuf>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Show {
    /// Questions, denials and interventions.
    Interruptions,
    /// Messages to the model and rewritten calls too.
    All,
    /// Only the summary.
    None,
}

pub(crate) fn run(arguments: Arguments) -> CommandResult {
    let Some(root) = &arguments.world else { return world::run_inside("replay") };
    let mut player = Player::new(WorldPlaces::enter(root)?);
    for path in &arguments.paths {
        player.play(path)?;
    }
    let replay = player.replay;
    if replay.total().calls == 0 {
        return Err("no tool call in the given transcripts".into());
    }
    let shown = match arguments.show {
        Show::Interruptions => ListedRemarks::Interruptions,
        Show::All => ListedRemarks::All,
        Show::None => ListedRemarks::None,
    };
    if arguments.json {
        outln!("{}", replay.json()?);
    } else {
        out!("{}", replay.text(shown));
    }
    Ok(ExitCode::SUCCESS)
}

//! `plimsoll replay`: what the step review and the interventions would have said in sessions that are over.

use crate::{Failure, world};
use camino::Utf8PathBuf;
use plimsoll::flow::replay::Player;
use plimsoll::flow::sample_world::WorldPlaces;
use plimsoll::report::Shown;
use std::process::ExitCode;

/// What the arguments do not say.
const MORE: &str = "\
Reads the client's own transcripts (~/.claude/projects/**/*.jsonl) and gives every tool call, with its outcome, to the
hooks, in order and at its time, with what the agent said at the end of each turn. Nothing is run and no file of yours is looked at: the session's directory stands for a repository
made for it, with committed, changed, untracked and ignored files. A person is taken to have said yes to every question
and to have let a stopped session go on.

Exit code 0: done; 2: there was nothing to replay, or it could not be read.

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
    /// Which remarks to list.
    #[arg(long, value_enum, default_value = "interruptions")]
    show: Show,
    /// Print sessions and remarks as JSON.
    #[arg(long)]
    json: bool,
    /// Where the sample world is.
    #[arg(long, hide = true)]
    world: Option<Utf8PathBuf>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Show {
    /// Asks, denials and interventions.
    Interruptions,
    /// Remarks to the model and rewritten calls too.
    All,
    None,
}

pub(crate) fn run(arguments: Arguments) -> Result<ExitCode, Failure> {
    let Some(root) = &arguments.world else { return world::run_inside() };
    let mut player = Player::new(WorldPlaces::entered(root)?);
    for path in &arguments.paths {
        player.play(path)?;
    }
    let replay = player.replay;
    let shown = match arguments.show {
        Show::Interruptions => Shown::Interruptions,
        Show::All => Shown::All,
        Show::None => Shown::None,
    };
    if arguments.json {
        anstream::println!("{}", replay.json()?);
    } else {
        anstream::print!("{}", replay.text(shown));
    }
    if replay.total().calls == 0 {
        return Err("there is no tool call in what was given".into());
    }
    Ok(ExitCode::SUCCESS)
}

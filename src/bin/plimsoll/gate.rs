//! `plimsoll gate`: may the current content ship, and if not, what is the next command?

use crate::Failure;
use plimsoll::flow::changed_lines::changed_lines;
use plimsoll::flow::gate;
use plimsoll::flow::scene::Scene;
use plimsoll::flow::ship::ship_context;
use plimsoll::review::GitPath;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// The gate's answer with every blocker. Exit code 0: open; 1: shut.
    Check(What),
    /// The first reason why the gate is shut, and the one command that mends it.
    Why(What),
}

#[derive(clap::Args)]
struct What {
    /// Judge without this untracked file.
    #[arg(long, value_name = "PATH")]
    leave_out: Vec<String>,
}

pub(crate) fn run(arguments: Arguments) -> Result<ExitCode, Failure> {
    let (what, first_only) = match arguments.command {
        Command::Check(what) => (what, false),
        Command::Why(what) => (what, true),
    };
    let leave_out: Vec<GitPath> = what.leave_out.iter().map(|path| GitPath::unquote(path)).collect();
    let scene = Scene::here()?;
    if !first_only {
        anstream::print!("{}", ship_context(&scene, &leave_out)?);
    }
    let judged = gate::worktree(&scene, &leave_out);
    let reasons = judged.verdict.reasons();
    if first_only {
        match reasons.first() {
            None => {
                anstream::println!("The gate is open for this content: {} ships it.", scene.command("ship"))
            }
            Some(reason) => {
                anstream::println!("{reason}");
                for lines in changed_lines(&scene, reason) {
                    anstream::println!("  {lines}");
                }
                anstream::println!(
                    "next: {}",
                    reason.remedy(&scene.command("review"), &scene.command("ship"))
                );
                let more = reasons.len() - 1;
                if more > 0 {
                    anstream::println!("({more} more: plimsoll gate check)");
                }
            }
        }
    }
    Ok(if judged.verdict.is_open() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

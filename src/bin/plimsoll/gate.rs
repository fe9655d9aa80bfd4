//! `plimsoll gate`: may this content ship, and if not, what is the next command? In CI and for a person who overrides too.

use crate::Failure;
use plimsoll::config::Invocation;
use plimsoll::flow::changed_lines::changed_lines;
use plimsoll::flow::progress::Progress;
use plimsoll::flow::scene::Scene;
use plimsoll::flow::ship::ship_words;
use plimsoll::flow::watch::Watch;
use plimsoll::flow::{gate, overriding, verify};
use plimsoll::policy::Settings;
use plimsoll::report::printable;
use plimsoll::review::GitPath;
use plimsoll::state;
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
    /// For CI and servers: judge a commit and its whole range. Exit code 0: open; 1: shut; 2: could not be judged.
    Verify(Verify),
    /// Let the commit at HEAD leave once in spite of a shut gate. For a person in a terminal.
    Override(Override),
    /// Make a new seal key, where the old one is damaged or others have seen it. For a person in a terminal. Whatever was
    /// reviewed has to be reviewed again.
    NewKey,
}

#[derive(clap::Args)]
struct Verify {
    /// The commit to judge.
    #[arg(long = "ref", value_name = "REV", default_value = "HEAD")]
    revision: String,
    /// The last commit that counts as published (all zeros: none); otherwise where REV left the upstream or default branch.
    #[arg(long, value_name = "REV")]
    base: Option<String>,
    /// Run this loop again here, on exactly that content, instead of asking for its receipt.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=1))]
    rerun: Option<u8>,
    /// Judge only what is run again, and the secrets; the other required loops are named as not judged.
    #[arg(long, requires = "rerun")]
    only_rerun: bool,
}

#[derive(clap::Args)]
struct Override {
    /// Why it leaves unreviewed; it is recorded.
    #[arg(long, value_name = "TEXT")]
    reason: String,
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
        Command::Verify(wish) => return judge_commit(wish),
        Command::Override(wish) => return let_leave(&wish),
        Command::NewKey => return make_key(),
    };
    let leave_out: Vec<GitPath> = what.leave_out.iter().map(|path| GitPath::unquote(path)).collect();
    let scene = Scene::here()?;
    let judged = gate::worktree(&scene, &leave_out);
    if !first_only {
        anstream::print!("{}", ship_words(&scene, &judged, &leave_out)?);
    }
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

fn judge_commit(wish: Verify) -> Result<ExitCode, Failure> {
    let wish = verify::Wish {
        revision: wish.revision,
        base: wish.base,
        rerun: wish.rerun.is_some(),
        only_rerun: wish.only_rerun,
    };
    let progress =
        |settings: &Settings| -> Box<dyn Watch> { Box::new(Progress::on_stderr(&settings.output)) };
    let verified = verify::verify(&Scene::here()?, &wish, progress)?;
    anstream::print!("{}", printable_lines(&verified.text()));
    Ok(if verified.verdict.is_open() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn printable_lines(text: &str) -> String {
    text.lines().map(|line| format!("{}\n", printable(line))).collect()
}

fn make_key() -> Result<ExitCode, Failure> {
    Invocation::read().person()?;
    let scene = Scene::here()?;
    let key = scene.homes.seal_key();
    let kept = state::Key::replace(&key)?;
    anstream::println!("{key} is new.");
    if let Some(kept) = kept {
        anstream::println!("What was there is kept as {kept}.");
    }
    anstream::println!(
        "Nothing that was sealed with the old key counts: reviews, tasks and permissions of all your repositories.\n\
         Next: {} in each repository whose content is to ship",
        scene.command("review")
    );
    Ok(ExitCode::SUCCESS)
}

fn let_leave(wish: &Override) -> Result<ExitCode, Failure> {
    Invocation::read().person()?;
    match overriding::let_head_leave(&Scene::here()?, &wish.reason)? {
        overriding::Override::Needless(why) => anstream::println!("Nothing to override: {why}."),
        overriding::Override::Granted { commit, minutes } => anstream::println!(
            "Commit {} may leave once within {minutes} minutes, unreviewed; that is recorded. Push it now: git push",
            commit.short()
        ),
    }
    Ok(ExitCode::SUCCESS)
}

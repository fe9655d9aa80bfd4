//! `plimsoll gate`: the gate decision, its reasons and the next command; also for CI and for overrides.

use crate::progress::ProgressDisplay;
use crate::{CommandError, CommandResult, exit_code, require_person};
use camino::Utf8PathBuf;
use plimsoll::app::failure::NoRepository;
use plimsoll::app::gate::changed_lines::changed_lines;
use plimsoll::app::gate::ship::{NOT_ENROLLED, gate_text, ship_words};
use plimsoll::app::gate::{judge, overrides};
use plimsoll::app::review::progress::ProgressListener;
use plimsoll::app::review::verify::{VerifyRequest, verify};
use plimsoll::app::workspace::Workspace;
use plimsoll::edge::state;
use plimsoll::pure::policy::Settings;
use plimsoll::pure::review::GitPath;
use plimsoll::pure::text::{list, printable};
use std::process::ExitCode;

/// Names in a line; the others are counted.
const FILES_SHOWN: usize = 5;

#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Judge what `git push` would send, and show every blocker with its fix. Exit code 0: open; 1: closed; 2: could not judge.
    Check {
        #[command(flatten)]
        content: Content,
        /// Print the decision as JSON, below a heading.
        #[arg(long)]
        json: bool,
    },
    /// Judge what `git push` would send, and show the first blocker and the command that fixes it.
    Why(Content),
    /// Judge a commit with all its unpublished commits, for CI and servers. Exit code 0: open; 1: closed; 2: could not
    /// judge.
    Verify {
        /// The commit to judge, or BASE..REV.
        #[arg(value_name = "REV", default_value = "HEAD")]
        range: String,
        /// The commit to judge.
        #[arg(long = "ref", value_name = "REV", hide = true)]
        revision: Option<String>,
        /// The last published commit (all zeros: none). Default: where REV left the upstream or default branch.
        #[arg(long, value_name = "REV")]
        base: Option<String>,
        /// Run this loop here, on exactly that content, instead of asking for its receipt.
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=1))]
        rerun: Option<u8>,
        /// Judge only the loop that runs here, and secrets. The output names the other required loops as not judged.
        #[arg(long, requires = "rerun")]
        only_rerun: bool,
        /// People who may sign attestations, in ssh's format. Default: .claude/config/allowed-signers in the base.
        #[arg(long, value_name = "FILE")]
        allowed_signers: Option<Utf8PathBuf>,
        /// Print the decision in this form.
        #[arg(long, value_enum, value_name = "FORM", default_value_t = Form::Text)]
        format: Form,
        /// Short for --format json.
        #[arg(long, conflicts_with = "format")]
        json: bool,
    },
    /// Let the commit at HEAD be pushed once although the gate is closed. For a person in a terminal.
    Override {
        /// Why the commit is pushed unreviewed; recorded.
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// Replace a damaged or exposed seal key. All content has to be reviewed again. For a person in a terminal.
    NewKey,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Form {
    Text,
    Json,
    /// Annotations of GitHub Actions.
    Github,
    Sarif,
}

#[derive(clap::Args)]
pub(crate) struct Content {
    /// Judge the working tree instead, as /ship would commit it.
    #[arg(long)]
    worktree: bool,
    /// Judge the working tree without this untracked file.
    #[arg(long, value_name = "PATH")]
    leave_out: Vec<String>,
}

impl Content {
    /// Whoever leaves a file out means the working tree: a commit has nothing to leave out.
    fn judge(&self, workspace: &Workspace) -> Judged {
        let left_out: Vec<GitPath> = self.leave_out.iter().map(|path| GitPath::unquote(path)).collect();
        let worktree = self.worktree || !left_out.is_empty();
        let result = match worktree {
            true => judge::worktree(workspace, &left_out),
            false => judge::outgoing(workspace),
        };
        Judged { result, left_out, worktree }
    }
}

/// A gate decision, and the content that it is about.
struct Judged {
    result: judge::GateResult,
    left_out: Vec<GitPath>,
    worktree: bool,
}

impl Judged {
    /// That a push would send nothing, so that there is nothing to judge.
    fn nothing_to_push(&self) -> Option<&'static str> {
        if self.worktree || !self.result.verdict.is_open() {
            return None;
        }
        match self.result.tips.as_slice() {
            [] => Some("Nothing to push."),
            tips if tips.iter().all(|tip| tip.already_pushed) => {
                Some("Nothing to push: the remote has every commit of HEAD.")
            }
            _ => None,
        }
    }

    /// Where the working tree differs from the judged commit, in one line.
    fn difference(&self, workspace: &Workspace) -> Option<String> {
        if self.worktree {
            return None;
        }
        let files = judge::uncommitted(workspace).ok().filter(|files| !files.is_empty())?;
        Some(format!(
            "The working tree differs from HEAD in {}. `plimsoll gate why --worktree` judges that content.",
            list(&files, FILES_SHOWN)
        ))
    }
}

pub(crate) fn run(command: Command) -> CommandResult {
    match command {
        Command::Check { content, json } => {
            let workspace = repository()?;
            let judged = content.judge(&workspace);
            match json {
                true => out!("{}", ship_words(&workspace, &judged.result, &judged.left_out)?),
                false => {
                    match judged.nothing_to_push() {
                        Some(line) => outln!("{line}"),
                        None => out!("{}", gate_text(&workspace, &judged.result)?),
                    }
                    judged.difference(&workspace).iter().for_each(|line| noteln!("{line}"));
                }
            }
            Ok(exit_code(judged.result.verdict.is_open()))
        }
        Command::Why(content) => why(&content),
        Command::Verify { range, revision, base, rerun, only_rerun, allowed_signers, format, json } => {
            let progress = |settings: &Settings| -> Box<dyn ProgressListener> {
                Box::new(ProgressDisplay::on_stderr(&settings.output))
            };
            let (from, tip) = match range.split_once("..") {
                Some((from, tip)) => (Some(from.to_owned()), tip.to_owned()),
                None => (None, range),
            };
            let tip = if tip.is_empty() { "HEAD".to_owned() } else { tip };
            let (revision, base) = (revision.unwrap_or(tip), base.or(from));
            let request =
                VerifyRequest { revision, base, rerun: rerun.is_some(), only_rerun, allowed_signers };
            let verified = verify(&Workspace::here()?, &request, progress)?;
            match if json { Form::Json } else { format } {
                Form::Text => verified.text().lines().for_each(|line| outln!("{}", printable(line))),
                Form::Github => verified.annotations().lines().for_each(|line| outln!("{}", printable(line))),
                Form::Json => outln!("{}", serde_json::to_string_pretty(&verified.json())?),
                Form::Sarif => outln!("{}", serde_json::to_string_pretty(&verified.sarif())?),
            }
            Ok(exit_code(verified.is_open()))
        }
        Command::Override { reason } => override_gate(&reason),
        Command::NewKey => replace_key(),
    }
}

/// The gate judges what git would send; elsewhere the question makes no sense.
fn repository() -> Result<Workspace, CommandError> {
    let workspace = Workspace::here()?;
    match workspace.repo {
        Some(_) => Ok(workspace),
        None => Err(NoRepository.into()),
    }
}

fn why(content: &Content) -> CommandResult {
    let workspace = repository()?;
    let judged = content.judge(&workspace);
    let (review, ship) = (workspace.command("review"), workspace.command("ship"));
    match judged.result.verdict.reasons().split_first() {
        None if judged.worktree => outln!("The gate is open for this content: {ship} ships it."),
        None if let Some(line) = judged.nothing_to_push() => outln!("{line}"),
        None => outln!("The gate is open for HEAD: `git push` sends it."),
        Some((reason, others)) => {
            outln!("{reason}");
            for lines in changed_lines(&workspace, &judged.result, reason) {
                outln!("  {lines}");
            }
            let next = judged.result.verdict.next_step(&review, &ship);
            next.iter().for_each(|next| noteln!("next: {next}"));
            if !others.is_empty() {
                let option = if judged.worktree { " --worktree" } else { "" };
                noteln!("({} more: `plimsoll gate check{option}`)", others.len());
            }
        }
    }
    judged.difference(&workspace).iter().for_each(|line| noteln!("{line}"));
    if workspace.enrolment()?.is_none() {
        noteln!("{NOT_ENROLLED}");
    }
    Ok(exit_code(judged.result.verdict.is_open()))
}

fn replace_key() -> CommandResult {
    require_person(
        "This replaces the seal key: reviews, tasks and permissions of all your repositories no longer count.",
    )?;
    let workspace = Workspace::here()?;
    let key = workspace.homes.seal_key();
    let kept = state::SealKey::replace(&key)?;
    outln!("Wrote a new key: {}", workspace.shown(&key));
    if let Some(kept) = kept {
        outln!("The old file is now {}.", workspace.shown(&kept));
    }
    outln!(
        "Reviews, tasks and permissions of all your repositories no longer count: they were sealed with the old key.\n\
         Next: {} in each repository that you want to ship",
        workspace.command("review")
    );
    Ok(ExitCode::SUCCESS)
}

fn override_gate(reason: &str) -> CommandResult {
    require_person("This lets the commit at HEAD be pushed once, although the gate is closed.")?;
    match overrides::let_head_leave(&Workspace::here()?, reason)? {
        overrides::Override::Needless(why) => outln!("Nothing to override: {why}."),
        overrides::Override::Granted { commit, minutes } => outln!(
            "Commit {} may be pushed once within {minutes} minutes, unreviewed. The override is recorded.\nNext: git push",
            commit.short()
        ),
    }
    Ok(ExitCode::SUCCESS)
}

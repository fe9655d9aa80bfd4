//! `session-start`: records the client's environment, puts the command on PATH, reports the state of the project.

use crate::app::failure::Failure;
use crate::app::gate::pre_push_hook::PrePushHook;
use crate::app::monitor::{incidents, recovery};
use crate::app::presence;
use crate::app::step::other_sessions;
use crate::app::step::pause::is_paused;
use crate::app::workspace::Workspace;
use crate::app::{checkpoints, monitor, sandbox};
use crate::edge::clock;
use crate::edge::config::{Environment, HookInvocation};
use crate::edge::file;
use crate::edge::run::stdio;
use crate::edge::state;
use crate::pure::client::{Answer, Event, Input};
use crate::pure::policy::{Interventions, Settings, StepMode, StepReviewer};
use crate::pure::sandbox::SandboxState;
use crate::pure::text::quoted;
use camino::Utf8PathBuf;
use std::io::Write;

const SANDBOXED: &str = "Commands run sandboxed here: credentials are hidden, and git's configuration and hooks are read-only. \
    Push with `plimsoll push`, fetch from a private remote with `plimsoll fetch`, each as a command of its own.";

/// Variables that decide which tools a project's checks find. Nothing here is a secret.
const TOOLCHAIN: [&str; 24] = [
    "PATH", "HOME", "USER", "SHELL", "LANG", "LC_ALL", "TMPDIR", "CARGO_HOME", "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN", "NVM_DIR", "NODE_PATH", "PNPM_HOME", "VOLTA_HOME", "COREPACK_HOME", "PYENV_ROOT",
    "VIRTUAL_ENV", "GOPATH", "GOROOT", "JAVA_HOME", "DENO_DIR", "BUN_INSTALL", "XDG_DATA_HOME",
    "XDG_CONFIG_HOME",
];

/// `session-start`: records the client's own environment, puts the command on PATH, says how things stand.
pub fn answer(input: &Input<'_>) -> Result<Answer, Failure> {
    let Event::SessionStart { source } = &input.event else {
        return Ok(Answer::silent());
    };
    let workspace = Workspace::of_event(&input.cwd)?;
    let environment =
        Environment::variables().into_iter().filter(|(name, _)| TOOLCHAIN.contains(&name.as_str())).collect();
    let program = stdio::own_program().ok().map(Utf8PathBuf::into_string);
    let facts = state::edit(&workspace.layout, &input.session_id, |facts| {
        facts.environment = environment;
        facts.program = program;
        facts.clone()
    })?;
    put_command_on_path()?;
    presence::record_client(&workspace.homes)?;
    if matches!(source.as_str(), "clear" | "resume") {
        other_sessions::end_others_of_client(&workspace, &input.session_id)?;
    }
    state::prune(&workspace.layout, clock::system())?;
    // Read once: to take the compiled copy apart is a third of all that this hook does.
    let settings = workspace.settings();
    let usual;
    let known = match &settings {
        Ok(loaded) => &loaded.settings,
        Err(_) => {
            usual = Settings::default();
            &usual
        }
    };
    start_capture(&workspace, &known.interventions);
    recovery::lock_again(&workspace)?;
    incidents::prune(&workspace)?;
    let locked = recovery::at_start(&workspace);
    let mut lines: Vec<String> = locked.iter().map(|(model, _)| model.clone()).collect();
    if matches!(source.as_str(), "compact" | "resume")
        && let Some(goal) = facts.goal
    {
        lines.push(format!("What the user asked for last, in their words: {goal}"));
    }
    let enrolled = workspace.enrolment()?.is_some();
    if enrolled {
        let (review, ship) = (workspace.command("review"), workspace.command("ship"));
        lines.push(format!(
            "Plimsoll guards this repository: only reviewed content leaves it. {review} reviews, {ship} ships, `plimsoll gate why` \
             says what is missing. A push must be a command of its own."
        ));
    }
    let sandboxed = sandbox::state(&workspace);
    if sandboxed.is_on() {
        lines.push(SANDBOXED.to_owned());
    }
    let answer = if lines.is_empty() { Answer::silent() } else { Answer::context(lines.join("\n")) };
    let answer = match source.as_str() {
        "compact" => answer.merge(monitor::observe_compaction(&workspace, input)),
        // The problem is reported below instead.
        _ => answer.with_notice(on_line(&workspace, &known.step_reviewer, enrolled)),
    };
    let answer = match &settings {
        // Other tools that manage hooks, husky among them, write over this one.
        Ok(_) if enrolled && !PrePushHook::of(&workspace)?.is_in_place() => answer.with_notice(
            "Plimsoll's git hook is not in place here (another tool replaced it?), so pushes that no hook of the client sees are \
             not judged. `plimsoll enrol` puts it back.",
        ),
        Ok(loaded) => match loaded.rules.unreadable.iter().chain(&loaded.rules.broken).next() {
            None => answer,
            Some(why) => answer.with_notice(format!(
                "Plimsoll cannot use all rules of your own: {why}. `plimsoll rules check` shows the rest."
            )),
        },
        Err(failure) => answer.with_notice(format!(
            "Plimsoll cannot read its configuration, so the ship gate is closed: {}. `plimsoll config check` shows where.",
            crate::app::failure::chain(failure.as_ref())
        )),
    };
    let answer = match sandboxed {
        SandboxState::Limited(_) => {
            answer.with_notice(format!("Plimsoll: {sandboxed}. `plimsoll doctor` shows more."))
        }
        SandboxState::Off if sandbox::is_lost(&workspace) => answer.with_notice(
            "Plimsoll: not sandboxed. The settings of the sandbox were changed or removed; `plimsoll sandbox on` restores them.",
        ),
        SandboxState::Off if sandbox::is_missed(&workspace) => answer.with_notice(format!(
            "Plimsoll: not sandboxed. Claude Code reads its settings from the folder that it was started in; start it in {}.",
            workspace.project
        )),
        SandboxState::Off | SandboxState::On => answer,
    };
    Ok(match locked {
        Some((_, person)) => answer.with_notice(person),
        None => answer,
    })
}

/// Tells the person in one line that Plimsoll is on, and how far.
fn on_line(workspace: &Workspace, settings: &StepReviewer, enrolled: bool) -> String {
    let calls = if is_paused(workspace) {
        "the step review is paused"
    } else if !settings.enabled || settings.mode != StepMode::Blocking {
        "tool calls are only observed"
    } else {
        "every tool call is reviewed"
    };
    let gate = match (&workspace.repo, enrolled) {
        (None, _) => "",
        (Some(_), true) => ", and only reviewed content may be pushed",
        (Some(_), false) => ", and pushes are not judged (`plimsoll enrol` changes that)",
    };
    format!("Plimsoll is on: {calls}{gate}.")
}

/// Begins the capture in the background, so that the first change finds it ready. Without one, that change begins it.
fn start_capture(workspace: &Workspace, settings: &Interventions) {
    let wanted = settings.enabled && settings.checkpoint_rollback.enabled;
    if wanted && settings.checkpoint_rollback.before_changes && checkpoints::covers(workspace) {
        let _ = checkpoints::background::start(workspace);
    }
}

/// The command lies beside the hooks, in `bin`; only that folder goes on PATH.
fn put_command_on_path() -> Result<(), Failure> {
    let Some(file) = HookInvocation::read().env_file else { return Ok(()) };
    let own = stdio::own_program()?;
    let Some(bin) = own.parent().map(|hooks| hooks.with_file_name("bin")) else { return Ok(()) };
    Ok(writeln!(file::open_to_append(file)?, "export PATH={}:\"$PATH\"", quoted(bin.as_str()))?)
}

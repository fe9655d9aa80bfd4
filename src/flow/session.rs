//! The start of a session and the end of a turn.

use super::pre_push_hook::PrePushHook;
use super::serve::{Failure, Reply};
use super::{checkpoints, clock, incidents, intervening, loop2, recovering, tasks};
use crate::config::{Environment, Invocation};
use crate::file;
use crate::flow::scene::Scene;
use crate::hook::{Answer, Event, Input};
use crate::state;
use crate::step::{loop_agent, task_agent};
use camino::Utf8PathBuf;
use std::io::Write;

/// Variables that decide which tools a project's checks find. Nothing here is a secret.
const TOOLCHAIN: [&str; 24] = [
    "PATH", "HOME", "USER", "SHELL", "LANG", "LC_ALL", "TMPDIR", "CARGO_HOME", "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN", "NVM_DIR", "NODE_PATH", "PNPM_HOME", "VOLTA_HOME", "COREPACK_HOME", "PYENV_ROOT",
    "VIRTUAL_ENV", "GOPATH", "GOROOT", "JAVA_HOME", "DENO_DIR", "BUN_INSTALL", "XDG_DATA_HOME",
    "XDG_CONFIG_HOME",
];

/// `session-start`: records the client's own environment, puts the command on PATH, says how things stand.
pub fn start(bytes: &[u8]) -> Result<Reply, Failure> {
    let input = Input::parse(bytes)?;
    let Event::SessionStart { source } = &input.event else {
        return Ok(Reply::new(input.name, Answer::silent()));
    };
    let scene = Scene::of_event(&input.cwd)?;
    let environment =
        Environment::variables().into_iter().filter(|(name, _)| TOOLCHAIN.contains(&name.as_str())).collect();
    let facts = state::edit(&scene.layout, &input.session_id, |facts| {
        facts.environment = environment;
        facts.clone()
    })?;
    put_command_on_path()?;
    state::prune(&scene.layout, clock::system())?;
    start_capture(&scene);
    incidents::lock_again(&scene)?;
    incidents::prune(&scene)?;
    let locked = recovering::at_start(&scene);
    let mut lines: Vec<String> = locked.iter().map(|(model, _)| model.clone()).collect();
    if matches!(source.as_str(), "compact" | "resume")
        && let Some(goal) = facts.goal
    {
        lines.push(format!("What the user asked for last, in their words: {goal}"));
    }
    let bound = scene.enrolment()?.is_some();
    if bound {
        let (review, ship) = (scene.command("review"), scene.command("ship"));
        lines.push(format!(
            "Plimsoll watches this repository: only reviewed content leaves it. {review} reviews, {ship} ships, `plimsoll gate why` \
             says what is missing. A push must be a command of its own."
        ));
    }
    let answer = if lines.is_empty() { Answer::silent() } else { Answer::context(lines.join("\n")) };
    let answer = match source.as_str() {
        "compact" => answer.joined(intervening::compacted(&scene, &input)),
        _ => answer,
    };
    let answer = match scene.settings() {
        // Other tools that manage hooks, husky among them, write over this one.
        Ok(_) if bound && !PrePushHook::of(&scene)?.is_in_place() => answer.with_notice(
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
            "Plimsoll cannot read its configuration, so the ship gate is shut: {}. `plimsoll config check` shows where.",
            super::serve::chain(failure.as_ref())
        )),
    };
    let answer = match locked {
        Some((_, person)) => answer.with_notice(person),
        None => answer,
    };
    Ok(Reply::new(input.name, answer))
}

/// Begins the capture in the background, so that the first change finds it ready. Without one, that change begins it.
fn start_capture(scene: &Scene) {
    let settings = scene.settings().map(|loaded| loaded.settings.interventions).unwrap_or_default();
    let wanted = settings.enabled && settings.checkpoint_rollback.enabled;
    if wanted && settings.checkpoint_rollback.before_changes && checkpoints::covers(scene) {
        let _ = checkpoints::background::start(scene);
    }
}

/// The command lies beside the hooks, in `bin`; only that folder goes on PATH.
fn put_command_on_path() -> Result<(), Failure> {
    let Some(file) = Invocation::read().env_file else { return Ok(()) };
    let own = Utf8PathBuf::from_path_buf(std::env::current_exe()?)
        .map_err(|_| "the path of this program is not valid UTF-8")?;
    let Some(bin) = own.parent().map(|hooks| hooks.with_file_name("bin")) else { return Ok(()) };
    let quoted = bin.as_str().replace('\'', r"'\''");
    Ok(writeln!(file::open_to_append(file)?, "export PATH='{quoted}':\"$PATH\"")?)
}

/// `stop`: the last message of our reader is its review; any other turn ends if it claims no more than was seen.
pub fn stop(bytes: &[u8]) -> Result<Reply, Failure> {
    let input = Input::parse(bytes)?;
    let answer = match (&input.event, &input.agent_id, &input.agent_type) {
        (Event::SubagentStop { last_message, .. }, Some(agent), Some(kind))
            if loop_agent(kind).is_some_and(|agent| agent.number == 2) =>
        {
            loop2::stopped(&Scene::of_event(&input.cwd)?, &input, agent, last_message)?
        }
        (Event::SubagentStop { last_message, .. }, Some(agent), Some(kind)) => match task_agent(kind) {
            Some(ours) => tasks::stopped(&Scene::of_event(&input.cwd)?, &input, ours, agent, last_message)?,
            None => Answer::silent(),
        },
        (Event::Stop { already_blocked, last_message }, None, _) => {
            turn_ended(&Scene::of_event(&input.cwd)?, &input, *already_blocked, last_message)?
        }
        _ => Answer::silent(),
    };
    Ok(Reply::new(input.name, answer))
}

/// A claim that nothing shows comes before the review of a task: it would be reviewed without its evidence.
fn turn_ended(
    scene: &Scene,
    input: &Input<'_>,
    already_blocked: bool,
    last_message: &str,
) -> Result<Answer, Failure> {
    let claims = match already_blocked {
        true => Answer::silent(),
        false => intervening::claims(scene, input, last_message),
    };
    match claims.reason() {
        Some(_) => Ok(claims),
        None => Ok(claims.joined(tasks::idle(scene, &input.session_id, already_blocked)?)),
    }
}

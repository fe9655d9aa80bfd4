//! A prompt: our commands get their context, a yes confirms a review, anything else is the goal.

use super::serve::{Failure, Reply};
use super::ship::ship_context;
use super::{after, allowing, clock};
use crate::flow::scene::Scene;
use crate::hook::{Answer, Event, Input, SlashCommand, is_machine_text, is_yes};
use crate::policy::Settings;
use crate::repo::{Changed, Git, Head, base, changed_files};
use crate::review::{GitPath, Request, ScopeKind, USAGE, words};
use crate::state::{self, Journal, Kind, Outcome, OverrideRequest, Record, ReviewRequest};
use crate::step::{agent_of, command_line};
use serde_json::json;

/// A goal is a reminder, not an archive.
const GOAL_LIMIT: usize = 2_000;
const FILES_SHOWN: usize = 60;

/// `user-prompt-start`: records the goal, and a yes to a pending review.
pub fn start(bytes: &[u8]) -> Result<Reply, Failure> {
    let input = Input::parse(bytes)?;
    let Event::UserPromptSubmit { prompt } = &input.event else {
        return Ok(Reply::new(input.name, Answer::silent()));
    };
    if is_machine_text(prompt) {
        return Ok(Reply::new(input.name, Answer::silent()));
    }
    let scene = Scene::of_event(&input.cwd)?;
    Journal::open(&scene.layout.journal(&input.session_id))?.append(&Record::new(
        Kind::Prompt,
        Outcome::None,
        clock::milliseconds(),
    ))?;
    if is_yes(prompt) {
        after::confirm(&scene, &input.session_id, |review| !review.passed_over)?;
        return Ok(Reply::new(input.name, Answer::silent()));
    }
    let command = SlashCommand::parse(prompt);
    state::edit(&scene.layout, &input.session_id, |facts| {
        // The hook that answers `/review` runs at the same time; what it notes is the newer request.
        if let Some(review) = &mut facts.review
            && command.as_ref().is_none_or(|command| command.name != "review")
        {
            review.passed_over = true;
        }
        if command.is_none() {
            facts.goal = Some(prompt.chars().take(GOAL_LIMIT).collect());
        }
    })?;
    Ok(Reply::new(input.name, Answer::silent()))
}

/// `user-prompt-review`: the context for `/review`.
pub fn review(bytes: &[u8]) -> Result<Reply, Failure> {
    addressed(bytes, &["review"], |scene, input, command| {
        let (answer, request) = prepare_review(scene, &command.arguments)?;
        state::edit(&scene.layout, &input.session_id, |facts| facts.review = request)?;
        Ok(answer)
    })
}

/// `user-prompt-ship`: the gate's answer for `/ship`, and the wish behind `/allow`.
pub fn ship(bytes: &[u8]) -> Result<Reply, Failure> {
    addressed(bytes, &["ship", "allow"], |scene, input, command| match command.name.as_str() {
        "allow" => allowing::typed(scene, &command.arguments),
        _ => answer_ship(scene, input, &command.arguments),
    })
}

fn answer_ship(scene: &Scene, input: &Input<'_>, arguments: &str) -> Result<Answer, Failure> {
    let options = match ShipOptions::parse(arguments) {
        Ok(options) => options,
        Err(problem) => {
            return Ok(Answer::block(format!(
                "{problem}\nusage: {} [--leave-out PATH]… [--override \"reason\"]",
                scene.command("ship")
            )));
        }
    };
    if let Some(reason) = &options.r#override {
        let request = OverrideRequest { reason: reason.clone(), time: clock::milliseconds() };
        state::edit(&scene.layout, &input.session_id, |facts| facts.r#override = Some(request))?;
    }
    let mut text = ship_context(scene, &options.leave_out)?;
    if let Some(reason) = options.r#override {
        text += &format!(
            "\nThe user asked to override the gate (\"{reason}\"). The next `git push` that is a command of its own opens a \
             dialog in which they decide; nothing is approved before that.\n"
        );
    }
    Ok(Answer::context(text))
}

/// A command that the model invokes by itself gets the same context, but nobody has confirmed it.
pub fn by_the_model(
    scene: &Scene,
    input: &Input<'_>,
    name: &str,
    arguments: &str,
) -> Result<Answer, Failure> {
    match SlashCommand::new(name, arguments).name.as_str() {
        "review" => {
            let (answer, request) = prepare_review(scene, arguments)?;
            let request = request.map(|request| ReviewRequest { confirmed: false, ..request });
            state::edit(&scene.layout, &input.session_id, |facts| facts.review = request)?;
            // A block stops a prompt; for a tool call the same words are a denial.
            Ok(answer.reason().map(Answer::deny).unwrap_or(answer))
        }
        "ship" => Ok(Answer::deny(format!(
            "Plimsoll: shipping is the user's decision. They type {}",
            scene.command("ship")
        ))),
        "allow" => Ok(Answer::deny(format!(
            "Plimsoll: letting a refused step run is the user's decision. They type {} and its id",
            scene.command("allow")
        ))),
        _ => Ok(Answer::silent()),
    }
}

/// Runs `act` if the prompt is one of these commands, once per prompt whichever of its two events comes first.
fn addressed(
    bytes: &[u8],
    names: &[&str],
    act: impl FnOnce(&Scene, &Input<'_>, &SlashCommand) -> Result<Answer, Failure>,
) -> Result<Reply, Failure> {
    let input = Input::parse(bytes)?;
    let command = match &input.event {
        Event::UserPromptSubmit { prompt } => SlashCommand::parse(prompt),
        Event::UserPromptExpansion { command, arguments } => Some(SlashCommand::new(command, arguments)),
        _ => None,
    };
    let Some(command) = command.filter(|command| names.contains(&command.name.as_str())) else {
        return Ok(Reply::new(input.name, Answer::silent()));
    };
    let scene = Scene::of_event(&input.cwd)?;
    let prompt = input.prompt_id.clone().unwrap_or_else(|| format!("{} {}", command.name, command.arguments));
    if !state::edit(&scene.layout, &input.session_id, |facts| facts.first_time(&command.name, &prompt))? {
        return Ok(Reply::new(input.name, Answer::silent()));
    }
    let answer = act(&scene, &input, &command)?;
    Ok(Reply::new(input.name, answer))
}

fn enabled_loops(settings: &Settings) -> Vec<u8> {
    let switches =
        [(1, true), (2, settings.loop2.enabled), (3, settings.loop3.enabled), (4, settings.loop4.enabled)];
    switches.into_iter().filter(|(_, on)| *on).map(|(number, _)| number).collect()
}

/// The context, and the request to be remembered; none if the request made no sense.
fn prepare_review(scene: &Scene, arguments: &str) -> Result<(Answer, Option<ReviewRequest>), Failure> {
    let settings = scene.settings()?.settings;
    let request = match Request::parse(arguments, &enabled_loops(&settings)) {
        Ok(request) => request,
        Err(error) => return Ok((Answer::block(format!("{error}\nusage: {USAGE}")), None)),
    };
    let Some(repo) = scene.repo.clone() else {
        return Ok((
            Answer::block(
                "There is no git repository here, and a review belongs to content that git can name. Run `git init` first.",
            ),
            None,
        ));
    };
    let branch = match repo.head() {
        Head::Branch(branch) => Some(branch),
        Head::Detached(_) | Head::Unknown => None,
    };
    let git = Git::open(repo);
    // Bounded plumbing only; what it cannot tell is shown as unknown, and the run itself will say why.
    let changed = changed_files(&git).ok();
    let from = base(&git, request.base.as_deref()).ok();
    let agents: Vec<_> =
        request.loops.iter().filter_map(|number| agent_entry(*number, scene, &settings)).collect();
    let commands: serde_json::Map<_, _> = request
        .loops
        .iter()
        // The reader of loop 2 is started, not run: its answer is taken when it stops.
        .filter(|number| **number != 2)
        .map(|number| (number.to_string(), json!(command_line(*number, &request.options()))))
        .collect();
    let context = json!({
        "command": scene.command("review"),
        "loops": request.loops,
        "scope": match &request.scope.kind {
            ScopeKind::All => "all changes: committed, staged, unstaged and untracked".to_string(),
            ScopeKind::Staged => "staged changes".to_string(),
            ScopeKind::Ref(revision) => format!("the content of {revision}"),
        },
        "branch": branch,
        "base": from.map(|base| base.name),
        "files": changed.as_ref().map_or(json!("unknown"), |changed| json!(shown(&tracked(changed)))),
        "untracked": changed.as_ref().map_or(json!("unknown"), |changed| json!(shown(&changed.untracked))),
        "leave_out": request.scope.left_out,
        "options": request.options(),
        "agents": agents,
        "commands": commands,
        "estimate": format!("at most {} minutes", minutes(&request.loops, &settings)),
        "required_to_ship": settings.blocking.required_loops,
        "confirmed": request.yes,
    });
    let heading = if request.yes {
        "The user confirmed in advance (--yes)."
    } else {
        "Not confirmed yet: ask before any agent starts."
    };
    let text = format!("Review requested. {heading}\n{}", serde_json::to_string_pretty(&context)?);
    let remembered = ReviewRequest {
        loops: request.loops.clone(),
        options: request.options(),
        scope: request.scope.clone(),
        base: request.base.clone(),
        confirmed: request.yes,
        passed_over: false,
        time: clock::milliseconds(),
    };
    Ok((Answer::context(text), Some(remembered)))
}

fn agent_entry(number: u8, scene: &Scene, settings: &Settings) -> Option<serde_json::Value> {
    let prefix = if scene.environment.plugin_root.is_some() { "plimsoll:" } else { "" };
    let agent = agent_of(number)?;
    let model = if number == 2 { json!(settings.loop2.model) } else { json!("inherit") };
    Some(
        json!({ "loop": number, "agent": format!("{prefix}{}", agent.name), "model": model, "does": agent.does }),
    )
}

fn minutes(loops: &[u8], settings: &Settings) -> u64 {
    let seconds: u64 = loops
        .iter()
        .map(|number| match number {
            1 => settings.loop1.tier1_timeout + settings.loop1.tier2_timeout,
            2 => settings.loop2.timeout,
            3 => settings.loop3.timeout,
            _ => settings.loop4.timeout,
        })
        .sum();
    seconds.div_ceil(60)
}

fn tracked(changed: &Changed) -> Vec<GitPath> {
    let mut paths: Vec<GitPath> = changed.staged.iter().chain(&changed.unstaged).cloned().collect();
    paths.sort();
    paths.dedup();
    paths
}

fn shown(paths: &[GitPath]) -> Vec<String> {
    let mut shown: Vec<String> = paths.iter().take(FILES_SHOWN).map(ToString::to_string).collect();
    let more = paths.len().saturating_sub(FILES_SHOWN);
    if more > 0 {
        shown.push(format!("+{more} more"));
    }
    shown
}

/// What stands behind `/ship`.
#[derive(Debug, Default, PartialEq, Eq)]
struct ShipOptions {
    leave_out: Vec<GitPath>,
    r#override: Option<String>,
}

impl ShipOptions {
    fn parse(arguments: &str) -> Result<Self, String> {
        let mut words = words(arguments).map_err(|error| error.to_string())?.into_iter();
        let mut options = Self::default();
        while let Some(word) = words.next() {
            let value = match word.as_str() {
                "--leave-out" | "--override" => words.next().ok_or(format!("`{word}` needs a value"))?,
                other => return Err(format!("unknown option `{other}`")),
            };
            match word.as_str() {
                "--leave-out" => options.leave_out.push(GitPath::new(&value)),
                _ if value.trim().is_empty() => return Err("an override needs a reason".into()),
                _ => options.r#override = Some(value),
            }
        }
        Ok(options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_override_without_a_reason_is_no_override() {
        assert!(ShipOptions::parse("--override").is_err());
        assert!(ShipOptions::parse("--override ''").is_err());
        assert!(ShipOptions::parse("--force").is_err());
        let options = ShipOptions::parse("--leave-out 'a b' --override \"hot fix\"").unwrap();
        assert_eq!(options.r#override.as_deref(), Some("hot fix"));
        assert_eq!(options.leave_out, [GitPath::new("a b")]);
    }
}

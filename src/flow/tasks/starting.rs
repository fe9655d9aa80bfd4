//! Before one of our two agents starts: was it asked for, as itself, with our own words.

use super::context::Context;
use super::moving::{act, known, tasks};
use super::taking;
use crate::flow::change::Change;
use crate::flow::clock;
use crate::flow::loop2::{digest, folder_name, sweep};
use crate::flow::scene::Scene;
use crate::flow::serve::{Failure, chain};
use crate::flow::shadowed::shadowed;
use crate::hook::{AgentCall, Answer, Input};
use crate::policy::evidence_hash;
use crate::review::Scope;
use crate::state::{AskedReview, Pending, Stage, TaskReading, random_token, session_task};
use crate::step::TaskAgent;
use crate::task::{Action, Task, TaskId, parser_prompt, reviewer_prompt};
use camino::Utf8Path;
use serde_json::{json, value::RawValue};

const FAST: &str = "haiku";
const REVIEW_ID: usize = 12;

/// The answer to the call that starts one of them: our own input for it, or why there is none.
pub fn start(
    scene: &Scene,
    input: &Input<'_>,
    call: &AgentCall,
    agent: TaskAgent,
) -> Result<Answer, Failure> {
    let refuse = |why: String| Ok(Answer::deny(format!("Plimsoll [task review]: {why}.")));
    let asked = session_task(&scene.layout, &input.session_id)?.asked;
    let Some(asked) = asked.filter(|asked| asked.is_recent(clock::milliseconds())) else {
        return refuse(format!(
            "nobody asked for the review of a task within the last hour; {} ID asks for one",
            scene.command("review-task")
        ));
    };
    if let Err(why) = shadowed(agent.name(), &scene.environment, &scene.project, Utf8Path::new(&input.cwd)) {
        return refuse(why);
    }
    // What cannot be started as it should is not started at all.
    let started = match agent {
        TaskAgent::Reviewer => reviewer(scene, input, call, &asked),
        TaskAgent::Parser => parser(scene, input, call, &asked),
    };
    started.or_else(|failure| refuse(chain(failure.as_ref())))
}

fn reviewer(
    scene: &Scene,
    input: &Input<'_>,
    call: &AgentCall,
    asked: &AskedReview,
) -> Result<Answer, Failure> {
    let task = known(scene, asked.task)?;
    let change = Change::of(scene, Scope::default(), None)?;
    let model = match &change.settings.review.model {
        Some(wish) => Some(family(wish).ok_or_else(|| {
            format!("review.model is \"{wish}\"; the client's agents know opus, sonnet and haiku")
        })?),
        None => None,
    };
    // What a crash left behind; that it cannot be removed keeps nobody from reviewing.
    let _ = sweep(scene, &change);
    let review: String = random_token()?.chars().take(REVIEW_ID).collect();
    let mut pending = pending(input, &change, asked.task, review.clone(), Stage::Reviewing)?;
    pending.model = model.unwrap_or_default().to_owned();
    let context = Context::write(scene, &change, &task, &folder_name(&pending.nonce))?;
    pending.files = context.marks.iter().map(|(name, _)| name.clone()).collect();
    pending.marks = context.marks;
    pending.folder = context.folder;
    let begun = begin(scene, &mut pending, &change, asked, review);
    if let Err(failure) = begun {
        let _ = pending.remove(&scene.layout);
        let _ = std::fs::remove_dir_all(&pending.folder);
        return Err(failure);
    }
    let files: Vec<&str> = pending.files.iter().map(String::as_str).collect();
    let prompt = reviewer_prompt(
        asked.task,
        pending.folder.as_str(),
        &pending.nonce,
        &files,
        change.settings.loop2.timeout,
    );
    canonical(call, &format!("Review task {}", asked.task), &prompt, model)
}

/// The record that the answer is held against comes first: a review that is said to be under way can be answered.
fn begin(
    scene: &Scene,
    pending: &mut Pending,
    change: &Change,
    asked: &AskedReview,
    review: String,
) -> Result<Task, Failure> {
    pending.digest = digest(&pending.folder, pending.files.iter().map(String::as_str))?;
    pending.write(&scene.layout, &scene.homes)?;
    tasks(scene).keep_changes(&review, &change.pairs)?;
    let begin = Action::BeginReview {
        review,
        tree: change.snapshot.tree.clone(),
        worktree: scene.project.to_string(),
        command: asked.command.clone(),
        model: pending.model.clone(),
    };
    act(scene, asked.task, begin)
}

fn parser(
    scene: &Scene,
    input: &Input<'_>,
    call: &AgentCall,
    asked: &AskedReview,
) -> Result<Answer, Failure> {
    let task = known(scene, asked.task)?;
    let given = task.state().review.and_then(|review| Some((review.id, review.given?)));
    let Some((review, (name, expected))) = given else {
        return Err(format!("{} has no review that waits to be read", asked.task).into());
    };
    let Some(words) = tasks(scene).words(&name, &expected)? else {
        let why = "what the reviewer said is gone, or is not what was kept";
        taking::malformed(scene, asked.task, &review, why, None)?;
        return Err(format!("{why}; {} needs revision", asked.task).into());
    };
    let change = Change::of(scene, Scope::default(), None)?;
    let pending = pending(input, &change, asked.task, review, Stage::Parsing)?;
    pending.write(&scene.layout, &scene.homes)?;
    let prompt = parser_prompt(asked.task, &pending.nonce, &words);
    canonical(call, &format!("Parse the review of task {}", asked.task), &prompt, Some(FAST))
}

fn pending(
    input: &Input<'_>,
    change: &Change,
    task: TaskId,
    review: String,
    stage: Stage,
) -> Result<Pending, Failure> {
    Ok(Pending {
        nonce: random_token()?,
        session: input.session_id.clone(),
        agent: None,
        tree: change.snapshot.tree.clone(),
        scope: change.scope.clone(),
        wished_base: None,
        base: change.base.commit.clone(),
        policy: evidence_hash(&change.settings),
        pairs: Vec::new(),
        partly: Vec::new(),
        unshown: Vec::new(),
        reused: 0,
        reused_minutes: 0,
        later: 0,
        marks: Vec::new(),
        folder: Default::default(),
        files: Vec::new(),
        digest: String::new(),
        open: Vec::new(),
        model: FAST.to_owned(),
        started: clock::milliseconds(),
        timeout_ms: change.settings.loop2.timeout.saturating_mul(1_000),
        tries: 0,
        task: Some(TaskReading { task, review, stage }),
    })
}

/// Only this reaches the agent; nothing of what the caller wrote.
fn canonical(call: &AgentCall, what: &str, prompt: &str, model: Option<&str>) -> Result<Answer, Failure> {
    let mut input = json!({
        "description": what,
        "prompt": prompt,
        "subagent_type": call.subagent_type,
        "run_in_background": false,
    });
    if let (Some(model), Some(input)) = (model, input.as_object_mut()) {
        input.insert("model".into(), json!(model));
    }
    Ok(Answer::silent().with_input(RawValue::from_string(input.to_string())?))
}

/// The word by which the client's agents know a model.
fn family(model: &str) -> Option<&'static str> {
    let model = model.to_ascii_lowercase();
    ["opus", "sonnet", "haiku"].into_iter().find(|family| model.contains(family))
}

//! While a reviewer is under way: it may read, and nobody may talk to it.

use super::material::withheld;
use crate::app::failure::{Failure, chain};
use crate::app::tool_event::ToolEvent;
use crate::app::workspace::Workspace;
use crate::edge::clock;
use crate::edge::file::real_paths::real_path;
use crate::edge::state::Pending;
use crate::pure::client::{Answer, Input, ToolCall};
use crate::pure::policy::LoopNumber;
use crate::pure::review::GitPath;
use crate::pure::review::loop2::PART_LINES;
use crate::pure::step::{loop_agent, task_agent};
use camino::{Utf8Path, Utf8PathBuf};
use serde::Deserialize;

const NUMBER: LoopNumber = LoopNumber::Two;

/// Our answer to a call that a reviewer makes, or that would reach one. `None`: no business of ours.
pub(crate) fn guard(event: ToolEvent<'_>) -> Option<Answer> {
    let ToolEvent { workspace, input, call } = event;
    let reader = match (&input.agent_id, &input.agent_type) {
        (Some(id), Some(kind)) if reads(kind) => Some(id),
        _ => None,
    };
    let refusal = match reader {
        Some(_) if call.tool != "Read" => Ok(Some("a reviewer has Read and nothing else".to_owned())),
        Some(agent) => reading(event, agent),
        None if talks(call) => talking(workspace, input),
        None => return None,
    };
    // A check that could not be made is no permission.
    let refusal = refusal
        .unwrap_or_else(|failure| Some(format!("could not check this call: {}", chain(failure.as_ref()))));
    refusal.map(|why| Answer::deny(format!("Plimsoll [reviewer]: {why}.")))
}

/// Whether an agent of this type is one of our reviewers.
fn reads(kind: &str) -> bool {
    task_agent(kind).is_some() || loop_agent(kind).is_some_and(|agent| agent.number == NUMBER)
}

#[derive(Deserialize)]
struct File {
    file_path: String,
    #[serde(default)]
    offset: Option<serde_json::Value>,
    #[serde(default)]
    limit: Option<serde_json::Value>,
}

impl File {
    /// A file of the context fits into one Read, and its mark proves nothing to who reads only its end.
    fn is_whole(&self) -> bool {
        let number = |value: &Option<serde_json::Value>| {
            value.as_ref().map(|value| value.as_u64().unwrap_or_default())
        };
        number(&self.offset).is_none_or(|offset| offset <= 1)
            && number(&self.limit).is_none_or(|limit| limit >= PART_LINES as u64)
    }
}

fn reading(event: ToolEvent<'_>, agent: &str) -> Result<Option<String>, Failure> {
    let ToolEvent { workspace, input, call } = event;
    let file: File = serde_json::from_str(call.input.get())?;
    let path = real_path(&Utf8Path::new(&input.cwd).join(&file.file_path));
    let project = real_path(&workspace.project);
    let Ok(relative) = path.strip_prefix(&project) else {
        return Ok(Some(format!("the review is about the project in {project}, and {path} lies elsewhere")));
    };
    if withheld(&GitPath::new(relative.as_str())).is_some() {
        return Ok(Some(format!("{relative} may hold secrets; judge it by its name")));
    }
    let now = clock::milliseconds();
    let waiting = Pending::of_session(&workspace.layout, &workspace.homes, &input.session_id, now)?;
    if !file.is_whole() && waiting.iter().any(|pending| is_in(&pending.folder, &path)) {
        return Ok(Some("read this file whole, without offset and limit".to_owned()));
    }
    let late = match waiting.iter().find(|pending| pending.agent.as_deref() == Some(agent)) {
        Some(pending) => pending.is_late(now),
        None => match waiting.into_iter().find(|pending| is_in(&pending.folder, &path)) {
            Some(pending) => {
                bind(workspace, input, &pending.nonce, agent, now)?;
                pending.is_late(now)
            }
            None => false,
        },
    };
    Ok(late.then(|| "the time is up: answer now with what you have".to_owned()))
}

/// After a Read: a file of the context that one of our reviewers read whole counts as read by it.
pub(crate) fn saw(event: ToolEvent<'_>, response: &str) -> Result<(), Failure> {
    let ToolEvent { workspace, input, call } = event;
    let agent = match (&input.agent_id, &input.agent_type) {
        (Some(agent), Some(kind)) if call.tool == "Read" && reads(kind) => agent,
        _ => return Ok(()),
    };
    let file: File = serde_json::from_str(call.input.get())?;
    if !file.is_whole() || !serde_json::from_str::<ReadResult>(response).is_ok_and(|read| read.is_whole()) {
        return Ok(());
    }
    let path = real_path(&Utf8Path::new(&input.cwd).join(&file.file_path));
    let Some(name) = path.file_name() else { return Ok(()) };
    let _lock = Pending::lock(&workspace.layout)?;
    let waiting =
        Pending::of_session(&workspace.layout, &workspace.homes, &input.session_id, clock::milliseconds())?;
    let own = |pending: &Pending| pending.agent.as_ref() == Some(agent) && is_in(&pending.folder, &path);
    if let Some(mut pending) = waiting.into_iter().find(own)
        && !pending.seen.iter().any(|seen| seen == name)
    {
        pending.seen.push(name.to_owned());
        pending.write(&workspace.layout, &workspace.homes)?;
    }
    Ok(())
}

/// The output of a Read call, as the client reports it.
#[derive(Deserialize)]
struct ReadResult {
    file: ShownLines,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ShownLines {
    start_line: u64,
    num_lines: u64,
    total_lines: u64,
}

impl ReadResult {
    fn is_whole(&self) -> bool {
        self.file.start_line <= 1 && self.file.num_lines >= self.file.total_lines
    }
}

fn is_in(folder: &Utf8PathBuf, path: &Utf8Path) -> bool {
    !folder.as_str().is_empty() && path.starts_with(real_path(folder))
}

/// From now on the answer of this agent is the answer to this context.
fn bind(workspace: &Workspace, input: &Input<'_>, nonce: &str, agent: &str, now: u64) -> Result<(), Failure> {
    let _lock = Pending::lock(&workspace.layout)?;
    let waiting = Pending::of_session(&workspace.layout, &workspace.homes, &input.session_id, now)?;
    let unbound = waiting.into_iter().find(|pending| pending.nonce == nonce && pending.agent.is_none());
    if let Some(mut pending) = unbound {
        pending.agent = Some(agent.to_owned());
        pending.write(&workspace.layout, &workspace.homes)?;
    }
    Ok(())
}

/// Tools whose words reach an agent that runs already.
fn talks(call: &ToolCall<'_>) -> bool {
    #[derive(Deserialize)]
    struct Resumed {
        resume: Option<serde_json::Value>,
    }
    match call.tool.as_str() {
        "SendMessage" => true,
        "Agent" | "Task" => {
            call.input.get().contains("\"resume\"")
                && serde_json::from_str::<Resumed>(call.input.get()).is_ok_and(|call| call.resume.is_some())
        }
        _ => false,
    }
}

fn talking(workspace: &Workspace, input: &Input<'_>) -> Result<Option<String>, Failure> {
    let now = clock::milliseconds();
    let waiting = Pending::of_session(&workspace.layout, &workspace.homes, &input.session_id, now)?;
    Ok((!waiting.is_empty())
        .then(|| "a reviewer is at work, and nobody talks to it; wait for its answer".to_owned()))
}

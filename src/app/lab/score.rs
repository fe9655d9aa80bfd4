//! Labelled steps and labelled sequences of calls, each tried out in a session of its own.

use super::hook_session::{RehearsedCall, Session};
use super::loop_rows::{self, LoopRowEvent};
use super::replay::path_map::Moved;
use super::sample_world::WorldPlaces;
use crate::app::failure::Failure;
use crate::edge::file::lines::{self, Lines};
use crate::pure::report::{BadLine, ExpectedAnswer, RowKind, Score, ScoredRow};
use camino::Utf8Path;
use serde::Deserialize;
use serde_json::value::RawValue;

/// One row: a shell command, a tool with its input, or what an agent did one after the other.
#[derive(Deserialize)]
struct Row {
    #[serde(default)]
    id: serde_json::Value,
    command: Option<String>,
    tool_name: Option<String>,
    tool_input: Option<Box<RawValue>>,
    events: Option<Vec<LoopRowEvent>>,
    /// `block` or `allow` for a step, `stuck` or `ok` for a sequence.
    expect: Option<String>,
    #[serde(default, alias = "peer")]
    category: String,
}

/// Judges every row of a file in the project of the world.
pub fn score(file: &Utf8Path, world: &WorldPlaces, into: &mut Score) -> Result<(), Failure> {
    let before = into.judged.len() + into.bad.len();
    for (number, line) in Lines::of(lines::open(file)?) {
        let outcome = match line {
            Ok(bytes) if bytes.trim_ascii().is_empty() => continue,
            Ok(bytes) => judged(&bytes, file, number, world),
            Err(problem) => Err(problem.into()),
        };
        match outcome {
            Ok(judged) => into.judged.push(judged),
            Err(problem) => {
                into.bad.push(BadLine { file: file.to_string(), line: number, problem: problem.to_string() });
            }
        }
    }
    if into.judged.len() + into.bad.len() == before {
        into.bad.push(BadLine { file: file.to_string(), line: 0, problem: "there is no row in it".into() });
    }
    Ok(())
}

fn judged(bytes: &[u8], file: &Utf8Path, number: usize, world: &WorldPlaces) -> Result<ScoredRow, Failure> {
    let row: Row = serde_json::from_slice(bytes).map_err(|error| format!("not a row as JSON: {error}"))?;
    let expect = expected(row.expect.as_deref())?;
    let id = match row.id {
        serde_json::Value::Null => format!("line {number}"),
        serde_json::Value::String(id) => id,
        other => other.to_string(),
    };
    if let Some(events) = row.events {
        let said = loop_rows::play(&events)?;
        let text = format!("{} events", events.len());
        return Ok(ScoredRow { id, category: row.category, expect, kind: RowKind::Sequence, text, said });
    }
    let rows = Moved::of_rows(world);
    let (step, text) = match (row.command, row.tool_name, row.tool_input) {
        (Some(command), None, None) => (RehearsedCall::shell(&rows.there(&command))?, command),
        (None, Some(tool), Some(input)) => {
            let text = format!("{tool} {}", input.get());
            let input = RawValue::from_string(rows.there(input.get()))?;
            (RehearsedCall { tool, input, id: String::new() }, text)
        }
        _ => {
            return Err(
                "it has neither a `command`, nor a `tool_name` with its `tool_input`, nor `events`".into()
            );
        }
    };
    let session = Session { id: format!("{file}:{number}"), cwd: world.project.to_string(), agent: None };
    let said = session.before(&step)?;
    Ok(ScoredRow { id, category: row.category, expect, kind: RowKind::Step, text, said })
}

fn expected(word: Option<&str>) -> Result<ExpectedAnswer, Failure> {
    match word {
        None | Some("allow" | "ok") => Ok(ExpectedAnswer::Allow),
        Some("block") => Ok(ExpectedAnswer::Block),
        Some(word) if word == "stuck" || word.starts_with("stuck:") => Ok(ExpectedAnswer::Block),
        Some(word) => Err(format!("`expect` is `block`, `allow`, `stuck` or `ok`, not `{word}`").into()),
    }
}

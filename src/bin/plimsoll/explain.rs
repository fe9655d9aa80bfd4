//! `plimsoll explain`: every step from a command to the decision on it.

use crate::{CommandError, CommandResult};
use camino::Utf8PathBuf;
use plimsoll::app::step::explanation::explain;
use plimsoll::app::workspace::Workspace;
use serde_json::value::{RawValue, to_raw_value};
use std::io::Read;
use std::process::ExitCode;

/// The same limit as in the hooks.
const LONGEST: u64 = 8 * 1024 * 1024;

const MORE: &str = "\
Shows the commands that would run, their effects, the facts from git and the file system, the rules that apply, risk,
rationality, side effects and the decision. Runs nothing. Exit code 0 for every decision.

Examples:
  plimsoll explain 'git reset --hard'
  plimsoll explain - < script.sh
  plimsoll explain --tool Write --input '{\"file_path\": \"notes.md\", \"content\": \"\"}'";

#[derive(clap::Args)]
#[command(after_help = MORE)]
pub(crate) struct Arguments {
    /// A shell command; `-` reads it from standard input.
    #[arg(required_unless_present = "tool", conflicts_with = "tool")]
    command: Option<String>,
    /// A tool other than Bash.
    #[arg(long, value_name = "NAME", requires = "input")]
    tool: Option<String>,
    /// The tool's input as JSON.
    #[arg(long, value_name = "JSON", requires = "tool")]
    input: Option<String>,
    /// The directory in which the tool call would run.
    #[arg(long, value_name = "DIR", default_value = ".")]
    cwd: Utf8PathBuf,
    /// Print the explanation as JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: Arguments) -> CommandResult {
    let (tool, input) = tool_call(&arguments)?;
    let cwd = arguments.cwd.canonicalize_utf8().map_err(|error| format!("{}: {error}", arguments.cwd))?;
    let workspace = Workspace::of_event(cwd.as_str())?;
    let explanation = explain(&workspace, cwd.as_str(), &tool, &input)?;
    if arguments.json {
        outln!("{}", explanation.json()?);
    } else {
        out!("{}", explanation.text());
    }
    Ok(ExitCode::SUCCESS)
}

/// The tool and its input.
fn tool_call(arguments: &Arguments) -> Result<(String, Box<RawValue>), CommandError> {
    if let (Some(tool), Some(input)) = (&arguments.tool, &arguments.input) {
        let input = RawValue::from_string(input.clone())
            .map_err(|error| format!("the input is not JSON: {error}"))?;
        return Ok((tool.clone(), input));
    }
    let command = match arguments.command.as_deref() {
        Some("-") => from_stdin()?,
        Some(command) => command.to_owned(),
        None => return Err("no command given".into()),
    };
    Ok(("Bash".into(), to_raw_value(&serde_json::json!({ "command": command }))?))
}

fn from_stdin() -> Result<String, CommandError> {
    let mut bytes = Vec::new();
    std::io::stdin().lock().take(LONGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST {
        return Err("the command is longer than 8 MiB".into());
    }
    let text = String::from_utf8(bytes).map_err(|_| "the command is not valid UTF-8")?;
    Ok(text.strip_suffix('\n').unwrap_or(&text).to_owned())
}

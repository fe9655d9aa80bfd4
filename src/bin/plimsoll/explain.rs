//! `plimsoll explain`: everything that leads to the answer to one step.

use crate::Failure;
use camino::Utf8PathBuf;
use plimsoll::flow::explain::explain;
use plimsoll::flow::scene::Scene;
use serde_json::value::{RawValue, to_raw_value};
use std::io::Read;
use std::process::ExitCode;

/// As much as a hook reads.
const LONGEST: u64 = 8 * 1024 * 1024;

/// What the arguments do not say.
const MORE: &str = "\
Shows the commands that a text would run, what they would do and to what, what git and the files say about that, the
rules that spoke, risk, rationality and side effects, and the answer. Nothing is run. Exit code 0 whatever the answer.

Examples:
  plimsoll explain 'git reset --hard'
  plimsoll explain - < script.sh
  plimsoll explain --tool Write --input '{\"file_path\": \"notes.md\", \"content\": \"\"}'";

#[derive(clap::Args)]
#[command(after_help = MORE)]
pub(crate) struct Arguments {
    /// A shell command; `-` reads it from the standard input.
    #[arg(required_unless_present = "tool", conflicts_with = "tool")]
    command: Option<String>,
    /// Another tool than Bash.
    #[arg(long, value_name = "NAME", requires = "input")]
    tool: Option<String>,
    /// The tool's input as JSON.
    #[arg(long, value_name = "JSON", requires = "tool")]
    input: Option<String>,
    /// Where the step would happen.
    #[arg(long, value_name = "DIR", default_value = ".")]
    cwd: Utf8PathBuf,
    /// Print the chain as JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: Arguments) -> Result<ExitCode, Failure> {
    let (tool, input) = step(&arguments)?;
    let cwd = arguments.cwd.canonicalize_utf8().map_err(|error| format!("{}: {error}", arguments.cwd))?;
    let scene = Scene::of_event(cwd.as_str())?;
    let explanation = explain(&scene, cwd.as_str(), &tool, &input)?;
    if arguments.json {
        anstream::println!("{}", explanation.json()?);
    } else {
        anstream::print!("{}", explanation.text());
    }
    Ok(ExitCode::SUCCESS)
}

/// The tool and its input.
fn step(arguments: &Arguments) -> Result<(String, Box<RawValue>), Failure> {
    if let (Some(tool), Some(input)) = (&arguments.tool, &arguments.input) {
        let input =
            RawValue::from_string(input.clone()).map_err(|error| format!("the input is no JSON: {error}"))?;
        return Ok((tool.clone(), input));
    }
    let command = match arguments.command.as_deref() {
        Some("-") => from_stdin()?,
        Some(command) => command.to_owned(),
        None => return Err("there is no command to explain".into()),
    };
    Ok(("Bash".into(), to_raw_value(&serde_json::json!({ "command": command }))?))
}

fn from_stdin() -> Result<String, Failure> {
    let mut bytes = Vec::new();
    std::io::stdin().lock().take(LONGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST {
        return Err("the command is longer than 8 MiB".into());
    }
    let text = String::from_utf8(bytes).map_err(|_| "the command is not valid UTF-8")?;
    Ok(text.strip_suffix('\n').unwrap_or(&text).to_owned())
}

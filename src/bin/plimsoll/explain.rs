//! `plimsoll explain`: the decision on a command, and every step that leads to it.

use crate::output::{OutputOptions, Verbosity, verbosity};
use crate::{CommandError, CommandResult, print_json};
use camino::Utf8PathBuf;
use clap::Parser;
use plimsoll::app::step::explanation::explain;
use plimsoll::app::step::record::newest_refusal;
use plimsoll::app::workspace::Workspace;
use plimsoll::pure::text::quoted_where_needed;
use serde_json::value::{RawValue, to_raw_value};
use std::io::Read;
use std::process::ExitCode;

/// The same limit as in the hooks.
const LONGEST: u64 = 8 * 1024 * 1024;

const MORE: &str = "\
Shows the decision, its reason, the part of the command that it is about, and what to do. With -v, also the commands that
would run, their effects, the facts from git and the file system, all rules that apply, risk, rationality and side
effects. Runs nothing. Exit code 0 for every decision. Options come before the command, or after a quoted one.

Examples:
  plimsoll explain git push --force
  plimsoll explain -v 'cd build && rm -rf *'
  plimsoll explain - < script.sh
  plimsoll explain --last
  plimsoll explain --tool Write --input '{\"file_path\": \"notes.md\", \"content\": \"\"}'";

#[derive(clap::Args)]
#[command(after_help = MORE)]
pub(crate) struct Arguments {
    #[command(flatten)]
    options: Options,
    /// Explain the newest refusal in this project.
    #[arg(long, conflicts_with_all = ["tool", "command"])]
    last: bool,
    /// A tool other than Bash.
    #[arg(long, value_name = "NAME", requires = "input", conflicts_with = "command")]
    tool: Option<String>,
    /// The tool's input as JSON.
    #[arg(long, value_name = "JSON", requires = "tool")]
    input: Option<String>,
    /// A shell command, quoted or not; `-` reads it from standard input.
    #[arg(required_unless_present_any = ["tool", "last"], trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<String>,
}

#[derive(clap::Args)]
struct Options {
    /// The directory in which the tool call would run.
    #[arg(long, value_name = "DIR", default_value = ".")]
    cwd: Utf8PathBuf,
    /// Print the explanation as JSON.
    #[arg(long)]
    json: bool,
}

/// Options behind a quoted command.
#[derive(clap::Parser)]
#[command(name = "plimsoll explain COMMAND")]
struct LaterOptions {
    #[command(flatten)]
    output: OutputOptions,
    #[command(flatten)]
    options: Options,
}

pub(crate) fn run(arguments: Arguments) -> CommandResult {
    let Arguments { mut options, last, tool, input, command } = arguments;
    if last {
        return explain_last(options.json);
    }
    let (tool, input) = match (tool, input) {
        (Some(tool), Some(input)) => {
            let input =
                RawValue::from_string(input).map_err(|error| format!("the input is not JSON: {error}"))?;
            (tool, input)
        }
        _ => {
            let command = command_text(&command, &mut options)?;
            ("Bash".into(), to_raw_value(&serde_json::json!({ "command": command }))?)
        }
    };
    let cwd = options.cwd.canonicalize_utf8().map_err(|error| format!("{}: {error}", options.cwd))?;
    let workspace = Workspace::of_event(cwd.as_str())?;
    let explanation = explain(&workspace, cwd.as_str(), &tool, &input)?;
    match (options.json, verbosity()) {
        (true, _) => outln!("{}", explanation.json()?),
        (false, Verbosity::Verbose) => out!("{}", explanation.text()),
        (false, Verbosity::Normal | Verbosity::Quiet) => out!("{}", explanation.short_text()),
    }
    Ok(ExitCode::SUCCESS)
}

fn explain_last(json: bool) -> CommandResult {
    match newest_refusal(&Workspace::here()?)? {
        Some((line, _)) if json => return print_json(&line),
        Some((_, refusal)) => out!("{}", refusal.text(verbosity() == Verbosity::Verbose)),
        None if json => outln!("null"),
        None => noteln!("No tool call was refused here."),
    }
    Ok(ExitCode::SUCCESS)
}

/// The command as the shell would get it. Behind a quoted command or `-`, the other words are options.
fn command_text(words: &[String], options: &mut Options) -> Result<String, CommandError> {
    let (first, others) = words.split_first().ok_or("no command given")?;
    if first != "-" && !first.contains(char::is_whitespace) && !others.is_empty() {
        return Ok(words.iter().map(|word| quoted_where_needed(word)).collect::<Vec<_>>().join(" "));
    }
    if !others.is_empty() {
        let later = LaterOptions::try_parse_from(std::iter::once(first).chain(others)).map_err(|_| {
            format!("`{}` follows a quoted command; quote the whole command", others.join(" "))
        })?;
        later.output.apply();
        options.json |= later.options.json;
        if later.options.cwd != "." {
            options.cwd = later.options.cwd;
        }
    }
    if first == "-" { from_stdin() } else { Ok(first.clone()) }
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

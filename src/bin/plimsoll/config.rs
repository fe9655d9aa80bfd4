//! `plimsoll config`: shows, checks, creates and trusts the configuration.

use crate::{CommandError, CommandResult, confirm, require_person};
use camino::{Utf8Path, Utf8PathBuf};
use plimsoll::edge::config::{self, ConfigFiles, Environment, Error, SourceText};
use plimsoll::pure::policy::{
    Effective, IgnoredSetting, KEYS, LooserValue, ProjectLayer, effective, flatten,
};
use plimsoll::pure::text::{below_home, printable};
use serde_json::json;
use std::fmt::Write as _;
use std::process::ExitCode;

#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Print every value in force, and the values of a project's file that are ignored.
    Show {
        /// Print values, origins and files as JSON.
        #[arg(long)]
        json: bool,
        /// Print the file that each value comes from.
        #[arg(long)]
        origin: bool,
    },
    /// Check your file and the project's file, or the given file.
    Check {
        /// A single file to check.
        file: Option<Utf8PathBuf>,
    },
    /// Write a configuration file with every key and its default, as comments.
    Init {
        /// Write your own file instead of the project's.
        #[arg(long)]
        user: bool,
    },
    /// Trust the project's file, exactly as it is now: it may loosen rules and set commands.
    Trust,
    /// Withdraw the trust in the project's file.
    Untrust,
}

pub(crate) fn run(command: Command) -> CommandResult {
    let environment = Environment::read()?;
    let here = Utf8PathBuf::try_from(std::env::current_dir()?)?;
    let root = config::project_root(&here);
    match command {
        Command::Show { json, origin } => {
            let files = ConfigFiles::read(&root, &environment)?;
            let effective = files.effective(None)?;
            if json { show_json(&files, &effective) } else { show(&effective, origin) }
        }
        Command::Check { file } => check(file.as_deref(), &root, &environment),
        Command::Init { user } => init(user, &root, &environment),
        Command::Trust => trust(&ConfigFiles::read(&root, &environment)?),
        Command::Untrust => untrust(&root, &environment),
    }
}

fn say(text: &str) {
    out!("{text}");
}

fn show(effective: &Effective, origin: bool) -> CommandResult {
    let mut text = String::new();
    let values = flatten(&effective.settings)?;
    for (key, value) in KEYS.iter().filter_map(|key| Some((key, values.get(key.name)?))) {
        let line = printable(&format!("{}: {value}", key.name));
        let from = effective.origins.get(key.name).map_or("default", String::as_str);
        if origin { writeln!(text, "{line} # {}", printable(from))? } else { writeln!(text, "{line}")? }
    }
    if !effective.ignored.is_empty() {
        text.push_str("\nignored:\n");
        text.push_str(&listed(&effective.ignored)?);
    }
    writeln!(text, "\npolicy: {}", effective.hash)?;
    say(&text);
    Ok(ExitCode::SUCCESS)
}

fn listed(ignored: &[IgnoredSetting]) -> Result<String, CommandError> {
    let mut text = String::new();
    for IgnoredSetting { key, value, source, reason } in ignored {
        writeln!(text, "  {key}: {} ({}): {reason}", printable(value), printable(source))?;
    }
    Ok(text)
}

fn show_json(files: &ConfigFiles, effective: &Effective) -> CommandResult {
    let sources: Vec<_> = files
        .stamps
        .iter()
        .map(|stamp| json!({"path": stamp.path, "exists": stamp.state.is_some()}))
        .collect();
    let ignored: Vec<_> = effective
        .ignored
        .iter()
        .map(|ignored| {
            json!({
                "key": ignored.key,
                "value": ignored.value,
                "source": ignored.source,
                "reason": ignored.reason,
                "explanation": ignored.reason.to_string(),
            })
        })
        .collect();
    let all = json!({
        "policy": effective.hash,
        "settings": effective.settings,
        "origins": effective.origins,
        "ignored": ignored,
        "sources": sources,
    });
    say(&format!("{all:#}\n"));
    Ok(ExitCode::SUCCESS)
}

fn check(file: Option<&Utf8Path>, root: &Utf8Path, environment: &Environment) -> CommandResult {
    let outcome = match file {
        None => config::load(root, environment).map(|loaded| loaded.prompts.problems().cloned().collect()),
        Some(path) => {
            let text = SourceText::read(path)?.text.ok_or_else(|| format!("there is no file {path}"))?;
            config::parse(path.as_str(), &text).map(|_| Vec::new()).map_err(Error::Invalid)
        }
    };
    let problems = match outcome {
        Ok(problems) => problems,
        Err(Error::Invalid(problems)) => problems.iter().map(ToString::to_string).collect(),
        Err(error) => return Err(error.into()),
    };
    if problems.is_empty() {
        noteln!("ok");
        return Ok(ExitCode::SUCCESS);
    }
    say(&problems.iter().map(|problem| format!("{}\n", printable(problem))).collect::<String>());
    Ok(ExitCode::FAILURE)
}

fn init(user: bool, root: &Utf8Path, environment: &Environment) -> CommandResult {
    let path =
        if user { environment.user_file() } else { ConfigFiles::read(root, environment)?.project_path };
    config::create(&path)?;
    outln!("wrote {}", below_home(path.as_str(), environment.home.as_str()));
    Ok(ExitCode::SUCCESS)
}

fn trust(files: &ConfigFiles) -> CommandResult {
    let path = &files.project_path;
    let Some((layer, text)) = files.project.as_ref().zip(files.project_text.as_ref()) else {
        return Err(format!("{path} does not exist; `plimsoll config init` writes it").into());
    };
    if files.trust.covers(text) {
        say(&format!("{path} is trusted already\n"));
        return Ok(ExitCode::SUCCESS);
    }
    let untrusted = [ProjectLayer { layer: layer.clone(), trusted: false }];
    let mut waiting = effective(files.user.as_ref(), &untrusted)?.ignored;
    waiting.retain(|ignored| ignored.reason != LooserValue::UserOnly);
    if waiting.is_empty() {
        say(&format!("nothing in {path} needs trust\n"));
        return Ok(ExitCode::SUCCESS);
    }
    say(&format!("{path} asks for:\n{}", listed(&waiting)?));
    require_person("Commands and looser settings of this file come into force if you trust it.")?;
    if !confirm("Trust this file exactly as it is now?")? {
        errln!("not trusted");
        return Ok(ExitCode::FAILURE);
    }
    files.trust.grant(text)?;
    say("trusted until the file changes\n");
    Ok(ExitCode::SUCCESS)
}

fn untrust(root: &Utf8Path, environment: &Environment) -> CommandResult {
    let withdrawn = config::Trust::of(root, environment).withdraw()?;
    say(if withdrawn { "trust withdrawn\n" } else { "nothing was trusted\n" });
    Ok(ExitCode::SUCCESS)
}

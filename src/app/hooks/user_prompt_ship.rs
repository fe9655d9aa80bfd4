//! `user-prompt-ship`: the gate's answer for `/ship`, and the requests behind `/allow` and `/recover`.

use super::command::answer_once;
use crate::app::failure::Failure;
use crate::app::gate::ship::ship_context;
use crate::app::monitor::recovery;
use crate::app::permission::Requested;
use crate::app::step::allow_once;
use crate::app::workspace::Workspace;
use crate::pure::client::{Answer, Input};
use crate::pure::review::{GitPath, words};

/// `user-prompt-ship`: the gate's answer for `/ship`, and the requests behind `/allow` and `/recover`.
pub fn answer(input: &Input<'_>) -> Result<Answer, Failure> {
    answer_once(input, &["ship", "allow", "recover"], None, |workspace, command| {
        match command.name.as_str() {
            "allow" => allow_once::answer_command(workspace, &command.arguments),
            "recover" => recovery::answer_command(workspace, input, &command.arguments),
            _ => answer_ship(workspace, input, &command.arguments),
        }
    })
}

fn answer_ship(workspace: &Workspace, input: &Input<'_>, arguments: &str) -> Result<Answer, Failure> {
    let options = match ShipOptions::parse(arguments) {
        Ok(options) => options,
        Err(problem) => {
            return Ok(Answer::block(format!(
                "{problem}\nusage: {} [--leave-out PATH]… [--override \"reason\"]",
                workspace.command("ship")
            )));
        }
    };
    if let Some(reason) = &options.r#override {
        Requested::Override.note(workspace, input, reason)?;
    }
    let mut text = ship_context(workspace, &options.leave_out)?;
    if let Some(reason) = options.r#override {
        text += &format!(
            "\nThe user asked to override the gate (\"{reason}\"). The next `git push` (sandboxed: `plimsoll push`) that is a \
             command of its own opens a dialog in which they decide; nothing is approved before that.\n"
        );
    }
    Ok(Answer::context(text))
}

/// The options of `/ship`.
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

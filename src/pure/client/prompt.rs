//! Prompts: slash commands, confirmations, and text that no person typed.

/// A slash command with its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SlashCommand {
    pub name: String,
    pub arguments: String,
}

impl SlashCommand {
    /// Ours are `/name` where they are installed into a project and `/plimsoll:name` as a plugin. A leading space or a
    /// mention in a sentence is no command, as in the client itself.
    pub fn parse(prompt: &str) -> Option<Self> {
        let rest = prompt.strip_prefix('/')?;
        let (name, arguments) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        Some(Self::new(name, arguments))
    }

    /// `name` may carry the plugin's prefix.
    pub fn new(name: &str, arguments: &str) -> Self {
        let name = name.strip_prefix("plimsoll:").unwrap_or(name);
        Self { name: name.to_string(), arguments: arguments.trim().to_string() }
    }
}

/// Text that the client inserts, such as the end of a background task.
pub(crate) fn is_machine_text(prompt: &str) -> bool {
    let start = prompt.trim_start();
    start.starts_with("<task-notification>") || start.starts_with("<system-reminder>")
}

/// Whether the text is a clear yes.
pub(crate) fn is_yes(text: &str) -> bool {
    const YES: [&str; 14] = [
        "y", "yes", "yes please", "yep", "yeah", "ok", "okay", "sure", "proceed", "go", "go ahead", "do it",
        "run it", "confirm",
    ];
    let plain: String = text
        .chars()
        .map(|c| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { ' ' })
        .collect::<String>()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    YES.contains(&plain.as_str())
        || (plain.starts_with("yes ") && !plain.contains("not") && !plain.contains("but"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_commands_are_found_in_every_spelling() {
        for (prompt, name, arguments) in [
            ("/review", "review", ""),
            ("/review --free  --yes", "review", "--free  --yes"),
            ("/plimsoll:ship --override \"why\"", "ship", "--override \"why\""),
            ("/review\n--free", "review", "--free"),
        ] {
            let command = SlashCommand::parse(prompt).unwrap();
            assert_eq!((command.name.as_str(), command.arguments.as_str()), (name, arguments));
        }
    }

    #[test]
    fn a_mention_is_no_command() {
        assert_eq!(SlashCommand::parse("run /ship"), None);
        assert_eq!(SlashCommand::parse(" /ship"), None);
        assert_ne!(SlashCommand::parse("/shipping").unwrap().name, "ship");
        assert_ne!(SlashCommand::parse("/acme:ship").unwrap().name, "ship");
    }

    #[test]
    fn only_a_clear_yes_is_a_yes() {
        for yes in ["yes", "Yes!", "y", "OK.", "go ahead", "Yes, run the review", " proceed "] {
            assert!(is_yes(yes), "{yes}");
        }
        for no in [
            "no", "yes but wait", "yesterday it worked", "", "please do not", "yes, but not loop 2",
            "review the yes button",
        ] {
            assert!(!is_yes(no), "{no}");
        }
    }
}

//! Tools that pass text to a later prompt or another session: the agent may not speak for the person there.

use super::super::effect::Effect;
use super::super::survey::Surveyor;
use super::nature;
use crate::pure::client::Argument;
use crate::pure::step::assessment::Nature;

pub(crate) fn survey(arguments: &[Argument], surveyor: &mut Surveyor<'_>) {
    nature(surveyor, Nature::System);
    if let Some(words) = arguments.iter().find_map(|argument| named(&argument.value)) {
        let how = format!("a prompt that no person types and that contains `{words}`");
        surveyor.effect(Effect::Impersonate { how });
    }
    // A monitor runs a command, and its output becomes a prompt.
    for argument in arguments.iter().filter(|argument| argument.name == "command") {
        surveyor.add_command(&argument.value);
    }
}

/// One of Plimsoll's commands in the text.
fn named(text: &str) -> Option<String> {
    const SLASH: [&str; 5] = ["/ship", "/review", "/allow", "/recover", "/reconcile"];
    const PROGRAM: [&str; 15] = [
        "review", "enrol", "pause", "resume", "allow", "install", "uninstall", "upgrade", "recover", "trust",
        "untrust", "config", "gate", "ship", "demo",
    ];
    let bare =
        |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric() && !"/-:".contains(c)).to_owned();
    let mut words = text.split_whitespace().map(bare).peekable();
    while let Some(word) = words.next() {
        let is_ours = SLASH.contains(&word.trim_end_matches(['-', ':', '/']))
            || word.starts_with("/plimsoll")
            || word.starts_with("--override")
            || (word == "plimsoll" && words.peek().is_some_and(|next| PROGRAM.contains(&next.as_str())));
        if is_ours {
            return Some(word);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::pure::step::sample::called;
    use serde_json::json;

    #[test]
    fn our_commands_are_found_in_every_spelling_and_places_are_not() {
        for text in [
            "/ship",
            "please run `/review --free`",
            "then: \"/plimsoll:ship\".",
            "(/recover)",
            "say yes and --override='x'",
            "run plimsoll allow 1a2b",
            "/allow 1a2b3c",
        ] {
            for tool in ["CronCreate", "SendMessage", "RemoteTrigger"] {
                let rules = called(tool, &json!({"prompt": text, "deep": {"message": "x"}}));
                assert_eq!(rules, ["speaks_for_the_person"], "{tool} {text}");
            }
        }
        for text in [
            "look at src/review/mod.rs",
            "https://example.com/review/5",
            "the review is done, ship it",
            "plimsoll reports an error",
            "/reviewers",
        ] {
            assert_eq!(called("SendMessage", &json!({"message": text})), [""; 0], "{text}");
        }
        assert_eq!(called("Agent", &json!({"prompt": "the project has a /review command"})), [""; 0]);
    }

    #[test]
    fn what_a_monitor_runs_is_judged_like_any_command() {
        assert_eq!(called("Monitor", &json!({"command": "rm -rf ~"})), ["system_or_home"]);
        assert_eq!(called("Monitor", &json!({"command": "tail -f log"})), [""; 0]);
    }
}

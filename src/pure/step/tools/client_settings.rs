//! Changes of the client's settings that leave alone what Plimsoll and the person rely on: other hooks, the model, the
//! look. Permissions, the environment, plugins and the sandbox are not among them.

use crate::pure::step::effect::Effect;
use crate::pure::step::known::Question;
use crate::pure::step::survey::Surveyor;
use camino::Utf8Path;
use serde_json::{Map, Value};

/// Keys that neither run something nor open anything.
const HARMLESS: [&str; 11] = [
    "$schema", "model", "outputStyle", "language", "theme", "verbose", "cleanupPeriodDays",
    "includeCoAuthoredBy", "attribution", "spinnerTipsEnabled", "alwaysThinkingEnabled",
];

/// Whether the change of this file touches nothing but harmless settings and hooks of others that run nothing harmful.
pub(crate) fn spares_ours(
    path: &Utf8Path,
    text: &str,
    replaced: Option<&str>,
    surveyor: &mut Surveyor<'_>,
) -> bool {
    let folder = path.parent().and_then(Utf8Path::file_name);
    if folder != Some(".claude") || !matches!(path.file_name(), Some("settings.json" | "settings.local.json"))
    {
        return false;
    }
    // Hooks run beside the gate.
    surveyor.ask_gated();
    if surveyor.known.gated != Some(false) {
        return false;
    }
    let Some(before) = surveyor.known.scripts.get(path.as_str()) else {
        surveyor.ask(Question::Script(path.to_owned()));
        return false;
    };
    let before = before.as_deref().unwrap_or_default();
    let after = match replaced {
        Some("") => return false,
        Some(part) => match before.matches(part).count() {
            1 => before.replacen(part, text, 1),
            // Entries of a part that is not in the file: compared with each other.
            0 if fails(before, part, text) => {
                let Some(commands) = new_hook_commands(part, text) else { return false };
                return commands
                    .iter()
                    .all(|command| surveyor.later_effects(command).iter().all(is_everyday));
            }
            _ => match (fragment(part), fragment(text)) {
                (Some(old), Some(new)) => return only_tightens(Some(&old), Some(&new)),
                _ => return false,
            },
        },
        None => text.to_owned(),
    };
    let (Some(before), Some(after)) = (settings(before), settings(&after)) else { return false };
    // Settings without a key have no other use than to take something away.
    if after.is_empty() {
        return false;
    }
    let Some(commands) = new_commands(&before, &after) else { return false };
    commands.iter().all(|command| surveyor.later_effects(command).iter().all(is_everyday))
}

/// Whether the client refuses the edit: what it replaces is not there, with curly quotes taken for straight ones. Several edits
/// come here as one text, of which that says nothing.
fn fails(before: &str, part: &str, text: &str) -> bool {
    let several = part.ends_with('\n') && text.ends_with('\n');
    !several && !straight(before).contains(&straight(part))
}

fn straight(text: &str) -> String {
    text.replace(['‘', '’'], "'").replace(['“', '”'], "\"")
}

/// The commands that a part of the settings gains, if both texts are about nothing but hooks of others.
fn new_hook_commands(old: &str, new: &str) -> Option<Vec<String>> {
    const OF_HOOKS: [&str; 13] = [
        "hooks", "matcher", "type", "command", "timeout", "SessionStart", "SessionEnd", "PreToolUse",
        "PostToolUse", "UserPromptSubmit", "Stop", "SubagentStop", "Notification",
    ];
    let mut commands = Vec::new();
    for text in [old, new] {
        if text.to_ascii_lowercase().contains("plimsoll") {
            return None;
        }
        let plain = text.replace("\\\"", "'");
        let pieces: Vec<&str> = plain.split('"').collect();
        for (at, piece) in pieces.iter().enumerate().skip(1).step_by(2) {
            let is_key = pieces.get(at + 1).is_some_and(|next| next.trim_start().starts_with(':'));
            if is_key && !OF_HOOKS.contains(piece) {
                return None;
            }
            if is_key && *piece == "command" && text == new {
                commands.push((*pieces.get(at + 2)?).to_owned());
            }
        }
    }
    commands.retain(|command| !old.contains(command.as_str()));
    Some(commands)
}

fn settings(text: &str) -> Option<Map<String, Value>> {
    match text.trim() {
        "" => Some(Map::new()),
        text => serde_json::from_str(text).ok(),
    }
}

/// Entries without the braces around them, as they stand in the middle of a file.
fn fragment(text: &str) -> Option<Value> {
    serde_json::from_str(&format!("{{{}}}", text.trim().trim_matches(','))).ok()
}

/// Whether a change of permissions takes none of the person's rules away and allows no more than single programs.
fn only_tightens(before: Option<&Value>, after: Option<&Value>) -> bool {
    let list = |value: Option<&Value>, key: &str| -> Option<Vec<String>> {
        match value.and_then(|value| value.get(key)) {
            None => Some(Vec::new()),
            Some(Value::Array(entries)) => {
                entries.iter().map(|entry| entry.as_str().map(str::to_owned)).collect()
            }
            Some(_) => None,
        }
    };
    let is_list = |key: &str| matches!(key, "allow" | "deny" | "ask");
    let names = [before, after].into_iter().flatten().filter_map(Value::as_object).flat_map(Map::keys);
    let mut others = names.filter(|key| !is_list(key));
    let same = others.all(|key| before.and_then(|one| one.get(key)) == after.and_then(|one| one.get(key)));
    let kept = ["deny", "ask"].iter().all(|key| match (list(before, key), list(after, key)) {
        (Some(old), Some(new)) => old.iter().all(|entry| new.contains(entry)),
        _ => false,
    });
    let narrow = match (list(before, "allow"), list(after, "allow")) {
        (Some(old), Some(new)) => new.iter().all(|entry| old.contains(entry) || is_narrow(entry)),
        _ => false,
    };
    same && kept && narrow
}

/// `Bash(cargo test:*)`: a subcommand of a program that does not run what it is told.
fn is_narrow(entry: &str) -> bool {
    const RUNS: [&str; 22] = [
        "bash", "sh", "zsh", "sudo", "eval", "exec", "env", "xargs", "rm", "curl", "wget", "ssh", "python",
        "python3", "node", "perl", "ruby", "find", "docker", "kubectl", "plimsoll", "claude",
    ];
    let Some(rest) = entry.strip_prefix("Bash(").and_then(|rest| rest.strip_suffix(')')) else {
        return false;
    };
    let mut words = rest.split([' ', ':', '*']).filter(|word| !word.is_empty());
    let program = words.next().unwrap_or_default();
    words.next().is_some() && !RUNS.contains(&program) && !rest.contains(['&', ';', '|', '$', '`', '/'])
}

/// The commands of new hooks; nothing if the change goes beyond the hooks of others.
fn new_commands(before: &Map<String, Value>, after: &Map<String, Value>) -> Option<Vec<String>> {
    let keys = before.keys().chain(after.keys());
    let mut changed = keys.filter(|key| before.get(*key) != after.get(*key));
    let may_change = |key: &&String| match key.as_str() {
        "hooks" => true,
        "permissions" => only_tightens(before.get("permissions"), after.get("permissions")),
        key => HARMLESS.contains(&key),
    };
    if !changed.all(|key| may_change(&key)) {
        return None;
    }
    let [old, new] = [before, after].map(|settings| hooks(settings.get("hooks")));
    let (old, new) = (old?, new?);
    let ours = |hooks: &[Hook<'_>]| -> Vec<String> {
        hooks.iter().filter(|hook| hook.is_ours()).map(|hook| format!("{hook:?}")).collect()
    };
    if ours(&old) != ours(&new) {
        return None;
    }
    let added = new.iter().filter(|hook| !old.contains(hook));
    added.map(|hook| hook.command().map(str::to_owned)).collect()
}

/// One hook with the place where it stands.
#[derive(Debug, PartialEq)]
struct Hook<'a> {
    event: &'a str,
    matcher: Option<&'a Value>,
    entry: &'a Value,
}

impl Hook<'_> {
    fn is_ours(&self) -> bool {
        self.entry.to_string().to_ascii_lowercase().contains("plimsoll")
    }

    fn command(&self) -> Option<&str> {
        let is_command = self.entry.get("type").and_then(Value::as_str) == Some("command");
        self.entry.get("command").and_then(Value::as_str).filter(|_| is_command)
    }
}

/// Every hook in the order in which it stands; nothing if they do not have the client's form.
fn hooks(value: Option<&Value>) -> Option<Vec<Hook<'_>>> {
    let mut found = Vec::new();
    let Some(value) = value else { return Some(found) };
    for (event, groups) in value.as_object()? {
        for group in groups.as_array()? {
            let matcher = group.get("matcher");
            for entry in group.get("hooks")?.as_array()? {
                found.push(Hook { event, matcher, entry });
            }
        }
    }
    Some(found)
}

/// Whether it is the effect of a formatter, a linter or a notification.
fn is_everyday(effect: &Effect) -> bool {
    matches!(effect, Effect::Read { .. } | Effect::Network { .. } | Effect::Replace { .. })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(before: &str, after: &str) -> Option<Vec<String>> {
        new_commands(&settings(before)?, &settings(after)?)
    }

    fn with(hooks: &[(&str, &str)], rest: &str) -> String {
        let entry = |(event, command): &(&str, &str)| {
            format!(
                r#""{event}":[{{"matcher":"Edit","hooks":[{{"type":"command","command":"{command}"}}]}}]"#
            )
        };
        let hooks: Vec<String> = hooks.iter().map(entry).collect();
        format!(r#"{{"hooks":{{{}}}{rest}}}"#, hooks.join(","))
    }

    #[test]
    fn hooks_of_others_may_come_and_go() {
        let ours = ("PreToolUse", "/p/.claude/plimsoll/launch pre-tool-use");
        let before = with(&[ours], "");
        let more = with(&[ours, ("PostToolUse", "prettier --write .")], "");
        assert_eq!(after(&before, &more), Some(vec!["prettier --write .".to_owned()]));
        assert_eq!(after(&more, &before), Some(Vec::new()));
        assert_eq!(after("", &with(&[("Stop", "say done")], "")), Some(vec!["say done".to_owned()]));
        assert_eq!(after(&before, &with(&[ours], r#","model":"opus""#)), Some(Vec::new()));
    }

    #[test]
    fn permissions_may_be_tightened() {
        let with = |permissions: &str| format!(r#"{{"permissions":{permissions}}}"#);
        let before = with(r#"{"allow":["Bash(npm test:*)"],"deny":["Read(./.env)"]}"#);
        for (changed, fine) in [
            (r#"{"allow":[],"deny":["Read(./.env)","WebFetch"]}"#, true),
            (r#"{"allow":["Bash(npm test:*)","Bash(cargo test:*)"],"deny":["Read(./.env)"]}"#, true),
            (r#"{"allow":["Bash(npm test:*)"],"deny":[]}"#, false),
            (r#"{"allow":["Bash(*)"],"deny":["Read(./.env)"]}"#, false),
            (r#"{"allow":["Bash(sudo ls:*)"],"deny":["Read(./.env)"]}"#, false),
            (r#"{"deny":["Read(./.env)"],"defaultMode":"bypassPermissions"}"#, false),
        ] {
            assert_eq!(after(&before, &with(changed)).is_some(), fine, "{changed}");
        }
        let old = fragment(r#""deny": [],"#);
        assert!(only_tightens(old.as_ref(), fragment(r#""deny": ["WebFetch"],"#).as_ref()));
    }

    #[test]
    fn an_edit_that_fails_passes_if_it_is_about_hooks_of_others() {
        let hook = |command: &str| {
            format!(r#""hooks": {{ "Stop": [{{ "hooks": [{{ "type": "command", "command": "{command}" }}"#)
        };
        let (old, new) = (hook("say done"), hook("prettier --write ."));
        assert_eq!(new_hook_commands(&old, &new), Some(vec!["prettier --write .".to_owned()]));
        assert_eq!(new_hook_commands(&old, &old), Some(Vec::new()));
        for other in [r#""permissions": {"allow": ["Bash"]}"#, r#""disableAllHooks": true"#, "plimsoll"] {
            assert_eq!(new_hook_commands(&old, &format!("{new}, {other}")), None, "{other}");
            assert_eq!(new_hook_commands(&format!("{old}, {other}"), &new), None, "{other}");
        }
        assert!(fails("{}", &old, &new) && !fails(&old, &old, &new) && !fails("{}", "a\n", "b\n"));
    }

    #[test]
    fn ours_and_what_opens_something_may_not_change() {
        let ours = ("PreToolUse", "/p/.claude/plimsoll/launch pre-tool-use");
        let before = with(&[ours], "");
        for changed in [
            with(&[], ""),
            with(&[("PostToolUse", ours.1)], ""),
            with(&[("PreToolUse", "true")], ""),
            with(&[ours, ("Stop", "plimsoll allow 1")], ""),
            with(&[ours], r#","disableAllHooks":true"#),
            with(&[ours], r#","env":{"PATH":"/tmp"}"#),
            with(&[ours], r#","permissions":{"allow":["Bash"]}"#),
            with(&[ours], r#","sandbox":{"enabled":false}"#),
            with(&[ours], r#","statusLine":{"type":"command","command":"x"}"#),
            r#"{"hooks":[]}"#.to_owned(),
        ] {
            assert_eq!(after(&before, &changed), None, "{changed}");
        }
    }
}

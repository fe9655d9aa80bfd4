//! Checks a change of the client's settings during a session: must not remove or redirect Plimsoll.

use serde_json::Value;

/// The problem with the new text of a settings file, if any.
pub(crate) fn objection(text: &str) -> Option<String> {
    let Ok(settings) = serde_json::from_str::<Value>(text) else {
        return Some("the file is no longer valid JSON".into());
    };
    if settings.get("disableAllHooks").and_then(Value::as_bool) == Some(true) {
        return Some("it sets disableAllHooks".into());
    }
    let environment = settings.get("env").and_then(Value::as_object);
    let redirecting = environment.into_iter().flatten().map(|(name, _)| name).find(|name| redirects(name));
    redirecting.map(|name| format!("its env sets {name}, which decides what Plimsoll and git run"))
}

fn redirects(name: &str) -> bool {
    matches!(name, "PATH" | "HOME" | "BASH_ENV" | "ENV")
        || ["GIT_", "XDG_", "LD_", "DYLD_", "PLIMSOLL"].iter().any(|prefix| name.starts_with(prefix))
}

/// Whether a settings file registers our guard.
pub(crate) fn registers_us(text: &str) -> bool {
    let Ok(settings) = serde_json::from_str::<Value>(text) else { return false };
    let before = settings
        .get("hooks")
        .and_then(|hooks| hooks.get("PreToolUse"))
        .map(Value::to_string)
        .unwrap_or_default();
    before.contains("plimsoll") && before.contains("pre-tool-use")
}

#[cfg(test)]
mod tests {
    use super::*;

    const OURS: &str = r#"{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"/d/plimsoll/hooks/pre-tool-use","args":[]}]}]}}"#;

    #[test]
    fn harmless_changes_pass_and_the_others_are_named() {
        assert_eq!(objection(OURS), None);
        assert_eq!(objection(r#"{"env":{"FOO":"1"},"model":"opus"}"#), None);
        for (text, word) in [
            (r#"{"disableAllHooks":true}"#, "disableAllHooks"),
            (r#"{"env":{"PATH":"/tmp"}}"#, "PATH"),
            (r#"{"env":{"GIT_DIR":"/tmp"}}"#, "GIT_DIR"),
            ("{", "valid JSON"),
        ] {
            assert!(objection(text).unwrap().contains(word), "{text}");
        }
    }

    #[test]
    fn only_a_registered_guard_counts() {
        assert!(registers_us(OURS));
        assert!(!registers_us(
            r#"{"hooks":{"PostToolUse":[{"hooks":[{"command":"/d/plimsoll/hooks/pre-tool-use"}]}]}}"#
        ));
        assert!(!registers_us("{}"));
    }
}

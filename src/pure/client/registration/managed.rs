//! Settings that an administrator gives the client: our hooks, no hooks but managed ones, and the sandbox.

use super::edit::{Error, add, object, remove, value};
use super::entry::Form;
use super::layout::JsonLayout;
use super::sandbox::{SandboxEntries, add_sandbox, remove_sandbox};

/// With this switch, the client starts no hook of a user, a project or a plugin.
const ONLY: &str = "allowManagedHooksOnly";

/// The settings text with our hooks, with the switch for managed hooks, and with the sandbox if it is wanted.
pub fn add_managed(text: &str, form: &Form, sandbox: Option<&SandboxEntries>) -> Result<String, Error> {
    let text = add(text, form)?;
    let text = match sandbox {
        Some(entries) => add_sandbox(&text, entries)?,
        None => text,
    };
    let settings = object(&text, "settings")?;
    Ok(match settings.position(ONLY) {
        Some(_) if settings.get(ONLY) == Some("true") => text,
        Some(index) => settings.replaced(index, "true"),
        None => settings.appended(Some(ONLY), "true", &JsonLayout::of(&text), 0),
    })
}

/// The settings text without what we added, and the switch as `before` had it.
pub fn remove_managed(text: &str, before: Option<&str>, sandbox: &SandboxEntries) -> Result<String, Error> {
    let text = remove_sandbox(&remove(text, before)?, before, sandbox)?;
    if text.trim().is_empty() {
        return Ok(text);
    }
    let settings = object(&text, "settings")?;
    let Some(index) = settings.position(ONLY) else { return Ok(text) };
    let had = before.and_then(value).and_then(|before| before.get(ONLY).cloned());
    Ok(match had {
        Some(had) => settings.replaced(index, &had.to_string()),
        None => settings.removed(index),
    })
}

/// The setting about hooks that are not managed; `None` where it is not set.
pub fn allows_managed_only(settings: &serde_json::Value) -> Option<bool> {
    settings.get(ONLY)?.as_bool()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn entries() -> SandboxEntries {
        SandboxEntries { deny_read: vec!["~/.ssh".into()], ..SandboxEntries::default() }
    }

    fn form() -> Form {
        Form::Binaries("/usr/local/lib/plimsoll/hooks".into())
    }

    #[test]
    fn an_administrators_keys_survive_adding_twice_and_removing() {
        for before in [
            "{}",
            "{\n\t\"permissions\": {\"deny\": [\"Read(x)\"]},\n\t\"allowManagedHooksOnly\": false\n}\n",
            "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"/opt/audit\"}]}]}, \"sandbox\": {\"enabled\": false}}",
        ] {
            let once = add_managed(before, &form(), Some(&entries())).unwrap();
            assert_eq!(add_managed(&once, &form(), Some(&entries())).unwrap(), once);
            let settings: Value = serde_json::from_str(&once).unwrap();
            assert_eq!(allows_managed_only(&settings), Some(true));
            assert_eq!(settings["sandbox"]["enabled"], true);
            assert!(
                settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
                    .as_str()
                    .is_some_and(|command| command == "/usr/local/lib/plimsoll/hooks/pre-tool-use")
            );
            if before.contains("audit") {
                assert_eq!(settings["hooks"]["Stop"][0]["hooks"][0]["command"], "/opt/audit");
            }
            let after = remove_managed(&once, Some(before), &entries()).unwrap();
            assert_eq!(
                serde_json::from_str::<Value>(&after).unwrap(),
                serde_json::from_str::<Value>(before).unwrap()
            );
        }
    }

    #[test]
    fn without_the_sandbox_nothing_is_said_about_it() {
        let text = add_managed("", &form(), None).unwrap();
        let settings: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(settings.get("sandbox"), None);
        assert_eq!(allows_managed_only(&json!({})), None);
    }
}

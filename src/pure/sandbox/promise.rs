//! The promise of the client's settings about the sandbox, and the settings that take back a part of it.

use crate::pure::client::registration::SandboxEntries;
use serde_json::Value;
use std::collections::BTreeSet;

/// The settings of all scopes together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SandboxPromise {
    pub enabled: bool,
    /// The gaps that remain open to a command, one sentence part each.
    pub doubts: Vec<String>,
}

/// Switches that open the sandbox where they are true.
const OPENERS: [(&[&str], &str); 5] = [
    (&["filesystem", "disabled"], "files are not isolated (sandbox.filesystem.disabled)"),
    (&["enableWeakerNestedSandbox"], "the sandbox is a weaker one (sandbox.enableWeakerNestedSandbox)"),
    (&["allowNestedUserNamespaces"], "commands may make namespaces (sandbox.allowNestedUserNamespaces)"),
    (
        &["network", "allowAllUnixSockets"],
        "commands reach every local socket (sandbox.network.allowAllUnixSockets)",
    ),
    (
        &["network", "enableWeakerNetworkIsolation"],
        "the network is less isolated (sandbox.network.enableWeakerNetworkIsolation)",
    ),
];

/// `scopes` are the settings files that the client reads, the weakest first. `wanted` is what `plimsoll sandbox on` writes.
pub fn promise(scopes: &[Value], wanted: &SandboxEntries) -> SandboxPromise {
    let parts: Vec<&Value> = scopes.iter().filter_map(|settings| settings.get("sandbox")).collect();
    let switch = |path: &[&str]| parts.iter().rev().find_map(|part| at(part, path)?.as_bool());
    let list = |path: &[&str]| -> BTreeSet<&str> {
        let lists = parts.iter().filter_map(|part| at(part, path)?.as_array());
        lists.flatten().filter_map(Value::as_str).collect()
    };
    let mut doubts = Vec::new();
    if switch(&["failIfUnavailable"]) != Some(true) {
        doubts.push("commands run without it where it cannot start (sandbox.failIfUnavailable)".to_owned());
    }
    if switch(&["allowUnsandboxedCommands"]) != Some(false) {
        doubts
            .push("the agent may ask to run commands outside (sandbox.allowUnsandboxedCommands)".to_owned());
    }
    doubts.extend(
        OPENERS.iter().filter(|(path, _)| switch(path) == Some(true)).map(|(_, text)| (*text).to_owned()),
    );
    let lacking = |path: &[&str], wanted: &[String]| -> Vec<String> {
        let present = list(path);
        wanted.iter().filter(|entry| !present.contains(entry.as_str())).cloned().collect()
    };
    doubts.extend(summary("can be read", &lacking(&["filesystem", "denyRead"], &wanted.deny_read)));
    doubts.extend(summary("can be written", &lacking(&["filesystem", "denyWrite"], &wanted.deny_write)));
    doubts.extend(summary("cannot run outside", &lacking(&["excludedCommands"], &wanted.excluded)));
    let foreign = |path: &[&str], ours: &[String]| -> Vec<String> {
        let ours: BTreeSet<&str> = ours.iter().map(String::as_str).collect();
        list(path).difference(&ours).map(|entry| (*entry).to_owned()).collect()
    };
    doubts.extend(summary("runs outside", &foreign(&["excludedCommands"], &wanted.excluded)));
    doubts.extend(summary("is readable again", &foreign(&["filesystem", "allowRead"], &[])));
    doubts.extend(summary("is writable as well", &foreign(&["filesystem", "allowWrite"], &[])));
    let mut unknown: BTreeSet<String> = BTreeSet::new();
    parts.iter().for_each(|part| list_unknown("sandbox", part, &mut unknown));
    doubts.extend(unknown.into_iter().map(|name| format!("{name} is set, and it may widen the sandbox")));
    SandboxPromise { enabled: switch(&["enabled"]) == Some(true), doubts }
}

/// Settings that are judged above, or that only tighten. Whatever else is set may widen: the client gets new ones.
const KNOWN: [&str; 13] = [
    "sandbox.enabled",
    "sandbox.failIfUnavailable",
    "sandbox.allowUnsandboxedCommands",
    "sandbox.autoAllowBashIfSandboxed",
    "sandbox.excludedCommands",
    "sandbox.filesystem.denyRead",
    "sandbox.filesystem.denyWrite",
    "sandbox.filesystem.allowRead",
    "sandbox.filesystem.allowWrite",
    // A push needs credentials too, and those are hidden.
    "sandbox.network.allowedDomains",
    "sandbox.network.deniedDomains",
    "sandbox.network.allowManagedDomainsOnly",
    "sandbox.filesystem.allowManagedReadPathsOnly",
];

fn list_unknown(name: &str, value: &Value, unknown: &mut BTreeSet<String>) {
    let is_known = |name: &str| {
        KNOWN.contains(&name) || OPENERS.iter().any(|(path, _)| format!("sandbox.{}", path.join(".")) == name)
    };
    let is_set = match value {
        Value::Object(fields) => {
            let named = |(key, value): (&String, &Value)| {
                list_unknown(&format!("{name}.{key}"), value, unknown);
            };
            return fields.iter().for_each(named);
        }
        Value::Null | Value::Bool(false) => false,
        Value::Array(items) => !items.is_empty(),
        Value::String(text) => !text.is_empty(),
        Value::Bool(true) | Value::Number(_) => true,
    };
    if is_set && !is_known(name) {
        unknown.insert(name.to_owned());
    }
}

fn at<'a>(value: &'a Value, path: &[&str]) -> Option<&'a Value> {
    path.iter().try_fold(value, |value, key| value.get(key))
}

/// `a and 3 more can be read`
fn summary(what: &str, entries: &[String]) -> Option<String> {
    match entries {
        [] => None,
        [one] => Some(format!("{one} {what}")),
        [first, rest @ ..] => Some(format!("{first} and {} more: {what}", rest.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::client::registration::add_sandbox;
    use serde_json::json;

    fn entries() -> SandboxEntries {
        SandboxEntries {
            deny_read: vec!["~/.ssh".into()],
            deny_write: vec![".git/hooks".into()],
            excluded: vec!["plimsoll push:*".into()],
        }
    }

    fn of(scopes: &[Value]) -> SandboxPromise {
        promise(scopes, &entries())
    }

    #[test]
    fn what_we_write_leaves_no_doubt() {
        let ours: Value = serde_json::from_str(&add_sandbox("", &entries()).unwrap()).unwrap();
        assert_eq!(of(&[ours]), SandboxPromise { enabled: true, doubts: Vec::new() });
        assert!(!of(&[json!({})]).enabled);
    }

    #[test]
    fn each_way_out_is_named() {
        let ours: Value = serde_json::from_str(&add_sandbox("", &entries()).unwrap()).unwrap();
        for (user, word) in [
            (json!({"sandbox": {"excludedCommands": ["git push"]}}), "git push runs outside"),
            (json!({"sandbox": {"filesystem": {"allowRead": ["~/.ssh/id"]}}}), "~/.ssh/id is readable again"),
            (json!({"sandbox": {"filesystem": {"disabled": true}}}), "not isolated"),
            (json!({"sandbox": {"network": {"allowAllUnixSockets": true}}}), "socket"),
            (
                json!({"sandbox": {"network": {"allowUnixSockets": ["/run/docker.sock"]}}}),
                "sandbox.network.allowUnixSockets is set",
            ),
            (json!({"sandbox": {"network": {"httpProxyPort": 8080}}}), "httpProxyPort is set"),
            (json!({"sandbox": {"somethingNew": {"deep": true}}}), "sandbox.somethingNew.deep is set"),
        ] {
            let told = of(&[user.clone(), ours.clone()]);
            assert!(told.enabled && told.doubts.iter().any(|doubt| doubt.contains(word)), "{user}: {told:?}");
        }
        let local = json!({"sandbox": {"allowUnsandboxedCommands": true}});
        assert!(of(&[ours.clone(), local]).doubts[0].contains("ask to run"));
        assert!(!of(&[ours, json!({"sandbox": {"enabled": false}})]).enabled, "the strongest scope decides");
    }

    #[test]
    fn what_is_empty_off_or_only_tightens_is_no_doubt() {
        let ours: Value = serde_json::from_str(&add_sandbox("", &entries()).unwrap()).unwrap();
        let user = json!({"sandbox": {
            "network": {"allowUnixSockets": [], "allowedDomains": ["crates.io"], "somethingNew": false},
            "somethingElse": {},
        }});
        assert_eq!(of(&[user, ours]).doubts, [""; 0]);
    }

    #[test]
    fn a_rule_that_is_missing_is_a_doubt() {
        let told = of(&[json!({"sandbox": {"enabled": true}})]);
        assert!(told.enabled && told.doubts.len() == 5, "{told:?}");
    }
}

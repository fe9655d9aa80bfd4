//! Who may read or change something after a call: everybody, a new administrator, whoever reads a secret's value.

use super::name::{Doing, Name};
use crate::pure::client::OtherCall;
use crate::pure::step::effect::Effect;
use crate::pure::step::survey::Surveyor;

/// Verbs that change who may do something.
const CHANGES: [&str; 16] = [
    "update", "edit", "set", "change", "share", "add", "put", "create", "grant", "invite", "attach",
    "assign", "make", "authorize", "apply", "modify",
];

pub(super) fn survey(call: &OtherCall, name: &Name, surveyor: &mut Surveyor<'_>) {
    let changes = name.has(&CHANGES) && name.doing() != Doing::Looks;
    if changes && opens_to_everybody(call, name) {
        let what = format!("let everybody read something with {}", call.described());
        surveyor.effect(Effect::Expose { what });
    } else if changes && gives_rights(call, name) {
        let what = format!("give somebody every right with {}", call.described());
        surveyor.effect(Effect::Expose { what });
    }
    if reveals(call, name) {
        surveyor.effect(Effect::Reveal { what: call.described(), file: None });
    }
}

fn is(call: &OtherCall, names: &[&str], values: &[&str]) -> bool {
    call.values(names).any(|value| values.iter().any(|one| value.eq_ignore_ascii_case(one)))
}

fn opens_to_everybody(call: &OtherCall, name: &Name) -> bool {
    const NETWORK: [&str; 5] = ["ingress", "inbound", "firewall", "security", "whitelist"];
    let existing = name.has(&["update", "edit", "set", "change", "make", "modify"]);
    let turned_public = existing
        && (is(call, &["private", "is_private", "isPrivate"], &["false"])
            || is(
                call,
                &["public", "is_public", "isPublic", "publiclyAccessible", "PubliclyAccessible"],
                &["true"],
            )
            || name.ends_in(&["public", "publicly"]));
    let from_anywhere = name.is_about(&NETWORK)
        && call.arguments.iter().any(|one| matches!(one.value.as_str(), "0.0.0.0/0" | "::/0"));
    is(
        call,
        &["visibility", "access", "acl", "ACL"],
        &["public", "public-read", "public-read-write", "world"],
    ) || is(call, &["type", "scope", "role", "members", "member", "principal"], &["anyone", "allUsers"])
        || is(call, &["Principal", "principal", "AWS"], &["*"])
        || turned_public
        || from_anywhere
        || call.arguments.iter().any(|one| is_policy_for(&one.value, &PRINCIPALS))
}

const PRINCIPALS: [&str; 4] =
    ["\"Principal\":\"*\"", "\"Principal\":{\"AWS\":\"*\"}", "\"allUsers\"", "\"allAuthenticatedUsers\""];

fn gives_rights(call: &OtherCall, name: &Name) -> bool {
    const WHOLE: [&str; 7] =
        ["admin", "owner", "administrator", "maintainer", "roles/owner", "roles/editor", "cluster-admin"];
    const SOMEBODY: [&str; 11] = [
        "collaborator", "member", "user", "role", "permission", "policy", "access", "binding", "invitation",
        "rolebinding", "clusterrolebinding",
    ];
    let level =
        is(call, &["permission", "permissions", "role", "role_name", "access_level", "roleRef"], &WHOLE);
    let somebody = name.is_about(&SOMEBODY) || name.has(&["invite", "grant"]);
    let unguarded = name.is_about(&["protection"])
        && (is(call, &["enforce_admins"], &["false"])
            || is(call, &["allow_force_pushes", "allow_deletions"], &["true"]));
    unguarded
        || name.is_about(&["collaborator"])
        || somebody && level
        || call.arguments.iter().any(|one| one.value.ends_with("/AdministratorAccess"))
        || name.is_about(&["policy", "role"])
            && call
                .arguments
                .iter()
                .any(|one| is_policy_for(&one.value, &["\"Action\":\"*\"", "\"Action\":[\"*\"]"]))
}

/// Whether a text is a policy that allows one of these.
fn is_policy_for(text: &str, parts: &[&str]) -> bool {
    if !text.contains('{') || !text.contains('*') && !text.contains("all") {
        return false;
    }
    let dense: String = text.split_whitespace().collect();
    (dense.contains("\"Effect\":\"Allow\"") || dense.contains("\"bindings\""))
        && parts.iter().any(|part| dense.contains(part))
}

/// Whether the answer shows the value of a secret.
fn reveals(call: &OtherCall, name: &Name) -> bool {
    const KEEPERS: [&str; 9] = [
        "1password", "onepassword", "bitwarden", "lastpass", "keepass", "keychain", "dashlane", "passbolt",
        "infisical",
    ];
    let server = call.server.to_ascii_lowercase();
    let kind = is(call, &["resourceType", "resource_type", "kind", "resource"], &["secret", "secrets"]);
    let whole = call.values(&["output", "format"]).any(|output| output != "wide" && output != "name");
    let of_cluster = server.contains("kube") && kind && whole && name.has(&["get"]);
    // Notes are kept in vaults, too.
    let keeper = server == "vault" || KEEPERS.iter().any(|keeper| server.contains(keeper));
    let kept = keeper && name.reads_an_entry();
    let decrypted =
        call.says(&["with_decryption", "WithDecryption", "withDecryption", "reveal", "show_value"]);
    name.reveals() || of_cluster || kept || decrypted
}

#[cfg(test)]
mod tests {
    use crate::pure::step::sample::called;
    use serde_json::{Value, json};

    fn rules(tool: &str, input: &Value) -> Vec<String> {
        called(tool, input)
    }

    #[test]
    fn what_everybody_may_read_or_rule_is_asked_about() {
        for (tool, input) in [
            ("mcp__github__update_repository", json!({"owner": "a", "repo": "b", "private": false})),
            ("mcp__github__add_collaborator", json!({"owner": "a", "repo": "b", "username": "c"})),
            ("mcp__cloud__add_member", json!({"user": "c", "role": "owner"})),
            (
                "mcp__aws__put_bucket_policy",
                json!({"policy": "{\"Statement\": [{\"Effect\": \"Allow\", \"Principal\": \"*\"}]}"}),
            ),
            (
                "mcp__aws__attach_user_policy",
                json!({"PolicyArn": "arn:aws:iam::aws:policy/AdministratorAccess"}),
            ),
            ("mcp__aws__authorize_security_group_ingress", json!({"port": 22, "cidr": "0.0.0.0/0"})),
            ("mcp__storage__make_public", json!({"name": "x"})),
            ("mcp__github__update_branch_protection", json!({"branch": "main", "allow_force_pushes": true})),
        ] {
            assert_eq!(rules(tool, &input), ["expose"], "{tool}");
        }
        for (tool, input) in [
            ("mcp__github__update_repository", json!({"owner": "a", "repo": "b", "private": true})),
            ("mcp__github__get_collaborators", json!({"owner": "a", "repo": "b"})),
            ("mcp__cloud__add_member", json!({"user": "c", "role": "reader"})),
            (
                "mcp__aws__put_bucket_policy",
                json!({"policy": "{\"Statement\": [{\"Effect\": \"Deny\", \"Principal\": \"*\"}]}"}),
            ),
            ("mcp__aws__authorize_security_group_ingress", json!({"port": 22, "cidr": "10.0.0.0/8"})),
            ("mcp__x__list_public_repositories", json!({"name": "x"})),
            ("mcp__x__create_public_key", json!({"name": "x"})),
        ] {
            assert_eq!(rules(tool, &input), [""; 0], "{tool}");
        }
    }

    #[test]
    fn the_value_of_a_secret_is_not_shown_unasked() {
        for (tool, input) in [
            ("mcp__1password__get_item", json!({"vault": "Private", "item": "x"})),
            ("mcp__ssm__get_parameter", json!({"Name": "/x", "WithDecryption": true})),
        ] {
            assert_eq!(rules(tool, &input), ["read_secret"], "{tool}");
        }
        for (tool, input) in [
            ("mcp__1password__list_items", json!({"vault": "Private"})),
            ("mcp__ssm__get_parameter", json!({"Name": "/x"})),
            ("mcp__obsidian-vault__read_note", json!({"path": "x.md"})),
            ("mcp__github__update_branch_protection", json!({"branch": "main", "enforce_admins": true})),
        ] {
            assert_eq!(rules(tool, &input), [""; 0], "{tool}");
        }
    }
}

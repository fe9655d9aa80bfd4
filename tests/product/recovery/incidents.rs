//! What a stop leaves behind, how long, and who sees it.

use super::stage::{recover, stopped};
use crate::answer::told;
use crate::context::TestContext;
use std::fs;
use std::os::unix::fs::PermissionsExt;

#[test]
fn an_incident_is_listed_and_shown_in_three_forms_and_readable_by_its_owner_alone() {
    let context = TestContext::new();
    assert!(told(&context.plimsoll(&["incident", "list"])).contains("No incidents in"));
    let id = stopped(&context, "the same call failed six times");
    let listed = told(&context.plimsoll(&["incident", "list"]));
    assert!(listed.starts_with(&format!("{id}  not decided")), "{listed}");
    let shown = told(&context.plimsoll(&["incident", "show", "last"]));
    assert!(
        shown.contains(&format!("Incident {id}: the same call failed six times"))
            && shown.contains("index.html"),
        "{shown}"
    );
    let json = context.plimsoll(&["incident", "show", &id, "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(json["id"], id.as_str());
    let output = context.plimsoll(&["incident", "show", &id, "--html", "page.html"]);
    assert!(output.status.success(), "{}", told(&output));
    assert!(fs::read_to_string(context.path("page.html")).unwrap().starts_with("<!doctype html>"));
    // An agent could otherwise replace a file that it may not write.
    let by_agent = |file: &str| {
        let mut command = context.command(crate::context::binary("plimsoll"));
        command.env("CLAUDECODE", "1").args(["incident", "show", &id, "--html", file]);
        command.output().unwrap().status.success()
    };
    assert!(by_agent("new.html") && !by_agent("page.html") && !by_agent(".git/hooks/pre-commit"));

    let folder = context.layout().incidents().join(&id);
    let mode = |path: &camino::Utf8Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&folder), 0o700);
    for file in ["incident.json", "report.md", "index.html", "stop.json"] {
        assert_eq!(mode(&folder.join(file)), 0o600, "{file}");
    }
    recover(&context, &["abort"]);
    let listed = context.plimsoll(&["incident", "list", "--json"]);
    let listed: serde_json::Value = serde_json::from_slice(&listed.stdout).unwrap();
    assert_eq!(listed[0]["decided"], "abort", "{listed}");
    crate::schemas::assert_fits("incident-list", &listed);
}

#[test]
fn an_id_that_names_nothing_is_said_so() {
    let context = TestContext::new();
    for id in ["last", "nobody", "../sessions", ""] {
        let output = context.plimsoll(&["incident", "show", id]);
        assert_eq!(output.status.code(), Some(2), "{id}: {}", told(&output));
    }
}

#[test]
fn secrets_and_signs_for_the_terminal_do_not_get_into_pages_or_words() {
    let context = TestContext::new();
    // Put together at run time, so that no scanner takes this file for a leak.
    let key = format!("sk_{}_{}", "live", "kQ7xZ2mV9rT4wB8nL3sD6fH1");
    let id = stopped(&context, &format!("api_key=\"{key}\" \u{1b}[2J was sent six times"));
    let folder = context.layout().incidents().join(&id);
    for file in ["report.md", "index.html", "stop.json"] {
        assert!(!fs::read_to_string(folder.join(file)).unwrap().contains(&key), "{file}");
    }
    let refused = context.before_bash("ls");
    assert!(!refused.reason().contains(&key) && !refused.reason().contains('\u{1b}'), "{}", refused.json);
}

#[test]
fn incidents_go_after_preserve_incident_data_days_but_never_the_one_that_locks() {
    let context = TestContext::new();
    let id = stopped(&context, "it went in circles");
    let note = context.layout().incidents().join(&id).join("stop.json");
    let mut json: serde_json::Value = serde_json::from_slice(&fs::read(&note).unwrap()).unwrap();
    json["time"] = (json["time"].as_u64().unwrap() - 20 * 24 * 60 * 60 * 1000).into();
    fs::write(&note, json.to_string()).unwrap();
    let start = || context.hook("session-start", "SessionStart", serde_json::json!({"source": "startup"}));
    context.user_config("interventions: {emergency_stop: {preserve_incident_data_days: 10}}\n");
    start();
    assert!(note.exists(), "it locks the project");
    recover(&context, &["abort"]);
    recover(&context, &["--end"]);
    context.user_config("");
    start();
    assert!(note.exists(), "thirty days are not over");
    context.user_config("interventions: {emergency_stop: {preserve_incident_data_days: 10}}\n");
    start();
    assert!(!note.exists());
}

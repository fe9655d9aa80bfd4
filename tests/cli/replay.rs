//! `plimsoll replay` on small transcripts of our own.

#![expect(clippy::indexing_slicing, reason = "a test that cannot go on fails")]

use crate::place::Place;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

fn call(id: &str, tool: &str, input: Value) -> String {
    let content = json!([{"type": "tool_use", "id": id, "name": tool, "input": input}]);
    line(json!({"type": "assistant", "message": {"role": "assistant", "content": content}}))
}

fn result(id: &str, is_error: bool, text: &str) -> String {
    let content = json!([{"type": "tool_result", "tool_use_id": id, "is_error": is_error, "content": text}]);
    line(json!({"type": "user", "message": {"role": "user", "content": content}}))
}

fn line(mut fields: Value) -> String {
    fields["sessionId"] = "monday".into();
    fields["cwd"] = "/home/ada/boat".into();
    format!("{fields}\n")
}

/// Five calls: two honest ones, one denied, one inside a sub-agent, one without its input.
fn transcript() -> String {
    let key = format!("sk_{}_{}", "live", "kQ7xZ2mV9rT4wB8nL3sD6fH1");
    let dangerous = format!("api_key=\"{key}\" rm -rf /");
    let in_agent =
        json!([{"type": "tool_use", "id": "t4", "name": "Bash", "input": {"command": "rm -rf /home/ada"}}]);
    [
        line(json!({"type": "user", "message": {"role": "user", "content": "Fix the hull"}})),
        line(json!({"type": "summary", "summary": "a boat"})),
        call("t1", "Read", json!({"file_path": "/home/ada/boat/hull.c"})),
        result("t1", false, "int hull;"),
        call("t2", "Bash", json!({"command": "cd /home/ada/boat && make"})),
        result("t2", true, "Exit code 2"),
        call("t3", "Bash", json!({"command": dangerous})),
        line(json!({"type": "assistant", "isSidechain": true, "message": {"content": in_agent}})),
        call("t5", "Bash", json!({})),
        "{\"type\": \"assistant\", \"mess".into(),
    ]
    .concat()
}

#[test]
fn every_call_is_judged_and_interruptions_are_listed_without_secrets() {
    let place = Place::lasting();
    place.write("monday.jsonl", transcript());
    let answer = place.plimsoll(&["replay", "monday.jsonl"]);
    assert_eq!(answer.code, 0, "{}", answer.told());
    for words in [
        "monday #3  Bash: api_key=\"sk_l…\" rm -rf /",
        "monday #4  Bash: rm -rf /home/ada\n    deny system_or_home",
        "calls          4",
        "interruptions  500 per 1,000  (0 asks, 2 denials)",
        "incomplete     1 call without input",
        "malformed      1 line, the first monday.jsonl:10",
    ] {
        assert!(answer.stdout.contains(words), "{words} is missing in\n{}", answer.told());
    }
    assert!(!answer.told().contains("kQ7xZ2"), "{}", answer.told());
    assert_eq!(place.left_behind(), Vec::<String>::new());
}

#[test]
fn directories_and_archives_are_read_and_a_resumed_session_is_counted_once() {
    let place = Place::lasting();
    place.write("all/a/monday.jsonl", transcript());
    place.write("all/b/resumed.jsonl", transcript());
    place.write("all/notes.txt", "not a transcript");
    let json = place.plimsoll(&["replay", "all", "--json"]).json();
    assert_eq!(
        (&json["calls"], &json["denials"], &json["malformed"]),
        (&4.into(), &2.into(), &2.into()),
        "{json}"
    );

    let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    archive.append_path_with_name(place.path("here/all/a/monday.jsonl"), "sessions/monday.jsonl").unwrap();
    archive.append_path_with_name(place.path("here/all/notes.txt"), "notes.txt").unwrap();
    let packed = archive.into_inner().unwrap().finish().unwrap();
    place.write("cut.tar.gz", packed.split_at(packed.len() / 2).0);
    place.write("all.tar.gz", packed);
    let json = place.plimsoll(&["replay", "all.tar.gz", "--json"]).json();
    assert_eq!(json["sessions"][0]["name"], "sessions/monday", "{json}");
    let remark = &json["sessions"][0]["remarks"][1];
    assert_eq!(
        (&remark["call"], &remark["answer"], &remark["tool"]),
        (&4.into(), &"deny".into(), &"Bash".into())
    );
    let cut = place.plimsoll(&["replay", "cut.tar.gz"]);
    assert!(cut.stdout.contains("malformed") || cut.code == 2, "{}", cut.told());
}

#[test]
fn what_holds_no_call_is_an_error() {
    let place = Place::lasting();
    place.write("empty.jsonl", "");
    place.write("other.jsonl", "{\"type\": \"summary\"}\n[]\n\n");
    std::fs::create_dir(place.path("here/folder")).unwrap();
    for path in ["empty.jsonl", "other.jsonl", "folder", "missing.jsonl"] {
        let answer = place.plimsoll(&["replay", path]);
        assert_eq!(answer.code, 2, "{path}: {}", answer.told());
        assert!(answer.stderr.starts_with("error: "), "{path}: {}", answer.told());
    }
}

/// A session whose lines carry times, a few seconds apart, as the client writes them.
struct Session {
    name: &'static str,
    seconds: u32,
    lines: String,
}

impl Session {
    fn asked_for(name: &'static str, prompt: &str) -> Self {
        let mut session = Self { name, seconds: 0, lines: String::new() };
        session.line(json!({"type": "user", "message": {"content": prompt}}));
        session
    }

    fn line(&mut self, mut fields: Value) {
        self.seconds += 7;
        fields["sessionId"] = self.name.into();
        fields["cwd"] = "/home/ada/boat".into();
        fields["timestamp"] =
            format!("2026-03-01T10:{:02}:{:02}.250Z", self.seconds / 60, self.seconds % 60).into();
        self.lines += &format!("{fields}\n");
    }

    /// All calls of one message, and then their results.
    fn message(&mut self, calls: &[(&str, bool, &str)]) {
        let message = format!("m{}", self.seconds);
        for (number, (command, ..)) in calls.iter().enumerate() {
            let id = format!("{}-{message}-{number}", self.name);
            let content =
                json!([{"type": "tool_use", "id": id, "name": "Bash", "input": {"command": command}}]);
            self.line(json!({"type": "assistant", "message": {"id": message, "content": content}}));
        }
        for (number, (_, failed, text)) in calls.iter().enumerate() {
            let id = format!("{}-{message}-{number}", self.name);
            let content =
                json!([{"type": "tool_result", "tool_use_id": id, "is_error": failed, "content": text}]);
            self.line(json!({"type": "user", "message": {"content": content}}));
        }
    }

    fn says(&mut self, text: &str) {
        let content = json!([{"type": "text", "text": text}]);
        let message = format!("m{}", self.seconds);
        self.line(json!({"type": "assistant", "message": {"id": message, "content": content}}));
    }
}

const FAILING: (&str, bool, &str) = ("node hull.js", true, "Exit code 1\nError: the hull leaks");

#[test]
fn interventions_are_counted_and_a_stop_in_one_session_locks_no_other() {
    let place = Place::lasting();
    let mut stuck = Session::asked_for("a-stuck", "Fix the hull");
    for _ in 0..9 {
        stuck.message(&[FAILING]);
    }
    let mut at_once = Session::asked_for("b-at-once", "Fix the hull");
    at_once.message(&[("ls", false, "hull.js")]);
    at_once.message(&[FAILING; 3]);
    at_once.message(&[("ls", false, "hull.js")]);
    at_once.says("It leaks in three places.");
    let mut boasting = Session::asked_for("c-boasting", "Fix the hull");
    boasting.message(&[("sed -i s/leak/seal/ hull.js", false, "")]);
    boasting.says("Done. All tests pass.");
    let mut modest = Session::asked_for("d-modest", "Fix the hull");
    modest.message(&[("npm test", false, "1 passing")]);
    modest.says("Done. All tests pass.");
    for session in [&stuck, &at_once, &boasting, &modest] {
        place.write(&format!("all/{}.jsonl", session.name), &session.lines);
    }

    let json = place.plimsoll(&["replay", "all", "--json"]).json();
    let counts = |at: usize| &json["sessions"][at]["intervention_counts"];
    let none = json!({"soft_corrections": 0, "context_reinforcements": 0, "resource_throttlings": 0,
        "checkpoint_rollbacks": 0, "emergency_stops": 0, "denied_by_patterns": 0, "asked_by_limits": 0,
        "claims_asked_for": 0});
    let told: Vec<_> = json["sessions"][0]["interventions"].as_array().unwrap().iter().collect();
    assert_eq!((&told[0]["call"], &told[0]["kind"]), (&3.into(), &"soft_correction".into()), "{told:#?}");
    assert_eq!((&told[0]["pattern"], &told[0]["way"]), (&"repetitive_errors".into(), &"context".into()));
    assert_eq!((&counts(0)["soft_corrections"], &counts(0)["checkpoint_rollbacks"]), (&1.into(), &1.into()));
    assert!(counts(0)["denied_by_patterns"].as_u64() >= Some(1), "{}", counts(0));
    assert!(counts(0)["emergency_stops"].as_u64() >= Some(1), "{}", counts(0));
    assert_eq!(counts(1), &none, "three at once are one, and nothing is locked");
    assert_eq!(json["sessions"][1]["denials"], 0);
    assert_eq!(counts(2)["claims_asked_for"], 1);
    assert_eq!(counts(3), &none);
    assert_eq!(json["interventions"]["sessions_with"]["soft_corrections"], 1);
    assert_eq!(json["interventions"]["sessions"], 4);

    let text = place.plimsoll(&["replay", "all"]).stdout;
    for words in [
        "all/a-stuck #3  Bash: node hull.js\n    told soft_correction/repetitive_errors/",
        "all/c-boasting #1  Stop: Done. All tests pass.\n    held ",
        "soft corrections   in 1 of 4 sessions (25 %), 1 in all",
        "claims asked for   in 1 of 4 sessions (25 %), 1 in all",
    ] {
        assert!(text.contains(words), "{words} is missing in\n{text}");
    }
    assert_eq!(place.left_behind(), Vec::<String>::new());
}

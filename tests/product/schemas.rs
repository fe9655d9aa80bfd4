//! The published schemas, against what the programs really write and print.

use crate::answer::told;
use crate::attestation::{attest, note, reviewed_commit, team};
use crate::context::{LOOP_1_SUFFICES, TestContext};
use regex::Regex;
use serde_json::{Map, Value, json};
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schemas")
}

fn schema(name: &str) -> Value {
    let path = folder().join(format!("{name}.schema.json"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap()
}

/// Panics unless the value is as the schema of that name says.
#[track_caller]
pub(crate) fn assert_fits(name: &str, value: &Value) {
    let problems = problems(&schema(name), value, "$");
    assert!(problems.is_empty(), "{name}: {}\n{value:#}", problems.join("\n"));
}

/// The part of JSON Schema 2020-12 that the schemas use; another keyword is a mistake in the schema.
fn problems(schema: &Value, value: &Value, at: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (keyword, wanted) in schema.as_object().unwrap_or_else(|| panic!("{at}: the schema is {schema}")) {
        found.extend(keyword_problems(schema, keyword, wanted, value, at));
    }
    found
}

fn keyword_problems(schema: &Value, keyword: &str, wanted: &Value, value: &Value, at: &str) -> Vec<String> {
    let unless =
        |fits: bool| if fits { Vec::new() } else { vec![format!("{at}: {value} is not {keyword} {wanted}")] };
    let fitting =
        || wanted.as_array().unwrap().iter().filter(|one| problems(one, value, at).is_empty()).count();
    let nothing = Map::new();
    let object = value.as_object().unwrap_or(&nothing);
    let named = |name: &str| schema["properties"].get(name);
    match keyword {
        "$schema" | "$id" | "title" | "description" => Vec::new(),
        "type" => unless(match wanted.as_array() {
            Some(types) => types.iter().any(|kind| is_of(kind, value)),
            None => is_of(wanted, value),
        }),
        "const" => unless(value == wanted),
        "enum" => unless(wanted.as_array().unwrap().contains(value)),
        "pattern" => unless(value.as_str().is_none_or(|text| matches(wanted, text))),
        "minimum" => unless(value.as_f64().is_none_or(|number| number >= wanted.as_f64().unwrap())),
        "maximum" => unless(value.as_f64().is_none_or(|number| number <= wanted.as_f64().unwrap())),
        "oneOf" => unless(fitting() == 1),
        "anyOf" => unless(fitting() > 0),
        "required" => unless(
            !value.is_object()
                || wanted.as_array().unwrap().iter().all(|name| object.contains_key(name.as_str().unwrap())),
        ),
        "properties" => {
            let both = object.iter().filter_map(|(name, value)| Some((name, value, named(name)?)));
            both.flat_map(|(name, value, schema)| problems(schema, value, &format!("{at}.{name}"))).collect()
        }
        "additionalProperties" => {
            let others = object.iter().filter(|(name, _)| named(name).is_none());
            match wanted.as_bool() {
                Some(allowed) => others
                    .filter(|_| !allowed)
                    .map(|(name, _)| format!("{at}.{name} is not in the schema"))
                    .collect(),
                None => others
                    .flat_map(|(name, value)| problems(wanted, value, &format!("{at}.{name}")))
                    .collect(),
            }
        }
        "propertyNames" => object.keys().flat_map(|name| problems(wanted, &json!(name), at)).collect(),
        "items" => {
            let all = value.as_array().into_iter().flatten().enumerate();
            all.flat_map(|(number, value)| problems(wanted, value, &format!("{at}[{number}]"))).collect()
        }
        other => panic!("{at}: this test does not know {other}"),
    }
}

fn is_of(kind: &Value, value: &Value) -> bool {
    match kind.as_str().unwrap() {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("there is no type {other}"),
    }
}

fn matches(pattern: &Value, text: &str) -> bool {
    Regex::new(pattern.as_str().unwrap()).unwrap().is_match(text)
}

#[test]
fn each_schema_is_named_as_its_file_and_listed() {
    let list = fs::read_to_string(folder().join("README.md")).unwrap();
    let mut count = 0;
    for entry in fs::read_dir(folder()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let Some(name) = name.strip_suffix(".schema.json") else { continue };
        let schema = schema(name);
        assert_eq!(schema["$id"], format!("urn:plimsoll:schema:{name}"));
        assert!(list.contains(&format!("[{name}]({name}.schema.json)")), "{name} is not in the list");
        count += 1;
    }
    assert_eq!(list.matches(".schema.json)").count(), count);
}

#[test]
fn the_checks_of_this_test_find_what_does_not_fit() {
    let schema = json!({"type": "object", "properties": {"a": {"type": ["integer", "null"]}, "b": {"enum": ["x"]}},
        "required": ["a"], "additionalProperties": false});
    for (value, wrong) in [
        (json!({"a": 1}), 0),
        (json!({"a": null, "b": "x"}), 0),
        (json!({"a": "1"}), 1),
        (json!({"b": "y"}), 2),
        (json!({"a": 1, "c": 1}), 1),
        (json!([]), 1),
    ] {
        assert_eq!(problems(&schema, &value, "$").len(), wrong, "{value}");
    }
}

/// The first JSON value in what a command prints.
fn printed(context: &TestContext, arguments: &[&str]) -> Value {
    let output = context.plimsoll(arguments);
    assert_ne!(output.status.code(), Some(2), "{}", told(&output));
    let text = String::from_utf8(output.stdout).unwrap();
    let from = text.find(['{', '[']).unwrap_or_else(|| panic!("{arguments:?}: {text}"));
    let first = serde_json::Deserializer::from_str(text.get(from..).unwrap()).into_iter().next();
    first.unwrap().unwrap()
}

#[test]
fn what_the_commands_print_fits_its_schema() {
    let context = TestContext::enrolled();
    let empty = ["checkpoint list", "checkpoint copies", "incident list", "review findings"];
    for command in empty {
        let words: Vec<&str> = command.split(' ').chain(["--json"]).collect();
        assert_fits(&command.replace(' ', "-"), &printed(&context, &words));
    }
    context.change();
    assert_fits("gate-check", &printed(&context, &["gate", "check", "--worktree", "--json"]));
    for command in
        ["git status", "rm -rf /", "echo x > readme.md", "git push --force", "curl https://example.com"]
    {
        context.before_bash(command);
    }
    assert_fits(
        "checkpoint-create",
        &printed(&context, &["checkpoint", "create", "--message", "x", "--json"]),
    );
    context.review();
    for (command, name) in [
        ("status", "status"),
        ("stats", "stats"),
        ("doctor", "doctor"),
        ("reconcile", "reconcile"),
        ("rules list", "rules"),
        ("checkpoint list", "checkpoint-list"),
        ("checkpoint copies", "checkpoint-copies"),
        ("review findings", "review-findings"),
        ("gate check --worktree", "gate-check"),
    ] {
        let words: Vec<&str> = command.split(' ').chain(["--json"]).collect();
        assert_fits(name, &printed(&context, &words));
    }
    let rows = context.path("rows.jsonl");
    fs::write(&rows, "{\"command\": \"rm -rf /\", \"expect\": \"block\"}\n").unwrap();
    assert_fits("score", &printed(&context, &["score", "--json", rows.as_str()]));
    let state = fs::read_to_string(context.path(".claude/state/loop-state.json")).unwrap();
    assert_fits("loop-state", &serde_json::from_str(&state).unwrap());
    let audit = fs::read_to_string(context.layout().audit()).unwrap();
    assert!(audit.lines().count() >= 5);
    audit.lines().for_each(|line| assert_fits("audit", &serde_json::from_str(line).unwrap()));
    let export = context.plimsoll(&["log", "--export", "jsonl"]).stdout;
    let export = String::from_utf8(export).unwrap();
    assert_eq!(export.lines().count(), audit.lines().count());
    export.lines().for_each(|line| assert_fits("log-export", &serde_json::from_str(line).unwrap()));
}

#[test]
fn an_attestation_and_its_verification_fit_their_schemas() {
    let context = team();
    let commit = reviewed_commit(&context, "one.md");
    let attested = attest(&context, &[]);
    assert!(attested.status.success(), "{}", told(&attested));
    let envelope: Value =
        serde_json::from_str(note(&context, &context.project(), &commit).lines().next().unwrap()).unwrap();
    let mut decode = context.command("base64");
    decode.arg("-d").arg(context.path("payload"));
    context.write("payload", envelope["payload"].as_str().unwrap());
    let statement: Value = serde_json::from_slice(&decode.output().unwrap().stdout).unwrap();
    assert_eq!(statement["predicateType"], "urn:plimsoll:review:v1");
    assert_fits("attestation", &statement["predicate"]);
    fs::remove_file(context.path("payload")).unwrap();
    assert_fits("gate-verify", &printed(&context, &["gate", "verify", "--json"]));
    context.user_config(LOOP_1_SUFFICES);
    context.write("two.md", "two\n");
    context.commit("unreviewed");
    assert_fits("gate-verify", &printed(&context, &["gate", "verify", "--json"]));
}

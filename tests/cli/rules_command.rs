//! `plimsoll rules`, as a person uses it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::path::Path;
use std::process::Command;

const RULES: &str = "\
version: 1
rules:
  - name: no_prod_database
    when: {program: psql, argument: \"*prod*\"}
    answer: block
    reason: The production database is not for agents
    examples: {hit: [psql -h prod.example.com], miss: [psql -h localhost]}
";

fn plimsoll(home: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_plimsoll"))
        .args(["rules"])
        .args(arguments)
        .env_clear()
        .env("HOME", home)
        .current_dir(home)
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(text).unwrap())
}

fn configured(config: &str, rules: &str) -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join(".config/plimsoll");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("review-config.yaml"), config).unwrap();
    fs::write(folder.join("rules.yaml"), rules).unwrap();
    home
}

const NAMED: &str = "step_reviewer: {rules: {custom_rules_path: rules.yaml, disabled: [publish]}}\n";

#[test]
fn every_rule_is_listed_with_its_state() {
    let home = configured(NAMED, RULES);
    let (code, text) = plimsoll(home.path(), &["list"]);
    assert_eq!(code, Some(0), "{text}");
    let line = |name: &str| {
        let line = text.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().take(4).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(line("fork_bomb"), "fork_bomb floor deny always");
    assert_eq!(line("publish"), "publish step ask disabled");
    assert_eq!(line("no_prod_database"), "no_prod_database step deny on");
    let (_, json) = plimsoll(home.path(), &["list", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(json["rules"].as_array().unwrap().len() > 30);
}

#[test]
fn a_file_of_rules_is_checked_with_its_examples() {
    let home = configured(NAMED, RULES);
    assert_eq!(plimsoll(home.path(), &["check"]), (Some(0), "ok: 1 rule\n".into()));
    let wrong = home.path().join("wrong.yaml");
    fs::write(&wrong, RULES.replace("hit: [psql -h prod.example.com]", "hit: [psql -h stage]")).unwrap();
    let (code, text) = plimsoll(home.path(), &["check", wrong.to_str().unwrap()]);
    assert_eq!(code, Some(1));
    assert!(
        text.contains("wrong.yaml:3: rule `no_prod_database`: does not match its hit `psql -h stage`"),
        "{text}"
    );
    assert_eq!(plimsoll(home.path(), &["check", "missing.yaml"]).0, Some(2));
}

#[test]
fn without_rules_of_ones_own_there_is_nothing_to_check() {
    let home = tempfile::tempdir().unwrap();
    let (code, text) = plimsoll(home.path(), &["check"]);
    assert_eq!(code, Some(0));
    assert!(text.contains("custom_rules_path"), "{text}");
}

#[test]
fn the_rules_on_the_configuration_page_hold() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/configuration.md");
    let page = fs::read_to_string(page).unwrap();
    let mut blocks = page.split("```yaml\n").skip(1).filter_map(|rest| rest.split("```").next());
    let rules = blocks.find(|block| block.starts_with("version: 1")).unwrap();
    let home = configured(NAMED, rules);
    assert_eq!(plimsoll(home.path(), &["check"]), (Some(0), "ok: 3 rules\n".into()));
}

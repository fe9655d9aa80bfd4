//! The step review through its hook: what it prevents, what it lets pass, and rules of the user's own.

use crate::context::TestContext;
use serde_json::json;
use std::fs;

pub(crate) const NO_PRODUCTION: &str = "\
version: 1
rules:
  - name: no_prod_database
    when: {program: psql, argument: \"*prod*\"}
    answer: block
    reason: The production database is not for agents
    examples: {hit: [psql -h prod.example.com], miss: [psql -h localhost]}
";

const NAMES_RULES: &str = "step_reviewer: {rules: {custom_rules_path: rules.yaml}}\n";

fn own_rules(context: &TestContext, text: &str) {
    context.user_config(NAMES_RULES);
    fs::write(context.home().join(".config/plimsoll/rules.yaml"), text).unwrap();
}

fn project_config(context: &TestContext, text: &str) {
    context.write(".claude/config/review-config.yaml", text);
}

#[test]
fn reviewer_prevents_destructive_actions() {
    let context = TestContext::new();
    context.write("notes/today.md", "not in git\n");
    let answer = context.before_bash("rm -rf notes");
    assert_eq!(answer.decision(), Some("deny"), "{}", answer.json);
    assert!(answer.reason().contains("prevent_recursive_deletion"), "{}", answer.reason());
}

#[test]
fn reviewer_allows_safe_actions() {
    let context = TestContext::new();
    assert!(context.before("Read", json!({"file_path": context.path("readme.md")})).is_silent());
    for command in ["cat readme.md", "git status", "cargo test 2>&1 | tail -5", "mkdir -p target/x"] {
        assert!(context.before_bash(command).is_silent(), "{command}");
    }
}

#[test]
fn a_rule_of_ones_own_is_obeyed() {
    let context = TestContext::new();
    assert!(context.before_bash("psql -h prod.example.com").is_silent());
    own_rules(&context, NO_PRODUCTION);
    let answer = context.before_bash("cd x && PGUSER=a psql -h prod.example.com -c 'select 1'");
    assert_eq!(answer.decision(), Some("deny"));
    assert!(answer.reason().contains("[no_prod_database]: The production database"), "{}", answer.reason());
    assert!(context.before_bash("psql -h localhost -c 'select 1'").is_silent());
    assert!(context.before_bash("echo psql -h prod.example.com").is_silent());
}

#[test]
fn a_broken_rule_is_told_and_leaves_the_others_in_force() {
    let context = TestContext::new();
    let broken =
        "  - {name: broken, when: {text: /(/}, answer: ask, reason: r, examples: {hit: [a], miss: [b]}}\n";
    own_rules(&context, &format!("{NO_PRODUCTION}{broken}"));
    assert_eq!(context.before_bash("psql -h prod").decision(), Some("deny"));
    assert!(context.before_bash("git status").is_silent());
    let start = context.hook("session-start", "SessionStart", json!({"source": "startup"}));
    assert!(start.notice().contains("broken"), "{}", start.json);
}

#[test]
fn rules_that_nobody_can_read_ask_where_they_could_matter() {
    let context = TestContext::new();
    own_rules(&context, "version: 1\nrules: [\n");
    let answer = context.before_bash("frobnicate --all");
    assert_eq!(answer.decision(), Some("ask"));
    assert!(answer.reason().contains("could not be read"), "{}", answer.reason());
    assert!(context.before_bash("git log -3").is_silent());
    own_rules(&context, NO_PRODUCTION);
    assert!(context.before_bash("frobnicate --all").is_silent());
    fs::remove_file(context.home().join(".config/plimsoll/rules.yaml")).unwrap();
    assert_eq!(context.before_bash("frobnicate --all").decision(), Some("ask"), "the file is gone");
}

#[test]
fn the_agent_cannot_change_the_rules() {
    let context = TestContext::new();
    own_rules(&context, NO_PRODUCTION);
    let rules = context.home().join(".config/plimsoll/rules.yaml");
    assert_eq!(context.before_bash(&format!("rm {rules}")).decision(), Some("deny"));
    let project = context.path(".claude/config/rules.yaml");
    let answer = context.before("Write", json!({"file_path": project, "content": "version: 1\n"}));
    assert_eq!(answer.decision(), Some("deny"), "{}", answer.json);
    context.user_config("paths: {config_dir: review}\n");
    let moved = context.path("review/review-config.yaml");
    let answer = context.before("Write", json!({"file_path": moved, "content": ""}));
    assert_eq!(answer.decision(), Some("deny"), "{}", answer.json);
}

#[test]
fn a_project_cannot_loosen_the_step_review_by_itself() {
    let context = TestContext::new();
    context.write("notes/today.md", "not in git\n");
    for loosens in [
        "rules: {disabled: [prevent_recursive_deletion]}",
        "rules: {builtin: none}",
        "enabled: false",
        "mode: observe",
        "overrides: [{agent: main, disabled_rules: [prevent_recursive_deletion]}]",
    ] {
        project_config(&context, &format!("step_reviewer: {{{loosens}}}\n"));
        assert_eq!(context.before_bash("rm -rf notes").decision(), Some("deny"), "{loosens}");
    }
    project_config(&context, NAMES_RULES);
    context.write(".claude/config/rules.yaml", NO_PRODUCTION);
    assert!(context.before_bash("psql -h prod").is_silent(), "rules need trust");
}

#[test]
fn a_project_may_tighten_the_step_review() {
    let context = TestContext::new();
    assert!(context.before_bash("touch docs.md").is_silent());
    project_config(&context, "step_reviewer: {scope: {forbidden_paths: [docs.md]}}\n");
    let answer = context.before_bash("touch docs.md");
    assert_eq!(answer.decision(), Some("ask"));
    assert!(answer.reason().contains("[out_of_scope]"), "{}", answer.reason());
    assert!(context.before_bash("touch src/a.rs").is_silent());
}

#[test]
fn the_users_settings_reach_the_hook() {
    let context = TestContext::new();
    context.write("notes/today.md", "not in git\n");
    for off in ["rules: {disabled: [prevent_recursive_deletion]}", "rules: {builtin: none}", "mode: async"] {
        context.user_config(&format!("step_reviewer: {{{off}}}\n"));
        assert!(context.before_bash("rm -rf notes").is_silent(), "{off}");
        assert_eq!(context.before_bash("rm -rf ~").decision(), Some("deny"), "{off}");
    }
}

/// More than half a kilobyte of commands that do nothing but look.
fn long_look() -> String {
    (0..60).map(|number| format!("echo line {number} | grep -c {number}; ")).collect()
}

#[test]
fn a_long_harmless_command_is_remembered_unless_the_cache_is_off() {
    let context = TestContext::new();
    let cache = context.layout().review_cache();
    context.user_config("step_reviewer: {cache: {enabled: false}}\n");
    assert!(context.before_bash(&long_look()).is_silent());
    assert!(!cache.exists());
    context.user_config("");
    for _ in 0..2 {
        assert!(context.before_bash(&long_look()).is_silent());
        assert!(cache.is_file());
    }
    let remembered = fs::read(&cache).unwrap();
    let dangerous = format!("{}rm -rf ~", long_look());
    for _ in 0..2 {
        assert_eq!(context.before_bash(&dangerous).decision(), Some("deny"));
    }
    assert_eq!(fs::read(&cache).unwrap().len(), remembered.len(), "only silence is remembered");
    fs::write(&cache, "garbage").unwrap();
    assert!(context.before_bash(&long_look()).is_silent());
    assert_eq!(context.before_bash(&dangerous).decision(), Some("deny"));
}

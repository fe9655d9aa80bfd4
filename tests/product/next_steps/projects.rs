//! Steps that errors, hints, the doctor and the installer name.

use super::{Walk, ends, named, run, run_and_confirm, said};
use crate::answer::told;
use crate::context::TestContext;
use std::fs;
use std::os::unix::fs::PermissionsExt;

pub(super) const WALKS: [Walk; 16] = [
    ("plimsoll config check", config_check),
    ("plimsoll config init", config_init),
    ("plimsoll config show", config_keys),
    ("plimsoll config show --origin", config_show),
    ("plimsoll config trust", config_trust),
    ("plimsoll rules check", rules_check),
    ("plimsoll rules list", rules_list),
    ("plimsoll doctor", doctor),
    ("plimsoll gate new-key", new_key),
    ("chmod 600 '{}'", chmod_key),
    ("git init", git_init),
    ("git fetch", git_fetch),
    ("git fetch --unshallow", git_unshallow),
    ("git branch --all", git_branch),
    ("git tag", git_tag),
    ("git status", git_status),
];

fn config_check() {
    let context = TestContext::enrolled();
    context.user_config("blocking: {required_loops: nonsense}\n");
    let failed = said(&context, &["review", "run", "--loop", "1"]);
    let checked = told(&run(&context, &named(&failed, "plimsoll config check")));
    assert!(checked.contains("required_loops") && checked.contains("review-config.yaml"), "{checked}");
}

fn config_init() {
    let context = TestContext::enrolled();
    let missing = said(&context, &["config", "trust"]);
    let missing =
        if missing.contains("config init") { missing } else { told(&run(&context, "plimsoll config trust")) };
    ends(&run(&context, &named(&missing, "plimsoll config init")), 0);
    assert!(context.path(".claude/config/review-config.yaml").is_file());
    ends(&run(&context, "plimsoll config check"), 0);
}

fn config_keys() {
    let context = TestContext::enrolled();
    context.user_config("qqqqq: 1\n");
    let failed = said(&context, &["config", "check"]);
    let step = named(&failed, "plimsoll config show");
    context.user_config("");
    assert!(ends(&run(&context, &step), 0).contains("required_loops"));
}

fn config_show() {
    let context = TestContext::enrolled();
    ends(&run(&context, "plimsoll config init"), 0);
    let written = fs::read_to_string(context.path(".claude/config/review-config.yaml")).unwrap();
    let shown = ends(&run(&context, &named(&written, "plimsoll config show --origin")), 0);
    assert!(shown.contains("required_loops"), "{shown}");
}

fn config_trust() {
    let context = TestContext::enrolled();
    context.user_config("");
    context.write(".claude/config/review-config.yaml", "blocking: {required_loops: [1]}\n");
    let checked = told(&context.plimsoll(&["doctor"]));
    ends(&run_and_confirm(&context, &named(&checked, "plimsoll config trust")), 0);
    assert!(!told(&context.plimsoll(&["doctor"])).contains("not trusted"));
}

fn rules_check() {
    let context = TestContext::enrolled();
    context.user_config("step_reviewer: {rules: {custom_rules_path: rules.yaml}}\n");
    fs::write(context.home().join(".config/plimsoll/rules.yaml"), "rules: [{nonsense: 1}]\n").unwrap();
    let doctor = told(&context.plimsoll(&["doctor"]));
    let checked = told(&run(&context, &named(&doctor, "plimsoll rules check")));
    assert!(checked.contains("rules.yaml"), "{checked}");
}

fn rules_list() {
    let context = TestContext::enrolled();
    context.user_config("step_reviewer: {rules: {disabled: [zzz]}}\n");
    let checked = said(&context, &["config", "check"]);
    let listed = ends(&run(&context, &named(&checked, "plimsoll rules list")), 0);
    assert!(listed.contains("discard_changes"), "{listed}");
}

fn doctor() {
    let context = TestContext::enrolled();
    crate::installed_files::install(&context, &[]);
    context.change();
    for entry in fs::read_dir(context.homes().install_records(&context.path(".git"))).unwrap() {
        fs::write(entry.unwrap().path(), "{").unwrap();
    }
    let failed = said(&context, &["review", "run", "--loop", "1"]);
    let fixes = told(&run(&context, &named(&failed, "plimsoll doctor")));
    let fix = named(&fixes, "plimsoll install --project {}");
    ends(&run(&context, &format!("{fix} --no-link")), 0);
    context.review();
}

fn new_key() {
    let context = TestContext::reviewed();
    fs::write(context.homes().seal_key(), "damaged").unwrap();
    let doctor = told(&context.plimsoll(&["doctor"]));
    let replaced = ends(&run(&context, &named(&doctor, "plimsoll gate new-key")), 0);
    assert!(replaced.contains("/review"), "{replaced}");
    context.review();
    assert!(context.gate(&[]).open);
}

fn chmod_key() {
    let context = TestContext::reviewed();
    let key = context.homes().seal_key();
    fs::set_permissions(&key, fs::Permissions::from_mode(0o644)).unwrap();
    let doctor = told(&context.plimsoll(&["doctor"]));
    let command = named(&doctor, "chmod 600 '{}'");
    ends(&run(&context, &format!("{command} && plimsoll gate new-key")), 0);
    context.review();
    assert!(context.gate(&[]).open && !told(&context.plimsoll(&["doctor"])).contains("other users"));
}

fn git_init() {
    let context = TestContext::new();
    let place = context.beside("nothing");
    fs::create_dir(&place).unwrap();
    let refused = told(&context.plimsoll_in(&place, &["enrol"]));
    let command = named(&refused, "git init");
    ends(&run(&context, &format!("cd '{place}' && {command} && plimsoll enrol --yes")), 0);
}

fn git_fetch() {
    let context = TestContext::enrolled();
    context.change();
    context.review();
    context.commit("reviewed");
    context.colleague_pushes("theirs.md", "theirs\n");
    let refused = context.push(&["--force"]);
    ends(&run(&context, &named(&refused.said, "git fetch")), 0);
    let again = context.push(&["--force"]);
    assert!(!again.said.contains("git fetch"), "{}", again.said);
}

fn git_unshallow() {
    let context = TestContext::enrolled();
    context.write("more.md", "more\n");
    context.review();
    context.commit("more");
    context.git(&["push", "-q"]);
    let remote = format!("file://{}", context.beside("remote.git"));
    let place = context.beside("shallow");
    context.git(&["clone", "-q", "--depth", "1", &remote, place.as_str()]);
    let refused = told(&context.plimsoll_in(&place, &["gate", "why"]));
    let command = named(&refused, "git fetch --unshallow");
    let fetched = ends(&run(&context, &format!("cd '{place}' && {command} && plimsoll gate why")), 0);
    assert!(fetched.contains("Nothing to push"), "{fetched}");
}

fn git_branch() {
    let context = TestContext::enrolled();
    let failed = said(&context, &["review", "run", "--loop", "1", "--base", "nope"]);
    assert!(ends(&run(&context, &named(&failed, "git branch --all")), 0).contains("origin/main"));
}

fn git_tag() {
    let context = TestContext::enrolled();
    context.git(&["tag", "v1"]);
    let failed = said(&context, &["review", "run", "--loop", "1", "--base", "nope"]);
    assert!(ends(&run(&context, &named(&failed, "git tag")), 0).contains("v1"));
}

fn git_status() {
    let context = TestContext::enrolled();
    context.write("stray.md", "stray\n");
    let failed = said(&context, &["review", "run", "--loop", "1", "--leave-out", "nope"]);
    assert!(ends(&run(&context, &named(&failed, "git status")), 0).contains("stray.md"));
}

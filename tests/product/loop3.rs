//! The outside reviewer, played by scripts: every way in which it can end, its quota, and who may ask it when.

use crate::answer::told;
use crate::context::{TestContext, binary};
use plimsoll::edge::state::Ledger;
use serde_json::{Value, json};
use std::fs;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use time::OffsetDateTime;

const CONTEXT: &str = r#"echo '{"type":"review_context"}'"#;
const COMPLETE: &str = r#"echo '{"type":"complete","status":"review_completed"}'"#;
const ISSUE: &str = r#"echo '{"type":"finding","severity":"major","fileName":"one.md","codegenInstructions":"In one.md around lines 1 - 1, say more"}'"#;

/// A CodeRabbit of the given words, before the developer's own.
fn with_coderabbit(context: TestContext, body: &str) -> TestContext {
    let path = format!("{}:{}", context.beside("bin"), std::env::var("PATH").unwrap());
    let context = context.with_variable("PATH", path);
    coderabbit(&context, body);
    context
}

fn coderabbit(context: &TestContext, body: &str) {
    let script = format!(
        "case \"$*\" in\n\
         --version) echo 0.7.1; exit 0;;\n\
         --help) echo 'Commands: review'; exit 0;;\n\
         'review --help') echo '--agent --committed --uncommitted --include-untracked --base <b> --base-commit <c>'; exit 0;;\n\
         esac\n\
         echo \"$*\" >> \"$0.calls\"\n{body}"
    );
    context.script("../bin/coderabbit", &script);
}

/// How often it was started, and how.
fn calls(context: &TestContext) -> Vec<String> {
    let text = fs::read_to_string(context.beside("bin/coderabbit.calls")).unwrap_or_default();
    text.lines().map(String::from).collect()
}

fn changed() -> TestContext {
    let context = TestContext::enrolled();
    context.change();
    context
}

fn review(context: &TestContext) -> (Option<i32>, String) {
    said(&context.plimsoll(&["review", "run", "--loop", "3"]))
}

fn said(output: &Output) -> (Option<i32>, String) {
    (output.status.code(), told(output))
}

fn assert_ends(context: &TestContext, code: i32, words: &[&str]) {
    let (ended, text) = review(context);
    for word in words {
        assert!(text.contains(word), "no {word:?} in: {text}");
    }
    assert_eq!(ended, Some(code), "{text}");
}

/// The newest outcome of the loop, from its receipt.
fn outcome(context: &TestContext) -> Value {
    let receipts = receipts(context);
    receipts.last().unwrap()["loops"]["3"].clone()
}

fn receipts(context: &TestContext) -> Vec<Value> {
    let (layout, homes, repository) = (context.layout(), context.homes(), context.identity());
    let ledger = Ledger { layout: &layout, homes: &homes, repository: &repository };
    ledger.read().unwrap().receipts.iter().map(|receipt| serde_json::to_value(receipt).unwrap()).collect()
}

fn quota_file(context: &TestContext) -> camino::Utf8PathBuf {
    context.homes().outside_reviews().join("quota.json")
}

/// Used up for this hour and, should it end meanwhile, for the next.
fn use_up(context: &TestContext, used: u32) {
    let hour = |shift| {
        let at = OffsetDateTime::now_utc() + time::Duration::hours(shift);
        format!("{}-{}-{}-{}", at.year(), u8::from(at.month()), at.day(), at.hour())
    };
    let quota = json!({"version": 1, "buckets": {hour(0): used, hour(1): used}, "total_executions": used,
        "last_execution": null});
    fs::create_dir_all(context.homes().outside_reviews()).unwrap();
    fs::write(quota_file(context), quota.to_string()).unwrap();
}

#[test]
fn every_way_to_end_that_is_no_review_is_a_skip_with_its_reason() {
    let context = with_coderabbit(changed(), "");
    context.user_config("blocking: {required_loops: [1, 3]}\nloop3: {rate_limit_per_hour: 1000}\n");
    context.review();
    let error = |event: &str| format!("{CONTEXT}\necho '{event}'; exit 1");
    for (body, words) in [
        (error(r#"{"type":"error","errorType":"authentication","message":"no"}"#), "is not logged in"),
        (error(r#"{"type":"error","message":"Too many files"}"#), "so many files at once"),
        (error(r#"{"type":"error","errorType":"internal","message":"boom"}"#), "failed (internal): boom"),
        (
            format!("{CONTEXT}\necho '{{\"type\":\"complete\",\"status\":\"review_skipped\"}}'"),
            "skipped the review",
        ),
        (format!("echo '{{\"type\":\"finding\",\"seve'\n{COMPLETE}"), "events that cannot be read"),
        ("echo well; echo fine".into(), "without saying that its review was complete"),
        (format!("{CONTEXT}\n{ISSUE}"), "without saying that its review was complete"),
        ("exit 0".into(), "printed nothing"),
        ("kill -9 $$".into(), "signal 9"),
        ("exec yes 0123456789012345678901234567890123456789".into(), "printed more than"),
    ] {
        coderabbit(&context, &body);
        let (code, text) = review(&context);
        assert!(text.contains(words) && text.contains("outside reviewer: SKIP"), "{body}: {text}");
        assert_eq!(code, Some(2), "{body}: {text}");
        assert!(!context.gate(&[]).open, "{body}");
    }
}

#[test]
fn a_clean_review_passes_and_covers_what_was_sent() {
    let context = with_coderabbit(changed(), &format!("{CONTEXT}\n{COMPLETE}"));
    context.user_config("blocking: {required_loops: [1, 3]}\n");
    context.review();
    assert!(!context.gate(&[]).open);
    assert_ends(&context, 0, &["outside reviewer: PASS"]);
    let base = context.git(&["rev-parse", "origin/main"]);
    assert_eq!(calls(&context), [format!("review --agent --include-untracked --base-commit {base}")]);
    assert_eq!(receipts(&context).last().unwrap()["reviewer"], "coderabbit 0.7.1");
    assert_eq!(outcome(&context)["read"], json!(["one.md", "two.md"]));
    let gate = context.gate(&[]);
    assert!(gate.open, "{}", gate.said);
}

#[test]
fn new_issues_block_only_where_the_settings_say_so() {
    let context = with_coderabbit(changed(), &format!("{CONTEXT}\n{ISSUE}\n{COMPLETE}"));
    context.review();
    assert_ends(&context, 0, &["major coderabbit one.md:1", "say more"]);
    assert_eq!(outcome(&context)["findings"][0]["quote"], "one");
    assert!(context.gate(&[]).open);
    context.user_config("blocking: {required_loops: [1]}\nloop3: {block_on_new_issues: true}\n");
    assert_ends(&context, 1, &["outside reviewer: FAIL", "reused"]);
    assert!(!context.gate(&[]).open, "what is known is held against it, asked again or not");
    assert_eq!(calls(&context).len(), 1);
}

#[test]
fn what_was_read_is_not_sent_again_and_what_was_changed_is() {
    let context = with_coderabbit(changed(), &format!("{CONTEXT}\n{ISSUE}\n{COMPLETE}"));
    assert_ends(&context, 0, &["PASS"]);
    assert_ends(&context, 0, &["PASS", "reused: all of this was read at", "say more"]);
    context.commit("the same content, committed");
    assert_ends(&context, 0, &["reused"]);
    assert_eq!(calls(&context).len(), 1);
    context.write("one.md", "another\n");
    assert_ends(&context, 0, &["PASS"]);
    assert_eq!(calls(&context).len(), 2);
}

#[test]
fn a_secret_in_the_change_is_never_sent() {
    let context = with_coderabbit(changed(), COMPLETE);
    let token: String = "ghp_".chars().chain("kQ7xZ2mV9rT4wB8nL3sD6fH1jP5cYgXaWeUi".chars()).collect();
    context.write("deploy.sh", format!("TOKEN={token}\n"));
    assert_ends(&context, 2, &["a secret is in the change (deploy.sh:1", "nothing was sent"]);
    assert!(calls(&context).is_empty());
    assert!(!quota_file(&context).exists(), "nothing was sent, nothing is charged");
}

#[test]
fn a_quota_that_is_used_up_lets_a_reviewed_change_ship() {
    let context = with_coderabbit(changed(), COMPLETE);
    context.user_config("blocking: {required_loops: [1, 3]}\n");
    context.review();
    use_up(&context, 8);
    assert_ends(&context, 2, &["rate_limit_exceeded: 8 of 8 used this hour; free again at", ":00 UTC"]);
    assert!(calls(&context).is_empty());
    let gate = context.gate(&[]);
    assert!(gate.open, "{}", gate.said);
}

#[test]
fn its_own_rate_limit_is_a_skip_and_never_a_clean_review() {
    let limit =
        r#"{"type":"error","errorType":"rate_limit","recoverable":true,"metadata":{"waitTime":"7 minutes"}}"#;
    let context = with_coderabbit(changed(), &format!("{CONTEXT}\necho '{limit}'; exit 1"));
    assert_ends(&context, 2, &["rate_limit_exceeded: coderabbit 0.7.1 asks to wait 7 minutes"]);
    assert_eq!(calls(&context).len(), 1, "nothing is tried again");
}

#[test]
fn the_quota_is_as_large_as_the_settings_say() {
    let context = with_coderabbit(changed(), COMPLETE);
    context.user_config("blocking: {required_loops: [1]}\nloop3: {rate_limit_per_hour: 9}\n");
    use_up(&context, 8);
    assert_ends(&context, 0, &["PASS"]);
    let state: Value = serde_json::from_str(
        &fs::read_to_string(context.path(".claude/state/rate-limit-state.json")).unwrap(),
    )
    .unwrap();
    crate::schemas::assert_fits("rate-limit-state", &state);
    assert_eq!((&state["version"], &state["limit_per_hour"]), (&json!("1.0"), &json!(9)));
    assert_eq!(state["total_executions"], 9);
    assert!(state["buckets"].as_object().unwrap().values().any(|count| *count == 9), "{state}");
    assert!(state["last_execution"].as_str().unwrap().ends_with('Z'));
}

#[test]
fn an_exhausted_quota_fails_where_it_may_not_be_skipped() {
    let context = with_coderabbit(changed(), COMPLETE);
    context.user_config("blocking: {required_loops: [1, 3]}\nloop3: {skip_on_rate_limit: false}\n");
    context.review();
    use_up(&context, 8);
    assert_ends(&context, 1, &["outside reviewer: FAIL", "8 of 8 used this hour"]);
    assert!(!context.gate(&[]).open);
}

#[test]
fn a_damaged_quota_is_kept_said_and_counts_as_used_up() {
    let context = with_coderabbit(changed(), COMPLETE);
    fs::create_dir_all(context.homes().outside_reviews()).unwrap();
    fs::write(quota_file(&context), "{\"version\": 1, \"buck").unwrap();
    assert_ends(&context, 2, &["rate_limit_exceeded", "was damaged", "quota.json.damaged-0"]);
    assert!(calls(&context).is_empty());
}

#[test]
fn silence_beyond_the_timeout_is_a_skip() {
    let context = with_coderabbit(changed(), &format!("{CONTEXT}\nexec sleep 100"));
    context.user_config("blocking: {required_loops: [1]}\nloop3: {timeout: 3}\n");
    assert_ends(&context, 2, &["printed nothing within loop3.timeout"]);
    let beat = r#"for i in 1 2 3 4 5; do echo '{"type":"heartbeat"}'; sleep 1; done"#;
    coderabbit(&context, &format!("{beat}\n{COMPLETE}"));
    assert_ends(&context, 0, &["PASS"]);
}

#[test]
fn content_that_changes_meanwhile_is_stale() {
    let context = with_coderabbit(changed(), &format!("echo more >> one.md\n{COMPLETE}"));
    assert_ends(&context, 1, &["outside reviewer: STALE", "one.md"]);
    assert!(outcome(&context)["verdict"]["status"] == "stale");
}

#[test]
fn without_the_program_it_is_a_skip_that_names_it() {
    let context = changed();
    let only_git = context.beside("only-git");
    fs::create_dir(&only_git).unwrap();
    let git = String::from_utf8(context.bash("command -v git").stdout).unwrap();
    std::os::unix::fs::symlink(git.trim(), only_git.join("git")).unwrap();
    let context = context.with_variable("PATH", only_git.as_str());
    assert_ends(&context, 2, &["CodeRabbit is not installed"]);
    fs::create_dir_all(context.beside("only-git")).unwrap();
    let stranger =
        context.command(binary("plimsoll")).args(["review", "run", "--loop", "3"]).output().unwrap();
    assert_eq!(stranger.status.code(), Some(2));
}

/// Starts a review whose reviewer waits until it is told to go on, and waits until that has started.
fn started(context: &TestContext) -> std::process::Child {
    let mut command = context.command(binary("plimsoll"));
    let command = command.args(["review", "run", "--loop", "3"]).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut review = command.spawn().unwrap();
    let patience = Instant::now() + Duration::from_secs(60);
    while calls(context).is_empty() {
        assert!(review.try_wait().unwrap().is_none() && Instant::now() < patience, "it never started");
        std::thread::yield_now();
    }
    review
}

const WAITING: &str = "while [ ! -e \"$0.go\" ]; do sleep 0.1; done";

#[test]
fn a_second_review_does_not_run_beside_the_first() {
    let context = with_coderabbit(changed(), &format!("{WAITING}\n{COMPLETE}"));
    let first = started(&context);
    assert_ends(&context, 2, &["another review is running on this machine"]);
    fs::write(context.beside("bin/coderabbit.go"), "").unwrap();
    let first = first.wait_with_output().unwrap();
    assert_eq!(first.status.code(), Some(0), "{}", told(&first));
    assert_eq!(calls(&context).len(), 1);
    let quota: Value = serde_json::from_str(&fs::read_to_string(quota_file(&context)).unwrap()).unwrap();
    assert_eq!(quota["total_executions"], 1);
}

#[test]
fn a_review_that_is_killed_has_been_charged_and_holds_nobody_up() {
    let context = with_coderabbit(changed(), &format!("{WAITING}\n{COMPLETE}"));
    let mut review = started(&context);
    let id = review.id().to_string();
    assert!(Command::new("kill").args(["-KILL", &id]).status().unwrap().success());
    review.wait().unwrap();
    let quota: Value = serde_json::from_str(&fs::read_to_string(quota_file(&context)).unwrap()).unwrap();
    assert_eq!(quota["total_executions"], 1);
    coderabbit(&context, COMPLETE);
    assert_ends(&context, 0, &["PASS"]);
}

#[test]
fn a_command_of_ones_own_reviews_instead_of_coderabbit() {
    let context = with_coderabbit(changed(), COMPLETE);
    let log = json!({"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "scanner"}}, "results": [
        {"ruleId": "bad", "level": "error", "message": {"text": "fix this"},
            "locations": [{"physicalLocation": {"artifactLocation": {"uri": "two.md"}, "region": {"startLine": 1}}}]},
    ]}]});
    context.script("../bin/scanner", &format!("[ -n \"$PLIMSOLL_BASE\" ] || exit 9\necho '{log}'; exit 1"));
    let settings = |command: &str| {
        format!(
            "blocking: {{required_loops: [1]}}\nloop3: {{command: [{command}], block_on_new_issues: true}}\n"
        )
    };
    context.user_config(&settings("scanner"));
    assert_ends(&context, 1, &["major scanner: bad two.md:1: fix this"]);
    assert_eq!(outcome(&context)["findings"][0]["quote"], "two");
    assert_eq!(receipts(&context).last().unwrap()["reviewer"], "scanner");
    context.user_config(&settings("echo, all is well"));
    assert_ends(&context, 2, &["printed no SARIF"]);
    context.user_config(&settings("no-such-scanner"));
    assert_ends(&context, 2, &["no-such-scanner is not installed"]);
    assert!(calls(&context).is_empty() && !quota_file(&context).exists());
}

#[test]
fn under_an_agent_only_the_programs_that_the_session_began_with_are_asked() {
    let context = with_coderabbit(changed(), COMPLETE);
    let under_agent = |path: &str| {
        let mut command = context.command(binary("plimsoll"));
        command.args(["review", "run", "--loop", "3"]).env("PATH", path).env("CLAUDECODE", "1");
        said(&command.env("CLAUDE_CODE_SESSION_ID", crate::context::SESSION).output().unwrap())
    };
    context.hook("session-start", "SessionStart", json!({"source": "startup"}));
    context.script("../later/coderabbit", "echo CodeRabbit --agent --base-commit; touch \"$0.called\"");
    let path = format!("{}:{}", context.beside("later"), std::env::var("PATH").unwrap());
    let (code, text) = under_agent(&path);
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(calls(&context).len(), 1);
    assert!(!context.beside("later/coderabbit.called").exists());
}

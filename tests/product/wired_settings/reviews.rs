//! Keys of the code review, the gate, the output and the paths.

use super::{Row, Settings, lasting, row};
use crate::attestation::{attest, note, reviewed_commit, ssh_key};
use crate::context::{TestContext, binary};
use crate::gate::secret;
use crate::loop2::{Reviewing, finding};
use crate::sandbox::with_nosy_check;
use crate::terminal::at_a_terminal;
use plimsoll::edge::signature::{SigningKey, SshKeygen};
use plimsoll::edge::state::Ledger;
use plimsoll::pure::attestation::Envelope;
use serde_json::{Value, json};
use std::fs;

fn shell(script: &str) -> Value {
    json!(["sh", "-c", script])
}

const SARIF: &str = r#"printf '%s' '{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"t"}},"results":[{"ruleId":"r","level":"error","message":{"text":"wrong"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"one.md"},"region":{"startLine":1}}}]}]}]}'"#;

pub(super) fn rows() -> Vec<Row> {
    let check = |key, script| row(key, shell(script), loop_1);
    let mut rows = vec![
        row("loop1.tier1_timeout", json!(1), loop_1).around("loop1.checks.lint", shell("sleep 2")),
        row("loop1.tier2_timeout", json!(1), loop_1).around("loop1.checks.test", shell("sleep 2")),
        row("loop1.parallel_tier1", json!(false), overlaps)
            .around("loop1.checks.lint", shell("echo b >> ../order; sleep 1.5; echo e >> ../order"))
            .around("loop1.checks.typecheck", shell("echo b >> ../order; sleep 1.5; echo e >> ../order")),
        row("loop1.fail_fast_tier2", json!(false), loop_1)
            .around("loop1.checks.build", shell("exit 1"))
            .around("loop1.checks.test", shell("exit 0")),
        row("loop1.only_affected_tests", json!(true), tests_of_a_node_project),
        check("loop1.checks.lint", "exit 1"),
        check("loop1.checks.typecheck", "exit 1"),
        check("loop1.checks.format", "exit 1"),
        check("loop1.checks.build", "exit 1"),
        check("loop1.checks.test", "exit 1"),
        row("sandbox.check_network", json!(false), sandboxed_check),
        row("sandbox.unsandboxed_checks", json!(["sh"]), sandboxed_check),
        row("attestation.on_push", json!(true), pushed)
            .around("blocking.required_loops", json!([1]))
            .around("attestation.key", json!("~/../ada")),
        row("attestation.key", json!("~/../ada"), attested).around("blocking.required_loops", json!([1])),
        row("attestation.max_age_days", json!(30), verified_late)
            .around("blocking.required_loops", json!([1]))
            .around("attestation.key", json!("~/../ada")),
        row("loop2.enabled", json!(false), requested),
        row("loop2.model", json!("haiku"), reviewer),
        row("loop2.spawn_fresh_context", json!(false), reviewer),
        row("loop2.include_specs", json!(false), reviewer),
        row("loop2.include_commits", json!(0), reviewer),
        row("loop2.timeout", json!(77), reviewer),
        row("loop3.enabled", json!(false), requested),
        row("loop3.command", shell(SARIF), loop_3),
        row("loop3.rate_limit_per_hour", json!(1), loop_3_twice),
        row("loop3.skip_on_rate_limit", json!(false), loop_3_twice)
            .around("loop3.rate_limit_per_hour", json!(1)),
        row("loop3.block_on_new_issues", json!(true), gate_after_loop_3)
            .around("loop3.command", shell(SARIF))
            .around("blocking.required_loops", json!([1])),
        row("loop3.timeout", json!(1), loop_3).around("loop3.command", shell("sleep 2; exit 0")),
        row("loop4.enabled", json!(false), requested),
        row("loop4.integration", shell("exit 1"), loop_4),
        row("loop4.e2e", shell("exit 1"), loop_4),
        row("loop4.timeout", json!(1), loop_4).around("loop4.integration", shell("sleep 2")),
        row("blocking.required_loops", json!([1]), gate_after_loop_1),
        row("blocking.secrets_block_ship", json!(false), reviewer_after_a_secret),
        row("blocking.build_failure_blocks_ship", json!(false), reviewer_after_a_failure)
            .around("loop1.checks.build", shell("exit 1")),
        row("blocking.test_failure_blocks_ship", json!(false), reviewer_after_a_failure)
            .around("loop1.checks.test", shell("exit 1")),
        row("blocking.max_evidence_age_minutes", json!(10), read_half_an_hour_ago),
        row("blocking.max_rounds", json!(1), reviewer_after_a_failed_round),
        row("output.show_progress_spinners", json!(false), progress_at_a_terminal)
            .around("loop1.checks.lint", shell("sleep 0.5")),
        row("output.show_elapsed_time", json!(false), report_has_times)
            .around("loop1.checks.lint", shell("exit 0")),
        row("output.unified_report", json!(false), loop_1),
        row("output.save_logs", json!(false), files_after_loop_1),
        row("paths.state_dir", json!("notes/state"), files_after_loop_1),
        row("paths.log_dir", json!("notes/logs"), files_after_loop_1),
        row("paths.config_dir", json!("ops"), gate_of_a_project_with_a_policy)
            .around("blocking.required_loops", json!([1])),
    ];
    for (key, severity, value) in [
        ("blocking.critical_blocks_ship", "critical", false),
        ("blocking.major_blocks_ship", "major", true),
        ("blocking.minor_blocks_ship", "minor", true),
    ] {
        let scene = match severity {
            "critical" => |context: &mut TestContext, _: &Settings| gate_with_a_finding(context, "critical"),
            "major" => |context: &mut TestContext, _: &Settings| gate_with_a_finding(context, "major"),
            _ => |context: &mut TestContext, _: &Settings| gate_with_a_finding(context, "minor"),
        };
        rows.push(row(key, json!(value), scene));
    }
    rows
}

/// The verdicts of a loop, without times.
fn run_loop(context: &TestContext, number: &str) -> String {
    let output = context.plimsoll(&["review", "run", "--loop", number]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines = text.lines().map(|line| line.split(" (").next().unwrap_or(line));
    let lines = lines
        .filter(|line| !line.contains("took") && !line.contains("Log:") && !line.contains("reused:"))
        .collect::<Vec<_>>();
    lasting(&format!("{:?} {}", output.status.code(), lines.join("\n")))
}

fn loop_1(context: &mut TestContext, _: &Settings) -> String {
    context.change();
    run_loop(context, "1")
}

/// What the test tool was called with.
fn tests_of_a_node_project(context: &mut TestContext, settings: &Settings) -> String {
    context.write("package.json", "{\"devDependencies\": {\"jest\": \"1\"}}\n");
    context.write(".gitignore", "node_modules\n");
    context.script("node_modules/.bin/jest", "echo \"$@\" > ../told");
    loop_1(context, settings);
    lasting(&fs::read_to_string(context.beside("told")).unwrap())
}

fn loop_3(context: &mut TestContext, _: &Settings) -> String {
    context.change();
    run_loop(context, "3")
}

/// With a CodeRabbit of our own.
fn loop_3_twice(context: &mut TestContext, _: &Settings) -> String {
    let path = format!("{}:{}", context.beside("bin"), std::env::var("PATH").unwrap());
    context.set_variable("PATH", path);
    context.script(
        "../bin/coderabbit",
        r#"case "$*" in
--version) echo 0.7.1; exit 0;;
--help) echo 'Commands: review'; exit 0;;
'review --help') echo '--agent --committed --uncommitted --include-untracked --base <b> --base-commit <c>'; exit 0;;
esac
echo '{"type":"review_context"}'
echo '{"type":"complete","status":"review_completed"}'"#,
    );
    context.change();
    run_loop(context, "3");
    context.write("three.md", "three\n");
    run_loop(context, "3")
}

fn loop_4(context: &mut TestContext, _: &Settings) -> String {
    context.change();
    run_loop(context, "4")
}

fn overlaps(context: &mut TestContext, settings: &Settings) -> String {
    loop_1(context, settings);
    fs::read_to_string(context.beside("order")).unwrap()
}

fn requested(context: &mut TestContext, _: &Settings) -> String {
    context.change();
    let answer = context.prompt("user-prompt-review", "/review --all", "p");
    let text = answer.context();
    let (_, block) = text.split_once('\n').unwrap_or_else(|| panic!("{}", answer.json));
    serde_json::from_str::<Value>(block).unwrap()["loops"].to_string()
}

/// Enrolled, on a branch with a commit and a specification, with loop 1 run.
fn ready_for_a_reviewer(context: &TestContext) {
    context.enrol();
    context.git(&["switch", "-qc", "feature/login"]);
    context.write("specs/login.md", "A wrong password is refused.\n");
    context.commit("specify");
    context.change();
    context.plimsoll(&["review", "run", "--loop", "1"]);
    context.prompt("user-prompt-start", "Write two files about harbours", "goal");
    context.ask("--claude --yes");
}

fn reviewer(context: &mut TestContext, _: &Settings) -> String {
    ready_for_a_reviewer(context);
    let answer = context.call();
    let Some(input) = answer.updated_input() else { panic!("{}", answer.json) };
    let prompt = input["prompt"].as_str().unwrap();
    let folder = prompt.split("Read ").nth(1).unwrap().split("/context.md").next().unwrap();
    let index = fs::read_to_string(format!("{folder}/context.md")).unwrap();
    let index: String = index.lines().filter(|line| !line.starts_with("mark: ")).collect();
    let prompt = prompt.lines().filter(|line| !line.contains("nonce") && !line.contains("context-"));
    lasting(&format!("{} {} {index}", input["model"], prompt.collect::<String>()))
}

fn is_started(context: &TestContext) -> String {
    let answer = context.call();
    format!("{} {}", answer.updated_input().is_some(), lasting(answer.reason()))
}

fn reviewer_after_a_failure(context: &mut TestContext, _: &Settings) -> String {
    ready_for_a_reviewer(context);
    is_started(context)
}

fn reviewer_after_a_secret(context: &mut TestContext, settings: &Settings) -> String {
    context.write("notes.txt", format!("token = {}\n", secret()));
    reviewer_after_a_failure(context, settings)
}

fn read(context: &TestContext, findings: Value) {
    context.enrol();
    context.change();
    context.review();
    context.ask("--claude --yes");
    let started = context.start();
    context.answer(&started.honest(findings).to_string());
}

fn gate_with_a_finding(context: &TestContext, severity: &str) -> String {
    read(context, json!([finding(severity, "one.md", "one")]));
    context.gate(&[]).open.to_string()
}

fn reviewer_after_a_failed_round(context: &mut TestContext, _: &Settings) -> String {
    read(context, json!([finding("critical", "one.md", "one")]));
    context.write("one.md", "one again\n");
    context.review();
    is_started(context)
}

fn read_half_an_hour_ago(context: &mut TestContext, _: &Settings) -> String {
    read(context, json!([]));
    let mut receipt = context.receipts().receipts.pop().unwrap();
    let ago = time::OffsetDateTime::now_utc() - time::Duration::minutes(30);
    receipt.time = ago.format(&time::format_description::well_known::Rfc3339).unwrap();
    let (layout, homes, repository) = (context.layout(), context.homes(), context.identity());
    Ledger { layout: &layout, homes: &homes, repository: &repository }.append(receipt).unwrap();
    context.call().updated_input().is_some().to_string()
}

fn gate_after_loop_1(context: &mut TestContext, _: &Settings) -> String {
    context.enrol();
    context.change();
    context.review();
    context.gate(&[]).open.to_string()
}

fn gate_after_loop_3(context: &mut TestContext, settings: &Settings) -> String {
    gate_after_loop_1(context, settings);
    run_loop(context, "3");
    context.gate(&[]).open.to_string()
}

fn gate_of_a_project_with_a_policy(context: &mut TestContext, settings: &Settings) -> String {
    context.write("ops/review-config.yaml", "blocking: {required_loops: [1, 2]}\n");
    gate_after_loop_1(context, settings)
}

fn progress_at_a_terminal(context: &mut TestContext, _: &Settings) -> String {
    context.change();
    let mut command = context.command(binary("plimsoll"));
    command.env("TERM", "xterm").args(["review", "run", "--loop", "1"]);
    let output = at_a_terminal(command);
    // A spinner writes over its own line.
    String::from_utf8_lossy(&output.stderr).contains("\u{1b}[2K").to_string()
}

fn report_has_times(context: &mut TestContext, _: &Settings) -> String {
    context.change();
    let output = context.plimsoll(&["review", "run", "--loop", "1"]);
    let text = String::from_utf8_lossy(&output.stdout);
    text.rsplit("s)").skip(1).any(|before| before.ends_with(|c: char| c.is_ascii_digit())).to_string()
}

fn files_after_loop_1(context: &mut TestContext, settings: &Settings) -> String {
    loop_1(context, settings);
    let output = context.bash("find . -name .git -prune -o -type d -print | sort");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What a check reaches in a sandboxed project, which is another one than the row's.
/// Whether a push brings attestations along.
fn pushed(context: &mut TestContext, _: &Settings) -> String {
    ssh_key(context, "ada");
    context.enrol();
    reviewed_commit(context, "one.md");
    let accepted = context.plimsoll(&["push"]).status.success();
    let refs = context.git_in(&context.beside("remote.git"), &["for-each-ref", "--format=%(refname)"]);
    format!("{accepted} {refs}")
}

fn attested(context: &mut TestContext, _: &Settings) -> String {
    ssh_key(context, "ada");
    reviewed_commit(context, "one.md");
    format!("{:?}", attest(context, &[]).status.code())
}

/// The decision on a commit that was attested a long time ago.
fn verified_late(context: &mut TestContext, _: &Settings) -> String {
    let (key, list) = ssh_key(context, "ada");
    fs::write(context.beside("signers"), list).unwrap();
    let commit = reviewed_commit(context, "one.md");
    assert!(attest(context, &[]).status.success());
    let envelope = Envelope::parse(note(context, &context.project(), &commit).as_bytes()).unwrap();
    let mut statement = envelope.statement().unwrap();
    statement.predicate.time = "2020-01-01T00:00:00Z".into();
    let payload = statement.payload();
    let keygen = SshKeygen::find("/nowhere".into()).unwrap();
    let signature = keygen.sign(&SigningKey::File(key), &Envelope::message(&payload)).unwrap();
    let line = Envelope { payload, signature }.line();
    context.git(&["notes", "--ref=plimsoll", "add", "-f", "-m", &line, &commit]);
    let signers = context.beside("signers");
    let output = context.plimsoll(&["gate", "verify", "--allowed-signers", signers.as_str()]);
    format!("{:?}", output.status.code())
}

fn sandboxed_check(_: &mut TestContext, settings: &Settings) -> String {
    let own = settings.0.get("sandbox").map(|own| format!("sandbox: {own}\n")).unwrap_or_default();
    with_nosy_check(&own).1
}

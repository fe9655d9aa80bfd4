//! Receipts that travel: made for reviewed commits, signed with real ssh keys, kept in notes, verified elsewhere.

use crate::answer::told;
use crate::context::TestContext;
use crate::extent::sampled;
use camino::{Utf8Path, Utf8PathBuf};
use std::fs;
use std::process::Output;

/// A new ssh key beside the project, and its line in a list of allowed signers.
pub(crate) fn ssh_key(context: &TestContext, name: &str) -> (Utf8PathBuf, String) {
    let file = context.beside(name);
    let made = context
        .command("ssh-keygen")
        .args(["-q", "-t", "ed25519", "-N", "", "-C", name, "-f", file.as_str()])
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", told(&made));
    let public = fs::read_to_string(format!("{file}.pub")).unwrap();
    (file, format!("{name}@example.invalid {public}"))
}

/// Enrolled, for loop 1, with Ada's key in the list of the base; pushes are attested.
pub(crate) fn team() -> TestContext {
    let context = TestContext::new();
    let (key, line) = ssh_key(&context, "ada");
    context.write(".claude/config/allowed-signers", line);
    context.commit("who may sign");
    context.git(&["push", "-q"]);
    team_settings(&context, &key);
    context.enrol();
    context
}

pub(crate) fn team_settings(context: &TestContext, key: &Utf8Path) {
    context.user_config(&format!(
        "blocking: {{required_loops: [1]}}\nattestation: {{on_push: true, key: {key}}}\n"
    ));
}

/// A reviewed commit with this content.
pub(crate) fn reviewed_commit(context: &TestContext, file: &str) -> String {
    context.write(file, format!("{file}\n"));
    context.review();
    context.commit(file)
}

pub(crate) fn attest(context: &TestContext, options: &[&str]) -> Output {
    context.plimsoll(&[&["attest"], options].concat())
}

pub(crate) fn note(context: &TestContext, directory: &Utf8Path, commit: &str) -> String {
    context.git_in(directory, &["notes", "--ref=plimsoll", "show", commit])
}

fn verify(context: &TestContext, options: &[&str]) -> (Option<i32>, String) {
    let output = context.plimsoll(&[&["gate", "verify"], options].concat());
    (output.status.code(), told(&output))
}

#[test]
fn a_reviewed_commit_is_attested_and_verified() {
    let context = team();
    let commit = reviewed_commit(&context, "one.md");
    let (code, said) = verify(&context, &[]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("has no attestation"), "{said}");
    let output = attest(&context, &[]);
    assert!(output.status.success(), "{}", told(&output));
    let (code, said) = verify(&context, &[]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("signed by ada@example.invalid"), "{said}");
    assert_eq!(verify(&context, &["origin/main..HEAD"]).0, Some(0));

    // Nothing of this machine counts: its receipts are gone, its key too.
    fs::remove_dir_all(context.layout().receipts()).unwrap();
    fs::remove_file(context.homes().seal_key()).unwrap();
    assert_eq!(verify(&context, &[]).0, Some(0));

    let line = note(&context, &context.project(), &commit);
    assert_eq!(line.lines().count(), 1, "{line}");
    let envelope: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(envelope["payloadType"], "application/vnd.in-toto+json");
}

#[test]
fn each_form_of_the_decision_can_be_read_by_a_tool() {
    let context = team();
    reviewed_commit(&context, "one.md");
    let json = context.plimsoll(&["gate", "verify", "--json"]);
    let value: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!((json.status.code(), &value["open"]), (Some(1), &serde_json::json!(false)));
    assert_eq!(value["reasons"][0]["rule"], "attestation/missing");
    let sarif = context.plimsoll(&["gate", "verify", "--format", "sarif"]);
    let value: serde_json::Value = serde_json::from_slice(&sarif.stdout).unwrap();
    assert_eq!(value["runs"][0]["results"][0]["ruleId"], "attestation/missing");
    let (_, said) = verify(&context, &["--format", "github"]);
    assert!(said.starts_with("::error title=attestation/missing::"), "{said}");
}

#[test]
fn nothing_but_a_reviewed_commit_is_attested() {
    let context = team();
    context.write("one.md", "unreviewed\n");
    let commit = context.commit("unreviewed");
    let output = attest(&context, &[]);
    assert_eq!(output.status.code(), Some(1), "{}", told(&output));
    assert!(told(&output).contains("nothing was attested"), "{}", told(&output));
    let output = attest(&context, &["HEAD~1", "--base", "HEAD~1"]);
    assert_eq!(output.status.code(), Some(2), "{}", told(&output));
    let notes = context.command("git").args(["notes", "--ref=plimsoll", "show", &commit]).output().unwrap();
    assert!(!notes.status.success());
}

#[test]
fn an_agent_attests_only_by_pushing() {
    let mut context = team();
    let commit = reviewed_commit(&context, "one.md");
    assert_eq!(context.before_bash("plimsoll attest").decision(), Some("deny"));
    assert_eq!(context.before_bash("plimsoll server-hook install /srv/x.git").decision(), Some("deny"));
    context.set_variable("CLAUDECODE", "1");
    assert_eq!(attest(&context, &[]).status.code(), Some(1));
    let output = context.plimsoll(&["push"]);
    assert!(output.status.success(), "{}", told(&output));
    assert!(note(&context, &context.beside("remote.git"), &commit).contains("payload"));
}

#[test]
fn another_commit_another_key_and_a_later_change_are_not_covered() {
    let context = team();
    let first = reviewed_commit(&context, "one.md");
    assert!(attest(&context, &[]).status.success());
    let line = note(&context, &context.project(), &first);

    context.git(&["commit", "-q", "--amend", "-m", "same content, another commit"]);
    let (code, said) = verify(&context, &[]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("has no attestation"), "{said}");
    context.git(&["notes", "--ref=plimsoll", "add", "-f", "-m", &line, "HEAD"]);
    let (code, said) = verify(&context, &[]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("another commit or tree"), "{said}");

    context.git(&["reset", "-q", "--hard", &first]);
    assert_eq!(verify(&context, &[]).0, Some(0));
    let (eve, _) = ssh_key(&context, "eve");
    context.git(&["notes", "--ref=plimsoll", "remove", &first]);
    assert!(attest(&context, &["--key", eve.as_str()]).status.success());
    let (code, said) = verify(&context, &[]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("not in the list of allowed signers"), "{said}");
}

#[test]
fn the_change_under_judgement_cannot_name_its_own_signers_or_policy() {
    let context = team();
    let (eve, line) = ssh_key(&context, "eve");
    context.write(".claude/config/allowed-signers", line);
    context.write(".claude/config/review-config.yaml", "blocking: {required_loops: []}\n");
    context.review();
    context.commit("we sign now");
    assert!(attest(&context, &["--key", eve.as_str()]).status.success());
    let (code, said) = verify(&context, &[]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("not in the list of allowed signers"), "{said}");
}

#[test]
fn a_laxer_policy_and_a_missing_loop_are_named() {
    let context = team();
    reviewed_commit(&context, "one.md");
    assert!(attest(&context, &[]).status.success());
    // On a machine whose settings are the defaults, two loops are required.
    context.user_config("");
    let (code, said) = verify(&context, &[]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("laxer policy than the base's: blocking.required_loops"), "{said}");
    assert!(said.contains("attested without loop 2"), "{said}");
    let (code, said) = verify(&context, &["--rerun", "1"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(!said.contains("without loop 1"), "{said}");
}

#[test]
fn loop_1_runs_again_and_the_attestation_is_not_asked_for_it() {
    let context = team();
    context.user_config("blocking: {required_loops: [1]}\n");
    reviewed_commit(&context, "one.md");
    let key = context.beside("ada");
    assert!(attest(&context, &["--key", key.as_str()]).status.success());
    let (code, said) = verify(&context, &["--rerun", "1"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("run again here: PASS") && said.contains("signed by"), "{said}");
}

#[test]
fn an_override_leaves_its_reason_and_does_not_pass() {
    let context = team();
    context.write("one.md", "unreviewed\n");
    context.commit("unreviewed");
    plimsoll::app::gate::overrides::let_head_leave(&crate::receipts::workspace(&context), "hotfix").unwrap();
    let output = context.plimsoll(&["push"]);
    assert!(output.status.success(), "{}", told(&output));
    let (code, said) = verify(&context, &["--base", "HEAD~1"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("left by an override: hotfix"), "{said}");
}

#[test]
fn no_source_text_and_no_secret_is_in_a_note() {
    let context = team();
    let secret = crate::gate::secret();
    context.write("one.md", "let unusual_word = run(input);\n");
    context.review();
    let mut found = crate::receipts::finding(
        plimsoll::pure::review::FindingSeverity::Minor,
        "one.md",
        "let unusual_word = run(input);",
    );
    found.message = format!("let unusual_word = run(input); is odd; `other_code()` and {secret}");
    crate::receipts::ends(
        &context,
        plimsoll::pure::policy::LoopNumber::Two,
        plimsoll::pure::review::LoopVerdict::Pass,
        vec![found],
    );
    let commit = context.commit("one");
    assert!(attest(&context, &[]).status.success());
    let line = note(&context, &context.project(), &commit);
    let envelope: serde_json::Value = serde_json::from_str(&line).unwrap();
    let decode = format!("printf %s '{}' | base64 -d", envelope["payload"].as_str().unwrap());
    let payload = told(&context.bash(&decode));
    assert!(payload.contains("is odd") && payload.contains("\"policy\""), "{payload}");
    for word in ["unusual_word", "other_code", secret.as_str()] {
        assert!(!payload.contains(word), "{word}: {payload}");
    }
}

#[test]
fn only_what_was_attested_here_is_sent() {
    let context = team();
    let commit = reviewed_commit(&context, "one.md");
    context.git(&["notes", "--ref=plimsoll", "add", "-m", "smuggled out", &commit]);
    context.git(&["notes", "--ref=plimsoll", "add", "-m", "this too", "HEAD~1"]);
    let output = context.plimsoll(&["push"]);
    assert!(output.status.success(), "{}", told(&output));
    let remote = context.beside("remote.git");
    let line = note(&context, &remote, &commit);
    assert!(line.contains("payload") && !line.contains("smuggled"), "{line}");
    let all = context.git_in(&remote, &["log", "-p", "refs/notes/plimsoll"]);
    assert!(!all.contains("smuggled") && !all.contains("this too"), "{all}");
}

#[test]
fn a_missing_key_is_an_error_with_the_way_on() {
    let context = team();
    reviewed_commit(&context, "one.md");
    context.user_config("blocking: {required_loops: [1]}\n");
    let output = attest(&context, &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(told(&output).contains("user.signingkey"), "{}", told(&output));
    // As git itself is told to sign.
    context.git(&["config", "gpg.format", "ssh"]);
    context.git(&["config", "user.signingkey", context.beside("ada.pub").as_str()]);
    let output = attest(&context, &[]);
    assert!(output.status.success(), "{}", told(&output));
    assert_eq!(verify(&context, &[]).0, Some(0));
}

/// Two machines attest, fetch and push in many orders; every attestation is everywhere in the end.
#[test]
fn notes_of_two_machines_survive_in_every_order() {
    let orders = ["abfAfB", "aAbB", "abAB", "abBA", "abBAbB", "aAbafB", "bBaAfF", "abaAbB"];
    for order in sampled(orders, 4) {
        let context = team();
        let (bob, line) = ssh_key(&context, "bob");
        let list = fs::read_to_string(context.path(".claude/config/allowed-signers")).unwrap();
        context.write(".claude/config/allowed-signers", list + &line);
        context.review();
        context.commit("two may sign");
        assert!(context.plimsoll(&["push"]).status.success());
        let other = Machine::new(&context, &bob);
        let mut commits = Vec::new();
        for (step, what) in order.chars().enumerate() {
            let name = format!("{order}{step}");
            match what {
                'a' => commits.push(reviewed_commit(&context, &name)),
                'b' => commits.push(other.reviewed_commit(&name)),
                'A' => assert!(context.plimsoll(&["push", "origin", "main:refs/heads/a"]).status.success()),
                'B' => other.run(&["push", "origin", "main:refs/heads/b"]),
                'f' => assert!(context.plimsoll(&["fetch"]).status.success()),
                _ => other.run(&["fetch"]),
            }
        }
        assert!(context.plimsoll(&["push", "origin", "main:refs/heads/a"]).status.success());
        other.run(&["push", "origin", "main:refs/heads/b"]);
        assert!(context.plimsoll(&["fetch"]).status.success());
        other.run(&["fetch"]);
        let places = [context.project(), other.project.clone(), context.beside("remote.git")];
        let noted = |place: &Utf8PathBuf| {
            let list = context.git_in(place, &["notes", "--ref=plimsoll", "list"]);
            let mut noted: Vec<String> =
                list.lines().filter_map(|line| Some(line.split_once(' ')?.1.to_owned())).collect();
            noted.sort();
            noted
        };
        let everywhere = noted(&places[2]);
        for place in &places {
            assert_eq!(noted(place), everywhere, "{order}: {place}");
        }
        // A push attests its tip, which covers the commits below it.
        for tip in ["a", "b"] {
            let tip = context.git_in(&places[2], &["rev-parse", tip]);
            assert!(everywhere.contains(&tip), "{order}: {tip} of {commits:?} is not in {everywhere:?}");
        }
    }
}

/// A second home and clone.
struct Machine<'a> {
    context: &'a TestContext,
    home: Utf8PathBuf,
    project: Utf8PathBuf,
}

impl<'a> Machine<'a> {
    fn new(context: &'a TestContext, key: &Utf8Path) -> Self {
        let (home, project) = (context.beside("home-2"), context.beside("project-2"));
        fs::create_dir_all(home.join(".config/plimsoll")).unwrap();
        fs::write(
            home.join(".config/plimsoll/review-config.yaml"),
            format!("blocking: {{required_loops: [1]}}\nattestation: {{on_push: true, key: {key}}}\n"),
        )
        .unwrap();
        context.new_repository("project-2");
        context.git_in(&project, &["pull", "-q", "origin", "main"]);
        context.git_in(&project, &["fetch", "-q"]);
        context.git_in(&project, &["remote", "set-head", "origin", "main"]);
        let machine = Self { context, home, project };
        machine.run(&["enrol", "--yes"]);
        machine
    }

    fn run(&self, arguments: &[&str]) {
        let output = self
            .context
            .command(crate::context::binary("plimsoll"))
            .env("HOME", &self.home)
            .env("XDG_DATA_HOME", self.home.join(".local/share"))
            .env("XDG_CONFIG_HOME", self.home.join(".config"))
            .env("XDG_STATE_HOME", self.home.join(".local/state"))
            .current_dir(&self.project)
            .args(arguments)
            .output()
            .unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", told(&output));
    }

    fn reviewed_commit(&self, file: &str) -> String {
        fs::write(self.project.join(file), file).unwrap();
        self.run(&["review", "run", "--loop", "1"]);
        self.context.git_in(&self.project, &["add", "-A"]);
        self.context.git_in(&self.project, &["commit", "-q", "-m", file]);
        self.context.git_in(&self.project, &["rev-parse", "HEAD"])
    }
}

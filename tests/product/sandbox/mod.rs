//! Sandboxed mode: settings, the probe, and the commands that run outside.

#![cfg(target_os = "linux")]

mod attacks;

use crate::answer::told;
use crate::context::{TestContext, binary};
use crate::terminal::at_a_terminal;
pub(crate) use attacks::sandbox_command;
use serde_json::{Value, json};
use std::fs;
use std::process::Output;

pub(crate) fn sandbox(context: &TestContext, verb: &str) -> Output {
    let mut command = context.command(binary("plimsoll"));
    command.args(["sandbox", verb]);
    at_a_terminal(command)
}

pub(crate) fn sandboxed(context: TestContext) -> TestContext {
    let output = sandbox(&context, "on");
    assert!(output.status.success(), "{}", told(&output));
    context
}

fn settings(context: &TestContext) -> Value {
    serde_json::from_slice(&fs::read(context.path(".claude/settings.local.json")).unwrap()).unwrap()
}

fn doctor(context: &TestContext) -> String {
    let said = told(&context.plimsoll(&["doctor", "-v"]));
    said.lines().find(|line| line.contains(" sandbox ")).unwrap_or_default().to_owned()
}

#[test]
fn on_writes_the_rules_and_off_gives_every_byte_back() {
    for before in [None, Some("{\n\t\"model\": \"opus\",\n\t\"sandbox\": {\"enabled\": false}\n}")] {
        let context = TestContext::reviewed();
        let file = context.path(".claude/settings.local.json");
        if let Some(text) = before {
            context.write(".claude/settings.local.json", text);
        }
        let ignored = fs::read(context.path(".git/info/exclude")).unwrap();
        let context = sandboxed(context);
        let sandbox_settings = &settings(&context)["sandbox"];
        assert_eq!(sandbox_settings["enabled"], true);
        assert_eq!(sandbox_settings["failIfUnavailable"], true);
        assert_eq!(sandbox_settings["allowUnsandboxedCommands"], false);
        let hidden = sandbox_settings["filesystem"]["denyRead"].as_array().unwrap();
        assert!(hidden.contains(&json!("~/.local/share/plimsoll/seal.key")), "{hidden:?}");
        assert!(hidden.contains(&json!("~/.ssh")), "{hidden:?}");
        assert!(!context.git(&["status", "--short"]).contains("settings.local"));
        let again = sandbox(&context, "on");
        assert!(again.status.success(), "{}", told(&again));
        let off = sandbox(&context, "off");
        assert!(told(&off).contains("not sandboxed"), "{}", told(&off));
        assert_eq!(fs::read_to_string(&file).ok().as_deref(), before);
        assert_eq!(fs::read(context.path(".git/info/exclude")).unwrap(), ignored);
        let left: Vec<_> = fs::read_dir(context.path(".claude")).into_iter().flatten().flatten().collect();
        assert!(left.iter().all(|entry| !entry.file_name().to_string_lossy().contains("backup")), "{left:?}");
    }
}

#[test]
fn an_agent_cannot_switch_it() {
    let context = TestContext::enrolled().with_variable("CLAUDECODE", "1");
    for verb in ["on", "off"] {
        let output = sandbox(&context, verb);
        assert_eq!(output.status.code(), Some(1), "{}", told(&output));
    }
    assert!(!context.path(".claude/settings.local.json").exists());
    assert!(!context.plimsoll(&["sandbox", "off"]).status.success());
}

#[test]
fn without_bubblewrap_nothing_is_changed_and_the_reason_is_named() {
    let context = TestContext::enrolled();
    context.write(".claude/settings.local.json", "{}");
    // A machine whose bubblewrap cannot make namespaces, as in many containers.
    context.script("../fake/bwrap", "echo 'bwrap: No permissions to create new namespace' >&2; exit 1");
    let fake = context.beside("fake/bwrap");
    let shadow = format!(
        "mount --bind '{fake}' \"$(readlink -f /usr/bin/bwrap)\" && exec '{}' sandbox on",
        binary("plimsoll").display()
    );
    let output = context.command("unshare").args(["-m", "sh", "-c", &shadow]).output().unwrap();
    let said = told(&output);
    if said.contains("unshare:") || said.contains("mount:") {
        eprintln!("skipped: this user cannot make mount namespaces");
        return;
    }
    assert!(!output.status.success() && said.contains("nothing was changed"), "{said}");
    assert!(said.contains("No permissions to create new namespace"), "{said}");
    assert_eq!(fs::read_to_string(context.path(".claude/settings.local.json")).unwrap(), "{}");
    assert!(doctor(&context).contains("not sandboxed"));
}

#[test]
fn doctor_and_status_say_which_it_is_by_trying() {
    let context = TestContext::reviewed();
    assert!(doctor(&context).contains("not sandboxed"), "{}", doctor(&context));
    let context = sandboxed(context);
    assert!(doctor(&context).contains("sandboxed; a sandboxed command was tried"), "{}", doctor(&context));
    assert_eq!(told(&context.plimsoll(&["sandbox", "status"])).trim(), "sandboxed");
    // The user opens a way out elsewhere.
    context.write(".claude/settings.json", r#"{"sandbox": {"excludedCommands": ["git push"]}}"#);
    assert!(doctor(&context).contains("sandboxed, but git push runs outside"), "{}", doctor(&context));
    context.write(".claude/settings.local.json", r#"{"sandbox": {"enabled": true}}"#);
    assert!(doctor(&context).contains("can be read"), "{}", doctor(&context));
}

#[test]
fn everything_of_authority_in_the_data_folder_is_hidden() {
    let context = sandboxed(TestContext::reviewed());
    context.before_bash("rm -rf /");
    assert!(context.plimsoll(&["checkpoint", "create"]).status.success());
    let hidden = settings(&context)["sandbox"]["filesystem"]["denyRead"].to_string();
    let data = context.home().join(".local/share/plimsoll");
    for entry in data.read_dir_utf8().unwrap().map(Result::unwrap) {
        let name = entry.file_name();
        let readable = matches!(name, "bin" | "hooks" | "installed");
        assert!(
            readable || hidden.contains(&format!("plimsoll/{name}\"")),
            "{name} is neither hidden nor listed"
        );
    }
}

#[test]
fn a_session_and_ship_say_that_it_is_sandboxed() {
    let context = TestContext::reviewed();
    let start =
        |context: &TestContext| context.hook("session-start", "SessionStart", json!({"source": "startup"}));
    assert!(!start(&context).context().contains("sandboxed"));
    assert!(!context.prompt("user-prompt-ship", "/ship", "1").context().contains("plimsoll push"));
    let context = sandboxed(context);
    assert!(start(&context).context().contains("Commands run sandboxed here"));
    let ship = context.prompt("user-prompt-ship", "/ship", "2");
    assert!(
        ship.context().contains("This session is sandboxed: push with `plimsoll push`."),
        "{}",
        ship.context()
    );
}

#[test]
fn a_session_below_the_root_is_not_called_sandboxed() {
    let context = sandboxed(TestContext::reviewed());
    let below = context.path("web");
    fs::create_dir(&below).unwrap();
    let start = || {
        let mut command = context.hook_command("session-start");
        command.env("CLAUDE_PROJECT_DIR", &below);
        let event = context.event("SessionStart", json!({"source": "startup", "cwd": below}));
        context.feed(command, event.to_string().as_bytes())
    };
    assert!(!start().context().contains("Commands run sandboxed here"), "{}", start().json);
    let said = "not sandboxed. Claude Code reads its settings from the folder";
    assert!(start().notice().contains(said), "{}", start().json);
    // Its own settings switch it on, with none of the rules.
    context.write("web/.claude/settings.json", r#"{"sandbox": {"enabled": true}}"#);
    assert!(start().notice().contains("sandboxed, but"), "{}", start().json);
}

#[test]
fn an_override_of_plimsoll_push_is_a_question_and_lets_exactly_that_leave_once() {
    let context = TestContext::reviewed();
    context.write("one.md", "not reviewed\n");
    context.commit("hot fix");
    let context = sandboxed(context);
    let typed = |id: &str| context.prompt("user-prompt-ship", "/ship --override \"hot fix\"", id);
    assert!(context.before_bash("plimsoll push").is_silent());
    assert!(!context.plimsoll(&["push"]).status.success());
    typed("p1");
    let answer = context.before_bash("plimsoll push");
    assert_eq!(answer.decision(), Some("ask"), "{}", answer.json);
    let command = answer.updated_input().unwrap()["command"].as_str().unwrap().to_owned();
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    assert!(words.starts_with(&["push", "--grant"]), "{command}");
    // Without the key, that a dialog was opened lets nothing leave.
    assert!(!context.plimsoll(&["push"]).status.success());
    assert!(!context.plimsoll(&["push", "--grant", "invented"]).status.success());
    assert!(context.before_bash("plimsoll push").is_silent(), "one override, one question");
    let shipped = context.plimsoll(&words);
    assert!(shipped.status.success() && context.remote_has(&context.head()), "{}", told(&shipped));
    context.write("one.md", "again not reviewed\n");
    context.commit("another");
    assert!(!context.plimsoll(&words).status.success());
}

#[test]
fn without_user_namespaces_or_as_somebody_else_nothing_is_half_done() {
    let context = TestContext::enrolled();
    let before = fs::read(context.path(".git/info/exclude")).unwrap();
    let on = binary("plimsoll").display().to_string();
    for (why, setup) in [
        ("user namespaces", "echo 0 > /proc/sys/user/max_user_namespaces".to_owned()),
        ("socat", "mount --bind /dev/null \"$(readlink -f /usr/bin/socat)\"".to_owned()),
    ] {
        let script = format!("{setup} && exec setpriv --no-new-privs '{on}' sandbox on");
        let output = context.command("unshare").args(["-Urm", "sh", "-c", &script]).output().unwrap();
        let said = told(&output);
        if said.contains("unshare:") || said.contains("mount:") || said.contains("cannot create") {
            eprintln!("skipped: this user cannot take {why} away");
            continue;
        }
        assert!(!output.status.success() && said.contains("nothing was changed"), "{why}: {said}");
        assert!(!context.path(".claude/settings.local.json").exists(), "{why}");
        assert_eq!(fs::read(context.path(".git/info/exclude")).unwrap(), before, "{why}");
        assert!(doctor(&context).contains("not sandboxed"), "{why}");
    }
}

#[test]
fn another_user_gets_a_clear_message_and_changes_nothing() {
    let context = TestContext::enrolled();
    fs::set_permissions(context.beside(""), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let mut command = context.command("setpriv");
    command.args(["--reuid", "65534", "--regid", "65534", "--clear-groups"]);
    let output = command.arg(binary("plimsoll")).args(["sandbox", "on"]).output().unwrap();
    let said = told(&output);
    if said.contains("setpriv:") {
        eprintln!("skipped: this user cannot act as another one");
        return;
    }
    assert!(!output.status.success() && said.starts_with("error: "), "{said}");
    assert!(!context.path(".claude/settings.local.json").exists());
    assert!(doctor(&context).contains("not sandboxed"));
}

#[test]
fn a_command_that_runs_outside_has_to_be_the_whole_call() {
    let context = TestContext::reviewed();
    let compound = "plimsoll gate why; true";
    assert!(context.before_bash(compound).is_silent(), "only in sandboxed mode");
    let context = sandboxed(context);
    for command in
        [compound, "X=1 plimsoll push", "./plimsoll push", "plimsoll push | cat", "plimsoll push\ncat x"]
    {
        let answer = context.before_bash(command);
        assert_eq!(answer.decision(), Some("deny"), "{command}");
        assert!(answer.reason().len() <= 300, "{}", answer.reason());
    }
    for command in ["plimsoll push", "plimsoll gate why", "git status", "git commit -m 'plimsoll push'"] {
        assert!(context.before_bash(command).is_silent(), "{command}");
    }
    // The settings of another repository are the agent's own.
    let other = context.path("other");
    fs::create_dir(&other).unwrap();
    context.git_in(&other, &["init", "-q"]);
    for (command, decision) in [("plimsoll review run --loop 1", Some("deny")), ("git status", None)] {
        let call = json!({"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": command, "cwd": other});
        assert_eq!(context.hook("pre-tool-use", "PreToolUse", call).decision(), decision, "{command}");
    }
}

#[test]
fn a_hook_of_the_project_sees_neither_key_nor_credentials() {
    let context = TestContext::reviewed();
    context.commit("reviewed");
    fs::create_dir(context.home().join(".ssh")).unwrap();
    fs::write(context.home().join(".ssh/id"), "private").unwrap();
    let context = sandboxed(context);
    let seen = context.beside("seen");
    let body = format!(
        "exec > {seen} 2>/dev/null; cat $HOME/.local/share/plimsoll/seal.key && echo key; cat $HOME/.ssh/id && echo ssh; \
         touch .git/hooks/x && echo hooks; touch kept && echo tried"
    );
    context.script(".git/hooks/pre-push.before-plimsoll", &body);
    let output = context.plimsoll(&["push"]);
    assert!(output.status.success(), "{}", told(&output));
    assert_eq!(fs::read_to_string(seen).unwrap(), "tried\n");
}

/// Sandboxed, with a test of the project that notes what it could do in a file beside the project.
pub(crate) fn with_nosy_check(settings: &str) -> (TestContext, String) {
    let context = TestContext::reviewed();
    fs::create_dir_all(context.home().join(".cache")).unwrap();
    let context = sandboxed(context);
    let seen = context.beside("seen");
    context.write(
        "nosy.sh",
        format!(
            "exec > {seen} 2>/dev/null\n\
             cat \"$HOME/.local/share/plimsoll/seal.key\" >/dev/null && echo key\n\
             touch .git/hooks/pre-push && echo hook\n\
             touch .git/plimsoll/receipts/x && echo receipt\n\
             touch \"$HOME/.config/plimsoll/review-config.yaml\" && echo config\n\
             [ -n \"$(ls -A \"$HOME/.local/share/plimsoll/enrolled\")\" ] && echo enrolment\n\
             [ \"$(wc -l < /proc/net/dev)\" -gt 3 ] && echo network\n\
             mv .git g && mv g .git && echo moved repository\n\
             mv \"$HOME/.local/share\" \"$HOME/s\" && mv \"$HOME/s\" \"$HOME/.local/share\" && echo moved data\n\
             touch \"$HOME/cache\" && echo cache\n\
             mkdir -p \"$HOME/.config/git\" \"$HOME/.cache/x\"\n\
             for f in .bash_profile .config/git/config .cache/x/kept; do echo x > \"$HOME/$f\"; done\n\
             true\n"
        ),
    );
    let checks = "blocking: {required_loops: [1]}\nloop1: {checks: {test: [sh, nosy.sh]}}\n";
    context.user_config(&format!("{checks}{settings}"));
    context.review();
    let seen = fs::read_to_string(seen).unwrap();
    (context, seen)
}

#[test]
fn the_projects_own_checks_reach_nothing_that_decides_what_ships() {
    let (context, seen) = with_nosy_check("");
    let seen = seen.replace("network\n", "");
    assert_eq!(seen, "cache\n");
    assert!(context.gate(&[]).open);
    // Nor does a file appear that would steer what runs outside.
    for name in [".bash_profile", ".config/git/config"] {
        assert!(!context.home().join(name).exists(), "{name}");
    }
    assert!(context.home().join(".cache/x/kept").exists());
}

#[test]
fn checks_reach_the_network_where_the_settings_say_so() {
    let (_context, seen) = with_nosy_check("sandbox: {check_network: false}\n");
    assert!(!seen.contains("network"), "{seen}");
    // A machine without any network looks the same from inside.
    let devices = fs::read_to_string("/proc/net/dev").unwrap().lines().count();
    if devices > 3 {
        let (_context, seen) = with_nosy_check("");
        assert!(seen.contains("network"), "{seen}");
    }
}

#[test]
fn a_check_that_the_user_names_runs_without_the_sandbox() {
    let (context, seen) = with_nosy_check("sandbox: {unsandboxed_checks: [sh]}\n");
    assert!(seen.contains("key") && seen.contains("hook"), "{seen}");
    // Not by the project's own file.
    context.write(".claude/config/review-config.yaml", "sandbox: {unsandboxed_checks: [sh, make]}\n");
    let said = told(&context.plimsoll(&["config", "show"]));
    assert!(said.contains("only your own file can set this"), "{said}");
}

#[test]
fn settings_that_lose_the_sandbox_are_not_taken_over_and_are_reported() {
    let context = sandboxed(TestContext::reviewed());
    let hook = json!([{"hooks": [{"command": "/p/plimsoll/hooks/pre-tool-use"}]}]);
    context.write(".claude/settings.json", json!({"hooks": {"PreToolUse": hook}}).to_string());
    let file = context.path(".claude/settings.local.json");
    let changed = || {
        context.hook("config-change", "ConfigChange", json!({"source": "local_settings", "file_path": file}))
    };
    assert!(changed().is_silent(), "{}", changed().json);
    context.write(".claude/settings.local.json", "{}");
    assert!(
        changed().blocks() && changed().json.to_string().contains("switches the sandbox off"),
        "{}",
        changed().json
    );
    assert!(doctor(&context).starts_with('✗'), "{}", doctor(&context));
    let start = context.hook("session-start", "SessionStart", json!({"source": "startup"}));
    assert!(start.notice().contains("not sandboxed"), "{}", start.json);
    let context = sandboxed(context);
    assert!(doctor(&context).starts_with('✓'), "{}", doctor(&context));
}

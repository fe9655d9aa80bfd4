//! Messages after an emergency stop: by real programs and a real connection, never in the way of the hook.

use crate::answer::told;
use crate::context::TestContext;
use crate::recovery::{incident, installed_stage, stop_command};
use plimsoll::edge::notify::{NotificationLine, NotificationLog};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::process::Output;
use std::time::Duration;

fn stop(context: &TestContext, summary: &str) -> Output {
    let stage = installed_stage(context);
    let output = stop_command(context, stage.as_str(), summary).output().unwrap();
    assert!(told(&output).contains("problems=[]"), "{}", told(&output));
    output
}

/// Waits for the process that was left behind.
fn eventually<T>(what: &str, look: impl Fn() -> Option<T>) -> T {
    for _ in 0..1_500 {
        if let Some(found) = look() {
            return found;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("never came: {what}")
}

fn log_of(context: &TestContext, count: usize) -> Vec<NotificationLine> {
    let path = context.layout().notifications();
    eventually("the log", || Some(NotificationLog::read(&path)).filter(|lines| lines.len() >= count))
}

#[test]
fn every_channel_reaches_the_program_that_the_settings_name() {
    let context = TestContext::new();
    for name in ["desktop", "sound", "email", "command"] {
        let file = context.path(&format!("told.{name}"));
        context.script(
            &format!("tell-{name}"),
            &format!("printf '<%s>' \"$@\" > '{file}.new'; cat >> '{file}.new'; mv '{file}.new' '{file}'"),
        );
    }
    let program = |name: &str| context.path(&format!("tell-{name}"));
    context.user_config(&format!(
        "interventions: {{emergency_stop: {{notification_channels: [desktop, sound, email, command]}}}}\n\
         notifications: {{desktop_command: ['{}', --loud], sound_command: ['{}'], email_command: ['{}', 'ada@example.invalid'], \
         command: ['{}', \"a b\", \"$(touch x)\"]}}\n",
        program("desktop"),
        program("sound"),
        program("email"),
        program("command")
    ));
    let id = incident(&stop(&context, "the same call failed six times; $(touch y) `touch z`"));
    let lines = log_of(&context, 4);
    assert!(
        lines.iter().all(|line| line.failed.is_none() && line.incident.as_ref() == Some(&id)),
        "{lines:?}"
    );
    let got = |name: &str| fs::read_to_string(context.path(&format!("told.{name}"))).unwrap();
    let desktop = got("desktop");
    assert!(
        desktop.starts_with("<--loud><Plimsoll stopped the agent in project><the same call"),
        "{desktop}"
    );
    assert!(got("sound").starts_with("<>{"), "{}", got("sound"));
    let email = got("email");
    assert!(email.starts_with("<ada@example.invalid>Subject: Plimsoll stopped the agent"), "{email}");
    assert!(email.contains("\n\nthe same call failed six times") && email.contains("/recover"), "{email}");
    let (arguments, json) =
        got("command").split_once('{').map(|(a, b)| (a.to_owned(), format!("{{{b}"))).unwrap();
    assert_eq!(arguments, "<a b><$(touch x)>");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["event"], &json["incident"]), (&"emergency_stop".into(), &id.as_str().into()));
    for name in ["x", "y", "z"] {
        assert!(!context.path(name).exists(), "a shell ran {name}");
    }
    let shown = told(&context.plimsoll(&["incident", "show", &id]));
    assert!(shown.contains("Notified by email."), "{shown}");
}

#[test]
fn a_webhook_gets_exactly_one_well_formed_post() {
    let context = TestContext::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    context.user_config(&format!(
        "interventions: {{emergency_stop: {{notification_channels: [slack, webhook]}}}}\n\
         notifications: {{webhook_url: 'http://{address}/services/T0/secret-path?a=b'}}\n"
    ));
    stop(&context, "she said \"no\" \\ six times");
    let (stream, _) = listener.accept().unwrap();
    let mut reader = BufReader::new(stream);
    let mut head = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        if line.trim_end().is_empty() {
            break;
        }
        head.push(line.trim_end().to_owned());
    }
    let header = |name: &str| {
        let found = head
            .iter()
            .find_map(|line| line.split_once(": ").filter(|(key, _)| key.eq_ignore_ascii_case(name)));
        found.map(|(_, value)| value.to_owned()).unwrap_or_else(|| panic!("no {name} in {head:?}"))
    };
    assert!(head[0].starts_with("POST /services/T0/secret-path?a=b "), "{head:?}");
    assert_eq!(header("content-type"), "application/json");
    let mut body = vec![0; header("content-length").parse().unwrap()];
    reader.read_exact(&mut body).unwrap();
    reader
        .get_mut()
        .write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok")
        .unwrap();
    let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
    let text = body["text"].as_str().unwrap();
    assert_eq!(body.as_object().unwrap().len(), 1, "{body}");
    assert!(text.contains("Plimsoll stopped the agent in project\nshe said \"no\" \\ six times"), "{text}");
    let lines = log_of(&context, 1);
    assert!(lines.len() == 1 && lines[0].failed.is_none(), "{lines:?}");
    listener.set_nonblocking(true).unwrap();
    assert!(listener.accept().is_err(), "a second POST");
}

#[test]
fn a_program_that_hangs_delays_nobody_and_is_ended() {
    let context = TestContext::new();
    let pid = context.path("pid");
    context.script("hang", &format!("echo $$ > '{pid}.new'; mv '{pid}.new' '{pid}'; exec sleep 600"));
    context.user_config(&format!(
        "interventions: {{emergency_stop: {{notification_channels: [command]}}}}\nnotifications: {{command: ['{}']}}\n",
        context.path("hang")
    ));
    // Both streams of the stop are pipes here: it is over only when nobody holds them any more.
    stop(&context, "it went in circles");
    let process = eventually("the program", || fs::read_to_string(&pid).ok());
    let process = format!("/proc/{}", process.trim());
    if cfg!(target_os = "linux") {
        assert!(fs::exists(&process).unwrap(), "the stop waited for the program");
    }
    let lines = log_of(&context, 1);
    assert!(lines[0].failed.as_ref().unwrap().contains("took longer than 10 seconds"), "{lines:?}");
    assert!(!fs::exists(&process).unwrap());
}

#[test]
fn what_could_not_be_sent_is_written_down_and_shown_without_the_address() {
    let context = TestContext::new();
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    context.user_config(&format!(
        "interventions: {{emergency_stop: {{notification_channels: [command, email, webhook]}}}}\n\
         notifications: {{command: [no-such-program-anywhere], webhook_url: 'http://{closed}/secret-path'}}\n"
    ));
    let id = incident(&stop(&context, "it went in circles"));
    let lines = log_of(&context, 3);
    let shown = told(&context.plimsoll(&["incident", "show", &id]));
    assert!(
        shown.contains("Could not notify by command: there is no program no-such-program-anywhere"),
        "{shown}"
    );
    assert!(shown.contains("Could not notify by email: notifications.email_command is not set"), "{shown}");
    assert!(shown.contains("Could not notify by webhook: curl exited with 7"), "{shown}");
    assert!(!format!("{lines:?}{shown}").contains("secret-path"), "{shown}");
    let doctor = told(&context.plimsoll(&["doctor"]));
    assert!(doctor.contains("cannot send by email"), "{doctor}");
    assert!(doctor.contains("the last message by webhook failed"), "{doctor}");
    assert!(doctor.contains("this project is stopped"), "{doctor}");
}

#[test]
fn nothing_is_sent_without_a_channel_or_by_a_file_that_nobody_trusts() {
    let context = TestContext::new();
    context.script("tell", &format!("cat > '{}'", context.path("told")));
    let commands = format!("notifications: {{command: ['{}']}}\n", context.path("tell"));
    context.user_config(&commands);
    stop(&context, "it went in circles");
    context.user_config("");
    context.write(
        ".claude/config/review-config.yaml",
        format!("interventions: {{emergency_stop: {{notification_channels: [command]}}}}\n{commands}"),
    );
    stop(&context, "it went in circles");
    assert!(!context.layout().notifications().exists());
    assert!(!context.path("told").exists());
}

#[test]
fn a_channel_that_does_not_exist_is_an_error_in_the_configuration() {
    let context = TestContext::new();
    context.user_config("interventions: {emergency_stop: {notification_channels: [pigeon]}}\n");
    let output = context.plimsoll(&["config", "check"]);
    assert!(!output.status.success());
    let said = told(&output);
    assert!(said.contains("notification_channels") && said.contains("desktop, sound, webhook"), "{said}");
}

#[test]
fn no_secret_leaves_in_a_message() {
    let context = TestContext::new();
    context.script("tell", &format!("cat > '{0}.new'; mv '{0}.new' '{0}'", context.path("told")));
    context.user_config(&format!(
        "interventions: {{emergency_stop: {{notification_channels: [command]}}}}\nnotifications: {{command: ['{}']}}\n",
        context.path("tell")
    ));
    // Put together at run time, so that no scanner takes this file for a leak.
    let key = format!("sk_{}_{}", "live", "kQ7xZ2mV9rT4wB8nL3sD6fH1");
    stop(&context, &format!("curl -d api_key=\"{key}\" failed six times"));
    let got = eventually("the message", || fs::read_to_string(context.path("told")).ok());
    assert!(!got.contains(&key) && got.contains("failed six times"), "{got}");
}

/// A desktop whose `notify-send` writes down what it is given.
fn at_a_desktop() -> TestContext {
    let mut context = TestContext::new();
    with_desktop(&mut context);
    context
}

/// A desktop whose notifications go to the file `shown` in the home directory.
pub(crate) fn with_desktop(context: &mut TestContext) {
    let told = context.home().join("shown");
    context.script(
        "desktop/notify-send",
        &format!("printf '<%s>' \"$@\" > '{told}.new'; mv '{told}.new' '{told}'"),
    );
    let path = format!("{}:{}", context.path("desktop"), std::env::var("PATH").unwrap());
    context.set_variable("PATH", path);
    context.set_variable("DISPLAY", ":7");
    context.set_variable("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere");
}

fn shown(context: &TestContext) -> String {
    let file = context.home().join("shown");
    let text = eventually("the notification", || fs::read_to_string(&file).ok());
    fs::remove_file(file).unwrap();
    text
}

const ASKED: &str = "git push --force";

#[test]
fn a_question_and_a_stop_are_shown_on_the_desktop_unless_that_is_switched_off() {
    let context = at_a_desktop();
    assert_eq!(context.before_bash(ASKED).decision(), Some("ask"));
    let question = shown(&context);
    assert!(question.starts_with("<--urgency=normal>"), "{question}");
    assert!(question.contains("waits for your answer in project") && question.contains(ASKED), "{question}");
    stop(&context, "the same call failed six times");
    assert!(shown(&context).starts_with("<--urgency=critical>"));

    let context = at_a_desktop();
    context.user_config("notifications: {desktop: false}\n");
    assert_eq!(context.before_bash(ASKED).decision(), Some("ask"));
    stop(&context, "the same call failed six times");
    // Two were switched off, the third is asked for by name.
    context.user_config("notifications: {desktop: false}\ninterventions: {emergency_stop: {notification_channels: [desktop]}}\n");
    stop(&context, "the third");
    assert!(shown(&context).contains("the third"));
    assert_eq!(log_of(&context, 1).len(), 1);
}

#[test]
fn nobody_notices_a_desktop_that_does_not_work_or_is_not_there() {
    let context = at_a_desktop();
    context.script("desktop/notify-send", "exit 1");
    stop(&context, "first");
    context.user_config("interventions: {emergency_stop: {notification_channels: [sound]}}\nnotifications: {sound_command: ['true']}\n");
    stop(&context, "second");
    assert!(log_of(&context, 1).iter().all(|line| line.failed.is_none()));

    for (name, value) in
        [("CI", "true"), ("SSH_CONNECTION", "1 2 3 4"), ("CLAUDE_CODE_ENTRYPOINT", "sdk-cli")]
    {
        let context = at_a_desktop().with_variable(name, value);
        context.before_bash(ASKED);
        let settings = "interventions: {emergency_stop: {notification_channels: [sound]}}\nnotifications: {desktop: false, sound_command: ['true']}\n";
        context.user_config(settings);
        stop(&context, "after the question");
        log_of(&context, 1);
        assert!(!context.home().join("shown").exists(), "{name}");
    }
}

//! What reads foreign bytes, and what has to hold for its answer.

use super::corpus;
use super::runner::run;
use crate::edge::config::{Loaded, parse, parse_prompts, parse_rules};
use crate::edge::file::checksummed;
use crate::edge::state::{JournalRecord, MonitorState, Pending, SessionFacts};
use crate::pure::attestation::{AttestedPolicy, Envelope, ProtectedRefs, Statement, is_kept, lines, union};
use crate::pure::client::{Input, Tool, TranscriptLine, repair, spent_tokens, tool_call_only};
use crate::pure::monitor::interventions::{Orders, parse_handler_answer};
use crate::pure::policy::{ProjectLayer, Settings, effective};
use crate::pure::review::loop1::{End, Transcript};
use crate::pure::review::loop3::{Places, coderabbit, sarif};
use crate::pure::review::loop4::{Page, PullRequest};
use crate::pure::review::{Receipt, loop2};
use crate::pure::secret::{Baseline, Secrets, redact, redact_code, scan, scan_file};
use crate::pure::shell::{Budget, Parsed, Reading, parse as shell};
use crate::pure::step::{fingerprint, sample};
use serde_json::value::RawValue;

#[test]
fn any_hook_input_is_read_or_refused() {
    run("hook input", &corpus::events(), |input| {
        let repaired = repair(input).into_iter().chain(tool_call_only(input, "PreToolUse"));
        for bytes in [input.to_vec()].into_iter().chain(repaired) {
            let Ok(event) = Input::parse(&bytes) else { continue };
            if let Some(call) = event.call() {
                let _ = Tool::parse(call);
                let _ = Tool::readings(call).count();
            }
        }
    });
}

#[test]
fn both_readers_list_the_same_of_any_text() {
    run("shell readers", &corpus::commands(), |input| {
        let text = String::from_utf8_lossy(input);
        let [both, thorough] = [Reading::Thorough, Reading::ThoroughOnly].map(|reading| read(&text, reading));
        assert_eq!(both, thorough, "{text}");
        for command in &both.commands {
            assert!(text.get(command.span.clone()).is_some(), "{:?} of {text}", command.span);
        }
    });
}

/// They report different places for redirects of a compound command.
fn read(text: &str, reading: Reading) -> Parsed {
    let mut parsed = shell(text, &mut Budget::for_reading(reading));
    parsed
        .commands
        .iter_mut()
        .filter(|command| command.words.is_empty())
        .for_each(|command| command.span = 0..0);
    parsed
}

/// The data flow graph and the tables of options, by way of the whole step review.
#[test]
fn any_command_gets_a_decision() {
    run("step review", &corpus::commands(), |input| {
        drop(sample::decided_text(&String::from_utf8_lossy(input)))
    });
}

#[test]
fn any_call_of_another_tool_gets_a_decision() {
    run("tool calls", &corpus::events(), |input| {
        let Ok(event) = Input::parse(input) else { return };
        let Some(call) = event.call() else { return };
        if Tool::parse(call).is_some() {
            drop(sample::decided_call(call.tool.clone(), call.input.get().to_owned()));
        }
    });
}

/// A file of settings is read or refused, and one of a project that nobody trusts makes nothing laxer.
#[test]
fn any_settings_are_read_or_refused_and_only_tighten() {
    run("settings", &corpus::settings(), |input| {
        let text = String::from_utf8_lossy(input);
        let _ = parse_rules("rules", &text);
        let _ = parse_prompts("prompts", &text);
        let Ok(layer) = parse("project", &text) else { return };
        let merged = effective(None, &[ProjectLayer { layer, trusted: false }]).unwrap();
        let laxer =
            AttestedPolicy::of(&merged.settings).laxer_than(&AttestedPolicy::of(&Settings::default()));
        assert!(laxer.is_empty(), "{laxer:?} by {text}");
    });
}

#[test]
fn any_state_file_is_read_or_refused() {
    run("state files", &corpus::state(), |input| {
        let _ = JournalRecord::decode(input);
        // With the right checksum, so that the value behind it is decoded.
        let summed = |format: u64| [&(fingerprint(input) ^ format).to_le_bytes(), input].concat();
        let _ = checksummed::decode::<MonitorState>(&summed(2), 2);
        let _ = checksummed::decode::<Loaded>(&summed(5), 5);
        let _ = serde_json::from_slice::<Receipt>(input);
        let _ = serde_json::from_slice::<SessionFacts>(input);
        let _ = serde_json::from_slice::<Pending>(input);
        let _ = serde_json::from_slice::<Orders>(input);
        let _ = serde_json::from_slice::<&RawValue>(input);
    });
}

#[test]
fn any_text_is_scanned_and_redacted() {
    run("secrets", &corpus::texts(), |input| {
        let text = String::from_utf8_lossy(input);
        for found in scan("src/a.rs", input).iter().chain(&scan_file(".env", input, &Baseline::default())) {
            assert!(found.line as usize <= input.len() + 1, "line {} of {text}", found.line);
        }
        let _ = redact_code(&text);
        let _ = Baseline::read([
            (".secrets.baseline", input),
            (".gitleaksignore", input),
            (".secretsignore", input),
        ]);
        let redacted = redact(&text);
        let mut secrets = Secrets::default();
        secrets.add(&text);
        let _ = secrets.redact(&redacted);
    });
}

/// A certain token does not survive, whatever stands around it.
#[test]
fn no_planted_secret_survives_redaction() {
    run("redaction", &corpus::texts(), |input| {
        let token = ["gh", "p_", "kQ7xZ2mV9rT4wB8nL3sD6fH1jP5cYgXaWeUi"].concat();
        let text = String::from_utf8_lossy(input);
        let middle = text.floor_char_boundary(text.len() / 2);
        let planted = format!("{} {token} {}", &text[..middle], &text[middle..]);
        assert!(!redact(&planted).contains(&token), "{planted}");
    });
}

#[test]
fn any_report_of_another_program_is_read_or_refused() {
    run("reports", &corpus::reports(), |input| {
        let places =
            Places { root: "/p".into(), changed: ["src/a.rs".to_owned(), "src/a b.rs".to_owned()].into() };
        let text = String::from_utf8_lossy(input);
        let _ = sarif(input, &End::Exited(0), &places);
        let _ = coderabbit(input, &End::Exited(0), &places);
        let _ = PullRequest::parse(input);
        let _ = Page::parse(input);
        let _ = Transcript::read(input);
        let _ = TranscriptLine::parse(input);
        let _ = spent_tokens(input);
        let _ = parse_handler_answer(input);
        let _ = loop2::object(&text);
        let _ = loop2::nonce(&text);
        let _ = loop2::decoded(input);
    });
}

#[test]
fn any_note_is_read_or_refused_and_loses_no_line() {
    run("attestations", &corpus::attestations(), |input| {
        let _ = Statement::parse(input).map(|statement| (statement.commit(), statement.tree()));
        let _ = ProtectedRefs::parse(&String::from_utf8_lossy(input));
        for line in lines(input) {
            let _ = Envelope::parse(line).and_then(|envelope| envelope.statement());
        }
        let merged = union([input, b"a\nb\n"]);
        assert!(is_kept(input, &merged) && union([merged.as_slice(), input]) == merged);
    });
}

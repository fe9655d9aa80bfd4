//! Content that comes in and runs, and content that goes out: each danger beside the honest command that looks like it.

mod incoming;
mod inside;
mod outgoing;

use crate::pure::step::Decision;
use crate::pure::step::sample::shell;

fn speaks(rule: &str, commands: &[&'static str]) {
    let silent: Vec<String> = commands
        .iter()
        .filter_map(|command| {
            let findings = shell(command).findings;
            let short = findings.iter().all(|finding| finding.reason.len() < 270);
            assert!(short, "{command}: {findings:?}");
            let said = findings.iter().any(|finding| finding.rule.as_str() == rule);
            (!said).then(|| {
                format!("{command}\n    {:?}", findings.iter().map(|f| &f.reason).collect::<Vec<_>>())
            })
        })
        .collect();
    assert!(silent.is_empty(), "{rule} is silent at\n{}", silent.join("\n"));
}

fn silent(commands: &[&'static str]) {
    let loud: Vec<String> = commands
        .iter()
        .filter_map(|command| {
            let decision = shell(command);
            let reasons: Vec<_> =
                decision.findings.iter().map(|f| (f.rule.as_str().to_owned(), &f.reason)).collect();
            (decision.decision > Decision::Warn).then(|| format!("{command}\n    {reasons:?}"))
        })
        .collect();
    assert!(loud.is_empty(), "not silent at\n{}", loud.join("\n"));
}

//! Content from other machines, and requests to them.

use super::Case;
use crate::pure::secret::{SecretVerdict, scan};
use crate::pure::step::Decision;
use crate::pure::step::address::{is_inside, is_metadata};
use crate::pure::step::catalogue as rules;
use crate::pure::step::effect::{Target, TextSource};
use crate::pure::step::rule::RuleFinding;
use crate::pure::step::secret_file::{Secret, by_content, secret_in};
use camino::Utf8Path;

pub(super) fn running(source: &TextSource) -> String {
    match source {
        TextSource::Downloaded(from) => {
            format!(
                "would run code from {from} that nobody has read. Download it to a file, read it, then run the file"
            )
        }
        TextSource::Decoded(by) => {
            format!(
                "would run the output of {by} that nobody has read. Decode it to a file and read it first"
            )
        }
    }
}

pub(super) fn request(case: &Case<'_>, host: &str) -> RuleFinding {
    if is_metadata(host) {
        let reason = format!("{host} hands out this machine's credentials. Ask the user for what you need");
        return case.finding(&rules::METADATA_ADDRESS, reason);
    }
    if is_inside(host) || host.contains(':') && !host.contains("::") {
        let reason =
            format!("{host} is a service inside your network that trusts its callers. Is this intended?");
        return case.finding(&rules::METADATA_ADDRESS, reason).deciding(Decision::Ask);
    }
    case.finding(&rules::WARN_EXTERNAL_NETWORK, format!("external network request to {host}"))
}

/// Files of the project count by their content, and those of the person by their names. A project's key that cannot be read
/// counts, an environment file does not.
fn holds_secret(case: &Case<'_>, target: &Target, secret: Secret) -> bool {
    let text = by_content(target, case.place).and_then(|path| case.known.scripts.get(path.as_str()));
    match text {
        Some(Some(text)) => {
            let found = scan(target.path().map_or("", Utf8Path::as_str), text.as_bytes());
            found.iter().any(|found| found.verdict == SecretVerdict::Block)
        }
        Some(None) | None => secret.is_closed(),
    }
}

/// A store of secrets prints one of them.
pub(super) fn revealing(case: &Case<'_>, what: &str, file: Option<&Target>) -> Option<RuleFinding> {
    let is_encrypted = |text: &String| text.contains("ENC[") || text.contains("sops");
    let text = |target: &Target| case.known.scripts.get(target.path()?.as_str())?.as_ref();
    if !case.found.is_typed_text() || file.is_some_and(|file| !text(file).is_some_and(is_encrypted)) {
        return None;
    }
    let reason = format!(
        "{what} prints a stored secret, which would stay in the conversation. Pass it straight to the program that \
         needs it"
    );
    Some(case.finding(&rules::READ_SECRET, reason))
}

/// Only typed commands count: a script may use a secret without showing it to the agent.
pub(super) fn reading(case: &Case<'_>, target: &Target) -> Option<RuleFinding> {
    let secret = secret_in(target).filter(|_| case.found.is_typed_text())?;
    if !holds_secret(case, target, secret) {
        return None;
    }
    let name = match target {
        Target::Path(path) | Target::Inside(path) if path.as_str().len() > 80 => {
            path.file_name().unwrap_or_default()
        }
        Target::Path(path) | Target::Inside(path) => path.as_str(),
        Target::Matching(pattern) => pattern,
        Target::Below(_) | Target::Unknown => return None,
    };
    let reason = format!(
        "{name} holds {}, which would come into the conversation or another file. Pass the path to the program that \
         needs it, or read the public part",
        secret.what()
    );
    Some(case.finding(&rules::READ_SECRET, reason))
}

//! Content from other machines, and requests to them.

use super::Case;
use crate::pure::step::address::is_metadata;
use crate::pure::step::catalogue as rules;
use crate::pure::step::effect::{Target, TextSource};
use crate::pure::step::rule::{Rule, RuleFinding};
use crate::pure::step::secret_file::secret_in;

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

pub(super) fn request(host: &str) -> (&'static Rule, String) {
    match is_metadata(host) {
        true => (
            &rules::METADATA_ADDRESS,
            format!("{host} hands out this machine's credentials. Ask the user for what you need"),
        ),
        false => (&rules::WARN_EXTERNAL_NETWORK, format!("external network request to {host}")),
    }
}

/// Only typed commands count: a script may use a secret without showing it to the agent.
pub(super) fn reading(case: &Case<'_>, target: &Target) -> Option<RuleFinding> {
    let secret = secret_in(target).filter(|secret| secret.is_closed() && case.found.typed)?;
    let name = match target {
        Target::Path(path) | Target::Inside(path) if path.as_str().len() > 80 => {
            path.file_name().unwrap_or_default()
        }
        Target::Path(path) | Target::Inside(path) => path.as_str(),
        Target::Matching(pattern) => pattern,
        Target::Below(_) | Target::Unknown => return None,
    };
    let reason = format!(
        "{name} holds {}, and its content would stay in the conversation. Pass the path to the program that needs it, \
         or read the public part",
        secret.what()
    );
    Some(case.finding(&rules::READ_SECRET, reason))
}

//! What comes from other machines, and what goes there.

use crate::step::address::is_metadata;
use crate::step::catalogue as rules;
use crate::step::effect::{Found, Source, Target};
use crate::step::rule::Finding;
use crate::step::secret_file::secret_in;
use std::ops::Range;

pub fn running(source: &Source, span: &Range<usize>) -> Finding {
    let reason = match source {
        Source::Downloaded(from) => {
            format!("would run what {from} sends, unread. Download it to a file, read it, then run that")
        }
        Source::Decoded(by) => {
            format!("would run what {by} unpacks, unread. Unpack it to a file and read it")
        }
    };
    rules::RUN_FETCHED_CODE.finding(reason, span)
}

pub fn request(host: &str, span: &Range<usize>) -> Option<Finding> {
    if is_metadata(host) {
        let reason = format!("{host} hands out this machine's credentials. Ask the user for what you need");
        return Some(rules::METADATA_ADDRESS.finding(reason, span));
    }
    Some(rules::WARN_EXTERNAL_NETWORK.finding(format!("external network request to {host}"), span))
}

/// Only what the agent itself would see: a script may use what it must not show.
pub fn reading(target: &Target, found: &Found) -> Option<Finding> {
    let secret = secret_in(target).filter(|secret| secret.is_closed() && found.typed)?;
    let name = match target {
        Target::Path(path) | Target::Inside(path) if path.as_str().len() > 80 => {
            path.file_name().unwrap_or_default()
        }
        Target::Path(path) | Target::Inside(path) => path.as_str(),
        Target::Matching(pattern) => pattern,
        Target::Below(_) | Target::Unknown => return None,
    };
    let reason = format!(
        "{name} holds {}, and what is read stays in the conversation. Use it by its path, or look at its public part",
        secret.what()
    );
    Some(rules::READ_SECRET.finding(reason, &found.span))
}

pub fn sending(what: &str, to: &str, span: &Range<usize>) -> Finding {
    let reason = format!("would send {what} to {to}. Leave that out, or let the user send it");
    rules::SEND_SECRET.finding(reason, span)
}

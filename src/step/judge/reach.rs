//! What comes from other machines, and what goes there.

use crate::step::catalogue as rules;
use crate::step::effect::Source;
use crate::step::rule::Finding;
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
    const METADATA: [&str; 5] =
        ["169.254.169.254", "metadata.google.internal", "100.100.100.200", "fd00:ec2::254", "169.254.170.2"];
    if METADATA.contains(&host) {
        let reason = format!("{host} hands out this machine's credentials");
        return Some(rules::METADATA_ADDRESS.finding(reason, span));
    }
    Some(rules::WARN_EXTERNAL_NETWORK.finding(format!("external network request to {host}"), span))
}

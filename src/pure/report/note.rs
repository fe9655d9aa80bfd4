//! The few words behind a result: why it was skipped, or the number that the check is known by.

use crate::pure::review::{CheckOutcome, LoopVerdict};

/// Fact, and what to call one or many of it.
const NUMBERS: [(&str, &str, &str); 5] = [
    ("warnings", " warning", " warnings"),
    ("errors", " error", " errors"),
    ("matches", " match", " matches"),
    ("coverage", "% coverage", "% coverage"),
    ("files_checked", " file", " files"),
];

pub(super) fn note(check: &CheckOutcome) -> Option<String> {
    match &check.verdict {
        LoopVerdict::Skip { reason } => Some(reason.clone()),
        LoopVerdict::Stale { changed } => Some(format!("changed meanwhile: {changed}")),
        LoopVerdict::Pass | LoopVerdict::Fail => {
            let said = summary(check).or_else(|| number(check));
            let words: Vec<String> = said.into_iter().chain(cached(check)).collect();
            (!words.is_empty()).then(|| words.join(", "))
        }
    }
}

/// In the check's own words.
fn summary(check: &CheckOutcome) -> Option<String> {
    check.facts.get("summary")?.as_str().map(String::from)
}

fn number(check: &CheckOutcome) -> Option<String> {
    NUMBERS.iter().find_map(|(fact, one, many)| {
        let value = check.facts.get(*fact)?;
        Some(format!("{value}{}", if *value == 1 { one } else { many }))
    })
}

/// Nothing ran: the result is that of an earlier review of the same content.
fn cached(check: &CheckOutcome) -> Option<String> {
    Some(format!("cached {}", check.facts.get("cached")?.as_str()?))
}

pub fn seconds(milliseconds: u64) -> String {
    let tenths = milliseconds.saturating_add(50) / 100;
    format!("{}.{}s", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::report::sample;
    use serde_json::json;

    #[test]
    fn a_result_from_before_is_told_from_one_of_now() {
        let (warnings, cached) = (("warnings", json!(0)), ("cached", json!("3 m ago")));
        let noted =
            |facts: &[(&str, serde_json::Value)]| note(&sample::check("lint", LoopVerdict::Pass, facts));
        assert_eq!(noted(std::slice::from_ref(&warnings)).as_deref(), Some("0 warnings"));
        assert_eq!(noted(&[warnings, cached.clone()]).as_deref(), Some("0 warnings, cached 3 m ago"));
        assert_eq!(noted(&[cached]).as_deref(), Some("cached 3 m ago"));
        assert_eq!(noted(&[]), None);
    }
}

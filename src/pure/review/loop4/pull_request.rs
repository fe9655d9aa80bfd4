//! The pull request of the branch, from `gh pr view --json`.

use crate::pure::review::sanitize;
use serde::Deserialize;

/// The requested fields.
pub(crate) const FIELDS: &str = "number,url,state,reviewDecision,headRefOid,latestReviews";

const SAID: usize = 2_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PullRequest {
    pub number: u64,
    pub url: String,
    /// Host, owner and name of the repository, from the URL.
    pub place: Option<[String; 3]>,
    /// `open`, `merged`, `closed`
    pub state: String,
    /// `approved`, `changes_requested`, `review_required`, or nothing.
    pub decision: String,
    pub head: String,
    /// Authors who request changes, with their text.
    pub change_requests: Vec<(String, String)>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Raw {
    number: u64,
    url: String,
    state: String,
    #[serde(default)]
    review_decision: Option<String>,
    #[serde(default)]
    head_ref_oid: String,
    #[serde(default)]
    latest_reviews: Vec<Review>,
}

#[derive(Deserialize)]
struct Review {
    #[serde(default)]
    author: Option<Author>,
    #[serde(default)]
    state: String,
    #[serde(default)]
    body: String,
}

#[derive(Deserialize)]
pub(super) struct Author {
    #[serde(default)]
    login: String,
}

/// Deleted accounts have no name.
pub(super) fn login(author: Option<&Author>) -> String {
    match author.map(|author| sanitize(&author.login, 60)) {
        Some(login) if !login.is_empty() => format!("@{login}"),
        _ => "somebody".into(),
    }
}

impl PullRequest {
    pub fn parse(output: &[u8]) -> Result<Self, String> {
        let raw: Raw = serde_json::from_slice(output)
            .map_err(|error| format!("gh printed something else than a pull request: {error}"))?;
        let asks = raw.latest_reviews.iter().filter(|review| review.state == "CHANGES_REQUESTED");
        Ok(Self {
            number: raw.number,
            state: raw.state.to_ascii_lowercase(),
            decision: raw.review_decision.unwrap_or_default().to_ascii_lowercase(),
            head: sanitize(&raw.head_ref_oid, 64),
            change_requests: asks
                .map(|review| (login(review.author.as_ref()), sanitize(&review.body, SAID)))
                .collect(),
            place: place(&raw.url),
            url: sanitize(&raw.url, 300),
        })
    }

    pub fn is_open(&self) -> bool {
        self.state == "open"
    }

    /// Whether changes are requested; an approval of the pull request overrides single requests.
    pub fn wants_changes(&self) -> bool {
        self.decision == "changes_requested"
            || (self.decision != "approved" && !self.change_requests.is_empty())
    }
}

/// `https://host/owner/name/pull/7`, only with plain characters, because the parts become arguments.
fn place(url: &str) -> Option<[String; 3]> {
    let parts: Vec<&str> = url.strip_prefix("https://")?.split('/').collect();
    let [host, owner, name, "pull", number] = parts.as_slice() else { return None };
    let plain = |part: &&str| {
        let inside = |c: char| c.is_ascii_alphanumeric() || "-_.:".contains(c);
        !part.is_empty() && !part.starts_with('-') && part.chars().all(inside)
    };
    number.parse::<u64>().ok()?;
    [host, owner, name].into_iter().all(plain).then(|| [host, owner, name].map(|part| (*part).to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(url: &str, decision: &str, reviews: &str) -> Result<PullRequest, String> {
        let text = format!(
            r#"{{"number":7,"url":"{url}","state":"OPEN","reviewDecision":"{decision}","headRefOid":"ab","latestReviews":{reviews}}}"#
        );
        PullRequest::parse(text.as_bytes())
    }

    const URL: &str = "https://github.com/o/n/pull/7";
    const DEMAND: &str = r#"[{"author":{"login":"bob"},"state":"CHANGES_REQUESTED","body":"no\u001b[2J tests"},{"state":"COMMENTED"}]"#;

    #[test]
    fn a_demand_counts_until_the_decision_is_an_approval() {
        for (decision, reviews, wants) in [
            ("CHANGES_REQUESTED", "[]", true),
            ("", DEMAND, true),
            ("REVIEW_REQUIRED", DEMAND, true),
            ("APPROVED", DEMAND, false),
            ("APPROVED", "[]", false),
            ("", "[]", false),
        ] {
            assert_eq!(parse(URL, decision, reviews).unwrap().wants_changes(), wants, "{decision} {reviews}");
        }
        let demands = parse(URL, "", DEMAND).unwrap().change_requests;
        assert_eq!(demands, [("@bob".to_string(), "no tests".to_string())]);
    }

    #[test]
    fn an_address_that_could_be_an_option_or_something_else_tells_no_place() {
        let place = parse(URL, "", "[]").unwrap().place.unwrap();
        assert_eq!(place, ["github.com", "o", "n"]);
        for url in [
            "https://github.com/-f/n/pull/7",
            "https://github.com/o/n/issues/7",
            "https://github.com/o/n n/pull/7",
            "http://github.com/o/n/pull/7",
            "https://github.com/o/n/pull/x",
            "",
        ] {
            assert_eq!(parse(url, "", "[]").unwrap().place, None, "{url}");
        }
        assert!(PullRequest::parse(b"<html>").is_err());
        assert!(PullRequest::parse(b"").is_err());
    }
}

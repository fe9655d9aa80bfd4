//! Review threads of the pull request, page by page.

use super::pull_request::{Author, login};
use crate::pure::review::sanitize;
use serde::Deserialize;
use serde_json::Value;

/// A page of 100 threads, each with its first comment.
pub(crate) const QUERY: &str = "query($owner: String!, $name: String!, $number: Int!, $after: String) { \
    repository(owner: $owner, name: $name) { pullRequest(number: $number) { reviewThreads(first: 100, after: $after) { \
    pageInfo { hasNextPage endCursor } \
    nodes { isResolved isOutdated path line originalLine \
    comments(first: 1) { totalCount nodes { author { login } body diffHunk } } } } } } }";

const SAID: usize = 2_000;
const QUOTE: usize = 300;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReviewThread {
    pub path: String,
    pub line: Option<u32>,
    /// The line of code.
    pub quote: Option<String>,
    pub author: String,
    pub text: String,
    pub replies: u64,
    /// The code has changed since.
    pub outdated: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Page {
    /// Unresolved threads.
    pub unresolved: Vec<ReviewThread>,
    /// Where the next page begins.
    pub next: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Raw {
    page_info: PageInfo,
    nodes: Vec<RawThread>,
}
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PageInfo {
    has_next_page: bool,
    end_cursor: Option<String>,
}
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawThread {
    is_resolved: bool,
    #[serde(default)]
    is_outdated: bool,
    #[serde(default)]
    path: String,
    line: Option<u32>,
    original_line: Option<u32>,
    comments: Comments,
}
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Comments {
    #[serde(default)]
    total_count: u64,
    nodes: Vec<Comment>,
}
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Comment {
    author: Option<Author>,
    #[serde(default)]
    body: String,
    #[serde(default)]
    diff_hunk: String,
}

impl Page {
    pub fn parse(output: &[u8]) -> Result<Self, String> {
        let raw = serde_json::from_slice(output).and_then(|answer: Value| {
            let threads = answer.pointer("/data/repository/pullRequest/reviewThreads");
            Raw::deserialize(threads.unwrap_or(&Value::Null))
        });
        let raw = raw.map_err(|error| format!("gh printed something else than review threads: {error}"))?;
        let unresolved = raw.nodes.iter().filter(|thread| !thread.is_resolved).map(thread).collect();
        let next = raw.page_info.end_cursor.filter(|_| raw.page_info.has_next_page);
        Ok(Self { unresolved, next })
    }
}

fn thread(raw: &RawThread) -> ReviewThread {
    let first = raw.comments.nodes.first();
    // The last line of a hunk is the commented line.
    let hunk = first.and_then(|comment| comment.diff_hunk.lines().last()).unwrap_or_default();
    let quote = sanitize(hunk.strip_prefix(['+', '-', ' ']).unwrap_or(hunk), QUOTE);
    ReviewThread {
        path: sanitize(&raw.path, 300),
        line: raw.line.or(raw.original_line),
        quote: Some(quote).filter(|quote| !quote.is_empty() && !quote.starts_with("@@")),
        author: login(first.and_then(|comment| comment.author.as_ref())),
        text: sanitize(first.map(|comment| comment.body.as_str()).unwrap_or_default(), SAID),
        replies: raw.comments.total_count.saturating_sub(1),
        outdated: raw.is_outdated,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn unresolved_threads_are_kept_with_the_line_they_stand_at() {
        let thread = |resolved: bool| {
            json!({"isResolved": resolved, "isOutdated": true, "path": "src/a.rs", "line": null, "originalLine": 9,
            "comments": {"totalCount": 3, "nodes": [{"author": null, "body": "why?\u{1b}[2J",
                "diffHunk": "@@ -1 +1,2 @@\n a\n+    run(x);"}]}})
        };
        let answer = json!({"data": {"repository": {"pullRequest": {"reviewThreads": {
            "pageInfo": {"hasNextPage": true, "endCursor": "c"}, "nodes": [thread(true), thread(false)]}}}}});
        let page = Page::parse(answer.to_string().as_bytes()).unwrap();
        assert_eq!(page.next.as_deref(), Some("c"));
        let expected = ReviewThread {
            path: "src/a.rs".into(),
            line: Some(9),
            quote: Some("run(x);".into()),
            author: "somebody".into(),
            text: "why?".into(),
            replies: 2,
            outdated: true,
        };
        assert_eq!(page.unresolved, [expected]);
    }

    #[test]
    fn an_answer_without_threads_is_no_answer() {
        for text in
            ["", "{}", "[]", r#"{"data":null,"errors":[{"message":"x"}]}"#, r#"{"data":{"repository":null}}"#]
        {
            assert!(Page::parse(text.as_bytes()).is_err(), "{text}");
        }
    }
}

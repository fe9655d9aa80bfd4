//! Asks `gh` for the pull request of this branch and for what its reviewers left open.

use crate::app::review::outside_tool::{OutsideTool, ToolLimits, ToolSecrets, end};
use crate::edge::clock;
use crate::pure::review::loop1::CheckResult;
use crate::pure::review::loop4::{
    FEEDBACK, FIELDS, Feedback, Page, PullRequest, QUERY, ReviewThread, gh_failure,
};
use crate::pure::review::{Finding, LoopVerdict};
use camino::Utf8PathBuf;
use std::time::Duration;

const TOKENS: [&str; 4] = ["GH_TOKEN", "GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"];
const QUESTION: ToolLimits = ToolLimits {
    silence: Duration::from_secs(60),
    overall: Duration::from_secs(60),
    bytes: 16 * 1024 * 1024,
};
/// A hundred threads each.
const PAGES: usize = 10;

pub(crate) fn feedback(
    root: Utf8PathBuf,
    environment: &[(String, String)],
    head: Option<String>,
) -> CheckResult {
    let started = clock::begin();
    let tool = OutsideTool::new(root, environment, ToolSecrets::Only(&TOKENS));
    let judged = match ask(&tool, head) {
        Ok(mut feedback) => {
            feedback.elapsed_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
            feedback.judge()
        }
        Err(reason) => CheckResult::skipped(FEEDBACK, reason),
    };
    cleaned(&tool, judged)
}

fn ask(tool: &OutsideTool, head: Option<String>) -> Result<Feedback, String> {
    let printed = gh(tool, &["gh", "pr", "view", "--json", FIELDS])?;
    let pull_request = PullRequest::parse(&printed)?;
    let (unresolved, incomplete) =
        if pull_request.is_open() { threads(tool, &pull_request) } else { (Vec::new(), None) };
    Ok(Feedback { pull_request, unresolved, incomplete, head, elapsed_ms: 0 })
}

/// The threads as far as they are known, and why not further.
fn threads(tool: &OutsideTool, pull_request: &PullRequest) -> (Vec<ReviewThread>, Option<String>) {
    let mut unresolved = Vec::new();
    let mut after = None;
    for _ in 0..PAGES {
        match page(tool, pull_request, after.as_deref()) {
            Ok(Page { unresolved: more, next }) => {
                unresolved.extend(more);
                if next.is_none() {
                    return (unresolved, None);
                }
                after = next;
            }
            Err(reason) => return (unresolved, Some(reason)),
        }
    }
    (unresolved, Some(format!("the pull request has more than {} threads", PAGES * 100)))
}

fn page(tool: &OutsideTool, pull_request: &PullRequest, after: Option<&str>) -> Result<Page, String> {
    // `-f` stays text. `-F` makes a number a number and fills in the repository that gh itself found; it would read a file
    // for a value that begins with `@`, so nothing of others is given to it.
    let repository = match &pull_request.place {
        Some([host, owner, name]) => {
            let fields = [format!("owner={owner}"), format!("name={name}")];
            let [owner, name] = fields.map(|field| ["-f".to_string(), field]);
            [vec!["--hostname".to_string(), host.clone()], owner.into(), name.into()].concat()
        }
        None => ["-F", "owner={owner}", "-F", "name={repo}"].map(String::from).to_vec(),
    };
    let number = format!("number={}", pull_request.number);
    let query = format!("query={QUERY}");
    let after = after.map(|cursor| format!("after={cursor}"));
    let mut argv = vec!["gh", "api", "graphql"];
    argv.extend(repository.iter().map(String::as_str));
    argv.extend(["-F", &number, "-f", &query]);
    argv.extend(after.iter().flat_map(|after| ["-f", after.as_str()]));
    Page::parse(&gh(tool, &argv)?)
}

fn gh(tool: &OutsideTool, argv: &[&str]) -> Result<Vec<u8>, String> {
    let heard = tool.ask(argv, QUESTION);
    if heard.too_long {
        return Err(format!("gh printed more than {} bytes", QUESTION.bytes));
    }
    match gh_failure(&end(&heard.how), &tool.end_of_errors(&heard)) {
        Some(reason) => Err(reason),
        None => Ok(heard.output),
    }
}

/// Others' words, without what must not be kept of them.
fn cleaned(tool: &OutsideTool, judged: CheckResult) -> CheckResult {
    let CheckResult { mut outcome, findings } = judged;
    if let LoopVerdict::Skip { reason } = &mut outcome.verdict {
        *reason = tool.without_secrets(reason);
    }
    outcome.output = tool.without_secrets(&outcome.output);
    let clean = |finding: Finding| Finding {
        message: tool.without_secrets(&finding.message),
        quote: finding.quote.as_deref().map(|quote| tool.without_secrets(quote)),
        ..finding
    };
    CheckResult { outcome, findings: findings.into_iter().map(clean).collect() }
}

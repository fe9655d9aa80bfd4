//! Loop 3: a reviewer that is not Claude reads the change, unless it has read it already, a secret is in it, or the quota is
//! used up. Nothing is tried twice.

use super::change::Change;
use super::outside_tool::OutsideTool;
use super::progress::{ProgressEvent, ProgressListener};
use crate::app::failure::{Failure, chain};
use crate::app::gate::judge;
use crate::app::gate::leaks::pair_leaks;
use crate::app::workspace::Workspace;
use crate::edge::clock;
use crate::edge::repo::{Content, worktree_tree};
use crate::pure::policy::{LoopNumber, evidence_hash};
use crate::pure::review::loop3::{Opinion, Places};
use crate::pure::review::{
    CheckOutcome, Evidence, Finding, FindingSeverity, GitPath, LoopOutcome, LoopVerdict, RATE_LIMIT_EXCEEDED,
    sanitize,
};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

mod coderabbit;
mod own_command;

const CHECK: &str = "outside review";
const MINUTE: u64 = 60 * 1000;
/// Files larger than this are no source text, and nothing of them is quoted.
const QUOTED_FILE: u64 = 4 * 1024 * 1024;
const QUOTE: usize = 300;

pub(crate) struct Loop3Request<'a> {
    pub workspace: &'a Workspace,
    pub change: &'a Change,
    pub environment: Vec<(String, String)>,
}

/// The result of asking an outside reviewer, or of not asking.
#[derive(Default)]
struct Account {
    reviewer: Option<String>,
    command: Option<String>,
    /// Why nothing counts as reviewed.
    unreviewed: Option<String>,
    findings: Vec<Finding>,
    read: Vec<GitPath>,
    /// Parts of the change that it was not given, or says nothing about.
    not_read: Vec<String>,
    said: String,
    facts: BTreeMap<String, Value>,
}

impl Account {
    fn unreviewed(reason: impl Into<String>) -> Self {
        Self { unreviewed: Some(reason.into()), ..Self::default() }
    }
}

/// The outcome, and who read.
pub(crate) fn run(
    request: &Loop3Request<'_>,
    watch: &dyn ProgressListener,
) -> Result<(LoopOutcome, Option<String>), Failure> {
    let started = clock::begin();
    watch.see(ProgressEvent::Started { check: CHECK });
    let evidence = judge::evidence(request.workspace)?;
    let account = account(request, &evidence, watch)?;
    let elapsed = started.elapsed();
    let reviewer = account.reviewer.clone();
    let outcome = outcome(request, &evidence, account, elapsed);
    watch.see(ProgressEvent::Finished { check: CHECK, verdict: &outcome.verdict, elapsed, cached: None });
    Ok((outcome, reviewer))
}

fn account(
    request: &Loop3Request<'_>,
    evidence: &Evidence,
    watch: &dyn ProgressListener,
) -> Result<Account, Failure> {
    let change = request.change;
    if change.pairs.is_empty() {
        return Ok(Account::unreviewed("nothing has changed since the base, so there is nothing to read"));
    }
    if let Some(reused) = reused(change, evidence) {
        return Ok(reused);
    }
    if !lies_there(change)? {
        return Ok(Account::unreviewed("the working tree holds something else than what is to be reviewed"));
    }
    if let Some(reason) = secrets(change) {
        return Ok(Account::unreviewed(reason));
    }
    let mut account = if change.settings.loop3.command.is_empty() {
        coderabbit::review(request, watch)?
    } else {
        own_command::review(request, watch)
    };
    quote(change, &mut account.findings)?;
    if account.unreviewed.is_none() && !lies_there(change)? {
        account.unreviewed = Some("the working tree changed while it was read".into());
    }
    Ok(account)
}

/// Reviewers read the files as they lie in the working tree; the receipt is for the content that was named.
fn lies_there(change: &Change) -> Result<bool, Failure> {
    Ok(worktree_tree(&change.git, &change.scope.left_out)?.tree == change.snapshot.tree)
}

/// Everything was read lately, in exactly this form: what was held against it then is held against it now.
fn reused(change: &Change, evidence: &Evidence) -> Option<Account> {
    let policy = evidence_hash(&change.settings);
    let age = change.settings.blocking.max_evidence_age_minutes.saturating_mul(MINUTE);
    let since = clock::moment(clock::milliseconds().saturating_sub(age));
    if !evidence.unreviewed(LoopNumber::Three, &change.pairs, &policy, Some(&since)).is_empty() {
        return None;
    }
    let readings: Vec<_> = change
        .pairs
        .iter()
        .filter_map(|pair| evidence.pair_review(LoopNumber::Three, pair, &policy))
        .collect();
    let standing = change
        .pairs
        .iter()
        .filter_map(|pair| evidence.open_findings(LoopNumber::Three, pair, &policy))
        .flatten();
    let mut findings: Vec<Finding> = Vec::new();
    for finding in standing {
        if !findings.contains(finding) {
            findings.push(finding.clone());
        }
    }
    let newest = readings.iter().map(|looked| looked.receipt).max_by_key(|receipt| receipt.sequence)?;
    let summary = format!("reused: all of this was read at {}", newest.time);
    let facts = [("reused", json!(newest.time)), ("summary", json!(summary))];
    let facts = facts.map(|(name, fact)| (name.to_string(), fact)).into();
    Some(Account { reviewer: newest.reviewer.clone(), findings, facts, ..Account::default() })
}

/// The tool would send the change to somebody else's computer.
fn secrets(change: &Change) -> Option<String> {
    match pair_leaks(change.snapshot.git(), &change.pairs, change.base.commit.as_ref()) {
        Ok(leaks) => leaks.first().map(|leak| {
            format!(
                "a secret is in the change ({}:{}, {}), so nothing was sent",
                leak.path, leak.line, leak.rule
            )
        }),
        Err(failure) => Some(format!(
            "the change could not be scanned for secrets, so nothing was sent: {}",
            chain(failure.as_ref())
        )),
    }
}

fn places(request: &Loop3Request<'_>) -> Places {
    Places {
        root: request.workspace.project.clone(),
        changed: request.change.pairs.iter().map(|pair| pair.path.to_string()).collect(),
    }
}

/// Others' words, without what must not be kept of them.
fn cleaned(tool: &OutsideTool, opinion: &Opinion) -> Vec<Finding> {
    let clean = |finding: &Finding| Finding {
        message: tool.without_secrets(&finding.message),
        fix: finding.fix.as_deref().map(|fix| tool.without_secrets(fix)),
        quote: finding.quote.as_deref().map(|quote| tool.without_secrets(quote)),
        ..finding.clone()
    };
    opinion.findings.iter().map(clean).collect()
}

/// Adds the line that a finding is about: reviewers use other words for the same thing each time, the line stays the same.
fn quote(change: &Change, findings: &mut [Finding]) -> Result<(), Failure> {
    let named: BTreeSet<&str> = findings.iter().filter_map(|finding| finding.file.as_deref()).collect();
    let blobs = change.pairs.iter().filter_map(|pair| Some((pair.content()?, &pair.path)));
    let blobs: Vec<_> = blobs.filter(|(_, path)| named.contains(path.to_string().as_str())).collect();
    let ids: Vec<_> = blobs.iter().map(|(id, _)| (*id).clone()).collect();
    let mut texts = BTreeMap::new();
    for ((_, path), object) in blobs.iter().zip(change.snapshot.blobs(&ids, QUOTED_FILE)?) {
        if let Content::Bytes(bytes) = object?.1 {
            texts.insert(path.to_string(), String::from_utf8_lossy(&bytes).into_owned());
        }
    }
    for finding in findings.iter_mut().filter(|finding| finding.quote.is_none()) {
        let (Some(file), Some(line)) = (&finding.file, finding.line) else { continue };
        let lines = texts.get(file).into_iter().flat_map(|text| text.lines());
        let at = lines.skip(usize::try_from(line.saturating_sub(1)).unwrap_or(usize::MAX));
        finding.quote = at.map(|line| sanitize(line, QUOTE)).find(|line| !line.is_empty());
    }
    Ok(())
}

/// An issue that a person dismissed no longer counts; one that was seen before and is still there does.
fn outcome(
    request: &Loop3Request<'_>,
    evidence: &Evidence,
    account: Account,
    elapsed: Duration,
) -> LoopOutcome {
    let settings = &request.change.settings.loop3;
    let mut findings = account.findings;
    let open = findings.iter().any(|finding| evidence.dismissal(&finding.id()).is_none());
    let verdict = match account.unreviewed {
        Some(reason) if reason.starts_with(RATE_LIMIT_EXCEEDED) && !settings.skip_on_rate_limit => {
            findings.push(out_of_quota(&reason));
            LoopVerdict::Fail
        }
        Some(reason) => LoopVerdict::Skip { reason },
        None if open && settings.block_on_new_issues => LoopVerdict::Fail,
        None => LoopVerdict::Pass,
    };
    let elapsed_ms = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
    let check = CheckOutcome {
        name: CHECK.into(),
        verdict: verdict.clone(),
        command: account.command,
        elapsed_ms,
        output: account.said,
        facts: account.facts,
    };
    LoopOutcome {
        tiers: [(1, vec![check])].into(),
        findings,
        read: Some(account.read),
        ..LoopOutcome::ended(verdict, elapsed_ms)
    }
}

fn out_of_quota(reason: &str) -> Finding {
    Finding {
        quote: Some(RATE_LIMIT_EXCEEDED.into()),
        fix: Some("wait until the quota is free again, or raise loop3.rate_limit_per_hour".into()),
        ..Finding::new(FindingSeverity::Major, CHECK, reason)
    }
}

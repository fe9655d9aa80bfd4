//! CodeRabbit: found, asked how it wants to be called, charged for, started once.

use super::{Account, CHECK, Loop3Request, cleaned, places};
use crate::app::failure::{Failure, chain};
use crate::app::review::outside_tool::{OutsideTool, ToolLimits, ToolSecrets, end};
use crate::app::review::progress::{ProgressEvent, ProgressListener};
use crate::app::review::receipt::own_folder;
use crate::edge::clock;
use crate::edge::repo::changed_files;
use crate::edge::run::{ExitKind, StreamResult};
use crate::edge::state::{self, Charged, OutsideReviews};
use crate::pure::review::loop3::{Manual, OutsideCall, OutsideReview, coderabbit};
use crate::pure::review::{GitPath, Pair, RATE_LIMIT_EXCEEDED};
use serde_json::json;
use std::collections::BTreeSet;
use std::time::Duration;

const PROGRAMS: [&str; 2] = ["coderabbit", "cr"];
const TOKENS: [&str; 1] = ["CODERABBIT_API_KEY"];
/// Its server gives up after about this long; nothing is gained by waiting longer.
const CEILING: Duration = Duration::from_secs(30 * 60);
const QUESTION: ToolLimits =
    ToolLimits { silence: Duration::from_secs(30), overall: Duration::from_secs(30), bytes: 1024 * 1024 };
const OUTPUT: usize = 32 * 1024 * 1024;

pub(crate) fn review(request: &Loop3Request<'_>, watch: &dyn ProgressListener) -> Result<Account, Failure> {
    let change = request.change;
    let tool =
        OutsideTool::new(request.workspace.project.clone(), &request.environment, ToolSecrets::Only(&TOKENS));
    let (program, manual) = match find(&tool) {
        Ok(found) => found,
        Err(reason) => return Ok(Account::unreviewed(reason)),
    };
    let reviewer = manual.reviewer();
    let untracked: BTreeSet<GitPath> = changed_files(&change.git)?.untracked.into_iter().collect();
    let wanted = OutsideReview {
        base_commit: change.base.commit.as_ref().map(ToString::to_string),
        base_name: change.base.name.clone(),
        untracked: change.pairs.iter().any(|pair| untracked.contains(&pair.path)),
        left_out: !change.scope.left_out.is_empty(),
    };
    let call = match manual.call(&wanted) {
        Ok(call) => call,
        Err(why) => return Ok(Account::unreviewed(format!("{reviewer} {why}"))),
    };
    let sent: Vec<&Pair> =
        change.pairs.iter().filter(|pair| call.sends_untracked || !untracked.contains(&pair.path)).collect();
    if sent.is_empty() {
        return Ok(Account::unreviewed(format!(
            "{reviewer} only sees files that git knows; `git add` them first"
        )));
    }
    let reviews = OutsideReviews::of(&request.workspace.homes);
    let Some(_running) = reviews.begin()? else {
        return Ok(Account::unreviewed("another review is running on this machine"));
    };
    let limit = change.settings.loop3.rate_limit_per_hour;
    let charged = reviews.charge(clock::now(), limit, &clock::timestamp())?;
    let mirrored = mirror(request, &charged, limit);
    let mut account = match exhausted(&charged) {
        Some(reason) => Account { reviewer: Some(reviewer), ..Account::unreviewed(reason) },
        None => start(request, &tool, watch, Start { program, reviewer, call, sent }),
    };
    let used = format!("{} of {limit} reviews used this hour", charged.quota.used(clock::now()));
    let summary = if account.not_read.is_empty() {
        used
    } else {
        format!("{used}; not read: {}", account.not_read.join(", "))
    };
    account.facts.insert("summary".into(), json!(summary));
    if let Err(failure) = mirrored {
        account.said += &format!("\nrate-limit-state.json could not be written: {}", chain(failure.as_ref()));
    }
    Ok(account)
}

/// The first program that is CodeRabbit, and what it says about itself.
fn find(tool: &OutsideTool) -> Result<(String, Manual), String> {
    let mut stranger = None;
    for program in PROGRAMS {
        let version = tool.ask(&[program, "--version"], QUESTION);
        if matches!(version.how, ExitKind::NotFound) {
            continue;
        }
        let manual = Manual {
            version: all(&version),
            general: all(&tool.ask(&[program, "--help"], QUESTION)),
            review: all(&tool.ask(&[program, "review", "--help"], QUESTION)),
        };
        // The short name is one that others use too.
        if program == "coderabbit" || manual.is_coderabbit() {
            return Ok((program.into(), manual));
        }
        stranger = Some(format!("`{program}` is not CodeRabbit, or says nothing about itself"));
    }
    let missing = "CodeRabbit is not installed: neither `coderabbit` nor `cr` is on PATH; install it, or name another reviewer in `loop3.command`";
    Err(stranger.unwrap_or_else(|| missing.into()))
}

/// Some print their help on standard error.
fn all(heard: &StreamResult) -> String {
    let said = heard.said.bytes();
    format!("{}\n{}", String::from_utf8_lossy(&heard.output), String::from_utf8_lossy(&said))
}

fn exhausted(charged: &Charged) -> Option<String> {
    let exhausted = charged.result.as_ref().err()?;
    Some(match &charged.damaged {
        None => format!("{RATE_LIMIT_EXCEEDED}: {exhausted}"),
        Some(damaged) => format!(
            "{RATE_LIMIT_EXCEEDED}: {damaged}, so this hour counts as used up; free again at {}",
            exhausted.free_again
        ),
    })
}

fn mirror(request: &Loop3Request<'_>, charged: &Charged, limit: u32) -> Result<(), Failure> {
    let folder = own_folder(request.workspace, &request.change.settings.paths.state_dir)?;
    Ok(state::write_json(&folder.join("rate-limit-state.json"), &charged.quota.view(limit))?)
}

struct Start<'a> {
    program: String,
    reviewer: String,
    call: OutsideCall,
    sent: Vec<&'a Pair>,
}

fn start(
    request: &Loop3Request<'_>,
    tool: &OutsideTool,
    watch: &dyn ProgressListener,
    start: Start<'_>,
) -> Account {
    let argv: Vec<String> = [start.program].into_iter().chain(start.call.arguments).collect();
    let silence = Duration::from_secs(request.change.settings.loop3.timeout).min(CEILING);
    let limits = ToolLimits { silence, overall: CEILING, bytes: OUTPUT };
    let heard = tool.listen(&argv, limits, || watch.see(ProgressEvent::Slow { check: CHECK }));
    let (opinion, listed) = coderabbit(&heard.output, &end(&heard.how), &places(request));
    let too_long = format!("{} printed more than {OUTPUT} bytes", start.reviewer);
    let unreviewed = if heard.too_long { Some(too_long) } else { opinion.ending.reason(&start.reviewer) };
    // A list names files with content; what was deleted stands in no such list.
    let has_read = |pair: &&&Pair| {
        let listed = listed.as_ref();
        pair.new.is_none() || listed.is_none_or(|listed| listed.contains(&pair.path.to_string()))
    };
    let read: Vec<GitPath> = start.sent.iter().filter(has_read).map(|pair| pair.path.clone()).collect();
    let mut account = Account {
        command: Some(argv.join(" ")),
        findings: cleaned(tool, &opinion),
        said: tool.end_of_errors(&heard),
        facts: [("findings".to_string(), json!(opinion.findings.len()))].into(),
        unreviewed: unreviewed.map(|reason| tool.without_secrets(&reason)),
        reviewer: Some(start.reviewer),
        read,
        not_read: Vec::new(),
    };
    let unread = request.change.pairs.iter().filter(|pair| !account.read.contains(&pair.path));
    account.not_read = unread.map(|pair| pair.path.to_string()).collect();
    account
}

//! Asks the gate: gathers what would leave and what is known about it, for every door.

use super::history::{tip_drafts, unseen};
use super::leaks::{pair_leaks, tip_leaks};
use crate::app::failure::{Failure, chain};
use crate::app::workspace::Workspace;
use crate::edge::config::load_with_base;
#[cfg(feature = "cli")]
use crate::edge::repo::find_commit;
use crate::edge::repo::{
    self, Forecast, Git, LeavingRef as Sent, LeavingTip as SentTip, PushLine, PushRequest, RemoteIds, Repo,
    base, commit, file_at, leaving, predict, published, worktree_tree,
};
use crate::edge::state::{Ledger, LedgerContents, RepositoryIdentity};
use crate::pure::gate::{GateDecision, GateFacts, Submodule, Tip, judge};
use crate::pure::policy::{Settings, evidence_hash};
use crate::pure::review::{Evidence, GitPath, ObjectId, Pair};
use std::thread;

/// The gate's answer with what it was about.
pub struct GateResult {
    pub verdict: GateDecision,
    pub evidence: Evidence,
    pub tips: Vec<Tip>,
    /// The base that each tip was compared with.
    pub bases: Vec<Option<ObjectId>>,
    pub settings: Settings,
    pub head: Option<ObjectId>,
}

/// Would the content of the working tree be let out, if it were committed as it is?
pub fn worktree(workspace: &Workspace, leave_out: &[GitPath]) -> GateResult {
    judged(workspace, |git| {
        // Looking through the files takes as long as all other questions together.
        let (snapshot, from, sent) = thread::scope(|scope| {
            let others = scope.spawn(|| (base(git, None), forecast_tips(git)));
            let snapshot = worktree_tree(git, leave_out);
            others.join().map(|(from, sent)| (snapshot, from, sent))
        })
        .map_err(|_| "a question to git ended in a panic")?;
        let (snapshot, from) = (snapshot?, from?);
        let pairs = snapshot.pairs(from.tree.as_ref())?;
        let mut leaks = pair_leaks(snapshot.git(), &pairs, from.commit.as_ref())?;
        let mut drafts = Vec::new();
        for tip in sent? {
            leaks.extend(tip_leaks(git, &tip)?);
            drafts.extend(tip_drafts(git, &tip)?);
        }
        let untracked = snapshot.untracked()?;
        let tip = Tip {
            name: "the working tree".into(),
            tree: snapshot.tree.clone(),
            already_pushed: false,
            submodules: submodules(git, &pairs),
            pairs,
            leaks,
            drafts,
            untracked,
        };
        Ok(vec![(tip, from.commit)])
    })
}

/// May leave what a plain `git push` would send now? Judged as the `pre-push` hook judges it, by what is known of the remote.
#[cfg(feature = "cli")]
pub fn outgoing(workspace: &Workspace) -> GateResult {
    judged(workspace, |git| {
        let mut tips = Vec::new();
        for sent in outgoing_tips(git)? {
            tips.push((tip_of(git, &sent)?, sent.base));
        }
        Ok(tips)
    })
}

/// Files in which the working tree differs from HEAD, so that a push would send them otherwise or not at all.
#[cfg(feature = "cli")]
pub fn uncommitted(workspace: &Workspace) -> Result<Vec<GitPath>, Failure> {
    let git = workspace.git()?.ok_or("there is no git repository here")?;
    let head = find_commit(&git, "HEAD")?.map(|head| head.tree);
    let pairs = worktree_tree(&git, &[])?.pairs(head.as_ref())?;
    Ok(pairs.into_iter().map(|pair| pair.path).collect())
}

/// May exactly these refs leave for this remote?
pub(crate) fn push(workspace: &Workspace, lines: &[PushLine], remote: RemoteIds<'_>) -> GateResult {
    judged(workspace, |git| {
        let mut tips = Vec::new();
        for sent in leaving(git, lines, remote)? {
            let Sent::Update(sent) = sent else { continue };
            tips.push((tip_of(git, &sent)?, sent.base));
        }
        Ok(tips)
    })
}

type Gathered = Vec<(Tip, Option<ObjectId>)>;

/// Judges each tip under the policy of its own base. Whatever could not be gathered closes the gate.
fn judged(workspace: &Workspace, gather: impl FnOnce(&Git) -> Result<Gathered, Failure>) -> GateResult {
    let mut judged = GateResult {
        verdict: GateDecision::Open,
        evidence: Evidence::default(),
        tips: Vec::new(),
        bases: Vec::new(),
        settings: Settings::default(),
        head: None,
    };
    if let Err(failure) = judge_all(workspace, gather, &mut judged) {
        let facts = GateFacts {
            tips: Vec::new(),
            evidence: judged.evidence.clone(),
            problems: Vec::new(),
            settings: Settings::default(),
            policy: String::new(),
            could_not_check: Some(chain(failure.as_ref())),
            head: None,
        };
        judged.verdict = judge(&facts);
    }
    judged
}

fn judge_all(
    workspace: &Workspace,
    gather: impl FnOnce(&Git) -> Result<Gathered, Failure>,
    judged: &mut GateResult,
) -> Result<(), Failure> {
    let git = workspace.git()?.ok_or("there is no git repository here")?;
    let LedgerContents { receipts, problems } = read_ledger(workspace)?;
    judged.evidence = Evidence::new(receipts);
    if let Some(hazard) = git.hazards()?.first() {
        return Err(hazard.to_string().into());
    }
    judged.head = commit(&git, "HEAD").ok().map(|commit| commit.id);
    let mut reasons = Vec::new();
    let mut problems = Some(problems);
    for (mut tip, from) in gather(&git)? {
        let loaded = load_with_base(
            &workspace.project,
            &workspace.environment,
            policy_at(workspace, &git, from.as_ref())?.as_deref(),
        )?;
        judged.settings = loaded.settings.clone();
        tip.drafts = unseen(&git, tip.drafts, &judged.evidence, &loaded.settings)?;
        let facts = GateFacts {
            tips: vec![tip],
            evidence: judged.evidence.clone(),
            problems: problems.take().unwrap_or_default(),
            policy: evidence_hash(&loaded.settings),
            settings: loaded.settings,
            could_not_check: None,
            head: judged.head.clone(),
        };
        reasons.extend(judge(&facts).reasons().to_vec());
        judged.tips.extend(facts.tips);
        judged.bases.push(from);
    }
    judged.verdict = if reasons.is_empty() { GateDecision::Open } else { GateDecision::Closed(reasons) };
    Ok(())
}

/// The policy that the base commit carries, where the settings say that it is.
pub(crate) fn policy_at(
    workspace: &Workspace,
    git: &Git,
    from: Option<&ObjectId>,
) -> Result<Option<String>, Failure> {
    let Some(from) = from else { return Ok(None) };
    Ok(file_at(git, from, workspace.project_config().as_str())?
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
}

/// A repository that nobody enrolled has reviews too; they only bind nothing. Enrolment keeps its id.
pub(crate) fn identity(workspace: &Workspace) -> Result<RepositoryIdentity, Failure> {
    Ok(match workspace.enrolment()? {
        Some(enrolment) => RepositoryIdentity { id: enrolment.repository, enrolled: true },
        None => RepositoryIdentity { id: workspace.layout.repository_id(), enrolled: false },
    })
}

/// The evidence of the receipts, for a loop that is about to run. Damaged receipts prove nothing: that loop begins a new chain.
pub(crate) fn evidence(workspace: &Workspace) -> Result<Evidence, Failure> {
    let LedgerContents { receipts, problems } = read_ledger(workspace)?;
    Ok(Evidence::new(if problems.is_empty() { receipts } else { Vec::new() }))
}

pub fn read_ledger(workspace: &Workspace) -> Result<LedgerContents, Failure> {
    let repository = identity(workspace)?;
    Ok(Ledger { layout: &workspace.layout, homes: &workspace.homes, repository: &repository }.read()?)
}

pub(crate) fn tip_of(git: &Git, sent: &SentTip) -> Result<Tip, Failure> {
    Ok(Tip {
        name: sent.local_ref.clone(),
        tree: sent.tree.clone(),
        already_pushed: sent.already_there,
        pairs: sent.pairs.clone(),
        leaks: tip_leaks(git, sent)?,
        drafts: tip_drafts(git, sent)?,
        submodules: submodules(git, &sent.pairs),
        untracked: Vec::new(),
    })
}

/// The tips that a plain push of the current branch would send, as far as can be told without the network.
fn forecast_tips(git: &Git) -> Result<Vec<SentTip>, repo::Error> {
    match predict(git, &PushRequest::default())? {
        Some(forecast) => tips(git, &forecast),
        None => Ok(Vec::new()),
    }
}

/// As `forecast_tips`; where git would ask for the name of the branch or of a remote, all of HEAD that no remote has.
#[cfg(feature = "cli")]
fn outgoing_tips(git: &Git) -> Result<Vec<SentTip>, repo::Error> {
    let by_name = PushRequest { refspecs: vec!["HEAD".into()], ..PushRequest::default() };
    for request in [PushRequest::default(), by_name] {
        if let Some(forecast) = predict(git, &request)? {
            return tips(git, &forecast);
        }
    }
    let Some(head) = find_commit(git, "HEAD")? else { return Ok(Vec::new()) };
    let line =
        PushLine { local_ref: "HEAD".into(), local: Some(head.id), remote_ref: "HEAD".into(), remote: None };
    let published: Vec<ObjectId> = base(git, None)?.commit.into_iter().collect();
    updates(leaving(git, &[line], RemoteIds::Exactly { ids: &published })?)
}

fn tips(git: &Git, forecast: &Forecast) -> Result<Vec<SentTip>, repo::Error> {
    updates(leaving(git, &forecast.lines, RemoteIds::Tracking { remote: &forecast.remote })?)
}

fn updates(sent: Vec<Sent>) -> Result<Vec<SentTip>, repo::Error> {
    let update = |sent| if let Sent::Update(tip) = sent { Some(tip) } else { None };
    Ok(sent.into_iter().filter_map(update).collect())
}

fn submodules(git: &Git, pairs: &[Pair]) -> Vec<Submodule> {
    let moved = pairs
        .iter()
        .filter_map(|pair| Some((&pair.path, pair.new.as_ref().filter(|side| side.is_submodule())?)));
    let state = |path: &GitPath, id: &ObjectId| {
        let inner = Repo::discover(&git.repo().worktree.join(path.to_string())).ok().flatten();
        let inner = inner.filter(|inner| inner.worktree != git.repo().worktree)?;
        published(&Git::open(inner), id).ok()
    };
    moved
        .map(|(path, side)| Submodule {
            path: path.clone(),
            commit: side.id.clone(),
            published: state(path, &side.id),
        })
        .collect()
}

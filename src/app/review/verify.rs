//! Door 3, in CI and on servers: one commit and its whole range judged as the gate judges a push, with loop 1 run again
//! on the spot if asked. Where the base lists people who may sign, attestations count; elsewhere the receipts of this machine.

use super::progress::ProgressListener;
use super::receipt::blank;
use super::run::{Reuse, check};
use crate::app::attestation::{self, AttestationResult, Verification, requirement, signers_at};
use crate::app::failure::{Failure, NoRepository};
use crate::app::gate::history::unseen;
use crate::app::gate::judge::{policy_at, read_ledger, tip_of};
use crate::app::gate::range;
use crate::app::review::change::Change;
use crate::app::workspace::Workspace;
use crate::edge::config::load_with_base;
use crate::edge::file;
use crate::edge::repo::{Git, LeavingRef, LeavingTip, NOTES, RemoteIds, commit, leaving, notes_tip};
use crate::edge::state::LedgerContents;
use crate::pure::gate::{GateDecision, GateFacts, judge};
use crate::pure::policy::{LoopNumber, Settings, evidence_hash};
use crate::pure::report::{VerifiedRange, VerifiedReason};
use crate::pure::review::{Evidence, LoopOutcome, ObjectId, Receipt, ReviewScope, ScopeKind};
use camino::Utf8PathBuf;

const SIGNERS_LIMIT: u64 = 1024 * 1024;

pub struct VerifyRequest {
    pub revision: String,
    /// The last commit that counts as published; none: where the revision left the upstream or default branch.
    pub base: Option<String>,
    /// Run loop 1 again here.
    pub rerun: bool,
    /// Judge only what is run again, and the secrets.
    pub only_rerun: bool,
    /// People who may sign, instead of the list in the base.
    pub allowed_signers: Option<Utf8PathBuf>,
}

pub fn verify(
    workspace: &Workspace,
    request: &VerifyRequest,
    watch: impl FnOnce(&Settings) -> Box<dyn ProgressListener>,
) -> Result<VerifiedRange, Failure> {
    let git = workspace.git()?.ok_or(NoRepository)?;
    range::whole(&git)?;
    let tip = commit(&git, &request.revision)?;
    let from = range::start(&git, &request.revision, request.base.as_deref(), &tip)?;
    let line = range::line(&request.revision, &tip, from.as_ref());
    let known: Vec<ObjectId> = from.clone().into_iter().collect();
    let sent = leaving(&git, &[line], RemoteIds::Exactly { ids: &known })?;
    let Some(LeavingRef::Update(sent)) = sent.into_iter().next() else {
        return Err("git did not say what the range holds".into());
    };
    let loaded = load_with_base(
        &workspace.project,
        &workspace.environment,
        policy_at(workspace, &git, sent.base.as_ref())?.as_deref(),
    )?;
    let mut settings = loaded.settings;
    let LedgerContents { mut receipts, mut problems } = read_ledger(workspace)?;
    let mut not_judged = Vec::new();
    let attested = match request.only_rerun {
        true => None,
        false => attested(workspace, &git, request, &sent, &known, &settings)?,
    };
    let others = || {
        let required = settings.blocking.required_loops.iter().copied();
        required.filter(|number| !(request.rerun && *number == LoopNumber::One)).collect::<Vec<_>>()
    };
    if request.only_rerun || attested.is_some() {
        // State that is not asked cannot be unreliable either.
        (receipts, problems) = (Vec::new(), Vec::new());
        let others = others();
        settings.blocking.required_loops.retain(|number| !others.contains(number));
        if attested.is_none() {
            not_judged = others;
            settings.blocking.required_loops = vec![LoopNumber::One];
        }
    }
    let rerun = match request.rerun {
        true => Some(run_again(workspace, &sent.tree, request, from.as_ref(), &settings, watch)?),
        false => None,
    };
    if let Some((receipt, _)) = &rerun {
        receipts.push(receipt.clone());
    }
    let mut judged_tip = tip_of(&git, &sent)?;
    // Whoever has loop 1 run again wants its word, also where nothing is new.
    judged_tip.already_pushed &= !request.rerun;
    let evidence = Evidence::new(receipts);
    judged_tip.drafts = unseen(&git, judged_tip.drafts, &evidence, &settings)?;
    let facts = GateFacts {
        tips: vec![judged_tip],
        evidence,
        problems,
        policy: evidence_hash(&settings),
        settings,
        could_not_check: None,
        head: Some(tip.id.clone()),
    };
    Ok(verified(tip.id, &sent, &judge(&facts), rerun.map(|(_, outcome)| outcome), not_judged, attested))
}

fn verified(
    commit: ObjectId,
    sent: &LeavingTip,
    decision: &GateDecision,
    rerun: Option<LoopOutcome>,
    not_judged: Vec<LoopNumber>,
    attested: Option<AttestationResult>,
) -> VerifiedRange {
    let of_gate = decision.reasons().iter().map(VerifiedReason::of_gate);
    let of_attestations =
        attested.iter().flat_map(|result| &result.reasons).map(VerifiedReason::of_attestation);
    VerifiedRange {
        commit,
        base: sent.base.clone(),
        changes: sent.pairs.len(),
        reasons: of_attestations.chain(of_gate).collect(),
        rerun: rerun.map(|outcome| outcome.verdict),
        not_judged,
        accepted: attested.map(|result| result.accepted),
    }
}

/// The result of the attestations; nothing where no signers are configured.
fn attested(
    workspace: &Workspace,
    git: &Git,
    request: &VerifyRequest,
    sent: &LeavingTip,
    known: &[ObjectId],
    settings: &Settings,
) -> Result<Option<AttestationResult>, Failure> {
    let signers = match &request.allowed_signers {
        Some(path) => {
            Some(file::read(path, SIGNERS_LIMIT).map_err(|error| format!("could not read {path}: {error}"))?)
        }
        None => signers_at(git, sent.base.as_ref(), &workspace.project_config())?,
    };
    let Some(signers) = signers else { return Ok(None) };
    let elsewhere: &[LoopNumber] = if request.rerun { &[LoopNumber::One] } else { &[] };
    let notes = notes_tip(git, NOTES)?;
    let question = Verification {
        git,
        tip: &sent.commit,
        known,
        notes: notes.as_ref(),
        signers: Some(&signers),
        requirement: &requirement(settings, elsewhere),
    };
    attestation::verify(&question).map(Some)
}

/// Loop 1 on exactly this content, in this place. Nothing is recorded: whoever runs it believes their own eyes.
fn run_again(
    workspace: &Workspace,
    tree: &crate::pure::review::TreeId,
    request: &VerifyRequest,
    from: Option<&ObjectId>,
    settings: &Settings,
    watch: impl FnOnce(&Settings) -> Box<dyn ProgressListener>,
) -> Result<(Receipt, LoopOutcome), Failure> {
    let scope = ReviewScope { kind: ScopeKind::Ref(request.revision.clone()), left_out: Vec::new() };
    let mut change = Change::of(workspace, scope, from.map(ToString::to_string))
        .map_err(|failure| format!("loop 1 cannot run here on {}: {failure}", request.revision))?;
    change.settings = settings.clone();
    let outcome = check(workspace, &change, watch(&change.settings).as_ref(), Reuse::Refused)?;
    let receipt = Receipt {
        tree: tree.clone(),
        policy: evidence_hash(settings),
        loops: [(LoopNumber::One, outcome.clone())].into(),
        ..blank(workspace, &change)?
    };
    Ok((receipt, outcome))
}

//! Door 3, in CI and on servers: one commit and its whole range judged as the gate judges a push, with loop 1 run again
//! on the spot if asked. Receipts do not travel: where there are none, only what is run again counts.

use super::progress::ProgressListener;
use super::receipt::blank;
use super::run::{Reuse, check};
use crate::app::failure::Failure;
use crate::app::gate::judge::{policy_at, read_ledger, tip_of};
use crate::app::review::change::Change;
use crate::app::workspace::Workspace;
use crate::edge::config::load_with_base;
use crate::edge::repo::{Base, Commit, Git, Hazard, LeavingRef, PushLine, RemoteIds, base, commit, leaving};
use crate::edge::state::LedgerContents;
use crate::pure::gate::{GateDecision, GateFacts, GateReason, judge};
use crate::pure::policy::{LoopNumber, Settings, evidence_hash};
use crate::pure::review::{Evidence, LoopOutcome, ObjectId, Receipt, ReviewScope, ScopeKind};

pub struct VerifyRequest {
    pub revision: String,
    /// The last commit that counts as published; none: where the revision left the upstream or default branch.
    pub base: Option<String>,
    /// Run loop 1 again here.
    pub rerun: bool,
    /// Judge only what is run again, and the secrets.
    pub only_rerun: bool,
}

pub struct Verified {
    pub commit: ObjectId,
    pub base: Option<ObjectId>,
    /// How many changes the range has.
    pub changes: usize,
    pub verdict: GateDecision,
    pub rerun: Option<LoopOutcome>,
    /// Required loops that nobody judged, because only what was run again counts.
    pub not_judged: Vec<LoopNumber>,
}

pub fn verify(
    workspace: &Workspace,
    request: &VerifyRequest,
    watch: impl FnOnce(&Settings) -> Box<dyn ProgressListener>,
) -> Result<Verified, Failure> {
    let git = workspace.git()?.ok_or("there is no git repository here")?;
    if let Some(hazard) = git.hazards()?.into_iter().next() {
        return Err(match hazard {
            Hazard::Shallow => {
                "the history is cut off here (shallow clone), so that nobody can tell what is new; check out \
                                with full history (`fetch-depth: 0`) or run `git fetch --unshallow`"
                    .into()
            }
            other => other.to_string().into(),
        });
    }
    let tip = commit(&git, &request.revision)?;
    let from = start(&git, request, &tip)?;
    let line = PushLine {
        local_ref: request.revision.clone(),
        local: Some(tip.id.clone()),
        remote_ref: "refs/heads/verified".into(),
        remote: from.clone(),
    };
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
    if request.only_rerun {
        // What is run again is all that counts; state that is not asked cannot be unreliable either.
        (receipts, problems) = (Vec::new(), Vec::new());
        not_judged = settings
            .blocking
            .required_loops
            .iter()
            .copied()
            .filter(|number| *number != LoopNumber::One)
            .collect();
        settings.blocking.required_loops = vec![LoopNumber::One];
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
    let facts = GateFacts {
        tips: vec![judged_tip],
        evidence: Evidence::new(receipts),
        problems,
        policy: evidence_hash(&settings),
        settings,
        could_not_check: None,
        head: Some(tip.id.clone()),
    };
    Ok(Verified {
        commit: tip.id,
        base: sent.base,
        changes: sent.pairs.len(),
        verdict: judge(&facts),
        rerun: rerun.map(|(_, outcome)| outcome),
        not_judged,
    })
}

/// The commit up to which everything counts as published.
fn start(git: &Git, request: &VerifyRequest, tip: &Commit) -> Result<Option<ObjectId>, Failure> {
    if let Some(name) = &request.base {
        // What CI hands on as "before" of a new branch.
        if ObjectId::parse(name).is_some_and(|id| id.is_zero()) {
            return Ok(None);
        }
        return Ok(Some(commit(git, name)?.id));
    }
    if commit(git, "HEAD").ok().as_ref() != Some(tip) {
        return Err(
            format!("say with --base what {} is compared with; it is not at HEAD", request.revision).into()
        );
    }
    match base(git, None)? {
        Base { commit: Some(from), name, .. } if from == tip.id => Err(format!(
            "{} is part of {name} already, so that nothing would be judged; say with --base what was there before",
            tip.id.short()
        )
        .into()),
        Base { commit: Some(from), .. } => Ok(Some(from)),
        Base { commit: None, .. } => Err(
            "no upstream or default branch was found that this shares history with; fetch it, or name the start with --base \
             (all zeros for everything)"
                .into(),
        ),
    }
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

impl Verified {
    pub fn text(&self) -> String {
        let base = self.base.as_ref().map_or("nothing".into(), |base| base.short().to_owned());
        let mut text = format!(
            "Verified {} against {base}: {} changed files, secrets of the whole range scanned\n",
            self.commit.short(),
            self.changes
        );
        if let Some(outcome) = &self.rerun {
            text += &format!("Loop 1, run again here: {}\n", outcome.verdict.word().to_uppercase());
        }
        for number in &self.not_judged {
            text += &format!("Loop {number} is required to ship and was NOT judged here (--only-rerun)\n");
        }
        match &self.verdict {
            GateDecision::Open => text += "Gate: OPEN\n",
            GateDecision::Closed(reasons) => {
                text += "Gate: SHUT\n";
                text += &reasons.iter().map(|reason| format!("  - {reason}\n")).collect::<String>();
                if reasons.iter().any(of_receipts) {
                    text += "Receipts stay where the review ran. Run this there, or judge by --rerun 1 --only-rerun.\n";
                }
            }
        }
        text
    }
}

/// Reasons that a place without receipts gives for content that may well be reviewed.
fn of_receipts(reason: &GateReason) -> bool {
    matches!(reason, GateReason::NoState | GateReason::NotRun { .. } | GateReason::Unread { .. })
}

//! Makes attestations: for commits that the gate lets leave, and for those that a person let leave.

use super::notes::add;
use crate::app::failure::{Failure, NoRepository, Refused};
use crate::app::gate::judge::{self, GateResult};
use crate::app::gate::range;
use crate::app::workspace::Workspace;
use crate::edge::clock;
use crate::edge::repo::{Git, PushLine, RemoteIds, commit, commit_at, tree_of};
use crate::edge::signature::{SigningKey, SshKeygen};
use crate::pure::attestation::{
    AttestedBase, AttestedCheck, AttestedFinding, AttestedGate, AttestedLoop, AttestedPolicy, Envelope,
    Review, Statement,
};
use crate::pure::gate::Tip;
use crate::pure::policy::{LoopNumber, evidence_hash};
use crate::pure::review::{Evidence, LoopOutcome, ObjectId, Receipt};
use crate::pure::secret::redact;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeMap;

pub struct AttestRequest {
    pub revision: String,
    /// The last published commit; none: where the revision left the upstream or default branch.
    pub base: Option<String>,
    /// Instead of the configured key.
    pub key: Option<Utf8PathBuf>,
}

#[derive(Debug)]
pub struct Attested {
    pub commit: ObjectId,
    pub base: Option<ObjectId>,
}

/// Why a commit may be attested.
#[derive(Debug, Clone)]
pub(crate) enum Permit {
    OpenGate,
    Override { reason: String },
}

/// Attests one commit with all its unpublished commits. The gate has to be open for it.
pub fn attest(workspace: &Workspace, request: &AttestRequest) -> Result<Attested, Failure> {
    let git = workspace.git()?.ok_or(NoRepository)?;
    range::whole(&git)?;
    let tip = commit(&git, &request.revision)?;
    let from = range::start(&git, &request.revision, request.base.as_deref(), &tip)?;
    let line = range::line(&request.revision, &tip, from.as_ref());
    let known: Vec<ObjectId> = from.into_iter().collect();
    let attester = Attester::of(workspace, &git, request.key.as_deref())?;
    let attested = attester.attest(&[line], RemoteIds::Exactly { ids: &known }, &Permit::OpenGate)?;
    attested.into_iter().next().ok_or_else(|| "there is nothing new to attest".into())
}

/// A person's key, ready to sign.
pub(crate) struct Attester<'a> {
    workspace: &'a Workspace,
    git: &'a Git,
    keygen: SshKeygen,
    key: SigningKey,
}

impl<'a> Attester<'a> {
    pub(crate) fn of(
        workspace: &'a Workspace,
        git: &'a Git,
        key: Option<&Utf8Path>,
    ) -> Result<Self, Failure> {
        let keygen = SshKeygen::find(&git.repo().worktree)?;
        let key = match key {
            Some(path) => SigningKey::File(absolute(path)?),
            None => configured_key(workspace, git)?,
        };
        Ok(Self { workspace, git, keygen, key })
    }

    /// Attests each commit that these lines publish, and adds the attestations to the notes.
    pub(crate) fn attest(
        &self,
        lines: &[PushLine],
        remote: RemoteIds<'_>,
        permit: &Permit,
    ) -> Result<Vec<Attested>, Failure> {
        let (mut attested, mut notes) = (Vec::new(), Vec::new());
        for line in lines {
            let Some(local) = &line.local else { continue };
            let Some(commit) = commit_at(self.git, local)? else { continue };
            let judged = judge::push(self.workspace, std::slice::from_ref(line), remote);
            let gate = decision(&judged, permit)?;
            let (Some(tip), Some(base)) = (judged.tips.first(), judged.bases.first()) else { continue };
            // Commits that the remote already has need no decision.
            if tip.already_pushed {
                continue;
            }
            let statement = Statement::new(
                &commit,
                &tree_of(self.git, commit.as_str())?,
                review(&judged, tip, base.as_ref(), gate),
            );
            let payload = statement.payload();
            let signature = self.keygen.sign(&self.key, &Envelope::message(&payload))?;
            notes.push((commit.clone(), Envelope { payload, signature }.line()));
            attested.push(Attested { commit, base: base.clone() });
        }
        if !notes.is_empty() {
            add(self.workspace, self.git, &notes)?;
        }
        Ok(attested)
    }
}

fn decision(judged: &GateResult, permit: &Permit) -> Result<AttestedGate, Failure> {
    let blockers: Vec<String> =
        judged.verdict.reasons().iter().map(|reason| redact(&reason.to_string())).collect();
    match permit {
        _ if blockers.is_empty() => Ok(AttestedGate::Open),
        Permit::Override { reason } => Ok(AttestedGate::Overridden { reason: redact(reason), blockers }),
        Permit::OpenGate => {
            let list: String = blockers.iter().map(|blocker| format!("\n  - {blocker}")).collect();
            Err(Refused(format!("the gate is closed for this commit; nothing was attested{list}")).into())
        }
    }
}

fn review(judged: &GateResult, tip: &Tip, base: Option<&ObjectId>, gate: AttestedGate) -> Review {
    let open = gate == AttestedGate::Open;
    let required = &judged.settings.blocking.required_loops;
    let policy = evidence_hash(&judged.settings);
    let mut loops = BTreeMap::new();
    for number in LoopNumber::ALL {
        let readings = readings(&judged.evidence, tip, number, &policy);
        let Some((newest, outcome)) = readings.last() else { continue };
        let all_pass = readings.iter().all(|(_, outcome)| outcome.verdict.passed());
        let attested = AttestedLoop {
            // An open gate says that every required loop passed under this policy.
            passed: if open && required.contains(&number) { true } else { all_pass },
            verdict: outcome.verdict.word().into(),
            time: newest.time.clone(),
            reviewer: newest.reviewer.as_deref().map(redact),
            checks: checks(outcome),
            findings: if number.has_reviewer() {
                findings(&judged.evidence, tip, number, &policy, &readings)
            } else {
                Vec::new()
            },
        };
        loops.insert(number, attested);
    }
    Review {
        time: clock::timestamp(),
        plimsoll: env!("CARGO_PKG_VERSION").into(),
        base: base.map(|commit| AttestedBase { commit: commit.clone() }),
        policy: AttestedPolicy::of(&judged.settings),
        gate,
        loops,
    }
}

type Reading<'a> = (&'a Receipt, &'a LoopOutcome);

/// The results of a loop for this content, the oldest first.
fn readings<'a>(evidence: &'a Evidence, tip: &Tip, number: LoopNumber, policy: &str) -> Vec<Reading<'a>> {
    if !number.has_reviewer() {
        let run = evidence.run(number, &tip.tree).filter(|(receipt, _)| receipt.policy == policy);
        return run.into_iter().collect();
    }
    let reviews = tip.pairs.iter().filter_map(|pair| evidence.pair_review(number, pair, policy));
    let mut readings: Vec<Reading<'a>> = reviews.map(|review| (review.receipt, review.outcome)).collect();
    // A change without files has nothing to be read.
    if tip.pairs.is_empty() {
        readings.extend(evidence.last_run(number));
    }
    readings.sort_by_key(|(receipt, _)| receipt.sequence);
    readings.dedup_by_key(|(receipt, _)| receipt.sequence);
    readings
}

fn checks(outcome: &LoopOutcome) -> Vec<AttestedCheck> {
    let checks = outcome.tiers.values().flatten();
    checks
        .map(|check| AttestedCheck { name: redact(&check.name), verdict: check.verdict.word().into() })
        .collect()
}

/// Open and dismissed findings, each once.
fn findings(
    evidence: &Evidence,
    tip: &Tip,
    number: LoopNumber,
    policy: &str,
    readings: &[Reading<'_>],
) -> Vec<AttestedFinding> {
    let open = tip.pairs.iter().filter_map(|pair| evidence.open_findings(number, pair, policy)).flatten();
    let mut found: BTreeMap<String, AttestedFinding> =
        open.map(|finding| (finding.id().to_string(), AttestedFinding::of(finding, None))).collect();
    for finding in readings.iter().flat_map(|(_, outcome)| &outcome.findings) {
        if let Some(reason) = evidence.dismissal(&finding.id()) {
            found.insert(finding.id().to_string(), AttestedFinding::of(finding, Some(reason)));
        }
    }
    found.into_values().collect()
}

/// The key of the settings, or the one that git signs with.
fn configured_key(workspace: &Workspace, git: &Git) -> Result<SigningKey, Failure> {
    let home = &workspace.environment.home;
    if let Some(path) = workspace.settings()?.settings.attestation.key {
        return Ok(SigningKey::File(below(home, &path)));
    }
    let is_ssh = git.setting("gpg.format")?.is_some_and(|format| format == "ssh");
    match git.setting("user.signingkey")?.filter(|_| is_ssh) {
        Some(key) if key.starts_with("key::") => {
            Ok(SigningKey::Public(key.trim_start_matches("key::").to_owned()))
        }
        Some(key) if key.starts_with("ssh-") => Ok(SigningKey::Public(key)),
        Some(path) => Ok(SigningKey::File(below(home, &path))),
        None => Err("no ssh key to sign with: name one with --key, set `attestation.key`, or set git's `gpg.format` to \
                     ssh and `user.signingkey`"
            .into()),
    }
}

fn below(home: &Utf8Path, path: &str) -> Utf8PathBuf {
    path.strip_prefix("~/").map_or_else(|| home.join(path), |inside| home.join(inside))
}

fn absolute(path: &Utf8Path) -> Result<Utf8PathBuf, Failure> {
    Ok(crate::edge::run::stdio::current_directory()?.join(path))
}

//! Asks the gate: gathers what would leave and what is known about it, for every door.

use super::pre_push_hook::PrePushHook;
use super::serve::Failure;
use crate::config::load_with_base;
use crate::flow::scene::Scene;
#[cfg(feature = "cli")]
use crate::gate::Reason;
use crate::gate::{Facts, Leak, Submodule, Tip, Verdict, judge};
use crate::policy::{Settings, evidence_hash};
use crate::repo::{
    Content, Forecast, Git, Leaving as Sent, PushLine, PushRequest, RemoteIds, Repo, Tip as SentTip, base,
    changed_files, commit, file_at, leaving, objects, predict, published, worktree_tree,
};
use crate::review::{Evidence, GitPath, ObjectId, Pair};
use crate::secret;
use crate::state::{Ledger, Reading};
use crate::step::{Addressed, GateWord, Leaving};
use serde_json::json;

/// A repository that nobody enrolled still has reviews; they only bind nothing.
const UNENROLLED: &str = "unenrolled";
/// Larger files are not source; they are reported as unchecked instead of read.
const BLOB_LIMIT: u64 = 128 * 1024 * 1024;
/// Where a repository keeps its policy, as git names it.
const POLICY_FILE: &str = ".claude/config/review-config.yaml";

/// The gate's answer with what it was about.
pub struct Judged {
    pub verdict: Verdict,
    pub evidence: Evidence,
    pub tips: Vec<Tip>,
    pub settings: Settings,
    pub head: Option<ObjectId>,
}

/// Would the content of the working tree be let out, if it were committed as it is?
pub fn worktree(scene: &Scene, leave_out: &[GitPath]) -> Judged {
    judged(scene, |git| {
        let snapshot = worktree_tree(git, leave_out)?;
        let from = base(git, None)?;
        let pairs = snapshot.pairs(from.tree.as_ref())?;
        let mut leaks = blob_leaks(snapshot.git(), pairs.iter().filter_map(new_blob))?;
        for tip in forecast_tips(git)? {
            leaks.extend(tip_leaks(git, &tip)?);
        }
        let mut untracked = changed_files(git)?.untracked;
        untracked.retain(|path| !leave_out.contains(path));
        let tip = Tip {
            name: "the working tree".into(),
            tree: snapshot.tree.clone(),
            already_there: false,
            submodules: submodules(git, &pairs),
            pairs,
            leaks,
            untracked,
        };
        Ok(vec![(tip, from.commit)])
    })
}

/// May exactly these refs leave for this remote?
pub fn push(scene: &Scene, lines: &[PushLine], remote: RemoteIds<'_>) -> Judged {
    judged(scene, |git| {
        let mut tips = Vec::new();
        for sent in leaving(git, lines, remote)? {
            let Sent::Update(sent) = sent else { continue };
            tips.push((tip_of(git, &sent)?, sent.base));
        }
        Ok(tips)
    })
}

type Gathered = Vec<(Tip, Option<ObjectId>)>;

/// Judges each tip under the policy of its own base. Whatever could not be gathered shuts the gate.
fn judged(scene: &Scene, gather: impl FnOnce(&Git) -> Result<Gathered, Failure>) -> Judged {
    let mut judged = Judged {
        verdict: Verdict::Open,
        evidence: Evidence::default(),
        tips: Vec::new(),
        settings: Settings::default(),
        head: None,
    };
    let mut could_not_check = None;
    if let Err(failure) = judge_all(scene, gather, &mut judged) {
        could_not_check = Some(super::serve::chain(failure.as_ref()));
    }
    if could_not_check.is_some() {
        let facts = Facts {
            tips: Vec::new(),
            evidence: judged.evidence.clone(),
            problems: Vec::new(),
            settings: Settings::default(),
            policy: String::new(),
            could_not_check,
            head: None,
        };
        judged.verdict = judge(&facts);
    }
    judged
}

fn judge_all(
    scene: &Scene,
    gather: impl FnOnce(&Git) -> Result<Gathered, Failure>,
    judged: &mut Judged,
) -> Result<(), Failure> {
    let repo = scene.repo.clone().ok_or("there is no git repository here")?;
    let git = Git::open(repo);
    let Reading { receipts, problems } = read_ledger(scene)?;
    judged.evidence = Evidence::new(receipts);
    if let Some(hazard) = git.hazards()?.first() {
        return Err(hazard.to_string().into());
    }
    judged.head = commit(&git, "HEAD").ok().map(|commit| commit.id);
    let mut reasons = Vec::new();
    let mut problems = Some(problems);
    for (tip, from) in gather(&git)? {
        let loaded =
            load_with_base(&scene.project, &scene.environment, policy_at(&git, from.as_ref())?.as_deref())?;
        judged.settings = loaded.settings.clone();
        let facts = Facts {
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
    }
    judged.verdict = if reasons.is_empty() { Verdict::Open } else { Verdict::Shut(reasons) };
    Ok(())
}

/// The policy that the base commit carries.
pub fn policy_at(git: &Git, from: Option<&ObjectId>) -> Result<Option<String>, Failure> {
    let Some(from) = from else { return Ok(None) };
    Ok(file_at(git, from, POLICY_FILE)?.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
}

pub fn repository_id(scene: &Scene) -> Result<String, Failure> {
    Ok(scene.enrolment()?.map_or_else(|| UNENROLLED.into(), |enrolment| enrolment.repository))
}

fn read_ledger(scene: &Scene) -> Result<Reading, Failure> {
    let repository = repository_id(scene)?;
    Ok(Ledger { layout: &scene.layout, homes: &scene.homes, repository: &repository }.read()?)
}

fn tip_of(git: &Git, sent: &SentTip) -> Result<Tip, Failure> {
    Ok(Tip {
        name: sent.local_ref.clone(),
        tree: sent.tree.clone(),
        already_there: sent.already_there,
        pairs: sent.pairs.clone(),
        leaks: tip_leaks(git, sent)?,
        submodules: submodules(git, &sent.pairs),
        untracked: Vec::new(),
    })
}

/// What a plain push of the current branch would send, as far as can be told without the network.
fn forecast_tips(git: &Git) -> Result<Vec<SentTip>, Failure> {
    let Some(Forecast { remote, lines }) = predict(git, &PushRequest::default())? else {
        return Ok(Vec::new());
    };
    let sent = leaving(git, &lines, RemoteIds::Tracking { remote: &remote })?;
    Ok(sent
        .into_iter()
        .filter_map(|sent| if let Sent::Update(tip) = sent { Some(tip) } else { None })
        .collect())
}

fn tip_leaks(git: &Git, tip: &SentTip) -> Result<Vec<Leak>, Failure> {
    let blobs = tip.introduced.iter().map(|blob| (blob.id.clone(), blob.path.clone()));
    let commit_of =
        |id: &str| tip.introduced.iter().find(|blob| blob.id.as_str() == id).map(|blob| blob.commit.clone());
    let mut leaks = Vec::new();
    for (id, leak) in blob_leaks_by_id(git, blobs)? {
        leaks.push(Leak { commit: commit_of(id.as_str()), ..leak });
    }
    for (id, message) in &tip.messages {
        leaks.extend(
            found("the commit message", message.as_bytes())
                .map(|leak| Leak { commit: Some(id.clone()), ..leak }),
        );
    }
    Ok(leaks)
}

fn new_blob(pair: &Pair) -> Option<(ObjectId, GitPath)> {
    let side = pair.new.as_ref().filter(|side| !side.is_submodule())?;
    Some((side.id.clone(), pair.path.clone()))
}

fn blob_leaks(git: &Git, blobs: impl Iterator<Item = (ObjectId, GitPath)>) -> Result<Vec<Leak>, Failure> {
    Ok(blob_leaks_by_id(git, blobs)?.into_iter().map(|(_, leak)| leak).collect())
}

fn blob_leaks_by_id(
    git: &Git,
    blobs: impl Iterator<Item = (ObjectId, GitPath)>,
) -> Result<Vec<(ObjectId, Leak)>, Failure> {
    let blobs: Vec<_> = blobs.collect();
    let ids: Vec<ObjectId> = blobs.iter().map(|(id, _)| id.clone()).collect();
    let mut leaks = Vec::new();
    for ((_, path), object) in blobs.iter().zip(objects(git, &ids, BLOB_LIMIT)?) {
        match object? {
            (id, Content::Bytes(bytes)) => {
                leaks.extend(found(&path.to_string(), &bytes).map(|leak| (id.clone(), leak)))
            }
            (_, Content::TooLarge(size)) => {
                return Err(format!("{path} ({size} bytes) is too large to be scanned for secrets").into());
            }
        }
    }
    Ok(leaks)
}

fn found(path: &str, content: &[u8]) -> impl Iterator<Item = Leak> {
    let path = path.to_string();
    secret::scan(&path, content).into_iter().map(move |found| Leak {
        commit: None,
        path: path.clone(),
        rule: found.rule.to_string(),
        line: found.line,
    })
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

/// What door 2a needs to know about something that would leave.
pub fn word(scene: &Scene, what: &Leaving) -> Result<GateWord, Failure> {
    let session_gated = scene.enrolment()?.is_some();
    let meant = match what.repository() {
        Addressed::Directory(directory) => scene.of_directory(directory)?,
        Addressed::Unknown => None,
    };
    let gated = match &meant {
        Some(meant) => meant.enrolment()?.is_some(),
        None => false,
    };
    let (Some(meant), true) = (meant, gated) else {
        return Ok(GateWord {
            session_gated,
            gated: false,
            guarded: false,
            verdict: Verdict::Open,
            words: String::new(),
        });
    };
    let judged = match what {
        Leaving::Push { arguments, .. } => match forecast(&meant, arguments)? {
            Some(forecast) => push(&meant, &forecast.lines, RemoteIds::Tracking { remote: &forecast.remote }),
            None => worktree(&meant, &[]),
        },
        Leaving::Branch { .. } => match forecast(&meant, &[])? {
            Some(forecast) => push(&meant, &forecast.lines, RemoteIds::Tracking { remote: &forecast.remote }),
            None => worktree(&meant, &[]),
        },
        Leaving::Content { .. } => worktree(&meant, &[]),
    };
    let words = words(scene, &judged.verdict);
    Ok(GateWord {
        session_gated,
        gated,
        guarded: PrePushHook::of(&meant)?.is_in_place(),
        verdict: judged.verdict,
        words,
    })
}

/// The commits that a push with these arguments would send.
pub fn forecast(scene: &Scene, arguments: &[String]) -> Result<Option<Forecast>, Failure> {
    let Some(repo) = scene.repo.clone() else { return Ok(None) };
    Ok(predict(&Git::open(repo), &push_request(arguments))?)
}

fn push_request(arguments: &[String]) -> PushRequest {
    let mut request = PushRequest::default();
    let mut skip = false;
    for argument in arguments {
        if std::mem::take(&mut skip) {
            continue;
        }
        match argument.as_str() {
            "--all" | "--branches" => request.all = true,
            "--tags" => request.tags = true,
            "--mirror" => request.mirror = true,
            "--delete" | "-d" => request.delete = true,
            "-o" | "--push-option" | "--receive-pack" | "--exec" | "--repo" => skip = true,
            flag if flag.starts_with('-') => {}
            word if request.remote.is_none() => request.remote = Some(word.into()),
            word => request.refspecs.push(word.into()),
        }
    }
    request
}

/// The first reason and what mends it, in one breath.
fn words(scene: &Scene, verdict: &Verdict) -> String {
    match verdict.reasons().first() {
        None => "the ship gate is open".into(),
        Some(reason) => format!(
            "the ship gate is shut. {reason}. {}",
            reason.remedy(&scene.command("review"), &scene.command("ship"))
        ),
    }
}

/// The context that `/ship` starts from.
pub fn ship_context(scene: &Scene, leave_out: &[GitPath]) -> Result<String, Failure> {
    let judged = worktree(scene, leave_out);
    let (review, ship) = (scene.command("review"), scene.command("ship"));
    let tree = judged.tips.first().map(|tip| tip.tree.to_string());
    let (heading, body) = match judged.verdict.reasons().first() {
        None => {
            let body = json!({
                "blocked": false,
                "reviewed_commit": judged.evidence.newest().and_then(|receipt| receipt.head.clone()),
                "tree": tree,
                "required_loops": judged.settings.blocking.required_loops,
                "all_loops_passed": true,
                "left_out": leave_out,
            });
            ("Ship gate: APPROVED", body)
        }
        Some(first) => {
            let body = json!({
                "blocked": true,
                "reason": first.to_string(),
                "blockers": judged.verdict.reasons().iter().map(ToString::to_string).collect::<Vec<_>>(),
                "suggestion": first.remedy(&review, &ship),
                "loop_results": loop_results(&judged),
            });
            (first.heading(), body)
        }
    };
    let unbound = match scene.enrolment()?.is_some() {
        true => "",
        false => {
            "\nThis repository is not enrolled, so only this command asks the gate; `plimsoll enrol` binds every push."
        }
    };
    Ok(format!("{heading}\n{}{unbound}\n", serde_json::to_string_pretty(&body)?))
}

fn loop_results(judged: &Judged) -> serde_json::Value {
    let passed = |number: u8| {
        let tip = judged.tips.first()?;
        judged.evidence.run(number, &tip.tree).map(|(_, outcome)| outcome.verdict.passed())
    };
    json!({ "loop_1": passed(1), "loop_2": passed(2), "loop_3": passed(3), "loop_4": passed(4) })
}

/// Which lines of the changed files differ from what was reviewed, for a person.
#[cfg(feature = "cli")]
pub fn changed_lines(scene: &Scene, reason: &Reason) -> Vec<String> {
    let Reason::Stale { number, files, .. } = reason else { return Vec::new() };
    let judged = worktree(scene, &[]);
    let (Some((receipt, _)), Some(repo)) = (judged.evidence.last_run(*number), scene.repo.clone()) else {
        return Vec::new();
    };
    let git = Git::open(repo);
    let reviewed = |path: &GitPath| {
        let side = receipt.pairs.iter().find(|pair| pair.path == *path)?.new.clone()?;
        match objects(&git, &[side.id], BLOB_LIMIT).ok()?.next()?.ok()? {
            (_, Content::Bytes(bytes)) => Some(bytes),
            (_, Content::TooLarge(_)) => None,
        }
    };
    let lines = |path: &GitPath| {
        let now = std::fs::read(scene.project.join(path.to_string())).ok()?;
        let ranges = crate::repo::changed_lines(&reviewed(path)?, &now);
        let ranges: Vec<String> = ranges
            .iter()
            .map(|range| format!("{}-{}", range.start, range.end.saturating_sub(1).max(range.start)))
            .collect();
        Some(format!("{path}: lines {}", ranges.join(", ")))
    };
    files.iter().take(10).filter_map(lines).collect()
}

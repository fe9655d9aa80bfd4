//! The content that a push would send: for every ref its tip, its base, and every new object between them.

use super::changes::pairs;
use super::error::{Error, Result};
use super::git::Git;
use super::installed::{Without, id_without_installed};
use super::introduced::{IntroducedBlob, ids, introduced, range};
use super::objects::{Content, check, objects};
use super::push_line::PushLine;
use super::remote::{Listing, RemoteIds};
use super::revision::{merge_base, tree_of};
use crate::pure::review::{ObjectId, Pair, TreeId};
use std::collections::BTreeSet;

const LONGEST_MESSAGE: u64 = 16 * 1024 * 1024;

/// One ref of a push.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LeavingRef {
    Update(LeavingTip),
    Delete { remote_ref: String, remote: Option<ObjectId> },
}

/// A commit that would become visible on the remote, with all that comes along.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeavingTip {
    pub local_ref: String,
    pub remote_ref: String,
    pub commit: ObjectId,
    pub tree: TreeId,
    /// The nearest commit that the remote has; without one everything is new.
    pub base: Option<ObjectId>,
    pub base_tree: Option<TreeId>,
    pub pairs: Vec<Pair>,
    pub introduced: Vec<IntroducedBlob>,
    /// Commit messages, and those of annotated tags, by the object that carries them.
    pub messages: Vec<(ObjectId, String)>,
    /// The remote's default branch has this commit; only a tag's message can still be new.
    pub already_there: bool,
}

/// The content that the push described by `lines` would send to a remote that has `remote`.
pub(crate) fn leaving(git: &Git, lines: &[PushLine], remote: RemoteIds<'_>) -> Result<Vec<LeavingRef>> {
    let mut ask = false;
    for line in lines {
        check_fetched(git, line)?;
        ask = ask || !only_adds(git, line)?;
    }
    let named = || lines.iter().filter_map(|line| line.remote.clone()).collect();
    let listing = if ask { remote.list(git)? } else { Listing { default: None, all: named() } };
    let walk = Walk { git, known: commits_here(git, listing.all.iter())?, default: listing.default };
    lines.iter().map(|line| walk.line(line)).collect()
}

/// The content between two commits, as if the remote had only `from`.
pub(crate) fn between(git: &Git, from: &ObjectId, to: &ObjectId) -> Result<LeavingTip> {
    let name = to.to_string();
    let line = PushLine {
        local_ref: name.clone(),
        local: Some(to.clone()),
        remote_ref: name.clone(),
        remote: Some(from.clone()),
    };
    match (Walk { git, known: vec![from.clone()], default: None }).line(&line)? {
        LeavingRef::Update(tip) => Ok(tip),
        LeavingRef::Delete { .. } => Err(Error::NotACommit { local_ref: name, id: to.clone() }),
    }
}

fn check_fetched(git: &Git, line: &PushLine) -> Result<()> {
    match &line.remote {
        Some(id) if line.local.is_some() && check(git, [id.as_str()])?.iter().any(Option::is_none) => {
            Err(Error::FetchFirst { remote_ref: line.remote_ref.clone(), id: id.clone() })
        }
        Some(_) | None => Ok(()),
    }
}

/// Whether a ref only grows, one commit after the other. Then the ref itself tells what is new, and the remote need not be
/// asked; a new, merged or rewritten one may bring along what other refs of the remote have.
fn only_adds(git: &Git, line: &PushLine) -> Result<bool> {
    let Some(local) = &line.local else { return Ok(true) };
    let Some(remote) = &line.remote else { return Ok(false) };
    let (Some(tip), Some(start)) = (commit_of(git, local)?, commit_of(git, remote)?) else {
        return Ok(false);
    };
    let call = git.call(["rev-list", "--stdin", "--parents", "--topo-order"]);
    let printed = call.input(range(&tip, std::slice::from_ref(&start))).line()?;
    let mut steps = printed.lines().map(|line| line.split(' ').collect::<Vec<_>>());
    let oldest = steps.next_back();
    let starts_there = matches!(oldest.as_deref(), Some([_, parent]) if *parent == start.as_str());
    Ok(starts_there && steps.all(|step| step.len() == 2))
}

pub(super) fn commit_of(git: &Git, id: &ObjectId) -> Result<Option<ObjectId>> {
    let found = check(git, [format!("{id}^{{commit}}").as_str()])?;
    Ok(found.into_iter().flatten().next().map(|(id, _, _)| id))
}

/// The commits that `ids` lead to, as far as this repository has them.
pub(super) fn commits_here<'a>(git: &Git, ids: impl Iterator<Item = &'a ObjectId>) -> Result<Vec<ObjectId>> {
    let names: BTreeSet<_> = ids.map(|id| format!("{id}^{{commit}}")).collect();
    let found = check(git, names.iter().map(String::as_str))?;
    let commits: BTreeSet<_> = found.into_iter().flatten().map(|(id, _, _)| id).collect();
    Ok(commits.into_iter().collect())
}

struct Walk<'git> {
    git: &'git Git,
    known: Vec<ObjectId>,
    default: Option<ObjectId>,
}

impl Walk<'_> {
    fn line(&self, line: &PushLine) -> Result<LeavingRef> {
        let Some(local) = &line.local else {
            return Ok(LeavingRef::Delete {
                remote_ref: line.remote_ref.clone(),
                remote: line.remote.clone(),
            });
        };
        let git = self.git;
        let not_a_commit = || Error::NotACommit { local_ref: line.local_ref.clone(), id: local.clone() };
        let commit = commit_of(git, local)?.ok_or_else(not_a_commit)?;
        let tree = tree_of(git, commit.as_str())?;
        let call = git.call(["rev-list", "--stdin", "--reverse", "--topo-order"]);
        let commits = ids(&call.input(range(&commit, &self.known)).bytes()?)?;
        let already_there = commits.is_empty() && self.is_on_default(&commit)?;
        let mut tip = LeavingTip {
            local_ref: line.local_ref.clone(),
            remote_ref: line.remote_ref.clone(),
            base: Some(commit.clone()),
            base_tree: Some(tree.clone()),
            pairs: Vec::new(),
            introduced: Vec::new(),
            messages: self.tag_messages(local)?,
            already_there,
            commit,
            tree,
        };
        if !tip.already_there {
            // A ref that goes back to an older commit shows all of it again.
            self.start(line.remote.as_ref().filter(|_| !commits.is_empty()), &mut tip)?;
            let Without { tree, unchanged } = id_without_installed(git, tip.tree)?;
            tip.tree = tree;
            tip.pairs.retain(|pair| !unchanged.contains(&pair.path));
            tip.introduced = introduced(git, &tip.commit, &commits, &self.known)?;
            tip.messages.extend(self.messages(&commits)?);
        }
        Ok(LeavingRef::Update(tip))
    }

    /// Whether the remote's default branch contains the commit. On another branch, the remote may have it without anybody having
    /// reviewed it: as a step that a later one took back, or from before the repository was enrolled.
    fn is_on_default(&self, commit: &ObjectId) -> Result<bool> {
        let Some(default) = &self.default else { return Ok(true) };
        let Some(default) = commit_of(self.git, default)? else { return Ok(false) };
        Ok(merge_base(self.git, commit, &default)?.as_ref() == Some(commit))
    }

    /// The change starts where the tip left the remote's ref. What a merge of the default branch or a rebase onto it brought
    /// along is no part of it: there the content is as the remote has it.
    fn start(&self, remote: Option<&ObjectId>, tip: &mut LeavingTip) -> Result<()> {
        let mut starts = Vec::new();
        for id in remote.into_iter().chain(&self.default) {
            let target = commit_of(self.git, id)?.filter(|commit| self.known.contains(commit));
            let shared = target.map(|target| merge_base(self.git, &tip.commit, &target)).transpose()?;
            starts.extend(shared.flatten());
        }
        if starts.is_empty() {
            let walk = range(&tip.commit, &self.known);
            let printed = self.git.call(["rev-list", "--stdin", "--boundary"]).input(walk).line()?;
            starts.extend(printed.lines().find_map(|line| ObjectId::parse(line.strip_prefix('-')?)));
        }
        starts.dedup();
        let mut starts = starts.into_iter();
        tip.base = starts.next();
        tip.base_tree = tip.base.as_ref().map(|base| tree_of(self.git, base.as_str())).transpose()?;
        tip.pairs = pairs(self.git, tip.base_tree.as_ref(), &tip.tree)?;
        for other in starts {
            let changed = pairs(self.git, Some(&tree_of(self.git, other.as_str())?), &tip.tree)?;
            let paths: BTreeSet<_> = changed.into_iter().map(|pair| pair.path).collect();
            tip.pairs.retain(|pair| paths.contains(&pair.path));
        }
        Ok(())
    }

    fn messages(&self, commits: &[ObjectId]) -> Result<Vec<(ObjectId, String)>> {
        let read = objects(self.git, commits, LONGEST_MESSAGE)?;
        read.map(|object| text(object?).map(|(id, text)| (id, message(&text)))).collect()
    }

    /// An annotated tag may point to another one; each has a message.
    fn tag_messages(&self, local: &ObjectId) -> Result<Vec<(ObjectId, String)>> {
        let mut messages = Vec::new();
        let mut next = Some(local.clone());
        while let Some(id) = next.take() {
            let kind = check(self.git, [id.as_str()])?.into_iter().flatten().next();
            if kind.is_none_or(|(_, kind, _)| kind != "tag") {
                break;
            }
            for object in objects(self.git, &[id], LONGEST_MESSAGE)? {
                let (id, text) = text(object?)?;
                next = text.lines().next().and_then(|line| ObjectId::parse(line.strip_prefix("object ")?));
                messages.push((id, message(&text)));
            }
        }
        Ok(messages)
    }
}

fn text((id, content): (ObjectId, Content)) -> Result<(ObjectId, String)> {
    match content {
        Content::Bytes(bytes) => Ok((id, String::from_utf8_lossy(&bytes).into_owned())),
        Content::TooLarge(_) => Err(Error::TooLarge { id }),
    }
}

fn message(object: &str) -> String {
    object.split_once("\n\n").map_or_else(String::new, |(_, message)| message.to_owned())
}

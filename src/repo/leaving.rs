//! What a push would send: for every ref its content, where it starts, and everything new on the way.

use super::changes::pairs;
use super::error::{Error, Result};
use super::git::Git;
use super::introduced::{IntroducedBlob, ids, introduced, range};
use super::objects::{Content, check, objects};
use super::push_line::PushLine;
use super::remote::{Listing, RemoteIds};
use super::revision::{merge_base, tree_of};
use crate::review::{GitPath, ObjectId, Pair, TreeId};
use std::collections::BTreeSet;

const LONGEST_MESSAGE: u64 = 16 * 1024 * 1024;

/// One ref of a push.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Leaving {
    Update(Tip),
    Delete { remote_ref: String, remote: Option<ObjectId> },
}

/// A commit that would become visible on the remote, with all that comes along.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tip {
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
    /// The remote has this commit; only a tag's message can still be new.
    pub already_there: bool,
}

impl Tip {
    /// Submodules that the tip moves, and where to.
    pub fn submodules(&self) -> impl Iterator<Item = (&GitPath, &ObjectId)> {
        let new = self.pairs.iter().filter_map(|pair| Some((&pair.path, pair.new.as_ref()?)));
        new.filter(|(_, side)| side.is_submodule()).map(|(path, side)| (path, &side.id))
    }
}

/// What the push described by `lines` would send, judged by what the remote has.
pub fn leaving(git: &Git, lines: &[PushLine], remote: RemoteIds<'_>) -> Result<Vec<Leaving>> {
    let new_ref = lines.iter().any(|line| line.remote.is_none() && line.local.is_some());
    let listing = if new_ref { remote.list(git)? } else { Listing { default: None, all: Vec::new() } };
    let named = lines.iter().filter_map(|line| line.remote.as_ref());
    let known = commits_here(git, named.chain(&listing.all))?;
    let walk = Walk { git, known, default: listing.default };
    lines.iter().map(|line| walk.line(line)).collect()
}

/// The commits that `ids` lead to, as far as this repository has them.
fn commits_here<'a>(git: &Git, ids: impl Iterator<Item = &'a ObjectId>) -> Result<Vec<ObjectId>> {
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
    fn line(&self, line: &PushLine) -> Result<Leaving> {
        let Some(local) = &line.local else {
            return Ok(Leaving::Delete { remote_ref: line.remote_ref.clone(), remote: line.remote.clone() });
        };
        let git = self.git;
        if let Some(id) = &line.remote
            && check(git, [id.as_str()])?.iter().any(Option::is_none)
        {
            return Err(Error::FetchFirst { remote_ref: line.remote_ref.clone(), id: id.clone() });
        }
        let not_a_commit = || Error::NotACommit { local_ref: line.local_ref.clone(), id: local.clone() };
        let commit = self.commit(local)?.ok_or_else(not_a_commit)?;
        let tree = tree_of(git, commit.as_str())?;
        let call = git.call(["rev-list", "--stdin", "--reverse", "--topo-order"]);
        let commits = ids(&call.input(range(&commit, &self.known)).bytes()?)?;
        let mut tip = Tip {
            local_ref: line.local_ref.clone(),
            remote_ref: line.remote_ref.clone(),
            base: Some(commit.clone()),
            base_tree: Some(tree.clone()),
            pairs: Vec::new(),
            introduced: Vec::new(),
            messages: self.tag_messages(local)?,
            already_there: commits.is_empty(),
            commit,
            tree,
        };
        if !tip.already_there {
            tip.base = self.base(line, &tip.commit)?;
            tip.base_tree = tip.base.as_ref().map(|base| tree_of(git, base.as_str())).transpose()?;
            tip.pairs = pairs(git, tip.base_tree.as_ref(), &tip.tree)?;
            tip.introduced = introduced(git, &tip.commit, &commits, &self.known)?;
            tip.messages.extend(self.messages(&commits)?);
        }
        Ok(Leaving::Update(tip))
    }

    fn commit(&self, id: &ObjectId) -> Result<Option<ObjectId>> {
        let found = check(self.git, [format!("{id}^{{commit}}").as_str()])?;
        Ok(found.into_iter().flatten().next().map(|(id, _, _)| id))
    }

    fn base(&self, line: &PushLine, tip: &ObjectId) -> Result<Option<ObjectId>> {
        let target = line.remote.as_ref().or(self.default.as_ref());
        let target = target.map(|id| self.commit(id)).transpose()?.flatten();
        let shared = target.map(|target| merge_base(self.git, tip, &target)).transpose()?.flatten();
        if shared.is_some() || line.remote.is_some() {
            return Ok(shared);
        }
        let call = self.git.call(["rev-list", "--stdin", "--boundary"]).input(range(tip, &self.known));
        let printed = String::from_utf8_lossy(&call.bytes()?).into_owned();
        Ok(printed.lines().find_map(|line| ObjectId::parse(line.strip_prefix('-')?)))
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

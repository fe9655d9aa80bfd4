//! Which commits lie between others, asked for many at once.

use super::error::Result;
use super::git::Git;
use super::introduced::{ids, range};
use super::leaving::commits_here;
use super::objects::check;
use crate::pure::review::{ObjectId, TreeId};
use std::collections::{BTreeMap, BTreeSet};

/// Each costs a process.
const DOUBTS: usize = 16;

/// The commits that `tip` leads to and `known` do not, the newest first.
pub(crate) fn new_commits(git: &Git, tip: &ObjectId, known: &[ObjectId]) -> Result<Vec<ObjectId>> {
    let known = commits_here(git, known.iter())?;
    ids(&git.call(["rev-list", "--stdin"]).input(range(tip, &known)).bytes()?)
}

/// The tree of each commit.
pub(crate) fn trees(git: &Git, commits: &[ObjectId]) -> Result<BTreeMap<ObjectId, TreeId>> {
    let names: Vec<String> = commits.iter().map(|commit| format!("{commit}^{{tree}}")).collect();
    let found = check(git, names.iter().map(String::as_str))?;
    let pairs = commits.iter().zip(found);
    Ok(pairs.filter_map(|(commit, tree)| Some((commit.clone(), TreeId(tree?.0)))).collect())
}

/// The commits that can be reached from `known`.
pub(crate) fn reached(
    git: &Git,
    commits: &BTreeSet<ObjectId>,
    known: &[ObjectId],
) -> Result<BTreeSet<ObjectId>> {
    let here: Vec<ObjectId> = commits_here(git, commits.iter())?;
    // An annotated tag is no base.
    let here: Vec<ObjectId> = here.into_iter().filter(|commit| commits.contains(commit)).collect();
    if here.is_empty() {
        return Ok(BTreeSet::new());
    }
    let known = commits_here(git, known.iter())?;
    let mut input: String = here.iter().map(|commit| format!("{commit}\n")).collect();
    known.iter().for_each(|id| input.push_str(&format!("^{id}\n")));
    let beyond = ids(&git.call(["rev-list", "--stdin"]).input(input.into_bytes()).bytes()?)?;
    let beyond: BTreeSet<ObjectId> = beyond.into_iter().collect();
    let (doubtful, found): (BTreeSet<_>, BTreeSet<_>) =
        here.into_iter().partition(|commit| beyond.contains(commit));
    let mut found = found;
    // Where clocks went wrong, such a list names commits that the others do lead to; the slower question does not.
    for commit in doubtful.into_iter().take(DOUBTS) {
        for other in known.iter().take(DOUBTS) {
            let call = git.call(["merge-base", "--is-ancestor", commit.as_str(), other.as_str()]);
            if call.answer()?.is_some() {
                found.insert(commit.clone());
                break;
            }
        }
    }
    Ok(found)
}

/// The commit that each of these ids leads to, and nothing for what leads to none.
pub(crate) fn commit_at(git: &Git, id: &ObjectId) -> Result<Option<ObjectId>> {
    super::leaving::commit_of(git, id)
}

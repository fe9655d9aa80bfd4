//! Commits: which of them only one name holds.

use super::super::discover::Repo;
use super::super::error::{Error, Result};
use super::super::git::Git;
use super::super::revision::peel;
use crate::pure::step::{Addressed, Loss};

pub(crate) fn branch(git: &Git, name: &str) -> Result<Loss> {
    if name.is_empty() {
        return Ok(Loss::Unknown("which branch it means is not known before it runs".into()));
    }
    let reference = if name.starts_with("refs/") { name.to_owned() } else { format!("refs/heads/{name}") };
    let Some(tip) = peel(git, &reference, "commit")? else { return Ok(Loss::Nothing) };
    let exclude = format!("--exclude={reference}");
    let arguments = ["rev-list", "--count", "--max-count=1000", tip.as_str(), "--not", &exclude, "--all"];
    Ok(match git.call(arguments).line()?.as_str() {
        "0" => Loss::Nothing,
        "1" => Loss::Matters(format!("1 commit that only {name} holds")),
        count => Loss::Matters(format!("{count} commits that only {name} holds")),
    })
}

pub(crate) fn stash(git: &Git) -> Result<Loss> {
    Ok(match peel(git, "refs/stash", "commit")? {
        Some(_) => Loss::Matters("stashed work".into()),
        None => Loss::Nothing,
    })
}

/// The history counts as lost: no other place is known to hold it.
pub(crate) fn history(repository: &Addressed, open: impl Fn(Repo) -> Git) -> Result<Loss> {
    let matters = || Loss::Matters("commits, or the means to get them back".into());
    let Addressed::Directory(directory) = repository else { return Ok(matters()) };
    if !directory.exists() {
        return Ok(Loss::Nothing);
    }
    let repo = match Repo::discover(directory) {
        Ok(Some(repo)) => repo,
        Ok(None) => return Ok(Loss::Nothing),
        Err(Error::Bare { .. }) => return Ok(matters()),
        Err(error) => return Err(error),
    };
    let git = open(repo);
    let begun = git.call(["for-each-ref", "--count=1"]).bytes()?;
    Ok(if begun.is_empty() { Loss::Nothing } else { matters() })
}

//! The base of a review: the commit that the change is compared with.

use super::error::Result;
use super::git::Git;
use super::objects::check;
use super::revision::{Commit, commit, find_commit, merge_base};
use crate::pure::review::{ObjectId, TreeId};

/// Where the reviewed change starts. Without a commit the caller has to choose: there is no remote branch that
/// shares history with HEAD.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Base {
    pub commit: Option<ObjectId>,
    pub tree: Option<TreeId>,
    /// The branch or revision it was found by, for people; empty if there is none.
    pub name: String,
}

/// The merge base of HEAD with `wanted`, else with the upstream branch, else with the remote's default branch.
pub(crate) fn base(git: &Git, wanted: Option<&str>) -> Result<Base> {
    let head = find_commit(git, "HEAD")?;
    if let Some(name) = wanted {
        let named = commit(git, name)?;
        let shared = shared(git, head.as_ref(), &named)?.unwrap_or(named);
        return Ok(Base::at(shared, name));
    }
    let upstream = upstream(git)?;
    for name in upstream.into_iter().chain(default_branches(git)?) {
        let Some(named) = find_commit(git, &name)? else { continue };
        if let Some(found) = shared(git, head.as_ref(), &named)? {
            return Ok(Base::at(found, name.strip_prefix("refs/remotes/").unwrap_or(&name)));
        }
    }
    Ok(Base { commit: None, tree: None, name: String::new() })
}

impl Base {
    fn at(commit: Commit, name: &str) -> Self {
        Self { commit: Some(commit.id), tree: Some(commit.tree), name: name.to_owned() }
    }
}

fn shared(git: &Git, head: Option<&Commit>, other: &Commit) -> Result<Option<Commit>> {
    let Some(head) = head else { return Ok(None) };
    merge_base(git, &head.id, &other.id)?.map(|id| commit(git, id.as_str())).transpose()
}

fn upstream(git: &Git) -> Result<Option<String>> {
    let Some(branch) = git.call(["symbolic-ref", "--quiet", "HEAD"]).answer()? else { return Ok(None) };
    let branch = String::from_utf8_lossy(&branch);
    let name = git.call(["for-each-ref", "--format=%(upstream)", branch.trim_end()]).line()?;
    Ok(Some(name).filter(|name| !name.is_empty()))
}

/// Default branches that exist here, `origin`'s first.
fn default_branches(git: &Git) -> Result<Vec<String>> {
    let listed = git.call(["remote"]).line()?;
    let mut remotes: Vec<_> = listed.lines().collect();
    remotes.sort_by_key(|remote| *remote != "origin");
    let branches = ["HEAD", "main", "master"];
    let names: Vec<_> = remotes
        .iter()
        .flat_map(|remote| branches.map(|branch| format!("refs/remotes/{remote}/{branch}")))
        .collect();
    let found = check(git, names.iter().map(String::as_str))?;
    Ok(names.into_iter().zip(found).filter_map(|(name, found)| found.map(|_| name)).collect())
}

#[cfg(test)]
mod tests {
    use super::super::error::Error;
    use super::super::fixture::Fixture;
    use super::*;

    #[test]
    fn without_a_remote_there_is_no_base() {
        let none = Base { commit: None, tree: None, name: String::new() };
        assert_eq!(base(&Fixture::new().open(), None).unwrap(), none);
        assert_eq!(base(&Fixture::with_remote().open(), None).unwrap(), none);
    }

    #[test]
    fn the_upstream_comes_before_the_default_branch() {
        let fixture = Fixture::with_remote();
        let first = fixture.git(&["rev-parse", "HEAD"]);
        fixture.git(&["push", "-q", "origin", "main"]);
        fixture.git(&["checkout", "-q", "-b", "feature"]);
        fixture.write("b.txt", "b");
        let second = fixture.commit("second");
        let git = fixture.open();
        let found = base(&git, None).unwrap();
        assert_eq!((found.commit.unwrap().to_string(), found.name.as_str()), (first.clone(), "origin/main"));
        fixture.git(&["push", "-q", "-u", "origin", "feature"]);
        fixture.write("c.txt", "c");
        fixture.commit("third");
        let found = base(&git, None).unwrap();
        assert_eq!((found.commit.unwrap().to_string(), found.name.as_str()), (second, "origin/feature"));
        let found = base(&git, Some("main")).unwrap();
        assert_eq!((found.commit.unwrap().to_string(), found.name.as_str()), (first, "main"));
        assert!(matches!(base(&git, Some("nope")), Err(Error::UnknownRevision { .. })));
    }

    #[test]
    fn a_base_that_moved_on_is_taken_where_the_branch_left_it() {
        let fixture = Fixture::with_remote();
        let first = fixture.git(&["rev-parse", "HEAD"]);
        fixture.git(&["checkout", "-q", "-b", "feature"]);
        fixture.git(&["checkout", "-q", "main"]);
        fixture.write("b.txt", "b");
        fixture.commit("main moves on");
        fixture.git(&["push", "-q", "origin", "main"]);
        fixture.git(&["checkout", "-q", "feature"]);
        fixture.write("c.txt", "c");
        fixture.commit("feature");
        assert_eq!(base(&fixture.open(), None).unwrap().commit.unwrap().to_string(), first);
    }
}

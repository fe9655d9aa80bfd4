//! Names that people type, turned into commits and trees.

use super::error::{Error, Result};
use super::git::Git;
use crate::edge::git;
use crate::pure::review::{ObjectId, TreeId};

/// A commit and the content it stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Commit {
    pub id: ObjectId,
    pub tree: TreeId,
}

/// The commit that `revision` names; an unknown name is an error.
pub(crate) fn commit(git: &Git, revision: &str) -> Result<Commit> {
    find_commit(git, revision)?.ok_or_else(|| Error::UnknownRevision { revision: revision.to_owned() })
}

/// The tree that `revision` names, through a commit or a tag if need be.
pub(crate) fn tree_of(git: &Git, revision: &str) -> Result<TreeId> {
    let tree = peel(git, revision, "tree")?;
    tree.map(TreeId).ok_or_else(|| Error::UnknownRevision { revision: revision.to_owned() })
}

pub(crate) fn find_commit(git: &Git, revision: &str) -> Result<Option<Commit>> {
    let Some(id) = peel(git, revision, "commit")? else { return Ok(None) };
    let tree = peel(git, id.as_str(), "tree")?.ok_or_else(|| Error::MissingObject { id: id.clone() })?;
    Ok(Some(Commit { id, tree: TreeId(tree) }))
}

pub(super) fn peel(git: &Git, revision: &str, kind: &str) -> Result<Option<ObjectId>> {
    if revision.is_empty() || revision.contains('\0') {
        return Ok(None);
    }
    let name = format!("{revision}^{{{kind}}}");
    let printed = match git.call(["rev-parse", "--quiet", "--verify", "--end-of-options", &name]).answer() {
        Ok(printed) => printed.unwrap_or_default(),
        // A malformed name is fatal to git, but to the person it is just a name that does not exist.
        Err(git::Error::Failed { .. }) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    Ok(String::from_utf8(printed).ok().and_then(|text| ObjectId::parse(text.trim_end())))
}

/// The best common ancestor of two commits, or nothing where they share no history.
pub(super) fn merge_base(git: &Git, one: &ObjectId, other: &ObjectId) -> Result<Option<ObjectId>> {
    let printed = git.call(["merge-base", one.as_str(), other.as_str()]).answer()?;
    Ok(printed
        .and_then(|bytes| String::from_utf8(bytes).ok())
        .and_then(|text| ObjectId::parse(text.trim_end())))
}

#[cfg(test)]
mod tests {
    use super::super::fixture::Fixture;
    use super::*;

    #[test]
    fn a_revision_is_peeled_to_its_commit_and_tree() {
        let fixture = Fixture::with_commit();
        fixture.git(&["tag", "-a", "-m", "note", "v1"]);
        let git = fixture.open();
        let head = commit(&git, "HEAD").unwrap();
        assert_eq!(commit(&git, "v1").unwrap(), head);
        assert_eq!(tree_of(&git, "v1").unwrap(), head.tree);
        assert_eq!(head.tree.to_string(), fixture.git(&["rev-parse", "HEAD^{tree}"]));
    }

    #[test]
    fn an_unknown_or_hostile_name_is_an_error_that_repeats_it() {
        let fixture = Fixture::with_commit();
        let git = fixture.open();
        for name in ["nope", "", "--all", "-h", "a b", "x\0y", "HEAD:a.txt", "@{upstream}", "a\nb"] {
            assert!(
                matches!(commit(&git, name), Err(Error::UnknownRevision { revision }) if revision == name),
                "{name}"
            );
        }
    }

    #[test]
    fn a_replacement_cannot_change_what_we_see() {
        let fixture = Fixture::with_commit();
        let git = fixture.open();
        let before = commit(&git, "HEAD").unwrap();
        fixture.write("a.txt", "harmless\n");
        let other = fixture.commit("second");
        fixture.git(&["reset", "-q", "--hard", "HEAD~"]);
        fixture.git(&["replace", before.id.as_str(), &other]);
        assert_ne!(fixture.git(&["rev-parse", "HEAD^{tree}"]), before.tree.to_string());
        assert_eq!(commit(&git, "HEAD").unwrap(), before);
    }

    #[test]
    fn a_graft_cannot_change_what_we_see() {
        let fixture = Fixture::with_commit();
        let first = fixture.git(&["rev-parse", "HEAD"]);
        fixture.write("a.txt", "two\n");
        let second = fixture.commit("second");
        fixture.write(".git/info/grafts", format!("{second}\n"));
        let git = fixture.open();
        let id = |text: &str| ObjectId::parse(text).unwrap();
        assert_eq!(merge_base(&git, &id(&first), &id(&second)).unwrap(), Some(id(&first)));
    }
}

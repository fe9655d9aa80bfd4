//! Context of a change: the names in a tree, and the messages of the last commits.

use super::error::Result;
use super::git::Git;
use crate::pure::review::{GitPath, ObjectId, TreeId};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

/// How deep a listing goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    One,
    All,
}

/// Names in a tree: at its root, or in these folders.
pub(crate) fn names(git: &Git, tree: &TreeId, folders: &[GitPath], depth: Depth) -> Result<Vec<GitPath>> {
    let mut arguments: Vec<OsString> =
        ["ls-tree", "-z", "--name-only", "--full-tree"].map(OsString::from).into();
    if depth == Depth::All {
        arguments.push("-r".into());
    }
    arguments.extend([OsString::from(tree.0.as_str()), "--".into()]);
    arguments.extend(folders.iter().map(|folder| {
        let mut name = OsStr::from_bytes(&folder.0).to_owned();
        name.push("/");
        name
    }));
    Ok(git.call(&arguments).names()?.into_iter().map(GitPath).collect())
}

/// `id message` of the commits that end at `head`, newest first.
pub(crate) fn messages(git: &Git, head: &ObjectId, count: usize) -> Result<Vec<String>> {
    if count == 0 {
        return Ok(Vec::new());
    }
    let count = format!("--max-count={count}");
    let options = ["log", "-z", "--format=%h %B", "--no-color", "--no-decorate", "--no-show-signature"];
    let messages =
        git.call(options.into_iter().chain(["--no-notes", count.as_str(), head.as_str(), "--"])).names()?;
    Ok(messages.iter().map(|message| String::from_utf8_lossy(message).trim().to_owned()).collect())
}

/// `name message` of the annotated tags of commits that `head` leads to and `base` does not.
pub(crate) fn tags(git: &Git, base: Option<&ObjectId>, head: &ObjectId) -> Result<Vec<String>> {
    let merged = format!("--merged={head}");
    let known = base.map(|base| format!("--no-merged={base}"));
    let format = "--format=%(objecttype)%00%(refname:short)%00%(contents)%00";
    let arguments = ["for-each-ref", format, &merged].into_iter().chain(known.as_deref());
    let fields = git.call(arguments.chain(["refs/tags"])).names()?;
    let text = |field: &Vec<u8>| String::from_utf8_lossy(field).trim().to_owned();
    let annotated = fields.chunks(3).filter_map(|fields| match fields {
        [kind, name, message] if text(kind) == "tag" => Some(format!("{} {}", text(name), text(message))),
        _ => None,
    });
    Ok(annotated.collect())
}

#[cfg(test)]
mod tests {
    use super::super::fixture::Fixture;
    use super::super::{commit, worktree_tree};
    use super::*;

    #[test]
    fn folders_are_listed_as_deep_as_asked_and_commits_newest_first() {
        let fixture = Fixture::with_commit();
        fixture.write("d/one", "1");
        fixture.write("d/e/two", "2");
        fixture.commit("second subject");
        let git = fixture.open();
        let tree = commit(&git, "HEAD").unwrap().tree;
        let shown = |folders: &[&str], depth| {
            let folders: Vec<GitPath> = folders.iter().map(|folder| GitPath::new(folder)).collect();
            names(&git, &tree, &folders, depth).unwrap().iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(shown(&[], Depth::One), ["a.txt", "d"]);
        assert_eq!(shown(&["d"], Depth::One), ["d/e", "d/one"]);
        assert_eq!(shown(&["d", "absent"], Depth::All), ["d/e/two", "d/one"]);
        assert_eq!(worktree_tree(&git, &[]).unwrap().tree, tree);
        let head = commit(&git, "HEAD").unwrap().id;
        let found = messages(&git, &head, 1).unwrap();
        assert!(found.len() == 1 && found[0].ends_with(" second subject"), "{found:?}");
        assert_eq!(messages(&git, &head, 0).unwrap(), [""; 0]);
    }

    #[test]
    fn annotated_tags_of_new_commits_are_listed_with_their_messages() {
        let fixture = Fixture::with_commit();
        fixture.git(&["tag", "-a", "old", "-m", "of the base"]);
        let git = fixture.open();
        let base = commit(&git, "HEAD").unwrap().id;
        fixture.write("d/one", "1");
        fixture.commit("second");
        fixture.git(&["tag", "light"]);
        fixture.git(&["tag", "-a", "new", "-m", "line one", "-m", "line two"]);
        let head = commit(&git, "HEAD").unwrap().id;
        assert_eq!(tags(&git, Some(&base), &head).unwrap(), ["new line one\n\nline two"]);
        assert_eq!(tags(&git, None, &head).unwrap().len(), 2);
        assert_eq!(tags(&git, Some(&head), &head).unwrap(), [""; 0]);
    }
}

//! The text of a change, file by file, as a reviewer wants to see it.
//!
//! No attribute, driver or filter of the repository has a say: `-diff` in `.gitattributes` would hide code from the reviewer.

use super::error::{Error, Result};
use super::git::Git;
use crate::pure::review::{GitPath, TreeId};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

/// Whole functions are shown where that adds no more than this.
const FUNCTION_LINES: usize = 150;

/// The unified diff of each of `paths` between two trees, in lines. A path without one is an error.
pub(crate) fn diff(
    git: &Git,
    base: Option<&TreeId>,
    tree: &TreeId,
    paths: &[&GitPath],
) -> Result<BTreeMap<GitPath, Vec<String>>> {
    let narrow = patch(git, base, tree, paths, "--unified=8")?;
    let mut whole = patch(git, base, tree, paths, "--function-context")?;
    let chosen = narrow.into_iter().map(|(path, narrow)| {
        let whole = whole.remove(&path).filter(|whole| whole.len() <= narrow.len() + FUNCTION_LINES);
        (path, whole.unwrap_or(narrow))
    });
    Ok(chosen.collect())
}

fn patch(
    git: &Git,
    base: Option<&TreeId>,
    tree: &TreeId,
    paths: &[&GitPath],
    context: &str,
) -> Result<BTreeMap<GitPath, Vec<String>>> {
    let base = base.map_or_else(|| super::changes::empty_tree(tree), TreeId::to_string);
    let options = [
        "diff-tree",
        "-r",
        "--patch",
        "--text",
        "--no-renames",
        "--no-ext-diff",
        "--no-textconv",
        "--no-color",
        "--full-index",
        "--ignore-submodules=none",
        "--submodule=short",
        "--src-prefix=a/",
        "--dst-prefix=b/",
        "--diff-algorithm=histogram",
        context,
        base.as_str(),
        tree.0.as_str(),
        "--",
    ];
    let names = paths.iter().map(|path| OsStr::from_bytes(&path.0).to_owned());
    let arguments: Vec<OsString> = options.map(OsString::from).into_iter().chain(names).collect();
    let git = git.clone().with_variables([("GIT_LITERAL_PATHSPECS", "1".into())]);
    let printed = git.call(&arguments).bytes()?;
    let wanted: BTreeMap<Vec<u8>, &GitPath> = paths.iter().map(|path| (header(path), *path)).collect();
    let mut found: BTreeMap<GitPath, Vec<String>> = BTreeMap::new();
    // git lists the files below a path too; only the path itself was asked for.
    let mut current: Option<&GitPath> = None;
    for line in printed.split(|byte| *byte == b'\n') {
        if line.starts_with(b"diff --git ") {
            current = wanted.get(line).copied();
        }
        if let Some(path) = current {
            found.entry(path.clone()).or_default().push(String::from_utf8_lossy(line).into_owned());
        }
    }
    for lines in found.values_mut() {
        if lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
    }
    match paths.iter().find(|path| !found.contains_key(**path)) {
        Some(_) => Err(Error::unexpected("diff-tree")),
        None => Ok(found),
    }
}

/// The line with which git begins the diff of a path. No line of content looks like it: those begin with a sign.
fn header(path: &GitPath) -> Vec<u8> {
    let special = |byte: &u8| *byte < b' ' || matches!(*byte, 0x7f | b'"' | b'\\');
    if !path.0.iter().any(special) {
        return [b"diff --git a/", path.0.as_slice(), b" b/", &path.0].concat();
    }
    let quoted: Vec<u8> = path.0.iter().flat_map(|byte| escaped(*byte)).collect();
    [b"diff --git \"a/", quoted.as_slice(), b"\" \"b/", &quoted, b"\""].concat()
}

fn escaped(byte: u8) -> Vec<u8> {
    let letter = match byte {
        0x07 => b'a',
        0x08 => b'b',
        b'\t' => b't',
        b'\n' => b'n',
        0x0b => b'v',
        0x0c => b'f',
        b'\r' => b'r',
        b'"' | b'\\' => byte,
        _ if byte < b' ' || byte == 0x7f => return format!("\\{byte:03o}").into_bytes(),
        _ => return vec![byte],
    };
    vec![b'\\', letter]
}

#[cfg(test)]
mod tests {
    use super::super::changes::pairs;
    use super::super::fixture::Fixture;
    use super::super::{commit, worktree_tree};
    use super::*;

    fn diffs(fixture: &Fixture) -> BTreeMap<GitPath, Vec<String>> {
        let git = fixture.open();
        let base = commit(&git, "HEAD").unwrap().tree;
        let snapshot = worktree_tree(&git, &[]).unwrap();
        let pairs = pairs(snapshot.git(), Some(&base), &snapshot.tree).unwrap();
        let paths: Vec<&GitPath> = pairs.iter().map(|pair| &pair.path).collect();
        diff(snapshot.git(), Some(&base), &snapshot.tree, &paths).unwrap()
    }

    #[test]
    fn odd_names_modes_links_and_file_for_folder_are_all_told_apart() {
        let fixture = Fixture::with_commit();
        for name in
            ["plain.rs", "with space", "quo\"te", "back\\slash", "new\nline", "\x01\x7f", "ümlaut", "turned"]
        {
            fixture.write(name, "one\n");
        }
        fixture.commit("second");
        for name in ["plain.rs", "with space", "quo\"te", "back\\slash", "new\nline", "\x01\x7f", "ümlaut"] {
            fixture.write(name, "two\n");
        }
        std::fs::remove_file(fixture.path("turned")).unwrap();
        fixture.write("turned/below", "three\n");
        std::fs::remove_file(fixture.path("a.txt")).unwrap();
        std::os::unix::fs::symlink("plain.rs", fixture.path("a.txt")).unwrap();
        let found = diffs(&fixture);
        assert_eq!(found.len(), 10, "{:?}", found.keys());
        for (path, lines) in &found {
            let added = lines.iter().filter(|line| line.starts_with('+') && !line.starts_with("+++")).count();
            assert_eq!(added, usize::from(path.to_string() != "turned"), "{path}: {lines:?}");
        }
    }

    #[test]
    fn no_attribute_hides_a_line() {
        let fixture = Fixture::with_commit();
        fixture.write(".gitattributes", "*.rs -diff\n*.txt binary\n");
        fixture.write("x.rs", "evil();\n");
        fixture.write("a.txt", "evil\n");
        let found = diffs(&fixture);
        for name in ["x.rs", "a.txt"] {
            let lines = found.get(&GitPath::new(name)).unwrap();
            assert!(lines.iter().any(|line| line.starts_with("+evil")), "{name}: {lines:?}");
        }
    }

    #[test]
    fn a_change_is_shown_in_its_function_but_not_with_a_whole_long_file() {
        let fixture = Fixture::new();
        let body = |word: &str| {
            format!("fn f() {{\n{}    {word};\n{}}}\n", "    a;\n".repeat(30), "    b;\n".repeat(30))
        };
        let data = |word: &str| format!("{}{word}\n{}", "x\n".repeat(400), "y\n".repeat(400));
        fixture.write("f.rs", body("old"));
        fixture.write("data.txt", data("old"));
        fixture.commit("first");
        fixture.write("f.rs", body("new"));
        fixture.write("data.txt", data("new"));
        let found = diffs(&fixture);
        assert!(found.get(&GitPath::new("f.rs")).unwrap().iter().any(|line| line == " fn f() {"));
        assert!(found.get(&GitPath::new("data.txt")).unwrap().len() < 30);
    }
}

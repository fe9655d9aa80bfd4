//! Finds the repository around a directory by reading files, because hooks cannot afford to start git for it.

use super::error::{Error, Result};
use super::head::Head;
use crate::edge::file;
use crate::pure::text::child;
use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use std::fs;
use std::io::{self, Read};
use std::os::unix::fs::FileTypeExt;

/// A link or a reference is a path; anything longer is not one.
const LONGEST_LINK: u64 = 16 * 1024;

/// One worktree of a repository, with absolute paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repo {
    pub worktree: Utf8PathBuf,
    /// Where HEAD and the index of this worktree are.
    pub git_dir: Utf8PathBuf,
    /// Where objects and refs are; the same as `git_dir` except in a linked worktree.
    pub common_dir: Utf8PathBuf,
}

impl Repo {
    /// The innermost repository around `start`, or nothing if there is none.
    pub fn discover(start: &Utf8Path) -> Result<Option<Self>> {
        let start = canonical(start)?;
        for directory in start.ancestors() {
            let dot_git = child(directory, ".git");
            let git_dir = match fs::symlink_metadata(&dot_git) {
                Ok(found) if found.is_dir() => is_git_dir(&dot_git).then_some(dot_git),
                Ok(found) if found.is_symlink() && dot_git.is_dir() => {
                    is_git_dir(&dot_git).then(|| canonical(&dot_git)).transpose()?
                }
                Ok(_) if dot_git.exists() => Some(canonical(&follow_link(&dot_git)?)?),
                Ok(_) | Err(_) => None,
            };
            if let Some(git_dir) = git_dir {
                return Self::at(directory, git_dir).map(Some);
            }
            if directory.file_name() != Some(".git") && is_git_dir(directory) {
                return Err(Error::Bare { path: directory.to_owned() });
            }
        }
        Ok(None)
    }

    fn at(worktree: &Utf8Path, git_dir: Utf8PathBuf) -> Result<Self> {
        let link = child(&git_dir, "commondir");
        let common_dir = match read_line(&link) {
            Ok(text) => canonical(&git_dir.join(text))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => git_dir.clone(),
            Err(source) => return Err(Error::Read { path: link, source }),
        };
        Ok(Self { worktree: worktree.to_owned(), git_dir, common_dir })
    }

    /// A pipe where git reads a file for most commands; it would wait there for somebody to write.
    pub(super) fn pipe_in_the_way(&self) -> Option<Utf8PathBuf> {
        let read = [
            self.common_dir.join("info/exclude"),
            self.common_dir.join("config"),
            self.git_dir.join("index"),
            self.worktree.join(".gitignore"),
            self.worktree.join(".gitattributes"),
        ];
        let is_pipe = |path: &Utf8PathBuf| fs::metadata(path).is_ok_and(|found| found.file_type().is_fifo());
        read.into_iter().find(is_pipe)
    }

    /// Where HEAD points; a file that cannot be read is `Unknown`.
    pub fn head(&self) -> Head {
        read_line(&self.git_dir.join("HEAD")).map_or(Head::Unknown, |text| Head::parse(&text))
    }
}

/// Git's own test, so that a stray `.git` directory is passed over as git passes over it.
fn is_git_dir(path: &Utf8Path) -> bool {
    let part = |name| child(path, name);
    part("HEAD").is_file()
        && (part("commondir").is_file() || (part("objects").is_dir() && part("refs").is_dir()))
}

fn follow_link(link: &Utf8Path) -> Result<Utf8PathBuf> {
    let text = read_line(link).map_err(|error| match error.kind() {
        io::ErrorKind::InvalidData => Error::BrokenLink { path: link.to_owned() },
        _ => Error::Read { path: link.to_owned(), source: error },
    })?;
    let named = text.strip_prefix("gitdir:").map(str::trim_start).filter(|path| !path.is_empty());
    let (Some(named), Some(parent)) = (named, link.parent()) else {
        return Err(Error::BrokenLink { path: link.to_owned() });
    };
    let target = parent.join(named);
    if is_git_dir(&target) { Ok(target) } else { Err(Error::DanglingLink { link: link.to_owned(), target }) }
}

/// Most paths have no link in them, and seeing that is cheaper than the C library's resolution with its own heap.
fn canonical(path: &Utf8Path) -> Result<Utf8PathBuf> {
    let failed = |source| Error::Read { path: path.to_owned(), source };
    let plain =
        path.is_absolute() && path.components().skip(1).all(|part| matches!(part, Utf8Component::Normal(_)));
    if !plain {
        return path.canonicalize_utf8().map_err(failed);
    }
    for ancestor in path.ancestors() {
        if fs::symlink_metadata(ancestor).map_err(failed)?.is_symlink() {
            return path.canonicalize_utf8().map_err(failed);
        }
    }
    // The usual spelling has nothing to tidy up.
    let text = path.as_str();
    let untidy = ["//", "/./"].iter().any(|odd| text.contains(odd))
        || ["/", "/."].iter().any(|end| text.ends_with(end));
    Ok(if untidy { path.components().collect() } else { path.to_owned() })
}

fn read_line(path: &Utf8Path) -> io::Result<String> {
    let mut text = String::new();
    let read = file::open_to_read(path)?.take(LONGEST_LINK + 1).read_to_string(&mut text)?;
    if u64::try_from(read).is_ok_and(|read| read > LONGEST_LINK) {
        return Err(io::ErrorKind::InvalidData.into());
    }
    text.truncate(text.trim_end_matches(['\n', '\r']).len());
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::Fixture;
    use super::*;
    use crate::pure::review::ObjectId;

    #[test]
    fn a_repository_is_found_from_any_depth_and_its_branch_is_read() {
        let fixture = Fixture::new();
        fixture.write("a/b/c.txt", "x");
        let repo = Repo::discover(&fixture.path("a/b")).unwrap().unwrap();
        assert_eq!(repo.worktree, fixture.path(""));
        assert_eq!(repo.common_dir, repo.git_dir);
        assert_eq!(repo.head(), Head::Branch("main".into()));
        assert_eq!(Repo::discover(&fixture.path(".git/refs")).unwrap().unwrap(), repo);
    }

    #[test]
    fn outside_of_any_repository_there_is_none() {
        let directory = tempfile::tempdir().unwrap();
        let path = Utf8Path::from_path(directory.path()).unwrap();
        fs::create_dir(path.join(".git")).unwrap();
        assert_eq!(Repo::discover(path).unwrap(), None);
        assert!(matches!(Repo::discover(&path.join("missing")), Err(Error::Read { .. })));
    }

    #[test]
    fn a_linked_worktree_shares_the_common_directory() {
        let fixture = Fixture::with_commit();
        fixture.git(&["worktree", "add", "-q", "-b", "side", "../side"]);
        let side = Repo::discover(&fixture.beside("side")).unwrap().unwrap();
        assert_eq!(side.common_dir, fixture.path(".git"));
        assert_eq!(side.git_dir, fixture.path(".git/worktrees/side"));
        assert_eq!(side.head(), Head::Branch("side".into()));
    }

    #[test]
    fn a_relative_link_is_followed_from_where_it_stands() {
        let fixture = Fixture::with_commit();
        fs::create_dir(fixture.beside("other")).unwrap();
        fs::write(fixture.beside("other/.git"), "gitdir: ../work/.git\r\n").unwrap();
        assert_eq!(Repo::discover(&fixture.beside("other")).unwrap().unwrap().git_dir, fixture.path(".git"));
    }

    #[test]
    fn a_submodule_has_its_own_git_directory() {
        let fixture = Fixture::with_submodule();
        let repo = Repo::discover(&fixture.path("sub")).unwrap().unwrap();
        assert_eq!(repo.git_dir, fixture.path(".git/modules/sub"));
        assert_eq!(repo.common_dir, repo.git_dir);
    }

    #[test]
    fn a_detached_head_is_its_commit() {
        let fixture = Fixture::with_commit();
        let id = fixture.git(&["rev-parse", "HEAD"]);
        fixture.git(&["checkout", "-q", "--detach"]);
        assert_eq!(fixture.repo().head(), Head::Detached(ObjectId::parse(&id).unwrap()));
    }

    #[test]
    fn a_reftable_head_is_unknown_rather_than_wrong() {
        let fixture = Fixture::init(&["--ref-format=reftable"]);
        assert_eq!(fixture.repo().head(), Head::Unknown);
    }

    #[test]
    fn a_broken_link_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let path = Utf8Path::from_path(directory.path()).unwrap().canonicalize_utf8().unwrap();
        let link = path.join(".git");
        let huge = format!("gitdir: {}", "x".repeat(1 << 20));
        for bytes in [&b"rubbish"[..], b"gitdir:", b"", b"gitdir: \xff\xfe", huge.as_bytes()] {
            fs::write(&link, bytes).unwrap();
            assert!(matches!(Repo::discover(&path), Err(Error::BrokenLink { .. })), "{}", bytes.len());
        }
        fs::write(&link, "gitdir: gone").unwrap();
        let error = Repo::discover(&path).unwrap_err();
        assert!(
            matches!(&error, Error::DanglingLink { target, .. } if *target == path.join("gone")),
            "{error}"
        );
    }

    #[test]
    fn a_bare_repository_is_refused() {
        let fixture = Fixture::with_remote();
        assert!(matches!(Repo::discover(&fixture.beside("remote.git/refs")), Err(Error::Bare { .. })));
    }
}

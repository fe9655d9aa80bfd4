//! Talks to a remote from a repository of its own that only shares the objects: no alias, hook, helper, rewritten URL or
//! program of the repository's configuration takes part. The user's own configuration of git counts.

use super::error::{Error, Result};
use super::git::Git;
use super::{PushLine, Repo};
use crate::edge::git::GitCommand;
use crate::pure::review::ObjectId;
use camino::{Utf8Path, Utf8PathBuf};
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;
use tempfile::TempDir;

/// Large pushes over slow lines take long.
const DEADLINE: Duration = Duration::from_secs(60 * 60);

/// Disappears with its repository when dropped.
#[derive(Debug)]
pub(crate) struct Courier {
    _directory: TempDir,
    git: Git,
}

/// The refs and objects of a remote.
#[derive(Debug, Default)]
pub(crate) struct RemoteRefs {
    /// The commit that its HEAD names.
    pub default: Option<ObjectId>,
    pub refs: Vec<(ObjectId, String)>,
}

impl Courier {
    /// `known` are the refs that a fetch may start from.
    pub(crate) fn new(git: &Git, known: &[(ObjectId, String)]) -> Result<Self> {
        let failed = |path: &str, source| Error::Scratch { path: path.into(), source };
        let private = tempfile::Builder::new()
            .prefix("plimsoll-")
            .permissions(Permissions::from_mode(0o700))
            .tempdir()
            .map_err(|source| failed("the temporary directory", source))?;
        let path = Utf8PathBuf::from_path_buf(private.path().to_owned())
            .map_err(|path| failed(&path.to_string_lossy(), io::ErrorKind::InvalidInput.into()))?;
        let sha256 = git.call(["rev-parse", "--show-object-format"]).line()? == "sha256";
        fill(&path, sha256, known).map_err(|source| failed(path.as_str(), source))?;
        let repo = Repo { worktree: path.clone(), git_dir: path.clone(), common_dir: path };
        let objects = git.repo().common_dir.join("objects").into_os_string();
        let git = git.clone().in_place_of(repo).with_variables([("GIT_OBJECT_DIRECTORY", objects)]);
        Ok(Self { _directory: private, git })
    }

    fn call(&self, arguments: &[&str]) -> GitCommand {
        let call = self.git.call(arguments).over_the_network().deadline(DEADLINE);
        // A URL of this kind is a command.
        call.setting("protocol.ext.allow", "never").setting("push.gpgSign", "false")
    }

    pub(crate) fn refs(&self, url: &str) -> Result<RemoteRefs> {
        let printed = self.call(&["ls-remote", "--quiet", "--", url]).bytes()?;
        let mut found = RemoteRefs::default();
        for line in String::from_utf8_lossy(&printed).lines() {
            let parsed = line.split_once('\t').and_then(|(id, name)| Some((ObjectId::parse(id)?, name)));
            let (id, name) = parsed.ok_or_else(|| Error::unexpected("ls-remote"))?;
            match name {
                "HEAD" => found.default = Some(id),
                _ => found.refs.push((id, name.to_owned())),
            }
        }
        Ok(found)
    }

    /// Sends exactly the ids of these lines. Returns what git and the remote said.
    pub(crate) fn push(&self, url: &str, lines: &[PushLine]) -> Result<String> {
        let refspecs: Vec<String> = lines
            .iter()
            .filter_map(|line| Some(format!("{}:{}", line.local.as_ref()?, line.remote_ref)))
            .collect();
        let mut arguments = vec!["push", "--porcelain", "--no-verify"];
        // Commits and their attestations arrive together or not at all.
        arguments.extend((lines.len() > 1).then_some("--atomic"));
        arguments.extend(["--", url]);
        arguments.extend(refspecs.iter().map(String::as_str));
        Ok(self.call(&arguments).said()?)
    }

    /// Brings the objects, and returns the refs under their local names.
    pub(crate) fn fetch(&self, url: &str, refspecs: &[String]) -> Result<Vec<(ObjectId, String)>> {
        let mut arguments = vec!["fetch", "--quiet", "--no-write-fetch-head", "--prune", "--", url];
        arguments.extend(refspecs.iter().map(String::as_str));
        self.call(&arguments).bytes()?;
        super::predict::refs(&self.git)
    }
}

fn fill(path: &Utf8Path, sha256: bool, known: &[(ObjectId, String)]) -> io::Result<()> {
    for folder in ["objects", "refs"] {
        fs::create_dir(path.join(folder))?;
    }
    let format = match sha256 {
        true => "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectFormat = sha256\n",
        false => "[core]\n\trepositoryformatversion = 0\n",
    };
    let packed: String = known.iter().map(|(id, name)| format!("{id} {name}\n")).collect();
    for (name, text) in
        [("HEAD", "ref: refs/heads/none\n"), ("config", format), ("packed-refs", packed.as_str())]
    {
        fs::write(path.join(name), text)?;
    }
    Ok(())
}

/// The URL of a configured remote, without rewriting. A relative path becomes absolute.
pub(crate) fn remote_url(git: &Git, remote: &str, keys: &[&str]) -> Result<Option<String>> {
    for key in keys {
        let Some(url) = git.setting(&format!("remote.{remote}.{key}"))? else { continue };
        return Ok(Some(if is_address(&url) { url } else { git.repo().worktree.join(&url).into_string() }));
    }
    Ok(None)
}

/// As git reads it: a scheme, or a host before the first slash. A folder of that name does not make it a path.
fn is_address(url: &str) -> bool {
    url.contains("://") || url.split('/').next().is_some_and(|host| host.contains(':'))
}

/// The refspecs that a fetch from this remote maps, as its configuration says.
pub(crate) fn fetch_refspecs(git: &Git, remote: &str) -> Result<Vec<String>> {
    let found = git.call(["config", "--null", "--get-all", &format!("remote.{remote}.fetch")]).answer()?;
    let found = String::from_utf8_lossy(&found.unwrap_or_default()).into_owned();
    Ok(found.split('\0').filter(|refspec| !refspec.is_empty()).map(str::to_owned).collect())
}

/// Sets and deletes refs in one transaction.
pub(crate) fn update_refs(git: &Git, set: &[(ObjectId, String)], deleted: &[String]) -> Result<()> {
    let mut input: String = set.iter().map(|(id, name)| format!("update {name}\0{id}\0\0")).collect();
    input.extend(deleted.iter().map(|name| format!("delete {name}\0\0")));
    git.call(["update-ref", "--stdin", "-z"]).input(input.into_bytes()).bytes()?;
    Ok(())
}

/// Records where a branch is pulled from and pushed to.
pub(crate) fn set_upstream(git: &Git, branch: &str, remote: &str, merge: &str) -> Result<()> {
    for (key, value) in [("remote", remote), ("merge", merge)] {
        git.call(["config", "--local", &format!("branch.{branch}.{key}"), value]).bytes()?;
    }
    Ok(())
}

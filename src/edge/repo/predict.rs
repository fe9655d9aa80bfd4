//! Predicts without the network what a `git push` command line would send.
//!
//! The prediction serves an early answer. The lines of git's own pre-push hook decide. An uncertain part is `None`.

use super::error::Result;
use super::git::Git;
use super::push_line::PushLine;
use super::revision::peel;
use crate::pure::review::ObjectId;

/// The arguments of a `git push`, already parsed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct PushRequest {
    pub remote: Option<String>,
    pub refspecs: Vec<String>,
    pub all: bool,
    pub tags: bool,
    pub mirror: bool,
    pub delete: bool,
}

/// Where the push would go and which refs it would change there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Forecast {
    pub remote: String,
    /// Remote ids are those of the remote-tracking refs, so a ref without one counts as new.
    pub lines: Vec<PushLine>,
}

/// The forecast for `request`, or nothing where only git could tell.
pub(crate) fn predict(git: &Git, request: &PushRequest) -> Result<Option<Forecast>> {
    let branch = git.call(["symbolic-ref", "--quiet", "HEAD"]).answer()?;
    let branch = branch.map(|name| String::from_utf8_lossy(&name).trim_end().to_owned());
    let default = default_remote(git, branch.as_deref())?;
    let Some(remote) = request.remote.clone().or_else(|| default.clone()) else { return Ok(None) };
    let mapped = git.setting(&format!("remote.{remote}.push"))?.is_some();
    let mirror = request.mirror || git.setting(&format!("remote.{remote}.mirror"))?.is_some();
    let local = Local { git, branch, refs: refs(git)?, remote };
    let mut lines = Vec::new();
    if mirror || request.all || request.tags {
        let under = |name: &str| {
            mirror
                || (request.all && name.starts_with("refs/heads/"))
                || (request.tags && name.starts_with("refs/tags/"))
        };
        lines.extend(
            local.refs.iter().filter(|(_, name)| under(name)).map(|(id, name)| local.line(name, id, name)),
        );
    }
    let listed = if request.refspecs.is_empty() && !(mirror || request.all || request.tags) {
        if mapped { None } else { local.current_branch(default.as_deref())? }
    } else {
        local.refspecs(request, mapped)?
    };
    Ok(listed.map(|listed| {
        lines.extend(listed);
        Forecast { remote: local.remote, lines }
    }))
}

struct Local<'git> {
    git: &'git Git,
    /// The full name of the branch that HEAD is on.
    branch: Option<String>,
    refs: Vec<(ObjectId, String)>,
    remote: String,
}

impl Local<'_> {
    fn refspecs(&self, request: &PushRequest, mapped: bool) -> Result<Option<Vec<PushLine>>> {
        let mut lines = Vec::new();
        let mut refspecs = request.refspecs.iter();
        while let Some(refspec) = refspecs.next() {
            let tag = if refspec == "tag" { refspecs.next() } else { None };
            let tag = tag.map(|name| format!("refs/tags/{name}:refs/tags/{name}"));
            let refspec = tag.as_ref().unwrap_or(refspec).trim_start_matches('+');
            let (source, target) = match refspec.split_once(':') {
                Some((source, target)) => (source, Some(target)),
                None if request.delete => ("", Some(refspec)),
                None => (refspec, None),
            };
            let sure = !refspec.starts_with('^') && target != Some("") && !(mapped && target.is_none());
            let found = if sure { self.refspec(source, target)? } else { None };
            let Some(found) = found else { return Ok(None) };
            lines.extend(found);
        }
        Ok(Some(lines))
    }

    fn refspec(&self, source: &str, target: Option<&str>) -> Result<Option<Vec<PushLine>>> {
        if source.is_empty() {
            let Some(name) = target.and_then(|target| self.qualified(target, None)) else { return Ok(None) };
            let remote = self.tracked(&name);
            return Ok(Some(vec![PushLine {
                local_ref: "(delete)".into(),
                local: None,
                remote_ref: name,
                remote,
            }]));
        }
        if let Some((before, after)) = source.split_once('*') {
            return Ok(self.wildcard(before, after, target.unwrap_or(source)));
        }
        let full = self.full_name(source);
        let id = match self.refs.iter().find(|(_, name)| Some(name) == full.as_ref()) {
            Some((id, _)) => Some(id.clone()),
            None => peel(self.git, source, "object")?,
        };
        let remote_ref = match target {
            Some(target) => self.qualified(target, full.as_deref()),
            None => full.clone(),
        };
        let (Some(id), Some(remote_ref)) = (id, remote_ref) else { return Ok(None) };
        Ok(Some(vec![self.line(full.as_deref().unwrap_or(source), &id, &remote_ref)]))
    }

    fn wildcard(&self, before: &str, after: &str, target: &str) -> Option<Vec<PushLine>> {
        let (target_before, target_after) = target.split_once('*')?;
        let matched = self.refs.iter().filter_map(|(id, name)| {
            let middle = name.strip_prefix(before)?.strip_suffix(after)?;
            Some(self.line(name, id, &format!("{target_before}{middle}{target_after}")))
        });
        Some(matched.collect())
    }

    /// Without refspecs: the branch HEAD is on, to where git's configuration sends it.
    fn current_branch(&self, default: Option<&str>) -> Result<Option<Vec<PushLine>>> {
        let Some(branch) = self.branch.as_deref() else { return Ok(None) };
        let Some((id, _)) = self.refs.iter().find(|(_, name)| name == branch) else { return Ok(None) };
        let mode = self.git.setting("push.default")?.unwrap_or_else(|| "simple".into());
        let same_name = match mode.as_str() {
            "current" => true,
            // Git calls a push to another remote than the one that is pulled from triangular.
            "simple" => default != Some(&self.remote) || self.sets_upstream(branch)?,
            _ => false,
        };
        if same_name {
            return Ok(Some(vec![self.line(branch, id, branch)]));
        }
        let tracking = self.git.call(["for-each-ref", "--format=%(push)", branch]).line()?;
        let name = tracking.strip_prefix(&format!("refs/remotes/{}/", self.remote));
        Ok(name
            .filter(|_| mode != "matching")
            .map(|name| vec![self.line(branch, id, &format!("refs/heads/{name}"))]))
    }

    fn sets_upstream(&self, branch: &str) -> Result<bool> {
        let short = branch.trim_start_matches("refs/heads/");
        let upstream = self.git.setting(&format!("branch.{short}.merge"))?;
        let automatic = self.git.setting("push.autoSetupRemote")?;
        Ok(upstream.is_none() && automatic.is_some_and(|value| value == "true"))
    }

    fn full_name(&self, name: &str) -> Option<String> {
        if matches!(name, "HEAD" | "@") {
            return self.branch.clone();
        }
        let candidates = ["", "refs/", "refs/tags/", "refs/heads/"].map(|prefix| format!("{prefix}{name}"));
        candidates.into_iter().find(|candidate| self.refs.iter().any(|(_, known)| known == candidate))
    }

    fn qualified(&self, target: &str, source: Option<&str>) -> Option<String> {
        let branch = format!("refs/heads/{target}");
        if target.starts_with("refs/") {
            Some(target.to_owned())
        } else if self.tracked(&branch).is_some() {
            Some(branch)
        } else {
            let kind = ["refs/heads/", "refs/tags/"]
                .into_iter()
                .find(|kind| source.is_some_and(|s| s.starts_with(kind)));
            kind.map(|kind| format!("{kind}{target}"))
        }
    }

    fn tracked(&self, remote_ref: &str) -> Option<ObjectId> {
        let tracking = format!("refs/remotes/{}/{}", self.remote, remote_ref.strip_prefix("refs/heads/")?);
        self.refs.iter().find(|(_, name)| *name == tracking).map(|(id, _)| id.clone())
    }

    fn line(&self, local_ref: &str, id: &ObjectId, remote_ref: &str) -> PushLine {
        let remote = self.tracked(remote_ref);
        PushLine {
            local_ref: local_ref.into(),
            local: Some(id.clone()),
            remote_ref: remote_ref.into(),
            remote,
        }
    }
}

pub(crate) fn refs(git: &Git) -> Result<Vec<(ObjectId, String)>> {
    let printed = git.call(["for-each-ref", "--format=%(objectname) %(refname)"]).bytes()?;
    let text = String::from_utf8_lossy(&printed);
    let parsed = text.lines().filter_map(|line| line.split_once(' '));
    Ok(parsed.filter_map(|(id, name)| Some((ObjectId::parse(id)?, name.to_owned()))).collect())
}

/// Where a push without a name goes, in git's own order.
fn default_remote(git: &Git, branch: Option<&str>) -> Result<Option<String>> {
    let short = branch.and_then(|branch| branch.strip_prefix("refs/heads/")).unwrap_or_default();
    for key in
        [format!("branch.{short}.pushRemote"), "remote.pushDefault".into(), format!("branch.{short}.remote")]
    {
        if let Some(name) = git.setting(&key)? {
            return Ok(Some(name));
        }
    }
    let listed = git.call(["remote"]).line()?;
    let mut remotes = listed.lines();
    let first = remotes.next().map(str::to_owned);
    Ok(if remotes.next().is_none() { first } else { Some("origin".into()) })
}

//! Which commits a remote has.

#[cfg(feature = "cli")]
use super::courier::RemoteRefs;
use super::error::{Error, Result};
use super::git::Git;
use crate::pure::review::ObjectId;

/// How to find out which commits a remote has.
#[derive(Debug, Clone, Copy)]
pub(crate) enum RemoteIds<'a> {
    /// Ask the remote itself, at the URL that git gave to the hook.
    Ask { url: &'a str },
    /// Believe the remote-tracking refs. They can be stale or forged: good for a forecast, not for the last door.
    Tracking { remote: &'a str },
    /// The state that the remote itself reported a moment ago.
    #[cfg(feature = "cli")]
    Heard(&'a RemoteRefs),
    /// Exactly these, whatever any remote has: for judging a range that somebody named.
    Exactly { ids: &'a [ObjectId] },
}

/// The refs of a remote: the commit of its HEAD, and all tips.
pub(super) struct Listing {
    pub(super) default: Option<ObjectId>,
    pub(super) all: Vec<ObjectId>,
}

impl RemoteIds<'_> {
    pub(super) fn list(&self, git: &Git) -> Result<Listing> {
        let (printed, head) = match self {
            Self::Exactly { ids } => return Ok(Listing { default: None, all: ids.to_vec() }),
            #[cfg(feature = "cli")]
            Self::Heard(heard) => {
                let all = heard.refs.iter().map(|(id, _)| id.clone()).collect();
                return Ok(Listing { default: heard.default.clone(), all });
            }
            Self::Ask { url } => {
                refuse_rewriting(git, url)?;
                (git.call(["ls-remote", "--quiet", "--", url]).over_the_network().bytes()?, "HEAD".to_owned())
            }
            Self::Tracking { remote } => {
                let under = format!("refs/remotes/{remote}/");
                let arguments = ["for-each-ref", "--format=%(objectname)%09%(refname)", &under];
                (git.call(arguments).bytes()?, format!("{under}HEAD"))
            }
        };
        let text = String::from_utf8_lossy(&printed);
        let mut listing = Listing { default: None, all: Vec::new() };
        for line in text.lines() {
            let parsed = line.split_once('\t').and_then(|(id, name)| Some((ObjectId::parse(id)?, name)));
            let (id, name) = parsed.ok_or_else(|| Error::unexpected("ls-remote"))?;
            if name == head {
                listing.default = Some(id.clone());
            }
            listing.all.push(id);
        }
        Ok(listing)
    }
}

/// The URL has already been through git's rewriting; a second time could lead to another place than the push, as could a
/// remote that is called like it.
fn refuse_rewriting(git: &Git, url: &str) -> Result<()> {
    let names = git.call(["config", "-z", "--name-only", "--get-regexp", r"^remote\."]).answer()?;
    let names = String::from_utf8_lossy(&names.unwrap_or_default()).into_owned();
    let configured = names.split('\0').any(|name| name.starts_with(&format!("remote.{url}.")));
    // Remotes of old times are files; git looks for them only where the name has no slash.
    let file = |folder: &&str| !url.contains('/') && git.repo().common_dir.join(folder).join(url).exists();
    if configured || ["remotes", "branches"].iter().any(file) {
        return Err(Error::RemoteNamedLikeUrl);
    }
    let rules =
        git.call(["config", "-z", "--get-regexp", r"^url\..*\.insteadof$"]).answer()?.unwrap_or_default();
    for rule in rules.split(|byte| *byte == 0) {
        let rule = String::from_utf8_lossy(rule);
        if let Some((_, prefix)) = rule.split_once('\n').filter(|(_, prefix)| url.starts_with(prefix)) {
            return Err(Error::RewrittenUrl { prefix: prefix.to_owned() });
        }
    }
    Ok(())
}

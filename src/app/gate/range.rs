//! The range of commits that somebody names to have it judged: where it ends, and where what is published ends.

use crate::app::failure::Failure;
use crate::edge::repo::{Base, Commit, Git, Hazard, PushLine, base, commit};
use crate::pure::review::ObjectId;

/// Fails where the repository does not hold its whole history.
pub(crate) fn whole(git: &Git) -> Result<(), Failure> {
    match git.hazards()?.into_iter().next() {
        None => Ok(()),
        Some(Hazard::Shallow) => {
            Err("the history is cut off here (shallow clone), so that nobody can tell what is new; check out with full \
                 history (`fetch-depth: 0`) or run `git fetch --unshallow`"
                .into())
        }
        Some(other) => Err(other.to_string().into()),
    }
}

/// The commit up to which everything counts as published.
pub(crate) fn start(
    git: &Git,
    revision: &str,
    named: Option<&str>,
    tip: &Commit,
) -> Result<Option<ObjectId>, Failure> {
    if let Some(name) = named {
        // CI passes zeros as "before" of a new branch.
        if ObjectId::parse(name).is_some_and(|id| id.is_zero()) {
            return Ok(None);
        }
        return Ok(Some(commit(git, name)?.id));
    }
    if commit(git, "HEAD").ok().as_ref() != Some(tip) {
        return Err(format!("say with --base what {revision} is compared with; it is not at HEAD").into());
    }
    match base(git, None)? {
        Base { commit: Some(from), name, .. } if from == tip.id => Err(format!(
            "{} is part of {name} already, so that nothing would be judged; say with --base what was there before",
            tip.id.short()
        )
        .into()),
        Base { commit: Some(from), .. } => Ok(Some(from)),
        Base { commit: None, .. } => Err(
            "no upstream or default branch was found that this shares history with; fetch it, or name the start with --base \
             (all zeros for everything)"
                .into(),
        ),
    }
}

/// The range as a push to a remote that has `from` and nothing else.
pub(crate) fn line(revision: &str, tip: &Commit, from: Option<&ObjectId>) -> PushLine {
    PushLine {
        local_ref: revision.to_owned(),
        local: Some(tip.id.clone()),
        remote_ref: "refs/heads/verified".into(),
        remote: from.cloned(),
    }
}

//! Enrols a repository: a record outside of it, and the git hook inside.

use super::pre_push_hook::PrePushHook;
use crate::app::failure::{Failure, NoRepository};
use crate::app::workspace::Workspace;
use crate::edge::clock;
use crate::edge::repo::is_tracked;
use crate::edge::state::Enrolment;
use camino::{Utf8Path, Utf8PathBuf};

/// Repeating it repairs the hook and keeps the record. Returns the path of the hook.
pub fn enrol(workspace: &Workspace) -> Result<Utf8PathBuf, Failure> {
    let repo = workspace.repo.as_ref().ok_or(NoRepository)?;
    let hook = PrePushHook::of(workspace)?;
    let chained_hook = hook.install()?;
    // A damaged record is replaced: the repository stays enrolled.
    let enrolment = match workspace.enrolment() {
        Ok(Some(known)) => known,
        Ok(None) | Err(_) => Enrolment::new(&repo.common_dir, clock::timestamp()),
    };
    Enrolment { hook: hook.path(), chained_hook, ..enrolment }.write(&workspace.homes)?;
    Ok(hook.path())
}

/// The note for a person whose hooks lie in a folder that git tracks: the hook names paths of this machine.
pub fn note_on_tracked_hook(workspace: &Workspace, hook: &Utf8Path) -> Option<String> {
    let folder = hook.parent()?;
    let is_shared = is_tracked(workspace.repo.as_ref()?, folder).unwrap_or(false);
    is_shared.then(|| {
        format!(
            "note: git tracks {}, and pre-push there now names paths of this machine: do not commit it, or move the hooks \
             to a folder that git ignores (core.hooksPath) and run this command again",
            workspace.shown(folder)
        )
    })
}

/// Keeps a hook that other enrolled repositories share; the hook lets pushes from other repositories pass.
pub fn remove(workspace: &Workspace) -> Result<(), Failure> {
    let repo = workspace.repo.as_ref().ok_or(NoRepository)?;
    let hook = PrePushHook::of(workspace)?;
    if !Enrolment::others_need(&workspace.homes, &hook.path(), &repo.common_dir)? {
        hook.remove()?;
    }
    Ok(Enrolment::remove(&workspace.homes, &repo.common_dir)?)
}

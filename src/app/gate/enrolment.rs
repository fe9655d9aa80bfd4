//! Enrols a repository: a record outside of it, and the git hook inside.

use super::pre_push_hook::PrePushHook;
use crate::app::failure::Failure;
use crate::app::workspace::Workspace;
use crate::edge::clock;
use crate::edge::state::Enrolment;
use camino::Utf8PathBuf;

/// Repeating it repairs the hook and keeps the record. Returns the path of the hook.
pub fn enrol(workspace: &Workspace) -> Result<Utf8PathBuf, Failure> {
    let repo = workspace.repo.as_ref().ok_or("there is no git repository here; run `git init` first")?;
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

/// Keeps a hook that other enrolled repositories share; the hook lets pushes from other repositories pass.
pub fn remove(workspace: &Workspace) -> Result<(), Failure> {
    let repo = workspace.repo.as_ref().ok_or("there is no git repository here")?;
    let hook = PrePushHook::of(workspace)?;
    if !Enrolment::others_need(&workspace.homes, &hook.path(), &repo.common_dir)? {
        hook.remove()?;
    }
    Ok(Enrolment::remove(&workspace.homes, &repo.common_dir)?)
}

//! Binding a repository to the gate: the record outside of it, and the git hook inside.

use super::clock;
use super::pre_push_hook::PrePushHook;
use super::serve::Failure;
use crate::flow::scene::Scene;
use crate::state::Enrolment;
use camino::Utf8PathBuf;

/// Doing it again mends the hook and keeps the record. Returns where the hook lies.
pub fn bind(scene: &Scene) -> Result<Utf8PathBuf, Failure> {
    let repo = scene.repo.as_ref().ok_or("there is no git repository here; run `git init` first")?;
    let hook = PrePushHook::of(scene)?;
    let chained_hook = hook.install()?;
    // A damaged record is replaced: its reviews no longer count, but the repository stays bound.
    let enrolment = match scene.enrolment() {
        Ok(Some(known)) => known,
        Ok(None) | Err(_) => Enrolment::new(&repo.common_dir, clock::timestamp())?,
    };
    Enrolment { hook: hook.path(), chained_hook, ..enrolment }.write(&scene.homes)?;
    Ok(hook.path())
}

/// A hook that other bound repositories share stays; it lets pass what is no longer bound.
pub fn release(scene: &Scene) -> Result<(), Failure> {
    let repo = scene.repo.as_ref().ok_or("there is no git repository here")?;
    let hook = PrePushHook::of(scene)?;
    if !Enrolment::others_need(&scene.homes, &hook.path(), &repo.common_dir)? {
        hook.remove()?;
    }
    Ok(Enrolment::remove(&scene.homes, &repo.common_dir)?)
}

//! A person's choice, carried out. Whoever calls this has made sure that it is one.

use super::choice::Choice;
use super::{anew, cleanup, record, rollback};
use crate::flow::scene::Scene;
use crate::flow::serve::{Failure, chain};
use crate::flow::{clock, incidents};
use crate::intervene::Limits;
use crate::policy::Settings;
use crate::state::{LockMode, Locked, ProjectLock, RecoveryGrant};

/// How the person made it known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    Terminal,
    Dialog,
}

/// Whether a dialog gave this token for this choice, about the stop that still holds. It is used up in any case.
pub fn granted(scene: &Scene, token: &str, choice: Choice) -> Result<bool, Failure> {
    let now = clock::milliseconds();
    let Some(grant) = RecoveryGrant::take(&scene.layout, &scene.homes, token, now)? else { return Ok(false) };
    let about = match ProjectLock::read(&scene.homes, &scene.layout) {
        Locked::Held(lock) => lock.incidents,
        Locked::Free | Locked::Unreadable(_) => Vec::new(),
    };
    Ok(grant.choice == choice.name() && grant.incidents == about)
}

/// What was done, in words. An error leaves the lock as it was.
pub fn decide(scene: &Scene, choice: Choice, by: By) -> Result<String, Failure> {
    let _guard = ProjectLock::guard(&scene.homes, &scene.layout)?;
    let locked = ProjectLock::read(&scene.homes, &scene.layout);
    if let Some(why) = choice.unfit(&locked) {
        return Err(why.into());
    }
    let lock = match locked {
        Locked::Held(lock) => lock,
        Locked::Free | Locked::Unreadable(_) => unknown(scene),
    };
    let by = match by {
        By::Terminal => "terminal",
        By::Dialog => "dialog",
    };
    let session = lock.session.clone();
    let words = carry_out(scene, choice, by, lock)?;
    Ok(match anew::begin_anew(scene, &session) {
        Ok(()) => words,
        Err(failure) => format!(
            "{words}\nWhat led to the stop still counts in its session, until you type something there: {}",
            chain(failure.as_ref())
        ),
    })
}

fn carry_out(scene: &Scene, choice: Choice, by: &str, lock: ProjectLock) -> Result<String, Failure> {
    let note = |lock: &ProjectLock| record::note(scene, choice, by, &lock.incidents);
    match choice {
        Choice::ResumeWithLimits => {
            let limits = strict(scene);
            let lock = ProjectLock { mode: LockMode::Limited, limits: Some(limits), ..lock };
            note(&lock)?;
            lock.write(&scene.homes, &scene.layout)?;
            Ok(format!(
                "Work goes on with strict limits for each prompt: {} file operations, {} commands, {} tokens, {} seconds, {} calls \
                 at once. Risky steps ask you. `plimsoll recover --end` goes back to normal.",
                limits.file_operations, limits.commands, limits.tokens, limits.seconds, limits.batch_size
            ))
        }
        Choice::RollbackAndRetry => {
            let restored = rollback::to_last_safe(scene, &lock)
                .map_err(|failure| format!("{}; the project stays stopped", chain(failure.as_ref())))?;
            note(&lock)?;
            lock.remove(&scene.homes, &scene.layout)?;
            Ok(format!(
                "{restored}\nThe project is no longer stopped. `plimsoll undo` takes the restore back."
            ))
        }
        Choice::ManualIntervention => {
            let lock = ProjectLock { mode: LockMode::Manual, limits: None, ..lock };
            note(&lock)?;
            lock.write(&scene.homes, &scene.layout)?;
            Ok("Manual intervention is on: the client asks you before every write, deletion and command; reads pass. \
                `plimsoll recover --end` goes back to normal."
                .into())
        }
        Choice::Abort => {
            let lock = ProjectLock { mode: LockMode::Aborted, limits: None, ..lock };
            note(&lock)?;
            lock.write(&scene.homes, &scene.layout)?;
            Ok(aborted(scene, &lock))
        }
        Choice::End => {
            note(&lock)?;
            lock.remove(&scene.homes, &scene.layout)?;
            Ok("Back to normal: the project is no longer locked.".into())
        }
    }
}

fn aborted(scene: &Scene, lock: &ProjectLock) -> String {
    let mut words = String::from("The work is aborted; the project stays locked.\n");
    let automatic =
        scene.settings().is_ok_and(|loaded| loaded.settings.interventions.emergency_stop.auto_cleanup);
    if automatic {
        words += &match rollback::to_last_safe(scene, lock) {
            Ok(restored) => format!("{restored} `plimsoll undo` takes that back.\n"),
            Err(failure) => format!("Nothing was cleaned up by itself: {}.\n", chain(failure.as_ref())),
        };
    }
    words += &cleanup::tasks(scene, lock);
    words + "When all is well, `plimsoll recover --end` unlocks the project; the other options work too."
}

/// Half of what the settings allow, and never nothing.
fn strict(scene: &Scene) -> Limits {
    let settings = scene.settings().map_or_else(|_| Settings::default(), |loaded| loaded.settings);
    let files = u64::from(settings.step_reviewer.rules.max_file_operations);
    Limits::of(&settings.interventions, files).strict()
}

/// A lock that nobody can read stands for every incident that nobody has decided about.
fn unknown(scene: &Scene) -> ProjectLock {
    let decided = record::decided(scene);
    let open: Vec<_> = incidents::list(scene).into_iter().filter(|one| !decided.contains(&one.id)).collect();
    let lock = ProjectLock::stopped("its lock could not be read", clock::milliseconds());
    let lock = ProjectLock { roots: incidents::roots(scene).to_vec(), ..lock };
    let Some(last) = open.last() else { return lock };
    ProjectLock {
        summary: last.summary.clone(),
        since: last.time,
        began: last.began,
        session: last.session.clone(),
        checkpoint: last.checkpoint.clone(),
        incidents: open.iter().map(|one| one.id.clone()).collect(),
        ..lock
    }
}

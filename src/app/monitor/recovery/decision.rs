//! A person's choice, carried out. Whoever calls this has made sure that it is one.

use super::choice::RecoveryChoice;
use super::{cleanup, record, rollback};
use crate::app::failure::{Failure, Refused, chain};
use crate::app::monitor::incidents;
use crate::app::permission;
use crate::app::workspace::Workspace;
use crate::edge::clock;
use crate::edge::state::{
    Error, Keeper, LockMode, Locked, ProjectLock, RecoveryPermission, read_orders, write_orders,
};
use crate::pure::monitor::interventions::SessionLimits;
use crate::pure::policy::Settings;

/// How the person made it known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecisionSource {
    Terminal,
    Dialog,
}

/// Whether a dialog gave this token for this choice, about the stop that still holds. It is used up in any case.
pub fn is_granted(workspace: &Workspace, token: &str, choice: RecoveryChoice) -> Result<bool, Failure> {
    let Some(grant) = permission::take::<RecoveryPermission>(workspace, token)? else { return Ok(false) };
    let about = match ProjectLock::read(&workspace.homes, &workspace.layout) {
        Locked::Held(lock) => lock.incidents,
        Locked::Free | Locked::Unreadable(_) => Vec::new(),
    };
    Ok(grant.choice == choice.name() && grant.incidents == about)
}

/// The actions taken, in words. An error leaves the lock as it was.
pub fn decide(workspace: &Workspace, choice: RecoveryChoice, by: DecisionSource) -> Result<String, Failure> {
    let _guard = ProjectLock::guard(&workspace.homes, &workspace.layout)?;
    let locked = ProjectLock::read(&workspace.homes, &workspace.layout);
    if let Some(why) = choice.unfit(&locked) {
        return Err(match locked {
            Locked::Unreadable(error @ Error::Newer { .. }) => error.into(),
            Locked::Free | Locked::Held(_) | Locked::Unreadable(_) => Refused(why).into(),
        });
    }
    let lock = match locked {
        Locked::Held(lock) => lock,
        Locked::Free | Locked::Unreadable(_) => unknown(workspace),
    };
    let by = match by {
        DecisionSource::Terminal => "terminal",
        DecisionSource::Dialog => "dialog",
    };
    let session = lock.session.clone();
    let words = carry_out(workspace, choice, by, lock)?;
    Ok(match reset(workspace, &session) {
        Ok(()) => words,
        Err(failure) => format!(
            "{words}\nWhat led to the stop still counts in its session, until you type something there: {}",
            chain(failure.as_ref())
        ),
    })
}

fn carry_out(
    workspace: &Workspace,
    choice: RecoveryChoice,
    by: &str,
    lock: ProjectLock,
) -> Result<String, Failure> {
    let note = |lock: &ProjectLock| record::note(workspace, choice, by, &lock.incidents);
    match choice {
        RecoveryChoice::ResumeWithLimits => {
            let limits = strict(workspace);
            let lock = ProjectLock { mode: LockMode::Limited, limits: Some(limits), ..lock };
            note(&lock)?;
            lock.write(&workspace.homes, &workspace.layout)?;
            Ok(format!(
                "Work goes on with strict limits for each prompt: {} file operations, {} commands, {} tokens, {} seconds, {} calls \
                 at once. Risky steps ask you. `plimsoll recover --end` goes back to normal.",
                limits.file_operations, limits.commands, limits.tokens, limits.seconds, limits.batch_size
            ))
        }
        RecoveryChoice::RollbackAndRetry => {
            let restored = rollback::to_last_safe(workspace, &lock)
                .map_err(|failure| format!("{}; the project stays stopped", chain(failure.as_ref())))?;
            note(&lock)?;
            lock.remove(&workspace.homes, &workspace.layout)?;
            Ok(format!(
                "{restored}\nThe project is no longer stopped. `plimsoll undo` takes the restore back."
            ))
        }
        RecoveryChoice::ManualIntervention => {
            let lock = ProjectLock { mode: LockMode::Manual, limits: None, ..lock };
            note(&lock)?;
            lock.write(&workspace.homes, &workspace.layout)?;
            Ok("Manual intervention is on: the client asks you before every write, deletion and command; reads pass. \
                `plimsoll recover --end` goes back to normal."
                .into())
        }
        RecoveryChoice::Abort => {
            let lock = ProjectLock { mode: LockMode::Aborted, limits: None, ..lock };
            note(&lock)?;
            lock.write(&workspace.homes, &workspace.layout)?;
            Ok(abort(workspace, &lock))
        }
        RecoveryChoice::End => {
            note(&lock)?;
            lock.remove(&workspace.homes, &workspace.layout)?;
            Ok("Back to normal: the project is no longer locked.".into())
        }
    }
}

fn abort(workspace: &Workspace, lock: &ProjectLock) -> String {
    let mut words = String::from("The work is aborted; the project stays locked.\n");
    let automatic =
        workspace.settings().is_ok_and(|loaded| loaded.settings.interventions.emergency_stop.auto_cleanup);
    if automatic {
        words += &match rollback::to_last_safe(workspace, lock) {
            Ok(restored) => format!("{restored} `plimsoll undo` reverts that.\n"),
            Err(failure) => format!("Nothing was cleaned up by itself: {}.\n", chain(failure.as_ref())),
        };
    }
    words += &cleanup::tasks(workspace, lock);
    words + "When all is well, `plimsoll recover --end` unlocks the project; the other options work too."
}

/// Half of what the settings allow, and never nothing.
fn strict(workspace: &Workspace) -> SessionLimits {
    let settings = workspace.settings().map_or_else(|_| Settings::default(), |loaded| loaded.settings);
    let files = u64::from(settings.step_reviewer.rules.max_file_operations);
    SessionLimits::of(&settings.interventions, files).strict()
}

/// A lock that nobody can read stands for every incident that nobody has decided about.
fn unknown(workspace: &Workspace) -> ProjectLock {
    let decided = record::decided_incidents(workspace);
    let open: Vec<_> =
        incidents::list(workspace).into_iter().filter(|one| !decided.contains(&one.id)).collect();
    let lock = ProjectLock::stopped("its lock could not be read", clock::milliseconds());
    let lock = ProjectLock { roots: incidents::roots(workspace).to_vec(), ..lock };
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

/// Ends what led to the stop: counters start again, refusals are lifted.
fn reset(workspace: &Workspace, session: &str) -> Result<(), Failure> {
    if session.is_empty() || !workspace.layout.session(session).is_dir() {
        return Ok(());
    }
    let mut keeper = Keeper::open(&workspace.layout, session)?;
    let goal = keeper.standing.watch.goal.clone();
    keeper.standing.watch.start_prompt(&goal, clock::milliseconds());
    keeper.standing.history.start_prompt();
    if let Some(mut orders) = read_orders(&workspace.layout, session)? {
        orders.start_prompt();
        orders.limits = None;
        write_orders(&workspace.layout, session, &orders)?;
    }
    Ok(keeper.save()?)
}

//! One-time permissions: a person types a request, the next matching refusal becomes a dialog, and the approved command
//! carries the token of the grant.

use crate::app::failure::Failure;
use crate::app::tool_event::ToolEvent;
use crate::app::workspace::Workspace;
use crate::edge::clock;
use crate::edge::state::{self, Permission, PermissionRequest, Permissions, SessionFacts, random_token};
use crate::pure::client::{Answer, Input};
use crate::pure::secret::Redacted;

/// How long the dialog may stay open.
const DIALOG_LASTS: u64 = 60 * 60 * 1000;

/// A permission that a person can request for a session.
#[derive(Clone, Copy)]
pub(crate) enum Requested {
    Override,
    Recovery,
}

impl Requested {
    fn of(self, facts: &mut SessionFacts) -> &mut Option<PermissionRequest> {
        match self {
            Self::Override => &mut facts.r#override,
            Self::Recovery => &mut facts.recovery,
        }
    }

    /// Remembers what a person typed. Nothing is permitted before the dialog.
    pub(crate) fn note(self, workspace: &Workspace, input: &Input<'_>, text: &str) -> Result<(), Failure> {
        let request = PermissionRequest::new(text, clock::milliseconds());
        Ok(state::edit(&workspace.layout, &input.session_id, |facts| *self.of(facts) = Some(request))?)
    }

    /// Uses the request up; `None` if there is none from the last minutes.
    pub(crate) fn take(self, workspace: &Workspace, input: &Input<'_>) -> Result<Option<Redacted>, Failure> {
        let request = state::edit(&workspace.layout, &input.session_id, |facts| self.of(facts).take())?;
        let recent = request.filter(|request| request.is_recent(clock::milliseconds()));
        Ok(recent.map(|request| request.text))
    }
}

/// The dialog instead of the refusal. `project` is where the permission holds. The token reaches the `command` only if the
/// person lets that run.
pub(crate) fn dialog<P: Permission>(
    event: ToolEvent<'_>,
    project: &Workspace,
    permission: &P,
    question: String,
    command: impl FnOnce(&str) -> String,
) -> Result<Answer, Failure> {
    let keyed = |given: &str, token: &str| format!("PLIMSOLL_GRANT={token} {}", command(given));
    keyed_dialog(
        event,
        project,
        permission,
        format!("{question} (PLIMSOLL_GRANT in the command is the key"),
        keyed,
    )
}

/// The same, where `command` says how the token reaches it. The question ends in words about the token.
pub(crate) fn keyed_dialog<P: Permission>(
    event: ToolEvent<'_>,
    project: &Workspace,
    permission: &P,
    question: String,
    command: impl FnOnce(&str, &str) -> String,
) -> Result<Answer, Failure> {
    let token = random_token()?;
    grant(project, &token, permission, DIALOG_LASTS)?;
    let with_token = event.call.with_command(|given| command(given, &token))?;
    Ok(Answer::ask(format!("{question} of this one approval.)")).with_input(with_token))
}

/// Good for one use within `lasts` milliseconds.
pub(crate) fn grant<P: Permission>(
    project: &Workspace,
    token: &str,
    permission: &P,
    lasts: u64,
) -> Result<(), Failure> {
    let permissions = Permissions::of(&project.layout, &project.homes);
    Ok(permissions.grant(token, permission, clock::milliseconds() + lasts)?)
}

/// Uses the permission of a token up.
pub(crate) fn take<P: Permission>(project: &Workspace, token: &str) -> Result<Option<P>, Failure> {
    let permissions = Permissions::of(&project.layout, &project.homes);
    Ok(permissions.take(token, clock::milliseconds())?.granted())
}

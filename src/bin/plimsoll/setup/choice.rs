//! An offer of the installer: taken or declined by an option, otherwise a question at a terminal.

use super::actions::Actions;
use crate::{CommandError, confirm};
use plimsoll::app::presence;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    Make,
    /// Asks a person at a terminal.
    Offer,
    Leave,
}

impl Choice {
    pub(crate) fn of(make: bool, leave: bool) -> Self {
        match (make, leave) {
            (true, _) => Self::Make,
            (false, true) => Self::Leave,
            (false, false) => Self::Offer,
        }
    }

    /// Whether to do it. Nobody is asked in a dry run.
    pub(crate) fn is_taken(self, question: &str, actions: &Actions) -> Result<bool, CommandError> {
        match self {
            Self::Make => Ok(true),
            Self::Leave => Ok(false),
            Self::Offer => Ok(!actions.dry_run && presence::person().is_ok() && confirm(question)?),
        }
    }
}

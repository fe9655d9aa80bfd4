//! Emergency stop: that it is over, why, and who decides now.

use super::soft::sentence;
use crate::intervene::incident::Recovery;
use crate::intervene::quoted::quoted;
use crate::intervene::situation::Situation;
use crate::pattern::Issue;

pub(super) fn words(issue: &Issue, situation: &Situation<'_>) -> (String, Option<String>) {
    let seen = sentence(&quoted(&issue.description, 300));
    let recover = situation.recover;
    let incident = situation.incident.as_ref().map(|incident| quoted(&incident.id, 80));
    let named = incident.map(|id| format!(" (incident {id})")).unwrap_or_default();
    let page = situation.incident.as_ref().map(|incident| format!(" See {}.", quoted(&incident.page, 300)));
    let options = Recovery::ALL.map(Recovery::name).join(", ");
    let model = format!(
        "Emergency stop{named}. {seen} Every tool call in this project is refused until a person chooses how to go on with \
         `{recover}`; nothing that you run, schedule or edit changes that. Say what you were doing, what is unfinished and what \
         you suspect, then end your turn.\nThe request was: {}\nUsed: {}",
        situation.request(300),
        situation.resources()
    );
    let person = format!(
        "Plimsoll stopped the agent{named}: {seen}{} The project is locked until you choose: `{recover} OPTION` here, or \
         `plimsoll recover OPTION` in a terminal ({options}).",
        page.unwrap_or_default()
    );
    (model, Some(person))
}

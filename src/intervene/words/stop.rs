//! Emergency stop: that it is over, why, and who decides now.

use super::soft::sentence;
use crate::intervene::incident::Recovery;
use crate::intervene::quoted::quoted;
use crate::intervene::situation::Situation;
use crate::pattern::Issue;

pub(super) fn words(issue: &Issue, situation: &Situation<'_>) -> (String, Option<String>) {
    let seen = sentence(&quoted(&issue.description, 300));
    let recover = situation.recover;
    let report = "Say what you were doing, what is unfinished and what you suspect, then end your turn.";
    let session = format!("\nThe request was: {}\nUsed: {}", situation.request(300), situation.resources());
    let Some(incident) = &situation.incident else {
        let model = format!(
            "Emergency stop. {seen} The project could not be locked, so it is up to you: make no further call. {report}{session}"
        );
        let person =
            format!("Plimsoll wanted to stop the agent and could not lock the project: {seen} Interrupt it.");
        return (model, Some(person));
    };
    let id = quoted(&incident.id, 80);
    let page = match quoted(&incident.page, 300) {
        none if none.is_empty() => none,
        page => format!(" See {page}."),
    };
    let options = Recovery::ALL.map(Recovery::name).join(", ");
    let model = format!(
        "Emergency stop (incident {id}). {seen} Every tool call in this project is refused until a person chooses how to go on \
         with `{recover}`; nothing that you run, schedule or edit changes that. {report}{session}"
    );
    let person = format!(
        "Plimsoll stopped the agent (incident {id}): {seen}{page} The project is locked until you choose: `{recover} OPTION` \
         here, or `plimsoll recover OPTION` in a terminal ({options})."
    );
    (model, Some(person))
}

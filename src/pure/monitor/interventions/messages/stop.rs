//! Emergency stop: the reason, and who decides now.

use super::soft::sentence;
use crate::pure::monitor::interventions::incident::Recovery;
use crate::pure::monitor::interventions::quotation::quoted;
use crate::pure::monitor::interventions::situation::Situation;
use crate::pure::monitor::patterns::Issue;

pub(super) fn message(issue: &Issue, situation: &Situation<'_>) -> (String, Option<String>) {
    let seen = sentence(&quoted(&issue.description, 300));
    let recover = situation.recover;
    let report = "Say what you were doing, what is unfinished and what you suspect, then end your turn.";
    let session = format!("\nThe request was: {}\nUsed: {}", situation.request(300), situation.resources());
    let Some(incident) = &situation.incident else {
        let model = format!(
            "Emergency stop. {seen} The project could not be locked, so make no further call. {report}{session}"
        );
        let person =
            format!("Plimsoll could not lock the project to stop the agent: {seen} Interrupt the agent.");
        return (model, Some(person));
    };
    let id = quoted(&incident.id, 80);
    let page = match quoted(&incident.page, 300) {
        none if none.is_empty() => none,
        page => format!(" See {page}."),
    };
    let options = Recovery::ALL.map(Recovery::name).join(", ");
    let model = format!(
        "Emergency stop (incident {id}). {seen} Every tool call in this project is refused until a person chooses how to continue \
         with `{recover}`; nothing that you run, schedule or edit changes that. {report}{session}"
    );
    let person = format!(
        "Plimsoll stopped the agent (incident {id}): {seen}{page} The project is locked until you choose: `{recover} CHOICE` \
         here, or `plimsoll recover CHOICE` in a terminal ({options})."
    );
    (model, Some(person))
}

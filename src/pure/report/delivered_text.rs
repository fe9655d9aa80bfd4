//! An intervention, read back from a hook's answer: `Plimsoll [kind/pattern/sign]: message`.

use crate::pure::monitor::interventions::InterventionKind;
use serde::Serialize;

/// How an intervention reached the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryRoute {
    /// A message beside a result or a prompt.
    Context,
    /// The call was a person's decision.
    Ask,
    /// The call did not run.
    Deny,
    /// The turn did not end.
    Block,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DeliveredText {
    pub way: DeliveryRoute,
    pub kind: InterventionKind,
    pub pattern: String,
    pub sign: String,
    pub reason: String,
}

const START: &str = "Plimsoll [";

impl DeliveredText {
    /// All interventions in a text: each begins a line and goes on to the next one.
    pub fn all_in(text: &str, way: DeliveryRoute) -> Vec<Self> {
        let mut found: Vec<Self> = Vec::new();
        for line in text.lines() {
            match (Self::first_line(line, way), found.last_mut()) {
                (Some(told), _) => found.push(told),
                (None, Some(told)) => told.reason += &format!("\n{line}"),
                (None, None) => {}
            }
        }
        found
    }

    fn first_line(line: &str, way: DeliveryRoute) -> Option<Self> {
        let (name, reason) = line.strip_prefix(START)?.split_once("]: ")?;
        let (kind, rest) = name.split_once('/')?;
        let (pattern, sign) = rest.split_once('/')?;
        let kind = InterventionKind::ALL.into_iter().find(|known| known.name() == kind)?;
        Some(Self { way, kind, pattern: pattern.into(), sign: sign.into(), reason: reason.into() })
    }

    pub fn name(&self) -> String {
        format!("{}/{}/{}", self.kind.name(), self.pattern, self.sign)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interventions_are_found_in_answers_and_rules_are_none() {
        let text = "Plimsoll [soft_correction/repetitive_errors/no_progress]: The same call again.\n1. Look.\n\
                    Plimsoll [resource_throttling/resource_spiral/call_budget]: Fewer.";
        let told = DeliveredText::all_in(text, DeliveryRoute::Context);
        let names: Vec<String> = told.iter().map(DeliveredText::name).collect();
        assert_eq!(
            names,
            [
                "soft_correction/repetitive_errors/no_progress",
                "resource_throttling/resource_spiral/call_budget"
            ]
        );
        assert_eq!(told[0].reason, "The same call again.\n1. Look.");
        for other in [
            "",
            "Plimsoll [some_rule]: why",
            "Plimsoll [a/b/c]: no such kind",
            "he said Plimsoll [soft_correction/a/b]: x",
            "Plimsoll [soft_correction/a]: x",
        ] {
            assert_eq!(DeliveredText::all_in(other, DeliveryRoute::Deny), [], "{other}");
        }
    }
}

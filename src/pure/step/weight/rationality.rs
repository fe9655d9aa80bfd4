//! Rationality: whether a tool call serves the request and follows from the calls before.

use crate::pure::policy::{RationalityThresholds, RationalityWeights};
use crate::pure::step::assessment::{Nature, Rationality, SideEffectSeverity};
use crate::pure::step::history::StepHistory;
use crate::pure::step::risk::rounded;

/// The input of the rationality score.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RationalityInput<'a> {
    pub nature: Nature,
    pub action: u64,
    pub family: u64,
    pub history: &'a StepHistory,
    /// The last prompt of the person.
    pub goal: Option<&'a str>,
    /// A simpler call has the same purpose.
    pub has_alternative: bool,
    /// A part is unknown: a target that only the shell knows, or an opaque text.
    pub is_open: bool,
}

/// One component: its score, and below 1 the issue and the suggestion.
type Component = (f64, Option<(&'static str, &'static str)>);

pub(crate) fn rationality(
    sense: &RationalityInput<'_>,
    weights: &RationalityWeights,
    thresholds: &RationalityThresholds,
) -> Rationality {
    let parts = [
        ("goal_alignment", weights.goal_alignment, goal_alignment(sense)),
        ("logical_progression", weights.logical_progression, progression(sense)),
        ("efficiency", weights.efficiency, efficiency(sense)),
        ("completeness", weights.completeness, completeness(sense)),
    ];
    let total: f64 = parts.iter().map(|(_, weight, _)| weight).sum();
    let score = match total {
        // Without weights every component counts the same.
        0.0 => parts.iter().map(|(_, _, (score, _))| score / 4.0).sum(),
        _ => parts.iter().map(|(_, weight, (score, _))| score * weight / total).sum(),
    };
    let score = rounded(score);
    let said = parts.iter().filter_map(|(_, _, (_, said))| *said);
    Rationality {
        score,
        level: level(score, thresholds),
        components: parts.map(|(name, _, (score, _))| (name, score)),
        issues: said.clone().map(|(issue, _)| issue.to_owned()).collect(),
        suggestions: said.map(|(_, suggestion)| suggestion.to_owned()).collect(),
    }
}

fn level(score: f64, thresholds: &RationalityThresholds) -> SideEffectSeverity {
    match score {
        _ if score >= thresholds.high_threshold => SideEffectSeverity::High,
        _ if score >= thresholds.medium_threshold => SideEffectSeverity::Medium,
        _ => SideEffectSeverity::Low,
    }
}

/// Reading is always aligned. A change is not if the request forbids changes; a deletion is not if the request mentions none.
fn goal_alignment(sense: &RationalityInput<'_>) -> Component {
    const NO_CHANGE: [&str; 12] = [
        "do not change", "don't change", "do not modify", "don't modify", "do not edit", "don't edit",
        "do not touch", "don't touch", "read-only", "read only", "without changing", "no changes",
    ];
    const DELETES: [&str; 16] = [
        "delet", "remov", "clean", "drop", "discard", "reset", "purge", "prune", "wipe", "erase", "revert",
        "undo", "uninstall", "destroy", "get rid", "rm ",
    ];
    let Some(goal) = sense.goal.map(str::to_lowercase) else { return (1.0, None) };
    let says = |words: &[&str]| words.iter().any(|word| goal.contains(word));
    match sense.nature {
        Nature::Read => (1.0, None),
        _ if says(&NO_CHANGE) => {
            let issue = "the request asks to change nothing";
            (0.0, Some((issue, "report what you would change instead of changing it")))
        }
        Nature::Deletion if !says(&DELETES) => {
            let issue = "the request does not mention deleting";
            (0.0, Some((issue, "explain why it must be deleted, or ask the user first")))
        }
        Nature::Deletion | Nature::System | Nature::Network | Nature::Modification | Nature::Creation => {
            (1.0, None)
        }
    }
}

fn progression(sense: &RationalityInput<'_>) -> Component {
    let history = sense.history;
    if history.was_refused(sense.action) {
        let issue = "the same action was refused since the last prompt";
        return (0.0, Some((issue, "use the alternative in the refusal")));
    }
    if history.repeats_idly(sense.action) {
        let issue = "it repeats an action although nothing has changed since";
        return (0.3, Some((issue, "use the earlier result")));
    }
    if history.is_empty() || history.knows_family(sense.family) { (1.0, None) } else { (0.7, None) }
}

fn efficiency(sense: &RationalityInput<'_>) -> Component {
    match sense.has_alternative {
        true => (0.5, Some(("a simpler call has the same purpose", "use the alternative"))),
        false => (1.0, None),
    }
}

fn completeness(sense: &RationalityInput<'_>) -> Component {
    let advice = ("a part of the call is known only when it runs", "name the exact targets");
    if sense.is_open { (0.5, Some(advice)) } else { (1.0, None) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::step::history::{Past, PastOutcome};

    const PAST: Past = Past {
        action: 1,
        family: 10,
        nature: Nature::Read,
        outcome: PastOutcome::Success,
        rule: 0,
        before_prompt: false,
    };

    fn sense<'a>(history: &'a StepHistory, goal: Option<&'a str>) -> RationalityInput<'a> {
        RationalityInput {
            nature: Nature::Deletion,
            action: 1,
            family: 10,
            history,
            goal,
            has_alternative: false,
            is_open: false,
        }
    }

    fn judged(sense: &RationalityInput<'_>) -> Rationality {
        rationality(sense, &RationalityWeights::default(), &RationalityThresholds::default())
    }

    fn component(sense: &RationalityInput<'_>, name: &str) -> f64 {
        judged(sense).components.iter().find(|(known, _)| *known == name).unwrap().1
    }

    #[test]
    fn without_goal_and_history_an_action_makes_sense() {
        let rationality = judged(&sense(&StepHistory::default(), None));
        assert_eq!((rationality.score, rationality.level), (1.0, SideEffectSeverity::High));
        assert!(rationality.issues.is_empty());
    }

    #[test]
    fn a_deletion_nobody_spoke_of_is_out_of_line_with_the_goal() {
        let history = StepHistory::default();
        let aligned = |goal| component(&sense(&history, Some(goal)), "goal_alignment");
        assert_eq!(aligned("Add a test for the parser"), 0.0);
        assert_eq!(aligned("Remove the old parser"), 1.0);
        let read =
            RationalityInput { nature: Nature::Read, ..sense(&history, Some("Do not change anything")) };
        assert_eq!(component(&read, "goal_alignment"), 1.0);
        assert_eq!(
            component(&RationalityInput { nature: Nature::Modification, ..read }, "goal_alignment"),
            0.0
        );
    }

    #[test]
    fn progression_tells_building_exploring_repeating_and_contradicting_apart() {
        let scored =
            |past: Past| component(&sense(&StepHistory::new(vec![past]), None), "logical_progression");
        assert_eq!(scored(Past { action: 2, ..PAST }), 1.0, "the same family");
        assert_eq!(scored(Past { action: 2, family: 20, ..PAST }), 0.7, "something new");
        assert_eq!(scored(PAST), 0.3, "the same again");
        assert_eq!(scored(Past { outcome: PastOutcome::Refused, ..PAST }), 0.0, "refused before");
    }

    #[test]
    fn an_alternative_and_an_open_end_halve_their_components() {
        let history = StepHistory::default();
        let worse = RationalityInput { has_alternative: true, is_open: true, ..sense(&history, None) };
        let rationality = judged(&worse);
        assert_eq!((rationality.score, rationality.level), (0.75, SideEffectSeverity::Medium));
        assert_eq!(rationality.issues.len(), rationality.suggestions.len());
        assert_eq!(rationality.issues.len(), 2);
    }

    #[test]
    fn each_weight_moves_the_score() {
        let history = StepHistory::new(vec![Past { outcome: PastOutcome::Refused, ..PAST }]);
        let usual = RationalityWeights::default();
        let weigh = |sense: &RationalityInput<'_>, weights: RationalityWeights| {
            rationality(sense, &weights, &RationalityThresholds::default()).score
        };
        let off =
            RationalityInput { has_alternative: true, is_open: true, ..sense(&history, Some("Add a test")) };
        let plain = weigh(&off, usual.clone());
        assert_eq!(plain, 0.25);
        assert!(weigh(&off, RationalityWeights { goal_alignment: 0.0, ..usual.clone() }) > plain);
        assert!(weigh(&off, RationalityWeights { logical_progression: 0.0, ..usual.clone() }) > plain);
        assert!(weigh(&off, RationalityWeights { efficiency: 0.0, ..usual.clone() }) < plain);
        assert!(weigh(&off, RationalityWeights { completeness: 0.0, ..usual }) < plain);
    }

    #[test]
    fn other_thresholds_are_other_levels() {
        let history = StepHistory::default();
        let half = RationalityInput { has_alternative: true, ..sense(&history, None) };
        let level = |high_threshold, medium_threshold| {
            let thresholds = RationalityThresholds { high_threshold, medium_threshold, low_threshold: 0.3 };
            rationality(&half, &RationalityWeights::default(), &thresholds).level
        };
        assert_eq!(level(0.8, 0.5), SideEffectSeverity::High);
        assert_eq!(level(0.9, 0.5), SideEffectSeverity::Medium);
        assert_eq!(level(0.95, 0.9), SideEffectSeverity::Low);
    }
}

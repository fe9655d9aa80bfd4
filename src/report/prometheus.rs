//! The statistics as Prometheus reads them: text exposition format, one family after the other.

use super::stats::{RuleStats, Stats};

/// A family of samples: its name, what it means, whether it only grows, and the samples with their labels.
struct Family {
    name: &'static str,
    help: &'static str,
    kind: &'static str,
    samples: Vec<(Vec<(&'static str, String)>, f64)>,
}

/// Counters fall when sessions are forgotten after thirty days; Prometheus takes that for a restart.
pub fn prometheus(stats: &Stats) -> String {
    families(stats).iter().map(Family::text).collect()
}

fn families(stats: &Stats) -> Vec<Family> {
    let counted = |samples: &[(&'static str, &str, u64)]| {
        samples
            .iter()
            .map(|(label, value, count)| (vec![(*label, (*value).to_owned())], *count as f64))
            .collect()
    };
    let alone = |count: f64| vec![(Vec::new(), count)];
    let rows = &stats.interventions.rows;
    let named = |row: &super::InterventionRow| {
        vec![("intervention_type", row.intervention_type.clone()), ("issue_type", row.issue_type.clone())]
    };
    let mut families = vec![
        Family {
            name: "plimsoll_intervention_total",
            help: "Interventions that were delivered, by what became of them.",
            kind: "counter",
            samples: rows
                .iter()
                .flat_map(|row| {
                    row.outcomes.by_name().map(|(outcome, count)| {
                        let labels = named(row).into_iter().chain([("outcome", outcome.to_owned())]);
                        (labels.collect(), count as f64)
                    })
                })
                .collect(),
        },
        Family {
            name: "plimsoll_intervention_effectiveness",
            help: "Share of the judged interventions after which the cause did not come back.",
            kind: "gauge",
            samples: rows.iter().filter_map(|row| Some((named(row), row.outcomes.effectiveness?))).collect(),
        },
        Family {
            name: "plimsoll_intervention_escalation_total",
            help: "Interventions that were harder than their issue alone asks for, since the cause had persisted.",
            kind: "counter",
            samples: alone(stats.interventions.escalations as f64),
        },
        Family {
            name: "plimsoll_step_reviews_total",
            help: "Tool calls that were reviewed, by the answer.",
            kind: "counter",
            samples: counted(&[
                ("answer", "allowed", stats.allowed_actions),
                ("answer", "warned", stats.warned_actions),
                ("answer", "modified", stats.modified_actions),
                ("answer", "asked", stats.asked_actions),
                ("answer", "blocked", stats.blocked_actions),
            ]),
        },
        Family {
            name: "plimsoll_step_rule_total",
            help: "What the rules of the step review answered.",
            kind: "counter",
            samples: stats.rules.iter().flat_map(|(rule, counted)| of_rule(rule, counted)).collect(),
        },
        Family {
            name: "plimsoll_step_slow_reviews_total",
            help: "Reviews that took longer than the settings want.",
            kind: "counter",
            samples: alone(stats.slow_reviews as f64),
        },
        Family {
            name: "plimsoll_step_denied_but_ran_total",
            help: "Refused calls that ran all the same.",
            kind: "counter",
            samples: alone(stats.denied_but_ran as f64),
        },
        Family {
            name: "plimsoll_tool_failures_total",
            help: "Calls that failed when they ran.",
            kind: "counter",
            samples: alone(stats.failures as f64),
        },
        Family {
            name: "plimsoll_sessions",
            help: "Sessions that are counted here.",
            kind: "gauge",
            samples: alone(stats.sessions as f64),
        },
    ];
    families.retain(|family| !family.samples.is_empty());
    families
}

fn of_rule(rule: &str, counted: &RuleStats) -> Vec<(Vec<(&'static str, String)>, f64)> {
    let RuleStats { warned, modified, asked, blocked, noted, approved } = counted;
    let answers = [
        ("warned", warned),
        ("modified", modified),
        ("asked", asked),
        ("blocked", blocked),
        ("noted", noted),
        ("approved", approved),
    ];
    let sample = |(answer, count): (&str, &u64)| {
        (vec![("rule", rule.to_owned()), ("answer", answer.to_owned())], *count as f64)
    };
    answers.into_iter().filter(|(_, count)| **count > 0).map(sample).collect()
}

impl Family {
    fn text(&self) -> String {
        let Self { name, help, kind, samples } = self;
        let mut text = format!("# HELP {name} {help}\n# TYPE {name} {kind}\n");
        for (labels, value) in samples {
            let labels: Vec<String> =
                labels.iter().map(|(label, value)| format!("{label}=\"{}\"", escaped(value))).collect();
            let labels = if labels.is_empty() { String::new() } else { format!("{{{}}}", labels.join(",")) };
            text += &format!("{name}{labels} {value}\n");
        }
        text
    }
}

fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{InterventionOutcome, InterventionStats};
    use std::collections::BTreeMap;

    fn some() -> Stats {
        let mut interventions = InterventionStats::default();
        interventions.add("soft_correction", "goal_drift", InterventionOutcome::Helped, false);
        interventions.add("soft_correction", "goal_drift", InterventionOutcome::Persisted, false);
        interventions.add("emergency_stop", "resource_spiral", InterventionOutcome::Open, true);
        let rule = RuleStats { blocked: 2, ..RuleStats::default() };
        Stats {
            sessions: 3,
            allowed_actions: 40,
            blocked_actions: 2,
            rules: BTreeMap::from([("own \"rule\"\\\nx".to_owned(), rule)]),
            interventions,
            ..Stats::default()
        }
    }

    #[test]
    fn labels_are_escaped_and_every_family_is_said_once_with_its_type() {
        let text = prometheus(&some());
        for line in [
            "plimsoll_intervention_total{intervention_type=\"soft_correction\",issue_type=\"goal_drift\",outcome=\"helped\"} 1",
            "plimsoll_intervention_effectiveness{intervention_type=\"soft_correction\",issue_type=\"goal_drift\"} 0.5",
            "plimsoll_intervention_escalation_total 1",
            "plimsoll_step_reviews_total{answer=\"blocked\"} 2",
            r#"plimsoll_step_rule_total{rule="own \"rule\"\\\nx",answer="blocked"} 2"#,
            "plimsoll_sessions 3",
        ] {
            assert!(text.lines().any(|found| found == line), "no {line} in:\n{text}");
        }
        assert!(
            !text.contains("effectiveness{intervention_type=\"emergency_stop\""),
            "nothing is judged there"
        );
        assert!(text.ends_with('\n') && !text.contains("\n\n"));
    }

    /// The grammar of the exposition format, as far as it is used here.
    #[test]
    fn every_line_is_valid() {
        let sample = regex::Regex::new(
            r#"^[a-z_]+(\{[a-z_]+="(\\[\\n"]|[^"\\])*"(,[a-z_]+="(\\[\\n"]|[^"\\])*")*\})? \d+(\.\d+)?$"#,
        )
        .unwrap();
        let mut typed = "";
        for stats in [some(), Stats::default()] {
            let text = prometheus(&stats);
            for line in text.lines() {
                if let Some(rest) = line.strip_prefix("# TYPE ") {
                    let (name, kind) = rest.split_once(' ').unwrap();
                    assert!(matches!(kind, "counter" | "gauge"), "{line}");
                    assert_eq!(text.matches(&format!("# TYPE {name} ")).count(), 1, "{name}");
                    typed = Box::leak(name.to_owned().into_boxed_str());
                } else if !line.starts_with("# HELP ") {
                    assert!(sample.is_match(line), "{line}");
                    assert_eq!(line.split(['{', ' ']).next(), Some(typed), "{line}");
                }
            }
        }
    }
}

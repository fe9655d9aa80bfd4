//! The statistics as Prometheus reads them: text exposition format, one family after the other.

use super::stats::{RuleStats, Stats};

/// A family of samples: its name, what it means, whether it only grows, and the samples with their labels.
struct Family {
    name: &'static str,
    help: &'static str,
    kind: &'static str,
    samples: Vec<(Vec<(&'static str, String)>, f64)>,
}

/// Counters fall when sessions are forgotten after thirty days; Prometheus takes that for a restart. Each sample names the
/// project, so that the files of several projects on one machine do not contradict each other.
pub fn prometheus(stats: &Stats, project: &str) -> String {
    families(stats).iter().map(|family| family.text(project)).collect()
}

fn families(stats: &Stats) -> Vec<Family> {
    let family = |name, kind, help, samples| Family { name, help, kind, samples };
    let alone = |count: u64| vec![(Vec::new(), count as f64)];
    // A rate of nothing is not zero: it is left out.
    let rate = |rate: Option<f64>| rate.map(|rate| (Vec::new(), rate)).into_iter().collect::<Vec<_>>();
    let rows = &stats.interventions.rows;
    let named = |row: &super::InterventionRow| {
        vec![("intervention_type", row.intervention_type.clone()), ("issue_type", row.issue_type.clone())]
    };
    let outcomes = rows.iter().flat_map(|row| {
        row.outcomes.by_name().map(|(outcome, count)| {
            let labels = named(row).into_iter().chain([("outcome", outcome.to_owned())]);
            (labels.collect(), count as f64)
        })
    });
    let effectiveness = rows.iter().filter_map(|row| Some((named(row), row.outcomes.effectiveness?)));
    let answers = [
        ("allowed", stats.allowed_actions),
        ("warned", stats.warned_actions),
        ("modified", stats.modified_actions),
        ("asked", stats.asked_actions),
        ("blocked", stats.blocked_actions),
    ];
    let answers = answers.map(|(answer, count)| (vec![("answer", answer.to_owned())], count as f64));
    let rules = stats.rules.iter().flat_map(|(rule, counted)| of_rule(rule, counted));
    let mut families = vec![
        family(
            "plimsoll_intervention_total",
            "counter",
            "Interventions that were delivered, by their outcome.",
            outcomes.collect(),
        ),
        family(
            "plimsoll_intervention_effectiveness",
            "gauge",
            "Share of the judged interventions after which the cause did not come back.",
            effectiveness.collect(),
        ),
        family(
            "plimsoll_intervention_escalation_total",
            "counter",
            "Interventions that were harder than their issue alone asks for, since the cause had persisted.",
            alone(stats.interventions.escalations),
        ),
        family(
            "plimsoll_step_reviews_total",
            "counter",
            "Tool calls that were reviewed, by decision.",
            answers.into(),
        ),
        family(
            "plimsoll_step_interruptions_total",
            "counter",
            "Questions and refusals; a call that was refused and then asked about counts once.",
            alone(stats.interruptions),
        ),
        family(
            "plimsoll_step_rule_total",
            "counter",
            "Decisions of the rules of the step review.",
            rules.collect(),
        ),
        family(
            "plimsoll_step_slow_reviews_total",
            "counter",
            "Reviews that took longer than the limit in the settings.",
            alone(stats.slow_reviews),
        ),
        family(
            "plimsoll_step_denied_but_ran_total",
            "counter",
            "Denied tool calls that ran anyway.",
            alone(stats.denied_but_ran),
        ),
        family(
            "plimsoll_tool_failures_total",
            "counter",
            "Tool calls that failed when they ran.",
            alone(stats.failures),
        ),
        family(
            "plimsoll_step_review_seconds_average",
            "gauge",
            "Average time of a step review.",
            rate(stats.avg_review_time.map(|milliseconds| milliseconds / 1_000.0)),
        ),
        family(
            "plimsoll_step_cache_hit_ratio",
            "gauge",
            "Share of the reviews that the cache answered, of those that it could have answered.",
            rate(stats.cache_hit_rate),
        ),
        family(
            "plimsoll_step_false_positive_ratio",
            "gauge",
            "Share of the interruptions after which a person let the call run.",
            rate(stats.false_positive_rate),
        ),
        family("plimsoll_sessions", "gauge", "Sessions that are counted here.", alone(stats.sessions)),
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
    fn text(&self, project: &str) -> String {
        let Self { name, help, kind, samples } = self;
        let mut text = format!("# HELP {name} {help}\n# TYPE {name} {kind}\n");
        for (labels, value) in samples {
            let labels = [("project", project)]
                .into_iter()
                .chain(labels.iter().map(|(label, value)| (*label, value.as_str())));
            let labels: Vec<String> =
                labels.map(|(label, value)| format!("{label}=\"{}\"", escaped(value))).collect();
            text += &format!("{name}{{{}}} {value}\n", labels.join(","));
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
    use crate::pure::monitor::interventions::InterventionEffect;
    use crate::pure::report::interventions::InterventionStats;
    use std::collections::{BTreeMap, BTreeSet};

    fn some() -> Stats {
        let mut interventions = InterventionStats::default();
        interventions.add("soft_correction", "goal_drift", InterventionEffect::Helped, false);
        interventions.add("soft_correction", "goal_drift", InterventionEffect::Persisted, false);
        interventions.add("emergency_stop", "resource_spiral", InterventionEffect::Open, true);
        let rule = RuleStats { blocked: 2, ..RuleStats::default() };
        Stats {
            sessions: 3,
            allowed_actions: 40,
            blocked_actions: 2,
            avg_review_time: Some(0.5),
            cache_hit_rate: Some(0.25),
            false_positive_rate: Some(0.5),
            rules: BTreeMap::from([("own \"rule\"\\\nx".to_owned(), rule)]),
            interventions,
            ..Stats::default()
        }
    }

    #[test]
    fn labels_are_escaped_and_every_family_is_said_once_with_its_type() {
        let text = prometheus(&some(), "/p");
        for line in [
            "plimsoll_intervention_total{project=\"/p\",intervention_type=\"soft_correction\",issue_type=\"goal_drift\",outcome=\"helped\"} 1",
            "plimsoll_intervention_effectiveness{project=\"/p\",intervention_type=\"soft_correction\",issue_type=\"goal_drift\"} 0.5",
            r#"plimsoll_intervention_escalation_total{project="/p"} 1"#,
            "plimsoll_step_reviews_total{project=\"/p\",answer=\"blocked\"} 2",
            r#"plimsoll_step_rule_total{project="/p",rule="own \"rule\"\\\nx",answer="blocked"} 2"#,
            r#"plimsoll_step_review_seconds_average{project="/p"} 0.0005"#,
            r#"plimsoll_step_cache_hit_ratio{project="/p"} 0.25"#,
            r#"plimsoll_step_false_positive_ratio{project="/p"} 0.5"#,
            r#"plimsoll_sessions{project="/p"} 3"#,
        ] {
            assert!(text.lines().any(|found| found == line), "no {line} in:\n{text}");
        }
        assert!(
            !text.contains("effectiveness{project=\"/p\",intervention_type=\"emergency_stop\""),
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
            let text = prometheus(&stats, "/p \"q\"");
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

    /// The names and labels of all samples.
    fn printed() -> BTreeMap<String, BTreeSet<String>> {
        let label = regex::Regex::new(r#"([a-z_]+)=""#).unwrap();
        let mut printed: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for line in prometheus(&some(), "/p").lines().filter(|line| !line.starts_with('#')) {
            let (name, rest) = line.split_once('{').unwrap();
            let labels = label.captures_iter(rest).map(|found| found[1].to_owned());
            printed.entry(name.to_owned()).or_default().extend(labels);
        }
        printed
    }

    /// The mistake of a query: it reads a metric or a label that is not printed, or no metric at all.
    fn wrong(query: &str, legend: &str) -> Option<String> {
        let find = |pattern: &str, text: &str| -> Vec<String> {
            let pattern = regex::Regex::new(pattern).unwrap();
            pattern.captures_iter(text).map(|found| found[1].to_owned()).collect()
        };
        let printed = printed();
        let metrics = find("(plimsoll_[a-z_]+)", query);
        if let Some(unknown) = metrics.iter().find(|metric| !printed.contains_key(*metric)) {
            return Some(format!("no metric {unknown}"));
        }
        let grouped = find(r"(?:by|without|ignoring|on) *\(([a-z_, ]*)\)", query);
        let mut labels: Vec<String> =
            grouped.iter().flat_map(|list| list.split(',')).map(|label| label.trim().to_owned()).collect();
        labels.extend(find("[{,] *([a-z_]+) *[=!]", query));
        labels.extend(find(r"\{\{ *([a-z_]+) *\}\}", legend));
        let known = |label: &String| metrics.iter().all(|metric| printed[metric].contains(label));
        match labels.iter().find(|label| !known(label)) {
            _ if metrics.is_empty() => Some("no metric of ours".into()),
            Some(unknown) => Some(format!("no label {unknown}")),
            None => None,
        }
    }

    #[test]
    fn every_query_of_the_dashboard_reads_what_is_printed() {
        let text = include_str!("../../../docs/grafana-dashboard.json");
        let dashboard: serde_json::Value = serde_json::from_str(text).unwrap();
        let mut titles = Vec::new();
        for panel in dashboard["panels"].as_array().unwrap() {
            titles.push(panel["title"].as_str().unwrap());
            for target in panel["targets"].as_array().unwrap() {
                let (query, legend) = (target["expr"].as_str().unwrap(), target["legendFormat"].as_str());
                assert_eq!(wrong(query, legend.unwrap_or_default()), None, "{query}");
            }
        }
        for title in ["Interventions by type", "Intervention effectiveness", "Escalation rate"] {
            assert!(titles.contains(&title), "no panel {title}");
        }
        for variable in dashboard["templating"]["list"].as_array().unwrap() {
            if let Some(query) = variable["definition"].as_str() {
                let (metric, label) =
                    query.trim_start_matches("label_values(").trim_end_matches(')').split_once(", ").unwrap();
                assert!(printed()[metric].contains(label), "{query}");
            }
        }
    }

    #[test]
    fn a_query_of_a_metric_or_label_that_is_not_printed_is_found() {
        let by_type = "sum by (intervention_type) (rate(plimsoll_intervention_total[5m]))";
        assert_eq!(wrong(by_type, "{{intervention_type}}"), None);
        for (query, legend) in [
            ("rate(plimsoll_intervention_totals[5m])", ""),
            ("sum by (kind) (rate(plimsoll_intervention_total[5m]))", ""),
            ("plimsoll_sessions{answer=\"blocked\"}", ""),
            ("plimsoll_sessions", "{{rule}}"),
            ("up", ""),
        ] {
            assert!(wrong(query, legend).is_some(), "{query} {legend}");
        }
    }
}

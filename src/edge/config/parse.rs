//! YAML text → layer, strictly: every problem with its line and what to write instead.

use super::document::{Document, DocumentEntry, Node};
use super::problem::ConfigProblem;
use crate::pure::policy::{KEYS, Layer, Rejected};
use crate::pure::step::{Level, Rule, catalogue};
use serde_json::Value;
use std::collections::BTreeMap;

/// A configuration of every key with long comments is a tenth of this.
pub(crate) const LIMIT: u64 = 256 * 1024;

/// Reads one file's text. `source` names it in messages and in the layer.
pub fn parse(source: &str, text: &str) -> Result<Layer, Vec<ConfigProblem>> {
    let mut reading = Reading { layer: Layer::new(source), lines: BTreeMap::new(), problems: Vec::new() };
    if text.len() as u64 > LIMIT {
        reading.problem(0, format!("larger than {LIMIT} bytes"));
        return Err(reading.problems);
    }
    match Document::parse(text) {
        Ok(None) => {}
        Ok(Some(Document { node: Node::Section(entries), .. })) => reading.section("", entries),
        Ok(Some(Document { line, node: Node::Leaf(_) | Node::List(_) })) => {
            reading.problem(line, "expected sections such as `loop1:` with keys under them".to_owned());
        }
        Err(error) => reading.problem(error.location().map_or(0, |at| at.line()), syntax_message(&error)),
    }
    reading.finish()
}

struct Reading {
    layer: Layer,
    lines: BTreeMap<String, u64>,
    problems: Vec<ConfigProblem>,
}

impl Reading {
    fn problem(&mut self, line: u64, message: String) {
        self.problems.push(ConfigProblem { file: self.layer.source.clone(), line, message });
    }

    fn section(&mut self, prefix: &str, entries: Vec<DocumentEntry>) {
        for DocumentEntry { name, line, value } in entries {
            let dotted = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
            if name.contains('.') {
                self.problem(line, format!("`{name}`: write one section per line instead of dots"));
            } else if !is_section(&dotted) {
                self.leaf(&dotted, line, value);
            } else {
                match value.node {
                    Node::Section(entries) => self.section(&dotted, entries),
                    Node::Leaf(Value::Null) => {}
                    Node::Leaf(_) | Node::List(_) => {
                        self.problem(value.line, format!("`{dotted}` is a section: put its keys under it"))
                    }
                }
            }
        }
    }

    fn leaf(&mut self, dotted: &str, line: u64, value: Document) {
        let value_line = value.line;
        let value = value.into_value();
        let found = excerpt(&value);
        for message in unknown_rules(dotted, &value) {
            self.problem(value_line, message);
        }
        match self.layer.insert(dotted, value) {
            Ok(()) => {
                self.lines.insert(dotted.to_owned(), value_line);
            }
            Err(Rejected::UnknownKey) => self.problem(line, unknown(dotted)),
            Err(Rejected::Expected(expected)) => {
                self.problem(value_line, format!("`{dotted}` is {found} but must be {expected}"));
            }
        }
    }

    fn finish(mut self) -> Result<Layer, Vec<ConfigProblem>> {
        match self.layer.disorder() {
            Ok(found) => {
                for (name, message) in found {
                    self.problem(self.lines.get(name).copied().unwrap_or(0), message);
                }
            }
            Err(error) => self.problem(0, error.to_string()),
        }
        if self.problems.is_empty() { Ok(self.layer) } else { Err(self.problems) }
    }
}

fn is_section(dotted: &str) -> bool {
    sections().any(|section| section == dotted)
}

fn sections() -> impl Iterator<Item = &'static str> {
    KEYS.iter().flat_map(|key| key.name.match_indices('.').filter_map(|(at, _)| key.name.get(..at)))
}

fn unknown(dotted: &str) -> String {
    match nearest(dotted) {
        Some(known) => format!("unknown key `{dotted}`; did you mean `{known}`?"),
        None => format!("unknown key `{dotted}`; `plimsoll config show` lists all keys"),
    }
}

/// The known name that is most alike as a whole and in its last word: that finds a key in the wrong section too.
fn nearest(dotted: &str) -> Option<&'static str> {
    let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
    let alike = |known: &str| {
        let whole = strsim::normalized_damerau_levenshtein(dotted, known);
        let word = strsim::normalized_damerau_levenshtein(&last(dotted), &last(known));
        (word >= 0.6).then_some(whole + word)
    };
    let names = KEYS.iter().map(|key| key.name).chain(sections());
    let scored = names.filter_map(|name| alike(name).map(|score| (score, name)));
    scored.max_by(|(one, _), (other, _)| one.total_cmp(other)).map(|(_, name)| name)
}

/// Problems with the names of rules that a key would switch off.
fn unknown_rules(dotted: &str, value: &Value) -> Vec<String> {
    let names: Vec<&Value> = match dotted {
        "step_reviewer.rules.disabled" => value.as_array().into_iter().flatten().collect(),
        "step_reviewer.overrides" => {
            let overrides = value.as_array().into_iter().flatten();
            overrides.filter_map(|one| one.get("disabled_rules")?.as_array()).flatten().collect()
        }
        _ => return Vec::new(),
    };
    names.iter().filter_map(|name| name.as_str()).filter_map(cannot_be_disabled).collect()
}

fn cannot_be_disabled(name: &str) -> Option<String> {
    if let Some(rule) = catalogue::ALL.iter().find(|rule| rule.name == name) {
        let fixed = rule.level < Level::Step;
        return fixed
            .then(|| format!("rule `{name}` holds under every configuration and cannot be disabled"));
    }
    let alike = |rule: &&&Rule| strsim::normalized_damerau_levenshtein(name, rule.name);
    let nearest = catalogue::ALL.iter().max_by(|one, other| alike(one).total_cmp(&alike(other)));
    let hint = match nearest.filter(|rule| alike(rule) >= 0.5) {
        Some(rule) => format!("did you mean `{}`?", rule.name),
        None => "`plimsoll rules list` names them all".to_owned(),
    };
    Some(format!("unknown rule `{}`; {hint}", name.chars().take(60).collect::<String>()))
}

/// Enough of a value to recognise it; a hostile one must not flood the terminal.
fn excerpt(value: &Value) -> String {
    match value {
        Value::Object(_) => "a section".to_owned(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            let text = value.to_string();
            let short: String = text.chars().take(60).collect();
            if short.len() < text.len() { format!("`{short}…`") } else { format!("`{short}`") }
        }
    }
}

pub(super) fn syntax_message(error: &serde_saphyr::Error) -> String {
    use serde_saphyr::Error::{Budget, DuplicateMappingKey, MergeKeyNotAllowed, NullIntoString};
    use serde_saphyr::budget::BudgetBreach::{Aliases, Anchors, Documents};
    match error {
        DuplicateMappingKey { key: Some(key), .. } => format!("`{key}` is set twice"),
        NullIntoString { .. } => "a key is missing before the colon".to_owned(),
        MergeKeyNotAllowed { .. } => "merge keys (`<<`) are not supported here".to_owned(),
        Budget { breach: Anchors { .. } | Aliases { .. }, .. } => {
            "anchors and aliases (`&`, `*`) are not supported here".to_owned()
        }
        Budget { breach: Documents { .. }, .. } => {
            "only one document is allowed, so remove this `---`".to_owned()
        }
        Budget { .. } => "nested too deeply or too much for a configuration".to_owned(),
        other => {
            let text = other.to_string();
            text.rsplit_once(" at line ").map_or(text.clone(), |(message, _)| message.to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn complaints(text: &str) -> String {
        let problems = parse("f.yaml", text).expect_err("must be refused");
        problems.iter().map(ConfigProblem::to_string).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn an_empty_file_sets_nothing() {
        for text in ["", "# only a comment\n", "---\n", "loop1:\n"] {
            assert_eq!(parse("f.yaml", text), Ok(Layer::new("f.yaml")), "{text:?}");
        }
    }

    #[test]
    fn what_the_file_sets_and_nothing_else_is_in_the_layer() {
        let text =
            "\u{feff}loop1:\r\n  tier1_timeout: 45 # seconds\r\nblocking: {required_loops: [2, 1]}\r\n";
        let layer = parse("f.yaml", text).unwrap();
        let set = KEYS.iter().map(|key| key.name).filter(|name| layer.get(name).is_some());
        assert_eq!(set.collect::<Vec<_>>(), ["loop1.tier1_timeout", "blocking.required_loops"]);
        assert_eq!(layer.get("blocking.required_loops"), Some(&json!([1, 2])));
    }

    #[test]
    fn an_unknown_key_is_named_with_its_line_and_the_likely_one() {
        let text = "loop1:\n  tier1_timout: 5\n\ntier2_timeout: 3\nlop2:\n  enabled: true\nzzz: 1\n";
        insta::assert_snapshot!(complaints(text), @r"
        f.yaml:2: unknown key `loop1.tier1_timout`; did you mean `loop1.tier1_timeout`?
        f.yaml:4: unknown key `tier2_timeout`; did you mean `loop1.tier2_timeout`?
        f.yaml:5: unknown key `lop2`; did you mean `loop2`?
        f.yaml:7: unknown key `zzz`; `plimsoll config show` lists all keys
        ");
    }

    #[test]
    fn a_value_of_the_wrong_type_or_range_says_what_is_expected() {
        let text = "\
loop1:
  tier1_timeout: 0
  parallel_tier1: yes
  checks:
    lint: npm run lint
blocking:
  required_loops: [1, 5]
step_reviewer:
  mode: loud
  risk:
    low_threshold: 1.5
paths:
  state_dir:
    ../elsewhere
output: 3
loop2:
  enabled:
    really: true
";
        insta::assert_snapshot!(complaints(text), @r#"
        f.yaml:2: `loop1.tier1_timeout` is `0` but must be seconds, from 1 to 86400
        f.yaml:3: `loop1.parallel_tier1` is `"yes"` but must be true or false
        f.yaml:5: `loop1.checks.lint` is `"npm run lint"` but must be a program and its arguments as a list, such as [make, test]
        f.yaml:7: `blocking.required_loops` is `[1,5]` but must be a list of loop numbers from 1 to 4
        f.yaml:9: `step_reviewer.mode` is `"loud"` but must be one of observe, async, blocking
        f.yaml:11: `step_reviewer.risk.low_threshold` is `1.5` but must be a number from 0 to 1
        f.yaml:14: `paths.state_dir` is `"../elsewhere"` but must be a path inside the project, without `..` or `.git`
        f.yaml:15: `output` is a section: put its keys under it
        f.yaml:18: `loop2.enabled` is a section but must be true or false
        "#);
    }

    #[test]
    fn thresholds_out_of_order_are_refused_on_their_line() {
        let text = "step_reviewer:\n  risk:\n    high_threshold: 0.5\n";
        insta::assert_snapshot!(complaints(text), @"f.yaml:3: `step_reviewer.risk.medium_threshold` (0.6) must not be above `step_reviewer.risk.high_threshold` (0.5)");
    }

    #[test]
    fn only_known_rules_above_the_gate_can_be_disabled() {
        let text = "\
step_reviewer:
  rules:
    disabled: [publish, prevent_recursive_deletoin, own_files, zzz]
  overrides:
    - {agent: Explore, disabled_rules: [publsh]}
";
        insta::assert_snapshot!(complaints(text), @r"
        f.yaml:3: unknown rule `prevent_recursive_deletoin`; did you mean `prevent_recursive_deletion`?
        f.yaml:3: rule `own_files` holds under every configuration and cannot be disabled
        f.yaml:3: unknown rule `zzz`; `plimsoll rules list` names them all
        f.yaml:5: unknown rule `publsh`; did you mean `publish`?
        ");
    }

    #[test]
    fn broken_or_hostile_yaml_is_refused_with_its_line() {
        let cases = [
            ("loop1:\n\ttier1_timeout: 5\n", "f.yaml:2: tabs disallowed"),
            ("loop1:\n  tier1_timeout: 5\n  tier1_timeout: 6\n", "f.yaml:3: `tier1_timeout` is set twice"),
            ("a: &x [1]\nb: [*x, *x]\n", "f.yaml:1: anchors and aliases"),
            ("loop1: *x\n", "f.yaml:1: "),
            ("<<: {a: 1}\n", "f.yaml:1: merge keys"),
            ("loop1: {}\n---\nloop2: {}\n", "f.yaml:2: only one document"),
            ("loop1: {tier1_timeout: [}\n", "f.yaml:1: mismatched bracket"),
            ("\nloop1: !!python/object 5\n", "f.yaml:2: unsupported tag"),
            ("step_reviewer: {risk: {low_threshold: .nan}}\n", "f.yaml:1: non-finite float"),
            ("? [a, b]\n: c\n", "f.yaml:1: expected string"),
            (": 1\n", "f.yaml:1: a key is missing"),
            ("- loop1\n", "f.yaml:1: expected sections"),
            ("just words", "f.yaml:1: expected sections"),
            ("loop1.tier1_timeout: 4\n", "f.yaml:1: `loop1.tier1_timeout`: write one section per line"),
            ("\"a\\e[2Jb\": 1\n", "f.yaml:1: unknown key `a\\u{1b}[2Jb`"),
        ];
        for (text, start) in cases {
            let message = complaints(text);
            assert!(message.starts_with(start), "{text:?}: {message}");
            assert!(!message.contains(" at line "), "{message}");
        }
    }

    #[test]
    fn floods_and_abysses_end_in_an_error_and_not_in_a_crash() {
        let abyss: String = (0..200).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
        let many: String = (0..30_000).map(|n| format!("k{n}: 1\n")).collect();
        let cases =
            ["[".repeat(100_000), abyss, many.chars().take(250_000).collect(), "x: 1\n".repeat(60_000)];
        for text in cases {
            let message = complaints(&text);
            assert!(message.len() < 300, "{message}");
        }
    }
}

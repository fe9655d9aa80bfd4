//! Edge: the file with the user's own rules. One that does not hold is left out and named; the others stay.

use super::Error;
use super::document::{Document, DocumentEntry, Node};
use super::own_file;
use super::problem::ConfigProblem;
use super::source::SourceStamp;
use crate::pure::step::{CustomExample, CustomRule, CustomRules, Decision, When, catalogue};
use camino::Utf8Path;
use serde_json::Value;

/// More rules than anybody reads.
const MOST: usize = 500;

/// The rules of a file, and its stamp if it could be looked at.
pub(crate) fn read_rules(path: &Utf8Path) -> (CustomRules, Option<SourceStamp>) {
    let (found, stamp) = own_file::read(path, parse_rules);
    let rules = match found {
        Ok((rules, broken)) => CustomRules { rules, broken, unreadable: None },
        Err(why) => CustomRules { unreadable: Some(why), ..CustomRules::default() },
    };
    (rules, stamp)
}

/// The rules that hold, and what is wrong with the others; an error if nobody can say which rules there are.
pub fn parse_rules(source: &str, text: &str) -> Result<(Vec<CustomRule>, Vec<ConfigProblem>), ConfigProblem> {
    let problem = |line: u64, message: String| ConfigProblem { file: source.to_owned(), line, message };
    let items = own_file::under("rules", "a list under it", source, text, |node| match node {
        Node::List(rules) => Some(rules),
        Node::Section(_) | Node::Leaf(_) => None,
    })?;
    if items.len() > MOST {
        return Err(problem(0, format!("more than {MOST} rules")));
    }
    let (mut rules, mut problems) = (Vec::<CustomRule>::new(), Vec::new());
    for item in items {
        let line = item.line;
        match rule(item) {
            Ok(rule) if rules.iter().any(|other| other.name == rule.name) => {
                problems.push(problem(line, format!("rule `{}` is there twice", rule.name)));
            }
            Ok(rule) => {
                let faults = rule.faults();
                problems.extend(
                    faults.iter().map(|fault| problem(line, format!("rule `{}`: {fault}", rule.name))),
                );
                if faults.is_empty() {
                    rules.push(rule);
                }
            }
            Err((line, message)) => problems.push(problem(line, message)),
        }
    }
    Ok((rules, problems))
}

/// The line of a problem, and the problem.
type Fault = (u64, String);

fn rule(item: Document) -> Result<CustomRule, Fault> {
    let line = item.line;
    let Node::Section(entries) = item.node else {
        return Err((line, "a rule is a section with `name`".into()));
    };
    let mut rule = CustomRule {
        name: String::new(),
        when: When::default(),
        answer: Decision::Deny,
        reason: String::new(),
        instead: None,
        instead_option: None,
        hits: Vec::new(),
        misses: Vec::new(),
    };
    let mut answered = false;
    for DocumentEntry { name, line, value } in entries {
        match name.as_str() {
            "name" => rule.name = named(text(value, "name")?, line)?,
            "when" => rule.when = when(value)?,
            "answer" => {
                (rule.answer, answered) = (answer(&text(value, "answer")?, line)?, true);
            }
            "reason" => rule.reason = text(value, "reason")?,
            "instead" => rule.instead = Some(text(value, "instead")?),
            "instead_option" => rule.instead_option = Some(option(value)?),
            "examples" => examples(value, &mut rule)?,
            other => return Err((line, format!("unknown key `{other}` in a rule"))),
        }
    }
    let lacks = |what: &str| Err((line, format!("rule `{}` has no {what}", rule.name)));
    match &rule {
        _ if rule.name.is_empty() => lacks("`name`"),
        _ if rule.when.is_empty() => lacks("`when`"),
        _ if !answered => lacks("`answer`"),
        _ if rule.reason.is_empty() => lacks("`reason`"),
        _ if rule.hits.is_empty() || rule.misses.is_empty() => lacks("`examples` with a `hit` and a `miss`"),
        _ if rule.answer == Decision::Rewrite && rule.instead_option.is_none() => {
            lacks("`instead_option: {from: …, to: …}`, which `modify` needs")
        }
        _ => Ok(rule),
    }
}

fn named(name: String, line: u64) -> Result<String, Fault> {
    let is_word =
        name.len() <= 60 && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
    match name {
        _ if !is_word => Err((line, "a rule's name has letters, digits, `_` and `-`".into())),
        _ if catalogue::ALL.iter().any(|rule| rule.name == name) => {
            Err((line, format!("`{name}` is the name of a built-in rule")))
        }
        name => Ok(name),
    }
}

fn text(value: Document, key: &str) -> Result<String, Fault> {
    let line = value.line;
    let text = value.into_value().as_str().map(str::trim).map(str::to_owned);
    let fits = |text: &String| (1..=400).contains(&text.len()) && !text.contains(char::is_control);
    text.filter(fits).ok_or_else(|| (line, format!("`{key}` must be a line of text")))
}

fn answer(word: &str, line: u64) -> Result<Decision, Fault> {
    Decision::of_custom_rule(word).ok_or_else(|| {
        (
            line,
            format!(
                "`answer` is `{word}` but must be one of block, ask, modify, warn: a rule can only tighten"
            ),
        )
    })
}

fn option(value: Document) -> Result<(String, String), Fault> {
    let line = value.line;
    let value = value.into_value();
    let part = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
    let is_option = |text: &String| {
        !text.chars().any(|c| c.is_whitespace() || c.is_control() || "\"'`$;&|<>()".contains(c))
    };
    part("from")
        .zip(part("to"))
        .filter(|(from, to)| !from.is_empty() && is_option(from) && is_option(to))
        .ok_or_else(|| (line, "`instead_option` needs `from` and `to`, an option each".into()))
}

fn when(value: Document) -> Result<When, Fault> {
    let line = value.line;
    let Node::Section(entries) = value.node else { return Err((line, "`when` is a section".into())) };
    let mut when = When::default();
    for DocumentEntry { name, line, value } in entries {
        let words = words(value.into_value())
            .ok_or_else(|| (line, format!("`{name}` must be text or a list of texts")))?;
        match name.as_str() {
            "tool" => when.tool = words,
            "program" => when.program = words,
            "argument" => when.argument = words,
            "path" => when.path = words,
            "effect" => when.effect = words,
            "text" => when.text = words,
            "agent" => when.agent = words,
            other => {
                let known = "tool, program, argument, path, effect, text, agent";
                return Err((line, format!("unknown condition `{other}`; there are {known}")));
            }
        }
    }
    Ok(when)
}

fn words(value: Value) -> Option<Vec<String>> {
    let items = match value {
        Value::Array(items) => items,
        single => vec![single],
    };
    let words: Option<Vec<String>> = items.iter().map(|item| item.as_str().map(str::to_owned)).collect();
    words.filter(|words| !words.is_empty() && words.iter().all(|word| !word.is_empty()))
}

fn examples(value: Document, rule: &mut CustomRule) -> Result<(), Fault> {
    let line = value.line;
    let Node::Section(entries) = value.node else { return Err((line, "`examples` is a section".into())) };
    for DocumentEntry { name, line, value } in entries {
        let list = match value.into_value() {
            Value::Array(items) => items,
            single => vec![single],
        };
        let examples: Option<Vec<CustomExample>> = list.iter().map(example).collect();
        let form = "a command, or {tool: …, input: {…}}";
        let examples = examples.ok_or_else(|| (line, format!("each example is {form}")))?;
        match name.as_str() {
            "hit" | "hits" => rule.hits = examples,
            "miss" | "misses" => rule.misses = examples,
            other => return Err((line, format!("unknown key `{other}`; examples have `hit` and `miss`"))),
        }
    }
    Ok(())
}

fn example(value: &Value) -> Option<CustomExample> {
    match value {
        Value::String(command) => Some(CustomExample::shell(command)),
        Value::Object(fields) => {
            let tool = fields.get("tool")?.as_str()?.to_owned();
            Some(CustomExample { tool, input: fields.get("input")?.to_string() })
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => None,
    }
}

impl From<ConfigProblem> for Error {
    fn from(problem: ConfigProblem) -> Self {
        Self::Invalid(vec![problem])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "\
version: 1
rules:
  - name: no_prod_database
    when: {program: psql, argument: \"*prod*\"}
    answer: block
    reason: The production database is not for agents
    instead: psql -h localhost
    examples: {hit: [psql -h prod.example.com], miss: [psql -h localhost]}
";

    fn told(text: &str) -> (usize, String) {
        match parse_rules("r.yaml", text) {
            Ok((rules, problems)) => {
                (rules.len(), problems.iter().map(ConfigProblem::to_string).collect::<Vec<_>>().join("\n"))
            }
            Err(problem) => (0, format!("unreadable: {problem}")),
        }
    }

    #[test]
    fn a_rule_with_examples_that_hold_is_in_force() {
        assert_eq!(told(GOOD), (1, String::new()));
    }

    #[test]
    fn a_rule_that_does_not_hold_is_named_with_its_line_and_the_others_stay() {
        let bad = "
  - name: wrong_hit
    when: {program: mysql}
    answer: ask
    reason: r
    examples: {hit: [psql], miss: [ls]}
  - name: wrong_miss
    when: {text: /dro+p/}
    answer: ask
    reason: r
    examples: {hit: [droop], miss: [echo drop]}
  - name: bad_regex
    when: {text: /(/}
    answer: ask
    reason: r
    examples: {hit: [a], miss: [b]}
  - name: no_examples
    when: {effect: delete}
    answer: ask
    reason: r
  - name: typo
    wen: {}
  - name: loosens
    when: {tool: Bash}
    answer: allow
  - name: own_files
  - name: strange
    when: {effect: explode}
    answer: ask
    reason: r
    examples: {hit: [a], miss: [b]}
  - just words
";
        let (rules, problems) = told(&format!("{}{}", GOOD, bad.trim_start_matches('\n')));
        assert_eq!(rules, 1);
        insta::assert_snapshot!(problems, @r"
        r.yaml:9: rule `wrong_hit`: does not match its hit `psql`
        r.yaml:14: rule `wrong_miss`: matches its miss `echo drop`
        r.yaml:19: rule `bad_regex`: expression `/(/`: error: unclosed group
        r.yaml:24: rule `no_examples` has no `examples` with a `hit` and a `miss`
        r.yaml:29: unknown key `wen` in a rule
        r.yaml:32: `answer` is `allow` but must be one of block, ask, modify, warn: a rule can only tighten
        r.yaml:33: `own_files` is the name of a built-in rule
        r.yaml:34: rule `strange`: unknown effect `explode`; known are delete, write, read, format, discard, rewrite_remote, run_fetched, network_shell, send, network, destroy, disrupt, expose, publish, forge_write, push
        r.yaml:39: a rule is a section with `name`
        ");
    }

    #[test]
    fn a_file_that_nobody_can_read_is_an_error_as_a_whole() {
        for text in
            ["", "rules: []\n", "version: 2\n", "version: 1\nrulez: []\n", "version: 1\nrules: {\n", "- a\n"]
        {
            assert!(told(text).1.starts_with("unreadable: r.yaml:"), "{text:?}: {}", told(text).1);
        }
        assert_eq!(told("version: 1\nrules: []\n"), (0, String::new()));
    }

    #[test]
    fn every_condition_counts() {
        let rule = |when: &str, hit: &str, miss: &str| {
            let text = format!(
                "version: 1\nrules:\n  - name: r\n    when: {when}\n    answer: warn\n    reason: r\n    \
                 examples:\n      hit: [{hit}]\n      miss: [{miss}]\n"
            );
            assert_eq!(told(&text), (1, String::new()), "{when}");
        };
        rule("{tool: Read}", "{tool: Read, input: {file_path: a}}", "ls");
        rule("{path: secrets/**}", "cat secrets/a", "cat src/a");
        rule(
            "{path: secrets/**, tool: Write}",
            "{tool: Write, input: {file_path: secrets/x, content: y}}",
            "cat secrets/a",
        );
        rule("{effect: delete, path: \"db/*\"}", "rm db/x", "cat db/x");
        rule("{program: [a, b], argument: -x}", "b -x", "c -x");
        rule("{text: /--yolo(=|$)/}", "tool --yolo", "tool --yolonot");
        rule("{agent: Explore, program: curl}", "curl x", "ls");
    }

    #[test]
    fn modify_needs_an_option_to_change() {
        let text = GOOD.replace("answer: block", "answer: modify");
        assert!(told(&text).1.contains("instead_option"), "{}", told(&text).1);
    }
}

//! Edge: the file with the user's own words for soft corrections. A template that does not hold is left out and named.

use super::document::{Document, DocumentEntry, Node};
use super::own_file;
use super::problem::ConfigProblem;
use super::source::SourceStamp;
use crate::pure::monitor::interventions::{Prompts, Template};
use crate::pure::monitor::patterns::Pattern;
use camino::Utf8Path;
use std::collections::BTreeMap;

/// The templates of a file, and its stamp if it could be looked at.
pub(crate) fn read_prompts(path: &Utf8Path) -> (Prompts, Option<SourceStamp>) {
    let (found, stamp) = own_file::read(path, parse_prompts);
    let prompts = match found {
        Ok((templates, broken)) => Prompts { templates, broken, unreadable: None },
        Err(why) => Prompts { unreadable: Some(why), ..Prompts::default() },
    };
    (prompts, stamp)
}

type Templates = BTreeMap<Pattern, Template>;

/// The templates that hold, and what is wrong with the others; an error if the file as a whole cannot be used.
pub(crate) fn parse_prompts(
    source: &str,
    text: &str,
) -> Result<(Templates, Vec<ConfigProblem>), ConfigProblem> {
    let problem = |line: u64, message: String| ConfigProblem { file: source.to_owned(), line, message };
    let items = own_file::under("prompts", "a pattern for each template", source, text, |node| match node {
        Node::Section(prompts) => Some(prompts),
        Node::List(_) | Node::Leaf(_) => None,
    })?;
    let (mut templates, mut problems) = (Templates::new(), Vec::new());
    for DocumentEntry { name, line, value } in items {
        match template(&name, value) {
            Ok((pattern, template)) => drop(templates.insert(pattern, template)),
            Err(message) => problems.push(problem(line, message)),
        }
    }
    Ok((templates, problems))
}

fn template(name: &str, value: Document) -> Result<(Pattern, Template), String> {
    let pattern = Pattern::ALL.into_iter().find(|pattern| pattern.to_string() == name).ok_or_else(|| {
        let known = Pattern::ALL.map(|pattern| pattern.to_string()).join(", ");
        format!("unknown pattern `{name}`; there are {known}")
    })?;
    let text = value.into_value();
    let text = text.as_str().ok_or_else(|| format!("`{name}` must be text"))?;
    let is_readable = |c: char| !c.is_control() || matches!(c, '\n' | '\t');
    if !text.chars().all(is_readable) {
        return Err(format!("`{name}` holds control characters"));
    }
    let template = Template::parse(text).map_err(|error| format!("`{name}` {error}"))?;
    Ok((pattern, template))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edge::config::place::ConfigFixture;
    use crate::edge::config::{ConfigFiles, load, load_step};
    use crate::pure::monitor::interventions::{InterventionKind, compose, sample};
    use crate::pure::monitor::patterns::IssueSeverity;
    use crate::pure::policy::Interventions;
    use std::fs;

    fn told(text: &str) -> (usize, String) {
        match parse_prompts("p.yaml", text) {
            Ok((templates, problems)) => (
                templates.len(),
                problems.iter().map(ConfigProblem::to_string).collect::<Vec<_>>().join("\n"),
            ),
            Err(problem) => (0, format!("unreadable: {problem}")),
        }
    }

    #[test]
    fn a_template_that_does_not_hold_is_named_with_its_line_and_the_others_stay() {
        let text = "\
version: 1
prompts:
  repetitive_errors: |
    Stop {what}.
    It failed {count} times.
  scope_crepe: x
  goal_drift: '{goal}'
  resource_spiral: '{count'
  hallucination: [a]
";
        let (count, problems) = told(text);
        assert_eq!(count, 1);
        insta::assert_snapshot!(problems, @r"
        p.yaml:6: unknown pattern `scope_crepe`; there are repetitive_errors, scope_creep, goal_drift, resource_spiral, hallucination
        p.yaml:7: `goal_drift` has the unknown placeholder `{goal}`; there are {claim}, {count}, {description}, {error}, {evidence}, {expected_paths}, {file_path}, {original_prompt}, {out_of_scope_path}, {primary_goal}, {progress}, {resources}, {tool}, {what}
        p.yaml:8: `resource_spiral` has a `{` without `}`; a brace that is meant as such is written twice
        p.yaml:9: `hallucination` must be text
        ");
    }

    #[test]
    fn the_example_in_the_documentation_holds() {
        let page = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/interventions.md"));
        let example = page.split("```yaml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
        assert_eq!(told(example), (2, String::new()));
    }

    #[test]
    fn a_file_that_nobody_can_read_is_an_error_as_a_whole() {
        for text in [
            "",
            "prompts: {}\n",
            "version: 2\n",
            "version: 1\nprompt: {}\n",
            "version: 1\nprompts: [\n",
            "version: 1\nprompts: [a]\n",
            "- a\n",
            "version: 1\nprompts: {goal_drift: a, goal_drift: b}\n",
        ] {
            assert!(told(text).1.starts_with("unreadable: p.yaml:"), "{text:?}: {}", told(text).1);
        }
        assert_eq!(told("version: 1\nprompts:\n"), (0, String::new()));
        assert!(told(&"#\n".repeat(200_000)).1.contains("larger than"));
    }

    fn said(place: &ConfigFixture) -> String {
        let policy = load_step(&place.root, &place.environment, &place.copy).unwrap();
        let issue = sample::issue(Pattern::RepetitiveErrors, IssueSeverity::Low);
        let words = compose(
            InterventionKind::SoftCorrection,
            &issue,
            &sample::situation(),
            &policy.interventions,
            &policy.prompts,
        );
        words.model
    }

    const NAMED: &str = "interventions: {soft_correction: {custom_prompts_path: words.yaml}}\n";
    const WORDS: &str = "version: 1\nprompts: {repetitive_errors: 'Enough of {what}.'}\n";

    #[test]
    fn the_file_that_custom_prompts_path_names_has_the_words() {
        let place = ConfigFixture::new();
        assert!(said(&place).contains("different approach"));
        place.user(NAMED);
        fs::write(place.environment.user_file().with_file_name("words.yaml"), WORDS).unwrap();
        assert!(said(&place).ends_with("Enough of cat /test/file.ex."), "{}", said(&place));
    }

    #[test]
    fn a_file_that_cannot_be_used_is_told_and_the_built_in_words_serve() {
        let place = ConfigFixture::new();
        place.user(NAMED);
        let loaded = || load(&place.root, &place.environment).unwrap();
        let unreadable = loaded().prompts.unreadable.unwrap();
        assert!(unreadable.contains("there is no file"), "{unreadable}");
        assert!(said(&place).contains("different approach"));
        let path = place.environment.user_file().with_file_name("words.yaml");
        fs::write(&path, b"\xff\xfe").unwrap();
        assert!(loaded().prompts.unreadable.is_some());
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        assert!(loaded().prompts.unreadable.is_some());
        assert!(said(&place).contains("different approach"));
    }

    #[test]
    fn a_projects_words_wait_for_trust() {
        let place = ConfigFixture::new();
        place.project(NAMED);
        fs::write(place.root.join(".claude/config/words.yaml"), WORDS).unwrap();
        assert!(load(&place.root, &place.environment).unwrap().prompts.templates.is_empty());
        ConfigFiles::read(&place.root, &place.environment).unwrap().trust.grant(NAMED).unwrap();
        assert_eq!(load(&place.root, &place.environment).unwrap().prompts.templates.len(), 1);
        assert_eq!(Interventions::default().soft_correction.custom_prompts_path, None);
    }
}

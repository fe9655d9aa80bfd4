//! Parses a Markdown plan: each top-level checkbox is a task, checkboxes below it are its acceptance criteria.

use super::definition::Definition;
use crate::pure::text::one_line;
use crate::pure::text::short_digest;

const TASKS: usize = 1_000;
const TAB: usize = 4;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskItem {
    /// The same for the same title every time the plan is parsed.
    pub key: String,
    pub definition: Definition,
    pub checked: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct TaskPlan {
    pub items: Vec<TaskItem>,
    /// Items beyond what one plan may hold.
    pub left_out: usize,
}

/// A line of a plan.
enum Line<'a> {
    Box { checked: bool, text: &'a str },
    Bullet(&'a str),
    Text(&'a str),
}

pub(crate) fn plan(markdown: &str) -> TaskPlan {
    let mut plan = TaskPlan::default();
    let mut open: Option<(usize, TaskItem)> = None;
    let mut fence: Option<&str> = None;
    for line in markdown.lines() {
        let trimmed = line.trim();
        let mark = ["```", "~~~"].into_iter().find(|mark| trimmed.starts_with(mark));
        if mark.is_some() && (fence.is_none() || fence == mark) {
            fence = if fence.is_some() { None } else { mark };
            continue;
        }
        if fence.is_some() || trimmed.is_empty() {
            continue;
        }
        let depth = depth(line);
        if open.as_ref().is_some_and(|(above, _)| depth <= *above) {
            plan.items.extend(open.take().map(|(_, item)| item));
        }
        match (open.as_mut(), line_of(trimmed)) {
            (None, Line::Box { checked, text }) if !text.is_empty() => {
                let definition = Definition { title: text.to_owned(), ..Definition::default() };
                open = Some((depth, TaskItem { key: String::new(), definition, checked }));
            }
            (Some((_, item)), Line::Box { text, .. }) => item.definition.acceptance.push(text.to_owned()),
            (Some((_, item)), Line::Bullet(text) | Line::Text(text)) => detail(&mut item.definition, text),
            (None, _) => {}
        }
    }
    plan.items.extend(open.map(|(_, item)| item));
    plan.left_out = plan.items.len().saturating_sub(TASKS);
    plan.items.truncate(TASKS);
    set_keys(&mut plan.items);
    plan
}

/// Items with the same title are distinguished by their order.
fn set_keys(items: &mut [TaskItem]) {
    let mut seen: Vec<String> = Vec::new();
    for item in items {
        let title = one_line(&item.definition.title).to_lowercase();
        let before = seen.iter().filter(|earlier| **earlier == title).count();
        item.key = short_digest(format!("{before} {title}"), 16);
        seen.push(title);
    }
}

fn depth(line: &str) -> usize {
    let blank = line.chars().take_while(|c| matches!(c, ' ' | '\t'));
    blank.map(|c| if c == '\t' { TAB } else { 1 }).sum()
}

fn line_of(trimmed: &str) -> Line<'_> {
    let Some(rest) = bullet(trimmed) else { return Line::Text(trimmed) };
    for (mark, checked) in [("[ ]", false), ("[x]", true), ("[X]", true)] {
        if let Some(text) = rest.strip_prefix(mark).filter(|text| text.starts_with(char::is_whitespace)) {
            return Line::Box { checked, text: text.trim() };
        }
    }
    Line::Bullet(rest)
}

/// The text behind `-`, `*`, `+`, `1.` or `1)`.
fn bullet(text: &str) -> Option<&str> {
    let number = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = match text.strip_prefix(['-', '*', '+']) {
        Some(rest) => rest,
        None if number.len() < text.len() => number.strip_prefix(['.', ')'])?,
        None => return None,
    };
    rest.starts_with(char::is_whitespace).then(|| rest.trim_start())
}

fn detail(definition: &mut Definition, text: &str) {
    let (label, value) = text.split_once(':').unwrap_or(("", text));
    let value = value.strip_prefix("**").unwrap_or(value).trim();
    match label.trim_matches(['*', ' ']).to_ascii_lowercase().as_str() {
        "scope" | "files" => {
            let globs = value.split(',').map(|glob| glob.trim().trim_matches('`').to_owned());
            definition.scope.extend(globs.filter(|glob| !glob.is_empty()));
        }
        "acceptance" | "accept" | "done when" => definition.acceptance.push(value.to_owned()),
        "notes" | "note" => note(definition, value),
        _ => note(definition, text),
    }
}

fn note(definition: &mut Definition, text: &str) {
    if !definition.notes.is_empty() {
        definition.notes.push('\n');
    }
    definition.notes.push_str(text);
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: &str = "\
# Release

Some words.

- [ ] Log in
  - scope: `src/login/**`, tests/login.rs
  - [ ] a wrong password is refused
  - [x] a right one is not
    - [ ] also with spaces
  - **Notes:** ask Ada
  Loose words.
- [x] Set up
* [ ] Log in

```
- [ ] no task
```
1. [ ] Numbered
- [] no box
- [ ]
- plain
";

    #[test]
    fn boxes_become_tasks_and_what_stands_below_them_their_definition() {
        let items = plan(SAMPLE).items;
        let titles: Vec<(&str, bool)> =
            items.iter().map(|item| (item.definition.title.as_str(), item.checked)).collect();
        assert_eq!(titles, [("Log in", false), ("Set up", true), ("Log in", false), ("Numbered", false)]);
        let first = &items[0].definition;
        assert_eq!(first.scope, ["src/login/**", "tests/login.rs"]);
        assert_eq!(
            first.acceptance,
            ["a wrong password is refused", "a right one is not", "also with spaces"]
        );
        assert_eq!(first.notes, "ask Ada\nLoose words.");
        assert_ne!(items[0].key, items[2].key, "two of one title are two");
    }

    #[test]
    fn an_item_is_known_again_whatever_changes_around_it() {
        let keys = |text: &str| plan(text).items.into_iter().map(|item| item.key).collect::<Vec<_>>();
        let before = keys("- [ ] One\n- [ ] Two\n");
        let after = keys("# New heading\n\n* [x] two\n  - scope: a\n\n1. [ ] One\n");
        assert_eq!([&before[0], &before[1]], [&after[1], &after[0]]);
    }

    #[test]
    fn a_huge_or_hostile_plan_is_bounded_and_harmless() {
        let plan_of_many = plan(&"- [ ] x\n".repeat(1_500));
        assert_eq!((plan_of_many.items.len(), plan_of_many.left_out), (1_000, 500));
        for text in ["", "```\n- [ ] never closed", "- [ ]\t", "\u{feff}", "-\n*\n1.\n", "\t\t- [x] deep"] {
            assert!(plan(text).items.len() <= 1, "{text}");
        }
    }
}

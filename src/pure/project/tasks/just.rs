//! The recipes of a justfile that can be called by their name alone.

use std::collections::BTreeMap;

pub(super) fn recipes(text: &str) -> BTreeMap<String, String> {
    let mut recipes: BTreeMap<String, String> = BTreeMap::new();
    let mut aliases = Vec::new();
    let mut current: Option<String> = None;
    for line in text.lines() {
        if line.starts_with([' ', '\t']) {
            if let Some(recipe) = current.as_ref().and_then(|name| recipes.get_mut(name)) {
                *recipe += &format!("\n{line}");
            }
            continue;
        }
        if let Some(alias) = line.strip_prefix("alias ") {
            aliases.extend(
                alias.split_once(":=").map(|(name, of)| (name.trim().to_owned(), of.trim().to_owned())),
            );
            continue;
        }
        if !line.trim().is_empty() && !line.starts_with('[') {
            current = None;
        }
        if let Some((name, dependencies)) = header(line) {
            current = Some(name.into());
            recipes.insert(name.into(), dependencies.into());
        }
    }
    for (name, of) in aliases {
        if let Some(recipe) = recipes.get(&of).cloned() {
            recipes.insert(name, recipe);
        }
    }
    recipes
}

/// `name parameter="default": dependencies`. A recipe with required arguments is left out.
fn header(line: &str) -> Option<(&str, &str)> {
    if line.starts_with(['#', '[']) || line.contains(":=") {
        return None;
    }
    let (head, dependencies) = line.split_once(':')?;
    let mut words = head.trim_start_matches('@').split_whitespace();
    let name = words.next().filter(|name| name.chars().all(|c| c.is_alphanumeric() || "_-".contains(c)))?;
    let optional = |word: &str| word.contains('=') || word.starts_with('*');
    // A recipe without commands consists of its dependencies.
    words
        .all(optional)
        .then_some((name, if dependencies.trim().is_empty() { " " } else { dependencies.trim() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_recipes_that_need_no_arguments_are_offered() {
        let text = "set shell := ['bash', '-c']\nversion := '1'\nalias t := test\n\n# lint: not a recipe\n[private]\n\
                    @lint *flags:\n    cargo clippy\n\nlint-one file:\n    x {{file}}\ntest filter='': build\n\n    cargo test\n\
                    all: lint test\n";
        let found = recipes(text);
        assert_eq!(found.keys().collect::<Vec<_>>(), ["all", "lint", "t", "test"]);
        assert_eq!(found["test"], "build\n    cargo test");
        assert_eq!(found["t"], found["test"]);
        assert_eq!(found["all"], "lint test");
    }
}

//! The targets of a Makefile.

use std::collections::BTreeMap;

pub(super) fn recipes(text: &str) -> BTreeMap<String, String> {
    let mut recipes: BTreeMap<String, String> = BTreeMap::new();
    let mut current: Vec<String> = Vec::new();
    for line in text.replace("\\\n", " ").lines() {
        if line.starts_with('\t') {
            for name in &current {
                *recipes.entry(name.clone()).or_default() += &format!("\n{line}");
            }
        } else if let Some((names, needs)) = rule(line) {
            current = names;
            for name in &current {
                *recipes.entry(name.clone()).or_default() += &format!(" {needs}");
            }
        } else if !line.trim().is_empty() && !line.starts_with('#') {
            current.clear();
        }
    }
    // Named only in `.PHONY`.
    recipes.retain(|_, recipe| !recipe.trim().is_empty());
    recipes
}

/// `one two: needs ; recipe`, but no assignment and no special target.
fn rule(line: &str) -> Option<(Vec<String>, &str)> {
    if line.starts_with([' ', '#', '.', '$']) {
        return None;
    }
    let (names, rest) = line.split_once(':')?;
    let rest = rest.strip_prefix(':').unwrap_or(rest);
    let assigned = names.contains('=') || rest.starts_with('=') || rest.contains(":=");
    let names: Vec<String> = names.split_whitespace().map(String::from).collect();
    (!assigned && !names.is_empty()).then_some((names, rest.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_told_from_assignments_and_special_targets() {
        let text = ".PHONY: lint test empty\nVERSION := 1\nURL = http://x\nlint typecheck: deps\n\t@ruff check .\n\n\
                    test:: ; pytest\nempty:\nbuild: \\\n  one two\n\tcc -o x\nifdef X\n\tstray\nendif\n";
        let found = recipes(text);
        assert_eq!(found.keys().collect::<Vec<_>>(), ["build", "lint", "test", "typecheck"]);
        assert_eq!(found["lint"], " deps\n\t@ruff check .");
        assert_eq!(found["lint"], found["typecheck"]);
        assert_eq!(found["test"], " ; pytest");
    }
}

//! Which specifications belong to a branch: those whose name shares a word with it.

use crate::review::GitPath;

/// Where projects keep them.
pub const FOLDERS: [&str; 2] = ["specs", "docs/specs"];
const AT_MOST: usize = 3;
/// Words of branch names that say nothing about the feature.
const EMPTY: [&str; 14] = [
    "feature", "feat", "fix", "bugfix", "hotfix", "chore", "docs", "main", "master", "develop", "the", "and",
    "add", "spec",
];

/// The specifications for a branch, those that share most words first.
pub fn matching(branch: &str, files: &[GitPath]) -> Vec<GitPath> {
    let wanted = words(branch);
    let mut scored: Vec<(usize, &GitPath)> = files
        .iter()
        .map(|file| (words(&file.to_string()).iter().filter(|word| wanted.contains(word)).count(), file))
        .filter(|(shared, _)| *shared > 0)
        .collect();
    scored.sort_by(|(one, a), (other, b)| other.cmp(one).then(a.cmp(b)));
    scored.into_iter().take(AT_MOST).map(|(_, file)| file.clone()).collect()
}

/// Whether a path lies where specifications are kept.
pub fn is_spec(path: &GitPath) -> bool {
    let path = path.to_string();
    FOLDERS.iter().any(|folder| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')))
}

fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = text
        .split(|c: char| !c.is_alphanumeric())
        .map(str::to_lowercase)
        .filter(|word| word.chars().count() > 2 && !EMPTY.contains(&word.as_str()) && word != "specs")
        .collect();
    words.sort();
    words.dedup();
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_the_branch_choose_the_specifications() {
        let files =
            ["specs/user-login.md", "specs/billing.md", "docs/specs/login.md", "specs/add-feature.md"]
                .map(GitPath::new);
        let found: Vec<String> =
            matching("feature/add-user-login", &files).iter().map(ToString::to_string).collect();
        assert_eq!(found, ["specs/user-login.md", "docs/specs/login.md"]);
        assert!(matching("main", &files).is_empty());
        assert!(is_spec(&GitPath::new("specs/a.md")) && !is_spec(&GitPath::new("specs-old/a.md")));
    }
}

//! The specifications of a branch: files whose name shares a word with the branch.

use crate::pure::review::GitPath;

/// Folders with specifications.
pub(crate) const FOLDERS: [&str; 2] = ["specs", "docs/specs"];
const AT_MOST: usize = 3;
/// Words in branch names that do not describe the feature.
const EMPTY: [&str; 14] = [
    "feature", "feat", "fix", "bugfix", "hotfix", "chore", "docs", "main", "master", "develop", "the", "and",
    "add", "spec",
];

/// The specifications of a branch, by the number of shared words.
pub(crate) fn matching(branch: &str, files: &[GitPath]) -> Vec<GitPath> {
    let wanted = words(branch);
    let mut scored: Vec<(usize, &GitPath)> = files
        .iter()
        .map(|file| (words(&file.to_string()).iter().filter(|word| wanted.contains(word)).count(), file))
        .filter(|(shared, _)| *shared > 0)
        .collect();
    scored.sort_by(|(one, a), (other, b)| other.cmp(one).then(a.cmp(b)));
    scored.into_iter().take(AT_MOST).map(|(_, file)| file.clone()).collect()
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
    }
}

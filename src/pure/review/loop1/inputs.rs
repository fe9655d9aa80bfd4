//! The content that a check depends on: everything, or one independent subproject.

use crate::pure::review::{Pair, TreeId};
use std::collections::BTreeSet;

/// The content under review, file by file.
#[derive(Debug, Clone, Default)]
pub(crate) struct Inputs {
    pub tree: Option<TreeId>,
    /// Every file.
    pub files: Vec<Pair>,
    /// Folders that are projects themselves.
    pub subprojects: BTreeSet<String>,
    /// Subprojects that refer to no other subproject and contain no link.
    pub independent: BTreeSet<String>,
}

const LINK: u32 = 0o120_000;

impl Inputs {
    /// A key for the content that a check in `folder` depends on: everything, without the other subprojects if `folder` is
    /// independent.
    pub fn name(&self, folder: &str) -> Option<String> {
        let tree = self.tree.as_ref()?;
        let others: Vec<&String> = self.subprojects.iter().filter(|other| !overlap(other, folder)).collect();
        if !self.independent.contains(folder) || others.is_empty() {
            return Some(tree.to_string());
        }
        let mut hasher = blake3::Hasher::new();
        let relevant = self.files.iter().filter(|file| !others.iter().any(|other| lies_in(file, other)));
        for file in relevant {
            let side = file.new.as_ref()?;
            hasher.update(format!("{:o} {} ", side.mode, side.id).as_bytes());
            hasher.update(&file.path.0);
            hasher.update(&[0]);
        }
        Some(format!("{folder} {}", hasher.finalize().to_hex()))
    }

    pub fn has_link(&self, folder: &str) -> bool {
        let is_link = |file: &&Pair| file.new.as_ref().is_some_and(|side| side.mode == LINK);
        self.files.iter().filter(is_link).any(|file| lies_in(file, folder))
    }
}

fn lies_in(file: &Pair, folder: &str) -> bool {
    file.path.0.strip_prefix(folder.as_bytes()).is_some_and(|rest| rest.starts_with(b"/"))
}

fn overlap(one: &str, other: &str) -> bool {
    let within = |inner: &str, outer: &str| inner == outer || inner.starts_with(&format!("{outer}/"));
    within(one, other) || within(other, one)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::review::{GitPath, ObjectId, Side};

    fn inputs(files: &[(&str, char)], independent: &[&str]) -> Inputs {
        let id = |digit: char| ObjectId::parse(&digit.to_string().repeat(40)).unwrap();
        let pair = |(path, digit): &(&str, char)| Pair {
            path: GitPath::new(path),
            old: None,
            new: Some(Side { mode: 0o100_644, id: id(*digit) }),
        };
        let whole: String = files.iter().map(|(_, digit)| *digit).cycle().take(40).collect();
        Inputs {
            tree: ObjectId::parse(&whole).map(TreeId),
            files: files.iter().map(pair).collect(),
            subprojects: ["web", "backend"].map(String::from).into(),
            independent: independent.iter().map(ToString::to_string).collect(),
        }
    }

    #[test]
    fn a_change_in_another_subproject_does_not_concern_one_that_keeps_to_itself() {
        let files = |web: char, backend: char, shared: char| {
            inputs(
                &[("backend/a.py", backend), ("shared.json", shared), ("web/a.ts", web)],
                &["web", "backend"],
            )
        };
        let before = files('1', '2', '3');
        let web_changed = files('4', '2', '3');
        assert_eq!(before.name("backend"), web_changed.name("backend"));
        assert_ne!(before.name("web"), web_changed.name("web"));
        assert_ne!(before.name(""), web_changed.name(""));
        let shared_changed = files('1', '2', '5');
        assert_ne!(before.name("backend"), shared_changed.name("backend"));
        assert_ne!(before.name("backend"), before.name("web"));
    }

    #[test]
    fn one_that_names_another_depends_on_everything() {
        let before = inputs(&[("backend/a.py", '2'), ("web/a.ts", '1')], &["web"]);
        let after = inputs(&[("backend/a.py", '2'), ("web/a.ts", '4')], &["web"]);
        assert_ne!(before.name("backend"), after.name("backend"));
    }

    #[test]
    fn content_without_a_name_is_never_taken_for_known() {
        assert_eq!(Inputs::default().name(""), None);
    }
}

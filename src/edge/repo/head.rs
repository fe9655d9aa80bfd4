//! The target of HEAD, read from its file without starting git.

use crate::pure::review::ObjectId;

/// Where HEAD points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Head {
    /// A branch by its short name; it may not have a commit yet.
    Branch(String),
    Detached(ObjectId),
    /// Only git itself could tell, as with reftable.
    Unknown,
}

impl Head {
    pub(super) fn parse(text: &str) -> Self {
        // Reftable repositories keep this placeholder in HEAD.
        const INVALID: &str = ".invalid";
        let text = text.trim_end();
        match text.strip_prefix("ref:").map(str::trim_start) {
            Some(name) => match name.strip_prefix("refs/heads/") {
                Some(branch) if branch != INVALID && !branch.is_empty() => Self::Branch(branch.to_owned()),
                Some(_) | None => Self::Unknown,
            },
            None => ObjectId::parse(text).map_or(Self::Unknown, Self::Detached),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn head_is_a_branch_a_commit_or_unknown() {
        let id = "ab".repeat(20);
        assert_eq!(Head::parse("ref: refs/heads/feature/x\n"), Head::Branch("feature/x".into()));
        assert_eq!(Head::parse(&format!("{id}\n")), Head::Detached(ObjectId::parse(&id).unwrap()));
        for text in ["ref: refs/heads/.invalid\n", "", "ref: \n", "ref: refs/tags/x", "rubbish"] {
            assert_eq!(Head::parse(text), Head::Unknown, "{text}");
        }
    }
}

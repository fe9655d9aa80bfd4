//! A difference line by line: which line is what.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DiffLine {
    Head,
    Hunk,
    Added,
    Removed,
    Same,
}

impl DiffLine {
    pub fn class(self) -> &'static str {
        match self {
            Self::Head => "head",
            Self::Hunk => "hunk",
            Self::Added => "add",
            Self::Removed => "del",
            Self::Same => "same",
        }
    }
}

/// Lines with what they are. Within a hunk a line that begins with `---` is a removed one.
pub(super) fn lines(diff: &str) -> Vec<(DiffLine, &str)> {
    let mut in_hunk = false;
    let mut read = |line: &str| {
        let heads = ["diff ", "index ", "new file", "deleted file", "old mode", "new mode", "Binary files"];
        if line.starts_with("@@") {
            in_hunk = true;
            return DiffLine::Hunk;
        }
        if heads.iter().any(|head| line.starts_with(head)) {
            in_hunk = false;
            return DiffLine::Head;
        }
        match line.as_bytes().first() {
            Some(b'+' | b'-') if !in_hunk => DiffLine::Head,
            Some(b'+') => DiffLine::Added,
            Some(b'-') => DiffLine::Removed,
            Some(_) | None => DiffLine::Same,
        }
    };
    diff.lines().map(|line| (read(line), line)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_hunks_and_changed_lines_are_told_apart() {
        let diff = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n same\n--- removed\n+added\ndiff --git a/y b/y\n--- a/y";
        let found: Vec<DiffLine> = lines(diff).into_iter().map(|(line, _)| line).collect();
        use DiffLine::*;
        assert_eq!(found, [Head, Head, Head, Hunk, Same, Removed, Added, Head, Head]);
    }
}

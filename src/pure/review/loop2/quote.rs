//! Checks that the quote of a finding occurs in the file, and finds its line.

use super::answer::ReviewerFinding;
use crate::pure::review::Finding;

/// The content of the file that a finding names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Text {
    Known {
        new: Option<String>,
        old: Option<String>,
    },
    /// The content was not shown, so the reviewer cannot quote it.
    Unshown,
    Missing,
}

/// The finding with the line of its quote, or the problem with it.
pub(crate) fn located(claim: &ReviewerFinding, text: &Text) -> Result<Finding, String> {
    let finding = |line, quote: Option<&str>| Finding {
        severity: claim.severity,
        category: claim.category.clone(),
        file: Some(claim.file.to_string()),
        line,
        quote: quote.map(str::to_owned),
        message: claim.message.clone(),
        fix: claim.fix.clone(),
    };
    let (new, old) = match text {
        Text::Missing => {
            return Err(format!("{} is neither part of the change nor a file of the project", claim.file));
        }
        Text::Unshown => return Ok(finding(None, None)),
        Text::Known { new, old } => (new, old),
    };
    if claim.quote.is_empty() {
        return Err(format!("it needs a `quote`: one line of {}, word for word", claim.file));
    }
    let without_signs: String = claim
        .quote
        .lines()
        .map(|line| line.strip_prefix(['+', '-']).unwrap_or(line))
        .collect::<Vec<_>>()
        .join("\n");
    for quote in [claim.quote.as_str(), without_signs.trim()] {
        for content in [new, old].into_iter().flatten() {
            if let Some(line) = line_of(content, quote, claim.line) {
                return Ok(finding(Some(line), Some(quote)));
            }
        }
    }
    Err(format!("its quote does not occur in {}: \"{}\"", claim.file, short(&claim.quote)))
}

fn short(text: &str) -> String {
    text.chars().take(120).collect()
}

/// The line on which the quote begins, ignoring differences in blanks; of several, the one nearest to `near`.
fn line_of(content: &str, quote: &str, near: Option<u32>) -> Option<u32> {
    let quote: Vec<&str> = quote.split_whitespace().collect();
    if quote.is_empty() {
        return None;
    }
    let quote = quote.join(" ");
    let mut joined = String::with_capacity(content.len());
    // Where each line begins in the joined text.
    let mut starts: Vec<usize> = Vec::new();
    for line in content.lines() {
        starts.push(joined.len());
        for word in line.split_whitespace() {
            joined.push_str(word);
            joined.push(' ');
        }
    }
    let near = near.unwrap_or(1);
    let lines = memchr::memmem::find_iter(joined.as_bytes(), quote.as_bytes()).map(|offset| {
        let line = starts.partition_point(|start| *start <= offset);
        u32::try_from(line).unwrap_or(u32::MAX)
    });
    lines.min_by_key(|line| line.abs_diff(near))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::review::{FindingSeverity, GitPath};

    fn claim(quote: &str, line: u32) -> ReviewerFinding {
        ReviewerFinding {
            severity: FindingSeverity::Minor,
            category: "quality".into(),
            file: GitPath::new("a.rs"),
            line: Some(line),
            quote: quote.into(),
            message: "m".into(),
            fix: None,
        }
    }

    fn known(new: &str, old: &str) -> Text {
        Text::Known { new: Some(new.into()), old: Some(old.into()) }
    }

    #[test]
    fn a_wrong_line_is_put_right_and_the_nearest_of_several_is_taken() {
        let text = known("one\n\n\tlet x  = 1;\ntwo\nlet x = 1;\n", "gone();\n");
        for (quote, claimed, line) in [
            ("let x = 1;", 1, 3),
            ("let x = 1;", 90, 5),
            ("+    let x = 1;", 3, 3),
            ("let x = 1; two", 3, 3),
            ("-gone();", 1, 1),
            ("one", 0, 1),
        ] {
            assert_eq!(located(&claim(quote, claimed), &text).unwrap().line, Some(line), "{quote}");
        }
    }

    #[test]
    fn what_is_not_there_cannot_be_quoted() {
        let text = known("one\ntwo\n", "");
        for quote in ["three", "", "   ", "oneTwo", "+"] {
            assert!(located(&claim(quote, 1), &text).is_err(), "{quote}");
        }
        assert!(located(&claim("one", 1), &Text::Missing).unwrap_err().contains("neither part"));
        let unshown = located(&claim("made up", 4), &Text::Unshown).unwrap();
        assert_eq!((unshown.line, unshown.quote), (None, None));
    }
}

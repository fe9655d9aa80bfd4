//! Custom messages for soft corrections: one template for each pattern, with placeholders that the issue fills.

use super::quotation::quoted;
use super::situation::Situation;
use crate::pure::monitor::patterns::{Issue, Pattern};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The valid templates of one file.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Prompts {
    pub templates: BTreeMap<Pattern, Template>,
    /// Why templates are invalid; the built-in messages replace them.
    pub broken: Vec<String>,
    /// Why the file as a whole cannot be used.
    pub unreadable: Option<String>,
}

impl Prompts {
    /// Everything that somebody has to fix.
    pub fn problems(&self) -> impl Iterator<Item = &String> {
        self.unreadable.iter().chain(&self.broken)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Template(Vec<Piece>);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
enum Piece {
    Text(String),
    Place(Placeholder),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Placeholder {
    Claim,
    Count,
    Description,
    Error,
    Evidence,
    ExpectedPaths,
    FilePath,
    OriginalPrompt,
    OutOfScopePath,
    PrimaryGoal,
    Progress,
    Resources,
    Tool,
    What,
}

impl Placeholder {
    pub const ALL: [(&str, Self); 14] = [
        ("claim", Self::Claim),
        ("count", Self::Count),
        ("description", Self::Description),
        ("error", Self::Error),
        ("evidence", Self::Evidence),
        ("expected_paths", Self::ExpectedPaths),
        ("file_path", Self::FilePath),
        ("original_prompt", Self::OriginalPrompt),
        ("out_of_scope_path", Self::OutOfScopePath),
        ("primary_goal", Self::PrimaryGoal),
        ("progress", Self::Progress),
        ("resources", Self::Resources),
        ("tool", Self::Tool),
        ("what", Self::What),
    ];

    fn value(self, issue: &Issue, situation: &Situation<'_>) -> String {
        let details = &issue.details;
        let optional = |text: &Option<String>, longest| {
            text.as_deref().map_or_else(|| "(not known)".to_owned(), |text| quoted(text, longest))
        };
        match self {
            Self::Claim => optional(&details.claim, 200),
            Self::Count => details.count.to_string(),
            Self::Description => quoted(&issue.description, 300),
            Self::Error => optional(&details.error, 200),
            Self::Evidence => optional(&details.evidence, 160),
            Self::ExpectedPaths => situation.expected().unwrap_or_else(|| "(no scope was declared)".into()),
            Self::FilePath => optional(&details.file_path, 160),
            Self::OriginalPrompt => situation.request(400),
            Self::OutOfScopePath => optional(&details.out_of_scope_path, 160),
            Self::PrimaryGoal => situation.primary_goal(),
            Self::Progress => situation.progress(),
            Self::Resources => situation.resources(),
            Self::Tool => quoted(&details.tool, 60),
            Self::What => quoted(&details.what, 160),
        }
    }
}

/// Errors in a template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    #[error("is empty")]
    Empty,
    #[error("has more than {TEMPLATE_LIMIT} characters")]
    TooLong,
    #[error("has a `{{` without `}}`; a brace that is meant as such is written twice")]
    Unclosed,
    #[error("has a `}}` without `{{`; a brace that is meant as such is written twice")]
    Unopened,
    #[error("has the unknown placeholder `{{{0}}}`; there are {known}", known = known())]
    Unknown(String),
}

fn known() -> String {
    Placeholder::ALL.map(|(name, _)| format!("{{{name}}}")).join(", ")
}

pub(crate) const TEMPLATE_LIMIT: usize = 1500;

impl Template {
    pub fn parse(text: &str) -> Result<Self, TemplateError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(TemplateError::Empty);
        }
        if text.chars().count() > TEMPLATE_LIMIT {
            return Err(TemplateError::TooLong);
        }
        let (mut pieces, mut plain) = (Vec::new(), String::new());
        let mut rest = text;
        while let Some((before, brace)) = rest.find(['{', '}']).and_then(|at| rest.split_at_checked(at)) {
            plain.push_str(before);
            if let Some(after) = brace.strip_prefix("{{") {
                plain.push('{');
                rest = after;
            } else if let Some(after) = brace.strip_prefix("}}") {
                plain.push('}');
                rest = after;
            } else if let Some(after) = brace.strip_prefix('{') {
                let (name, after) = after.split_once('}').ok_or(TemplateError::Unclosed)?;
                let place = Placeholder::ALL.into_iter().find(|(known, _)| *known == name);
                let (_, place) = place.ok_or_else(|| TemplateError::Unknown(quoted(name, 40)))?;
                pieces.push(Piece::Text(std::mem::take(&mut plain)));
                pieces.push(Piece::Place(place));
                rest = after;
            } else {
                return Err(TemplateError::Unopened);
            }
        }
        plain.push_str(rest);
        pieces.push(Piece::Text(plain));
        pieces.retain(|piece| !matches!(piece, Piece::Text(text) if text.is_empty()));
        Ok(Self(pieces))
    }

    pub fn filled(&self, issue: &Issue, situation: &Situation<'_>) -> String {
        let fill = |piece: &Piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Place(place) => place.value(issue, situation),
        };
        self.0.iter().map(fill).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{issue, situation};
    use super::*;
    use crate::pure::monitor::patterns::IssueSeverity;

    #[test]
    fn every_place_is_filled_and_double_braces_are_braces() {
        let text = Placeholder::ALL.map(|(name, _)| format!("{name}={{{name}}}")).join("\n") + " {{x}}";
        let filled = Template::parse(&text)
            .unwrap()
            .filled(&issue(Pattern::ScopeCreep, IssueSeverity::Low), &situation());
        insta::assert_snapshot!(filled, @r"
        claim=(not known)
        count=3
        description=`cat /test/file.ex` gave the same error 3 times, with nothing changed in between.
        error=No such file or directory
        evidence=(not known)
        expected_paths=`src/**`, `tests/**`
        file_path=/test/file.ex
        original_prompt=fix the failing parser test
        out_of_scope_path=deploy/production.yaml
        primary_goal=write the test
        progress=1 of 3 done (read the parser); still open: write the test; fix the bug
        resources=41 calls (9 failed), 30 commands, 12 file operations, 123456 tokens, 754 s since the last message; 512 MB of memory
        tool=Bash
        what=cat /test/file.ex {x}
        ");
    }

    #[test]
    fn what_a_place_is_filled_with_is_not_read_as_a_template() {
        let mut issue = issue(Pattern::ScopeCreep, IssueSeverity::Low);
        issue.details.what = "echo {original_prompt}".into();
        let filled = Template::parse("{what}").unwrap().filled(&issue, &situation());
        assert_eq!(filled, "echo {original_prompt}");
    }

    #[test]
    fn templates_that_cannot_be_filled_are_errors() {
        for (text, error) in [
            ("  \n", TemplateError::Empty),
            ("{", TemplateError::Unclosed),
            ("a {file_path", TemplateError::Unclosed),
            ("a } b", TemplateError::Unopened),
            ("{}", TemplateError::Unknown(String::new())),
            ("{File_Path}", TemplateError::Unknown("File_Path".into())),
        ] {
            assert_eq!(Template::parse(text), Err(error), "{text:?}");
        }
        assert_eq!(Template::parse(&"x".repeat(TEMPLATE_LIMIT + 1)), Err(TemplateError::TooLong));
        assert!(Template::parse(&"ü".repeat(TEMPLATE_LIMIT)).is_ok());
        let message = Template::parse("{path}").unwrap_err().to_string();
        assert!(message.contains("`{path}`") && message.contains("{file_path}"), "{message}");
    }
}

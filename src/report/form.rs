//! The two forms that a report comes in, and how text of others stands in them without doing harm.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Terminal,
    Markdown,
}

impl Form {
    pub(super) fn heading(self, depth: usize, text: &str) -> String {
        match (self, depth) {
            (Self::Terminal, 1) => format!("{text}\n"),
            (Self::Terminal, _) => format!("\n{text}\n"),
            (Self::Markdown, 1) => format!("# {text}\n"),
            (Self::Markdown, _) => format!("\n{} {text}\n\n", "#".repeat(depth)),
        }
    }

    pub(super) fn item(self, text: &str) -> String {
        match self {
            Self::Terminal => format!("  {text}\n"),
            Self::Markdown => format!("- {text}\n"),
        }
    }

    pub(super) fn below(self, text: &str) -> String {
        match self {
            Self::Terminal => format!("    {text}\n"),
            Self::Markdown => format!("\n  {text}\n"),
        }
    }

    /// Text of others on one line, without meaning for the form it stands in.
    pub(super) fn inline(self, text: &str) -> String {
        let flat = text.replace('\n', " ");
        match self {
            Self::Terminal => flat,
            Self::Markdown => {
                let escape = |c: char| if "\\*_[]<>|#!&~".contains(c) { vec!['\\', c] } else { vec![c] };
                flat.chars().flat_map(escape).collect()
            }
        }
    }

    pub(super) fn block(self, text: &str) -> String {
        let indented = |by: &str| text.lines().map(|line| format!("{by}{line}\n")).collect::<String>();
        match self {
            _ if text.is_empty() => String::new(),
            Self::Terminal => indented("    | "),
            Self::Markdown => {
                let fence = "`".repeat(longest_run(text, '`').max(2) + 1);
                format!("\n  {fence}\n{}  {fence}\n", indented("  "))
            }
        }
    }
}

fn longest_run(text: &str, wanted: char) -> usize {
    text.split(|c| c != wanted).map(str::len).max().unwrap_or_default()
}

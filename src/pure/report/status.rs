//! How a project stands: `plimsoll` without arguments, and the segment for the client's status line.

use crate::pure::text::{Tone, bold, columns, cut, one_line, printable};
use serde::{Deserialize, Serialize};

const LONGEST_DETAIL: usize = 160;
const LONGEST_SEGMENT: usize = 60;

/// One thing that a person wants to know.
#[derive(Debug, Clone, Serialize)]
pub struct StatusLine {
    pub name: &'static str,
    pub tone: Tone,
    pub detail: String,
}

impl StatusLine {
    pub fn new(name: &'static str, tone: Tone, detail: impl Into<String>) -> Self {
        Self { name, tone, detail: detail.into() }
    }
}

#[derive(Debug, Clone, Serialize)]
pub struct Status {
    /// Where: with `~` for the home directory.
    pub project: String,
    pub branch: Option<String>,
    pub lines: Vec<StatusLine>,
    /// The command to type now.
    pub next: Option<String>,
}

/// How much of a status is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatusDetail {
    All,
    /// Lines that need a person.
    Problems,
}

impl Status {
    pub fn text(&self, detail: StatusDetail) -> String {
        let branch = self.branch.as_ref().map(|branch| format!(" ({})", printable(branch)));
        let heading = format!("Plimsoll in {}{}", printable(&self.project), branch.unwrap_or_default());
        let row = |line: &StatusLine| {
            let detail = cut(&printable(&one_line(&line.detail)), LONGEST_DETAIL);
            vec![format!("  {} {}", line.tone.symbol(), line.name), detail]
        };
        let is_shown = |line: &&StatusLine| {
            detail == StatusDetail::All || matches!(line.tone, Tone::Bad | Tone::Caution)
        };
        let rows: Vec<_> = self.lines.iter().filter(is_shown).map(row).collect();
        if detail == StatusDetail::Problems {
            return columns(&rows);
        }
        let mut text = bold(&heading) + "\n" + &columns(&rows);
        if let Some(next) = &self.next {
            text += &format!("{} {}\n", bold("next:"), printable(next));
        }
        text
    }
}

/// The gate's part of the status line, as it was judged last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GateSegment {
    NotEnrolled,
    Open,
    Closed(String),
}

/// The content of the status line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Segment {
    /// An emergency stop and what follows it, in words.
    Stopped(&'static str),
    Paused,
    Observing,
    /// The step review is on; the gate, if it was judged.
    On(Option<GateSegment>),
    /// Nothing is known.
    Unknown,
}

impl Segment {
    pub fn text(&self) -> String {
        let (tone, words) = match self {
            Self::Stopped(words) => (Tone::Bad, (*words).to_owned()),
            Self::Paused => (Tone::Caution, "paused".into()),
            Self::Observing => (Tone::Caution, "observing".into()),
            Self::On(Some(GateSegment::Open)) => (Tone::Good, "gate open".into()),
            Self::On(Some(GateSegment::Closed(why))) => {
                (Tone::Bad, cut(&printable(&one_line(&format!("gate closed: {why}"))), LONGEST_SEGMENT))
            }
            Self::On(Some(GateSegment::NotEnrolled) | None) => (Tone::Good, "on".into()),
            Self::Unknown => return "Plimsoll".into(),
        };
        format!("Plimsoll {} {words}", tone.symbol())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_alone_are_the_lines_that_need_a_person() {
        let lines =
            vec![StatusLine::new("gate", Tone::Bad, "closed"), StatusLine::new("sandbox", Tone::Good, "on")];
        let status =
            Status { project: "~/a".into(), branch: None, lines, next: Some("plimsoll enrol".into()) };
        let shown = |detail| anstream::adapter::strip_str(&status.text(detail)).to_string();
        assert_eq!(shown(StatusDetail::Problems), "  ✗ gate  closed\n");
        let all = "Plimsoll in ~/a\n  ✗ gate     closed\n  ✓ sandbox  on\nnext: plimsoll enrol\n";
        assert_eq!(shown(StatusDetail::All), all);
    }

    #[test]
    fn a_segment_is_one_short_line() {
        let plain = |segment: Segment| anstream::adapter::strip_str(&segment.text()).to_string();
        let closed = GateSegment::Closed(format!("Loop 2\nnot {}", "run ".repeat(50)));
        let shown = plain(Segment::On(Some(closed)));
        assert!(
            shown.starts_with("Plimsoll ✗ gate closed: Loop 2 not run ") && shown.ends_with('…'),
            "{shown}"
        );
        assert_eq!(plain(Segment::On(Some(GateSegment::Open))), "Plimsoll ✓ gate open");
        assert_eq!(plain(Segment::Unknown), "Plimsoll");
    }
}

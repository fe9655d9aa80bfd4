//! The log of step reviews, as lines for a terminal.

use crate::pure::text::{Tone, columns, cut, faint, one_line, padded, printable};

const LONGEST_SUBJECT: usize = 100;

/// One step review, or what became of its tool call.
#[derive(Debug, Clone)]
pub struct LogRow {
    /// `2026-01-28T10:30:00Z`.
    pub time: String,
    pub session: String,
    pub agent: Option<String>,
    pub tone: Tone,
    /// The decision; `would deny` where rules are only noted.
    pub decision: String,
    pub tool: String,
    pub rule: String,
    pub risk: Option<f64>,
    /// The command, file, address or name that the call is about.
    pub subject: String,
    pub reason: String,
}

/// Prints rows as they come, with a heading for every day and session.
#[derive(Debug, Default)]
pub struct StepLog {
    heading: String,
    /// Whether each row is followed by its reason.
    reasons: bool,
}

impl StepLog {
    pub fn new(reasons: bool) -> Self {
        Self { reasons, ..Self::default() }
    }

    pub fn text(&mut self, rows: &[LogRow]) -> String {
        let mut text = String::new();
        for rows in rows.chunk_by(|one, other| heading(one) == heading(other)) {
            let Some(first) = rows.first() else { continue };
            let heading = heading(first);
            if heading != self.heading {
                text += &format!("{}\n", faint(&heading));
                self.heading = heading;
            }
            let table = columns(&rows.iter().map(cells).collect::<Vec<_>>());
            for (line, row) in table.lines().zip(rows) {
                text += &format!("{line}\n");
                if self.reasons && !row.reason.is_empty() {
                    text += &format!("          {}\n", printable(&one_line(&row.reason)));
                }
            }
        }
        text
    }
}

fn heading(row: &LogRow) -> String {
    let day = row.time.split('T').next().unwrap_or_default();
    let agent = row.agent.as_ref().map(|agent| format!(", agent {agent}")).unwrap_or_default();
    printable(&format!("{day} (UTC), session {}{agent}", row.session))
}

/// Padded, so that rows that come later stand below the earlier ones.
fn cells(row: &LogRow) -> Vec<String> {
    let clock = row.time.split('T').nth(1).unwrap_or_default().trim_end_matches('Z');
    vec![
        clock.to_owned(),
        padded(&format!("{} {}", row.tone.symbol(), row.tone.paint(&row.decision)), 12),
        padded(&printable(&row.tool), 6),
        padded(&row.risk.map(|risk| format!("{risk:.2}")).unwrap_or_default(), 4),
        padded(&printable(&row.rule), 20),
        cut(&printable(&one_line(&row.subject)), LONGEST_SUBJECT),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(time: &str, decision: &str, tone: Tone, subject: &str) -> LogRow {
        LogRow {
            time: time.into(),
            session: "s1".into(),
            agent: None,
            tone,
            decision: decision.into(),
            tool: "Bash".into(),
            rule: if tone == Tone::Neutral { "" } else { "discard_changes" }.into(),
            risk: Some(0.8),
            subject: subject.into(),
            reason: "it would lose a.txt".into(),
        }
    }

    #[test]
    fn rows_align_below_one_heading_and_text_of_others_cannot_steer_the_terminal() {
        let mut log = StepLog::new(true);
        let rows = [
            row("2026-01-28T10:30:00Z", "silent", Tone::Neutral, "ls\n\u{1b}[2J"),
            row("2026-01-28T10:31:00Z", "would deny", Tone::Caution, "git reset --hard"),
        ];
        let plain = |text: String| anstream::adapter::strip_str(&text).to_string();
        insta::assert_snapshot!(plain(log.text(&rows)), @r"
        2026-01-28 (UTC), session s1
        10:30:00  · silent      Bash    0.80                        ls \u{1b}[2J
                  it would lose a.txt
        10:31:00  ! would deny  Bash    0.80  discard_changes       git reset --hard
                  it would lose a.txt
        ");
        let later = plain(log.text(&[row("2026-01-28T10:32:00Z", "deny", Tone::Bad, "x")]));
        assert!(
            later.starts_with("10:32:00  ✗ deny        Bash    0.80  discard_changes       x\n"),
            "{later}"
        );
    }
}

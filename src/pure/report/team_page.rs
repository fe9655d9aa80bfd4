//! A branch as one page for a team: what shipped reviewed, overrides, findings that came back, interruptions.

use super::page::{fact, page, text};
use crate::pure::attestation::{
    AttestedGate, Coverage, HistoryCommit, RecordedReview, Signer, by_signer, coverage, returned,
};
use crate::pure::review::ObjectId;
use crate::pure::text::{counted, cut};
use std::collections::BTreeMap;
use std::fmt::Write;
use time::OffsetDateTime;

/// The most rows of a table, and of the chart.
const ROWS: usize = 200;
const WEEKS: usize = 52;
/// Of a quoted text, in characters.
const LONGEST: usize = 500;

pub(crate) struct TeamPage<'a> {
    pub(crate) project: &'a str,
    pub(crate) revision: &'a str,
    /// When the page was made.
    pub(crate) time: &'a str,
    /// The newest first.
    pub(crate) history: &'a [HistoryCommit],
    pub(crate) reviews: &'a [RecordedReview],
    /// Attestations that could not be read or are about something else.
    pub(crate) unreadable: usize,
    /// Whether signatures were checked against a list.
    pub(crate) checked: bool,
    /// Of this machine.
    pub(crate) calls: u64,
    pub(crate) interruptions: u64,
}

type Covered<'a> = [(&'a HistoryCommit, Coverage)];

impl TeamPage<'_> {
    pub(crate) fn html(&self) -> String {
        let covered = coverage(self.history, self.reviews);
        let count = |wanted| covered.iter().filter(|(_, state)| *state == wanted).count() as u64;
        let (reviewed, all) = (count(Coverage::Reviewed), covered.len() as u64);
        let title = match all {
            0 => "No attested commit".to_owned(),
            _ => format!("{reviewed} of {} shipped reviewed", counted(all, "commit")),
        };
        let class = if all > 0 && reviewed == all { " class=\"good\"" } else { "" };
        let mut main = format!(
            "<header{class}>\n<h1>{title}</h1>\n<p class=\"soft\">{}, {}, {}.</p>\n{}</header>\n{CONTENTS}",
            text(self.project),
            text(self.revision),
            text(self.time),
            self.doubts()
        );
        main += "<dl class=\"facts\">\n";
        main += &fact("commits since the first attestation", all);
        main += &fact("reviewed", reviewed);
        main += &fact("let through by an override", count(Coverage::Overridden));
        main += &fact("without an attestation", count(Coverage::Unattested));
        main += &format!(
            "<div><dt>interruptions per 1,000 tool calls</dt><dd>{}</dd></div>\n</dl>\n",
            self.interruption_rate()
        );
        main += "<p class=\"soft\">Interruptions are those of this project on this machine; attestations do not carry them.</p>\n";
        main += &chart(&covered);
        main += &self.overrides();
        main += &unattested(&covered);
        main += &self.returned();
        main += &self.attestations();
        main += &self.signers();
        page(&format!("{title}: {}", self.project), &main)
    }

    /// Limits of the numbers, stated before them.
    fn doubts(&self) -> String {
        let mut doubts = Vec::new();
        if !self.checked && !self.reviews.is_empty() {
            doubts
                .push("Signatures were not checked: the revision has no list of allowed signers.".to_owned());
        }
        let refused = self.reviews.iter().filter(|review| !review.counts()).count();
        if refused > 0 {
            doubts.push(format!("{} not signed by an allowed signer and not counted.", are(refused)));
        }
        if self.unreadable > 0 {
            doubts.push(format!(
                "{} unreadable or about another commit and not counted.",
                are(self.unreadable)
            ));
        }
        doubts.iter().map(|doubt| format!("<p class=\"bad\">{}</p>\n", text(doubt))).collect()
    }

    fn interruption_rate(&self) -> String {
        match self.calls {
            0 => "none known".to_owned(),
            calls => {
                format!(
                    "{:.1} <span class=\"soft\">of {calls}</span>",
                    1_000.0 * self.interruptions as f64 / calls as f64
                )
            }
        }
    }

    fn newest_first(&self) -> Vec<&RecordedReview> {
        let mut reviews: Vec<&RecordedReview> =
            self.reviews.iter().filter(|review| review.counts()).collect();
        reviews.sort_by(|one, other| other.review.time.cmp(&one.review.time));
        reviews
    }

    fn subject(&self, id: &ObjectId) -> String {
        let subject =
            self.history.iter().find(|commit| commit.id == *id).map(|commit| commit.subject.as_str());
        commit_cell(id, subject.unwrap_or_default())
    }

    fn overrides(&self) -> String {
        let overrides = self.newest_first().into_iter().filter_map(|review| match &review.review.gate {
            AttestedGate::Overridden { reason, blockers } => Some((review, reason, blockers)),
            AttestedGate::Open => None,
        });
        let row = |(review, reason, blockers): (&RecordedReview, &String, &Vec<String>)| {
            let blockers: String = blockers
                .iter()
                .map(|blocker| format!("<br><span class=\"soft\">{}</span>", text(&cut(blocker, LONGEST))))
                .collect();
            format!(
                "<tr>{}<td>{}</td><td>{}</td><td>{}{blockers}</td></tr>\n",
                time_cell(&review.review.time),
                self.subject(&review.commit),
                signer(review),
                text(&cut(reason, LONGEST))
            )
        };
        let rows: Vec<String> = overrides.map(row).collect();
        table(
            "overrides",
            "Overrides",
            &["Time", "Commit", "By", "Reason and blockers"],
            &rows,
            "Nobody let a commit through.",
        )
    }

    fn returned(&self) -> String {
        let rows: Vec<String> = returned(self.reviews)
            .iter()
            .map(|found| {
                let place = found.finding.file.as_deref().unwrap_or_default();
                let commits: Vec<String> =
                    found.commits.iter().map(|id| format!("<code>{}</code>", text(id.short()))).collect();
                let dismissed = found.finding.dismissed.as_deref().map_or_else(String::new, |reason| {
                    format!("<br><span class=\"soft\">dismissed: {}</span>", text(&cut(reason, LONGEST)))
                });
                format!(
                    "<tr><td class=\"number\">{}</td><td>{}: {}{dismissed}</td><td><code>{}</code></td><td>{}</td></tr>\n",
                    found.commits.len(),
                    text(&found.finding.category),
                    text(&cut(&found.finding.message, LONGEST)),
                    text(place),
                    commits.join(" ")
                )
            })
            .collect();
        table(
            "returned",
            "Findings that came back",
            &["Times", "Finding", "File", "Commits"],
            &rows,
            "No finding is in the attestations of two commits.",
        )
    }

    fn attestations(&self) -> String {
        let row = |review: &&RecordedReview| {
            let loops = review.review.loops.iter().map(|(number, attested)| {
                let findings = match attested.findings.len() {
                    0 => String::new(),
                    count => format!(", {}", counted(count, "finding")),
                };
                format!("loop {number}: {}{findings}", text(&attested.verdict))
            });
            format!(
                "<tr>{}<td>{}</td><td>{}</td><td>{}</td></tr>\n",
                time_cell(&review.review.time),
                self.subject(&review.commit),
                signer(review),
                loops.collect::<Vec<_>>().join("<br>")
            )
        };
        let rows: Vec<String> = self.newest_first().iter().map(row).collect();
        table("attestations", "Attestations", &["Time", "Commit", "By", "Loops"], &rows, "There is none.")
    }

    fn signers(&self) -> String {
        let rows: Vec<String> = by_signer(self.reviews)
            .into_iter()
            .map(|(name, (all, overridden))| {
                format!("<tr><td>{}</td><td class=\"number\">{all}</td><td class=\"number\">{overridden}</td></tr>\n", text(&name))
            })
            .collect();
        table(
            "signers",
            "People",
            &["Who signed", "Attestations", "Overrides among them"],
            &rows,
            "Nobody signed.",
        )
    }
}

const CONTENTS: &str = "<nav aria-label=\"Contents\"><a href=\"#overrides\">Overrides</a><a href=\"#unattested\">Without an attestation</a>\
    <a href=\"#returned\">Findings that came back</a><a href=\"#attestations\">Attestations</a><a href=\"#signers\">People</a></nav>\n";

fn are(count: usize) -> String {
    let verb = if count == 1 { "is" } else { "are" };
    format!("{} {verb}", counted(count, "attestation"))
}

fn signer(review: &RecordedReview) -> String {
    match &review.signer {
        Signer::Known(name) => text(name),
        Signer::Unchecked | Signer::Refused(_) => "<span class=\"soft\">not checked</span>".to_owned(),
    }
}

fn commit_cell(id: &ObjectId, subject: &str) -> String {
    format!("<code>{}</code> {}", text(id.short()), text(&cut(subject, 120)))
}

fn time_cell(time: &str) -> String {
    format!("<td class=\"time\">{}</td>", text(&time.replace('T', " ").replace('Z', "")))
}

/// A section with a table, or with what it means that there is nothing.
fn table(id: &str, title: &str, heads: &[&str], rows: &[String], nothing: &str) -> String {
    let title_line = format!("<h2 id=\"{id}\">{title}</h2>\n");
    if rows.is_empty() {
        return format!("{title_line}<p class=\"soft\">{nothing}</p>\n");
    }
    let heads: String = heads.iter().map(|head| format!("<th>{head}</th>")).collect();
    let shown = rows.get(..ROWS).unwrap_or(rows);
    let more = match rows.len() - shown.len() {
        0 => String::new(),
        hidden => format!("<p class=\"soft\">{hidden} more.</p>\n"),
    };
    format!(
        "{title_line}<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{title}\">\n<table>\n<thead><tr>{heads}</tr></thead>\n\
         <tbody>\n{}</tbody>\n</table>\n</div>\n{more}",
        shown.concat()
    )
}

fn unattested(covered: &Covered<'_>) -> String {
    let rows: Vec<String> = covered
        .iter()
        .filter(|(_, state)| *state == Coverage::Unattested)
        .map(|(commit, _)| {
            format!(
                "<tr><td class=\"time\">{}</td><td>{}</td></tr>\n",
                text(&day(commit.time)),
                commit_cell(&commit.id, &commit.subject)
            )
        })
        .collect();
    table(
        "unattested",
        "Without an attestation",
        &["Day", "Commit"],
        &rows,
        "Every commit since the first attestation is covered.",
    )
}

fn day(seconds: i64) -> String {
    OffsetDateTime::from_unix_timestamp(seconds).map(|time| time.date().to_string()).unwrap_or_default()
}

/// The Monday of the commit's week.
fn week(seconds: i64) -> Option<String> {
    let date = OffsetDateTime::from_unix_timestamp(seconds).ok()?.date();
    let since_monday = i64::from(date.weekday().number_days_from_monday());
    Some(date.checked_sub(time::Duration::days(since_monday))?.to_string())
}

/// One bar per week, cut into what was reviewed, overridden and not attested.
fn chart(covered: &Covered<'_>) -> String {
    let mut weeks: BTreeMap<String, [u64; 3]> = BTreeMap::new();
    for (commit, state) in covered {
        let Some(week) = week(commit.time) else { continue };
        let [reviewed, overridden, unattested] = weeks.entry(week).or_default();
        *match state {
            Coverage::Reviewed => reviewed,
            Coverage::Overridden => overridden,
            Coverage::Unattested => unattested,
        } += 1;
    }
    let most = weeks.values().map(|counts| counts.iter().sum::<u64>()).max().unwrap_or_default();
    if most == 0 {
        return String::new();
    }
    let shown = weeks.into_iter().rev().take(WEEKS).collect::<Vec<_>>();
    let mut bars = String::new();
    for (at, (week, counts)) in shown.iter().rev().enumerate() {
        let mut top = 100.0;
        for (count, (class, word)) in counts.iter().zip(KINDS) {
            let height = 100.0 * *count as f64 / most as f64;
            top -= height;
            if *count > 0 {
                let _ = writeln!(
                    bars,
                    "<rect class=\"{class}\" x=\"{at}.1\" y=\"{top:.1}\" width=\"0.8\" height=\"{height:.1}\"><title>week of {week}: {count} {word}</title></rect>"
                );
            }
        }
    }
    let keys: String =
        KINDS.iter().map(|(class, word)| format!(" <span class=\"key {class}\">{word}</span>")).collect();
    format!(
        "<figure>\n<svg class=\"risk\" role=\"img\" aria-label=\"Commits of each week\" viewBox=\"0 0 {} 100\" preserveAspectRatio=\"none\">\n{bars}</svg>\n\
         <figcaption class=\"soft\">Commits of each week, at most {most}.{keys}</figcaption>\n</figure>\n",
        shown.len().max(12)
    )
}

const KINDS: [(&str, &str); 3] =
    [("reviewed", "reviewed"), ("told", "overridden"), ("refused", "without an attestation")];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::attestation::sample::{id, line, overridden, review};

    const HOSTILE: &str = "</td><script>alert(1)</script><img src=x onerror=alert(1)>\"'&\u{202e}\u{1b}[31m";

    fn html(history: &[HistoryCommit], reviews: &[RecordedReview]) -> String {
        let page = TeamPage {
            project: "site",
            revision: "main",
            time: "2026-01-28T10:30:05Z",
            history,
            reviews,
            unreadable: 0,
            checked: true,
            calls: 4_000,
            interruptions: 6,
        };
        page.html()
    }

    #[test]
    fn the_page_counts_what_shipped_and_names_overrides_and_findings_that_came_back() {
        let reviews = [
            review(2, Some(1), &["f1"]),
            overridden(3, 2, "hotfix for the customer"),
            review(5, Some(4), &["f1"]),
        ];
        let html = html(&line(5), &reviews);
        for part in [
            "<h1>2 of 4 commits shipped reviewed</h1>",
            "<dt>let through by an override</dt><dd>1</dd>",
            "<dt>without an attestation</dt><dd>1</dd>",
            "<dd>1.5 <span",
            "hotfix for the customer",
            "Loop 2 not run",
            "Commit 4",
            "<td class=\"number\">2</td><td>naming: unclear name</td>",
            "class=\"reviewed\"",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
        assert!(!html.contains("class=\"good\"") && !html.contains("class=\"bad\""), "{html}");
    }

    #[test]
    fn doubts_about_the_signatures_stand_above_the_numbers() {
        let mut refused = review(3, Some(2), &[]);
        refused.signer = Signer::Refused("key".into());
        let mut unchecked = review(2, Some(1), &[]);
        unchecked.signer = Signer::Unchecked;
        let page = html(&line(3), &[refused, unchecked.clone()]);
        assert!(page.contains("1 attestation is not signed by an allowed signer"), "{page}");
        assert!(page.contains("1 of 2 commits"), "{page}");
        let history = line(2);
        let page = TeamPage {
            checked: false,
            unreadable: 2,
            reviews: &[unchecked],
            history: &history,
            project: "p",
            revision: "HEAD",
            time: "t",
            calls: 0,
            interruptions: 0,
        };
        let html = page.html();
        assert!(
            html.contains("Signatures were not checked") && html.contains("2 attestations are unreadable"),
            "{html}"
        );
        assert!(html.contains("none known"));
    }

    #[test]
    fn what_others_wrote_is_only_text() {
        let mut history = line(3);
        history.iter_mut().for_each(|commit| commit.subject = HOSTILE.into());
        let mut back = review(2, Some(1), &[HOSTILE]);
        let again = review(3, Some(2), &[HOSTILE]);
        back.signer = Signer::Known(HOSTILE.into());
        let mut odd = overridden(3, 2, HOSTILE);
        odd.review.time = HOSTILE.into();
        let page = html(&history, &[back, again, odd]);
        for bad in ["<script", "<img", "\u{202e}", "\u{1b}", "onerror=alert(1)>"] {
            assert!(!page.contains(bad), "{bad:?}");
        }
    }

    #[test]
    fn without_attestations_nothing_is_claimed_and_a_long_history_stays_a_page() {
        let empty = html(&line(3), &[]);
        assert!(empty.contains("<h1>No attested commit</h1>") && empty.contains("Nobody signed."), "{empty}");
        let long = html(&line(3_000), &[review(1, None, &[])]);
        assert!(long.contains("2799 more.") && long.len() < 1 << 20, "{}", long.len());
        assert_eq!(id(1).as_str().len(), 40);
    }
}

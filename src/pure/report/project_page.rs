//! The project as one page: whether it may ship, loops, findings, the session as a timeline, checkpoints.

use super::checkpoints::why;
use super::page::{fact, listed, page, text};
use super::{LoopReport, LoopStanding, UnifiedReport};
use crate::pure::restore::Checkpoint;
use crate::pure::review::{Finding, FindingState, TrackedFinding};
use crate::pure::text::{age, counted, cut};

/// The most of each kind that a page shows.
const FINDINGS: usize = 200;
const MOMENTS: usize = 300;
const CHECKPOINTS: usize = 30;
/// Of a quoted text, in characters.
const LONGEST: usize = 2_000;

pub(crate) struct ProjectPage<'a> {
    pub(crate) project: &'a str,
    /// When the page was made, as a date and in milliseconds since 1970.
    pub(crate) time: &'a str,
    pub(crate) now: u64,
    /// The report about the content, or the reason why there is none.
    pub(crate) review: Result<&'a UnifiedReport, &'a str>,
    pub(crate) session: Option<&'a SessionTimeline>,
    /// The newest first.
    pub(crate) checkpoints: &'a [Checkpoint],
}

/// The events of one session, the oldest first.
pub(crate) struct SessionTimeline {
    pub(crate) session: String,
    pub(crate) moments: Vec<SessionMoment>,
    /// Lines of the logs that could not be read.
    pub(crate) damaged: usize,
}

/// A tool call that was reviewed, what became of it, or an intervention.
pub(crate) struct SessionMoment {
    pub(crate) time: String,
    pub(crate) kind: SessionMomentKind,
    /// The type of the agent; empty for the main one.
    pub(crate) agent: String,
    pub(crate) tool: String,
    pub(crate) what: String,
    /// The decision, or what the intervention led to.
    pub(crate) outcome: String,
    /// The rule with its words, or the detected pattern.
    pub(crate) reason: String,
    pub(crate) risk: Option<f64>,
    pub(crate) rationality: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SessionMomentKind {
    Silent,
    /// A warning or a rewrite.
    Told,
    Asked,
    Refused,
    /// An event besides the decision.
    Remark,
    Intervention,
}

impl SessionMomentKind {
    fn class(self) -> &'static str {
        match self {
            Self::Silent => "silent",
            Self::Told => "told",
            Self::Asked => "asked",
            Self::Refused => "refused",
            Self::Remark => "remark",
            Self::Intervention => "intervention",
        }
    }
}

impl ProjectPage<'_> {
    pub(crate) fn html(&self) -> String {
        let name = self.project.rsplit('/').next().unwrap_or(self.project);
        let (title, main) = match self.review {
            Ok(review) => (format!("{}: {name}", decision(review)), self.reviewed(review)),
            Err(reason) => (format!("No code review: {name}"), self.unreviewed(reason)),
        };
        page(&title, &(main + &self.timeline() + &self.kept()))
    }

    fn reviewed(&self, review: &UnifiedReport) -> String {
        let branch = review.occasion.branch.as_deref().unwrap_or("detached HEAD");
        let class = if review.ship.allowed { " class=\"good\"" } else { "" };
        let mut main = format!(
            "<header{class}>\n<h1>{}</h1>\n<p><strong>Next:</strong> {}</p>\n<p class=\"soft\">{}, branch {}, content {}, {}.</p>\n</header>\n",
            decision(review),
            command_text(&review.next()),
            text(self.project),
            text(branch),
            text(review.tree.0.short()),
            text(self.time)
        );
        main += CONTENTS;
        let blockers: String = review
            .ship
            .blockers
            .iter()
            .map(|blocker| format!("<li>{}</li>\n", command_text(blocker)))
            .collect();
        if !blockers.is_empty() {
            main += &format!("<h2>Why it may not ship</h2>\n<ul>\n{blockers}</ul>\n");
        }
        main += &loops(&review.loops);
        main += &findings(review);
        let guards: Vec<String> = review.guards.iter().map(ToString::to_string).collect();
        main + &listed("<h2>Changes to files that guard the others</h2>", &guards)
    }

    fn unreviewed(&self, reason: &str) -> String {
        format!(
            "<header>\n<h1>No code review</h1>\n<p>{}</p>\n<p class=\"soft\">{}, {}.</p>\n</header>\n{CONTENTS}",
            text(reason),
            text(self.project),
            text(self.time)
        )
    }

    fn timeline(&self) -> String {
        let title = "<h2 id=\"session\">The session</h2>\n";
        let Some(SessionTimeline { session, moments, damaged }) = self.session else {
            return format!("{title}<p class=\"soft\">No session is recorded here.</p>\n");
        };
        let count = |kind| moments.iter().filter(|moment| moment.kind == kind).count() as u64;
        let calls =
            moments.len() as u64 - count(SessionMomentKind::Intervention) - count(SessionMomentKind::Remark);
        let mut part =
            format!("{title}<p class=\"soft\">Session {}.</p>\n<dl class=\"facts\">\n", text(session));
        part += &fact("tool calls", calls);
        part += &fact("warned or rewritten", count(SessionMomentKind::Told));
        part += &fact("asked", count(SessionMomentKind::Asked));
        part += &fact("refused", count(SessionMomentKind::Refused));
        part += &fact("interventions", count(SessionMomentKind::Intervention));
        part += "</dl>\n";
        let shown = moments.get(moments.len().saturating_sub(MOMENTS)..).unwrap_or(moments);
        part += &chart(shown);
        let rows: String = shown.iter().map(row).collect();
        let hidden = moments.len() - shown.len();
        if hidden > 0 {
            part +=
                &format!("<p class=\"soft\">The last {MOMENTS}; {hidden} before them are in the log.</p>\n");
        }
        if *damaged > 0 {
            part += &format!(
                "<p class=\"bad\">{} of the logs could not be read.</p>\n",
                counted(*damaged, "line")
            );
        }
        if rows.is_empty() {
            return part;
        }
        part + &format!(
            "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Timeline\">\n<table class=\"timeline session\">\n\
             <thead><tr><th>Time</th><th>What</th><th>Risk</th><th>Decision</th></tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n</div>\n"
        )
    }

    fn kept(&self) -> String {
        let title = "<h2 id=\"checkpoints\">Checkpoints</h2>\n";
        if self.checkpoints.is_empty() {
            return format!("{title}<p class=\"soft\">No checkpoint is kept.</p>\n");
        }
        let card = |one: &Checkpoint| {
            format!(
                "<section class=\"card\">\n<h3>{}</h3>\n<p>{}</p>\n<p class=\"soft\">{}, {}</p>\n\
                 <code class=\"copy\"><span>in a terminal</span>plimsoll checkpoint restore {}</code>\n</section>\n",
                text(&one.id),
                text(&cut(&why(&one.why), 200)),
                age(self.now.saturating_sub(one.time)),
                counted(one.files, "file"),
                text(&one.id)
            )
        };
        let cards: String = self.checkpoints.iter().take(CHECKPOINTS).map(card).collect();
        format!(
            "{title}<p class=\"soft\">A restore shows its plan first, and <code>plimsoll undo</code> undoes it.</p>\n\
             <div class=\"cards\">\n{cards}</div>\n{}",
            more(self.checkpoints.len(), CHECKPOINTS)
        )
    }
}

const CONTENTS: &str = "<nav aria-label=\"Contents\"><a href=\"#loops\">Loops</a> <a href=\"#findings\">Findings</a> \
     <a href=\"#session\">Session</a> <a href=\"#checkpoints\">Checkpoints</a></nav>\n";

fn decision(review: &UnifiedReport) -> &'static str {
    if review.ship.allowed { "May ship" } else { "May not ship" }
}

/// Text in which backquotes mark commands.
fn command_text(words: &str) -> String {
    let parts = words.split('`').enumerate();
    parts
        .map(|(at, part)| if at % 2 == 1 { format!("<code>{}</code>", text(part)) } else { text(part) })
        .collect()
}

fn more(all: usize, shown: usize) -> String {
    match all.checked_sub(shown) {
        Some(rest) if rest > 0 => format!("<p class=\"soft\">and {rest} more</p>\n"),
        _ => String::new(),
    }
}

fn loops(loops: &[LoopReport]) -> String {
    let row = |report: &LoopReport| {
        let tone = match report.standing {
            LoopStanding::Passed => "ok",
            LoopStanding::Failed => "bad",
            LoopStanding::Skipped(_) | LoopStanding::Stale(_) | LoopStanding::NotRun => "soft",
        };
        let required = if report.required { "required" } else { "optional" };
        let checks = report.outcome.iter().flat_map(|outcome| outcome.tiers.values().flatten());
        let checks = checks.map(|check| format!("{} {}", check.name, check.verdict.word()));
        let reason = report.standing.reason().map(str::to_owned);
        let details: Vec<String> = reason.into_iter().chain(checks).collect();
        format!(
            "<tr><td>{} {}</td><td class=\"soft\">{required}</td><td class=\"{tone}\">{}</td><td>{}</td></tr>\n",
            report.number,
            report.name(),
            report.standing.word(),
            text(&cut(&details.join(", "), LONGEST))
        )
    };
    let rows: String = loops.iter().map(row).collect();
    format!(
        "<h2 id=\"loops\">Loops</h2>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Loops\">\n<table>\n\
         <thead><tr><th>Loop</th><th>To ship</th><th>Result</th><th>Details</th></tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n</div>\n"
    )
}

/// The findings of checks, which have no history, and those of reviewers.
fn findings(review: &UnifiedReport) -> String {
    let checks = review.loops.iter().filter(|report| !report.number.has_reviewer());
    let checks = checks.flat_map(|report| {
        let about = format!("loop {}", report.number);
        report.findings.iter().map(move |finding| card(finding, "", &about))
    });
    let cards: Vec<String> = checks.chain(review.findings.iter().map(tracked)).collect();
    let title = "<h2 id=\"findings\">Findings</h2>\n";
    if cards.is_empty() {
        return format!("{title}<p class=\"soft\">None are known.</p>\n");
    }
    let shown = cards.get(..FINDINGS).unwrap_or(&cards).concat();
    format!("{title}<div class=\"list\">\n{shown}</div>\n{}", more(cards.len(), FINDINGS))
}

fn tracked(entry: &TrackedFinding) -> String {
    let (class, state) = match &entry.state {
        FindingState::Open | FindingState::Regressed => ("", entry.state.word().to_owned()),
        FindingState::Fixed => (" off", entry.state.word().to_owned()),
        FindingState::Dismissed(reason) => (" off", format!("dismissed: {}", cut(reason, LONGEST))),
    };
    let about = format!("{}, {state}, loop {}, rounds: {}", entry.id, entry.number, entry.rounds);
    card(&entry.finding, class, &about)
}

fn card(finding: &Finding, class: &str, about: &str) -> String {
    let place = finding.place().map(|place| format!(" <code>{}</code>", text(&place))).unwrap_or_default();
    let quote = |quote: &String| format!("<pre class=\"quote\">{}</pre>\n", lines(quote));
    let fix = |fix: &String| format!("<p><strong>Fix:</strong> {}</p>\n", command_text(&cut(fix, LONGEST)));
    let severity = finding.severity.word();
    format!(
        "<section class=\"card{class}\">\n<h3><span class=\"badge {severity}\">{severity}</span> {}{place}</h3>\n\
         <p class=\"lines\">{}</p>\n{}{}<p class=\"soft\">{}</p>\n</section>\n",
        text(&cut(&finding.category, 100)),
        lines(&finding.message),
        finding.quote.as_ref().map(quote).unwrap_or_default(),
        finding.fix.as_ref().map(fix).unwrap_or_default(),
        text(about)
    )
}

/// Each line by itself: a line break is the only control character that stays one.
fn lines(words: &str) -> String {
    cut(words, LONGEST).lines().map(text).collect::<Vec<_>>().join("\n")
}

/// The risk of each call as a bar, coloured by the decision; an intervention is a line over the whole height.
fn chart(moments: &[SessionMoment]) -> String {
    let bar = |(at, moment): (usize, &SessionMoment)| {
        let height = match moment.kind {
            SessionMomentKind::Intervention => 100.0,
            _ => (moment.risk? * 100.0).clamp(2.0, 100.0),
        };
        let top = 100.0 - height;
        Some(format!(
            "<rect class=\"{}\" x=\"{at}.1\" y=\"{top:.0}\" width=\"0.8\" height=\"{height:.0}\"><title>{} {}: {}</title></rect>\n",
            moment.kind.class(),
            text(&moment.tool),
            text(&cut(&moment.what, 80)),
            text(&moment.outcome)
        ))
    };
    let bars: Vec<String> = moments.iter().enumerate().filter_map(bar).collect();
    if bars.is_empty() {
        return String::new();
    }
    format!(
        "<figure>\n<svg class=\"risk\" role=\"img\" aria-label=\"The risk of each tool call\" viewBox=\"0 0 {} 100\" preserveAspectRatio=\"none\">\n{}</svg>\n\
         <figcaption class=\"soft\">The risk of each tool call, from 0 to 1. <span class=\"key silent\">silent</span> \
         <span class=\"key told\">warned or rewritten</span> <span class=\"key asked\">asked</span> \
         <span class=\"key refused\">refused</span> <span class=\"key intervention\">intervention</span></figcaption>\n</figure>\n",
        moments.len().max(40),
        bars.concat()
    )
}

fn row(moment: &SessionMoment) -> String {
    let agent = if moment.agent.is_empty() {
        String::new()
    } else {
        format!(" <span class=\"soft\">{}</span>", text(&moment.agent))
    };
    let what = match moment.what.as_str() {
        "" => text(&moment.tool),
        what if moment.kind == SessionMomentKind::Intervention => text(what),
        what => format!("{} <code>{}</code>", text(&moment.tool), text(&cut(what, 300))),
    };
    let rationality = |value: f64| format!("<br><span class=\"soft\">rationality {value:.2}</span>");
    let risk = moment.risk.map(|risk| format!("{risk:.2}")).unwrap_or_default()
        + &moment.rationality.map(rationality).unwrap_or_default();
    let reason = if moment.reason.is_empty() {
        String::new()
    } else {
        format!(": {}", text(&cut(&moment.reason, 600)))
    };
    format!(
        "<tr class=\"{}\"><td class=\"time\">{}</td><td>{what}{agent}</td><td class=\"number\">{risk}</td><td><strong>{}</strong>{reason}</td></tr>\n",
        moment.kind.class(),
        text(&moment.time.replace('T', " ").replace('Z', "")),
        text(&moment.outcome.replace('_', " "))
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::policy::LoopNumber;
    use crate::pure::report::{sample, unified::Ship};

    const HOSTILE: &str = "</pre><script>alert(1)</script><img src=x onerror=alert(1)>\"'&\u{202e}\u{1b}[31m";

    fn moment(kind: SessionMomentKind, what: &str) -> SessionMoment {
        SessionMoment {
            time: "2026-01-28T10:30:05Z".into(),
            kind,
            agent: what.into(),
            tool: what.into(),
            what: what.into(),
            outcome: "deny".into(),
            reason: what.into(),
            risk: Some(0.9),
            rationality: Some(0.1),
        }
    }

    #[test]
    fn what_others_wrote_is_only_text() {
        let mut receipt = sample::read_by_claude();
        let outcome = receipt.loops.get_mut(&LoopNumber::Two).unwrap();
        outcome.findings[0].message = HOSTILE.into();
        outcome.findings[0].category = HOSTILE.into();
        outcome.findings[0].quote = Some(HOSTILE.into());
        outcome.findings[0].fix = Some(HOSTILE.into());
        let ship = Ship { allowed: false, blockers: vec![HOSTILE.into()] };
        let review = sample::unified(&receipt, &ship);
        let moments =
            [SessionMomentKind::Refused, SessionMomentKind::Intervention, SessionMomentKind::Remark];
        let session = SessionTimeline {
            session: HOSTILE.into(),
            moments: moments.into_iter().map(|kind| moment(kind, HOSTILE)).collect(),
            damaged: 1,
        };
        let page = ProjectPage {
            project: HOSTILE,
            time: HOSTILE,
            now: 0,
            review: Ok(&review),
            session: Some(&session),
            checkpoints: &[],
        };
        let html = page.html();
        for bad in ["<script", "<img", "\u{202e}", "\u{1b}", "onerror=alert(1)>"] {
            assert!(!html.contains(bad), "{bad:?} in {html}");
        }
        let page = ProjectPage { review: Err(HOSTILE), ..page };
        assert!(!page.html().contains("<script"));
    }

    #[test]
    fn a_long_session_is_cut_and_says_so() {
        let moments = (0..5_000).map(|_| moment(SessionMomentKind::Silent, &"x".repeat(10_000))).collect();
        let session = SessionTimeline { session: "s".into(), moments, damaged: 0 };
        let page = ProjectPage {
            project: "/p",
            time: "t",
            now: 0,
            review: Err("no repository"),
            session: Some(&session),
            checkpoints: &[],
        };
        let html = page.html();
        assert!(html.contains("4700 before them") && html.len() < 16 << 20, "{}", html.len());
        assert!(html.contains("<dt>tool calls</dt><dd>5,000</dd>"));
    }
}

//! The report for a pull request or a page. Whatever others wrote is escaped: it neither formats nor mentions anybody.

use super::{LoopReport, LoopStanding, UnifiedReport};
use crate::pure::report::markdown_text::escaped;
use crate::pure::review::{FindingState, TrackedFinding};
use crate::pure::text::counted;

impl UnifiedReport {
    pub fn markdown(&self) -> String {
        let branch = self.occasion.branch.as_deref().unwrap_or("detached HEAD");
        let decision = if self.ship.allowed { "may ship" } else { "may not ship" };
        let mut text = format!("# Review of {}: {decision}\n\n", escaped(branch));
        text += &format!("Content `{}`, {}.\n\n", self.tree.0.short(), self.occasion.time);
        text += "| loop | result | why |\n|---|---|---|\n";
        text += &self.loops.iter().map(row).collect::<String>();
        text += &section("Blockers", self.ship.blockers.iter().map(|blocker| escaped(blocker)));
        text += &section("Findings", self.findings.iter().map(finding));
        text += &section(
            "Changed: what guards the other changes",
            self.guards.iter().map(|guard| escaped(&guard.to_string())),
        );
        text + &format!("\n**Next:** {}\n", self.next())
    }
}

fn row(report: &LoopReport) -> String {
    let demanded = if report.required { " (required)" } else { "" };
    let mut why: Vec<String> = report.standing.reason().map(escaped).into_iter().collect();
    if report.standing == LoopStanding::Failed {
        let failed = report.outcome.iter().flat_map(|outcome| outcome.tiers.values().flatten());
        let failed = failed.filter(|check| check.verdict.word() == "fail");
        why.extend(failed.map(|check| format!("{} failed", escaped(&check.name))));
        why.push(format!("findings: {}", report.findings.len()));
    }
    why.extend(
        report
            .reused
            .iter()
            .map(|reused| format!("reused: {} read {}", counted(reused.files, "file"), reused.time)),
    );
    let checks = report.outcome.iter().flat_map(|outcome| outcome.tiers.values().flatten());
    let cached = checks.filter(|check| check.facts.contains_key("cached")).count();
    if cached > 0 {
        why.push(format!("reused: {} of the same content", counted(cached, "check")));
    }
    format!(
        "| {} {}{demanded} | {} | {} |\n",
        report.number,
        report.name(),
        report.standing.word(),
        why.join("; ")
    )
}

fn section(title: &str, items: impl Iterator<Item = String>) -> String {
    let items: String = items.map(|item| format!("- {item}\n")).collect();
    if items.is_empty() { items } else { format!("\n## {title}\n\n{items}") }
}

fn finding(entry: &TrackedFinding) -> String {
    let finding = &entry.finding;
    let place = finding.place().map(|place| format!(" {}", escaped(&place))).unwrap_or_default();
    let standing = match &entry.state {
        FindingState::Dismissed(reason) => format!("dismissed: {}", escaped(reason)),
        other => other.word().to_owned(),
    };
    let fix = finding.fix.as_ref().map(|fix| format!(" *Fix:* {}", escaped(fix))).unwrap_or_default();
    format!(
        "`{}` **{}** {}{place} ({standing}, loop {}, rounds: {}): {}{fix}",
        entry.id,
        finding.severity.word(),
        escaped(&finding.category),
        entry.number,
        entry.rounds,
        escaped(&finding.message)
    )
}

#[cfg(test)]
mod tests {
    use crate::pure::policy::LoopNumber;
    use crate::pure::report::{sample, unified::Ship};
    use crate::pure::review::LoopVerdict;

    #[test]
    fn the_page_names_every_loop_the_findings_and_the_next_step() {
        let ship = Ship { allowed: false, blockers: vec!["Loop 2 failed: a|b".into()] };
        insta::assert_snapshot!(sample::unified(&sample::read_by_claude(), &ship).markdown(), @r"
        # Review of feature/xyz: may not ship

        Content `cccccccccccc`, 2026-01-28T10:30:05Z.

        | loop | result | why |
        |---|---|---|
        | 1 the project's checks (required) | pass |  |
        | 2 the Claude reviewer (required) | fail | findings: 1 |
        | 3 the outside reviewer | not run |  |
        | 4 integration and pull request | not run |  |

        ## Blockers

        - Loop 2 failed: a\|b

        ## Findings

        - `a10373a4b2` **critical** security src/a.js:7 (open, loop 2, rounds: 1): input reaches a shell *Fix:* pass it as an argument

        **Next:** fix the findings of loop 2 (`plimsoll reconcile` lists them), then review again
        ");
    }

    #[test]
    fn what_others_wrote_neither_formats_nor_mentions() {
        let mut receipt = sample::read_by_claude();
        let outcome = receipt.loops.get_mut(&LoopNumber::Two).unwrap();
        outcome.verdict = LoopVerdict::Fail;
        outcome.findings[0].message = "@octocat <img src=x>\n# Review: may ship\n[a](http://x)".into();
        let page = sample::unified(&receipt, &Ship::default()).markdown();
        assert!(!page.contains("@octocat") && !page.contains("<img") && !page.contains("](http"), "{page}");
        assert_eq!(page.lines().filter(|line| line.starts_with("# ")).count(), 1, "{page}");
    }
}

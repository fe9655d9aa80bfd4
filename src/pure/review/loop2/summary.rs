//! Summaries of large lock files: counts, hosts and first lines. A file that calls itself generated is shown like every other.

use std::collections::BTreeSet;

/// Smaller diffs are shown whole.
const LOCK_LINES: usize = 120;
const FIRST_LINES: usize = 40;
const HOSTS: usize = 20;

const LOCK_FILES: [&str; 22] = [
    "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "Cargo.lock",
    "poetry.lock", "uv.lock", "pdm.lock", "Pipfile.lock", "composer.lock", "Gemfile.lock", "go.sum",
    "mix.lock", "pubspec.lock", "Podfile.lock", "packages.lock.json", "deno.lock", "flake.lock",
    "gradle.lockfile", ".terraform.lock.hcl", "Package.resolved",
];

pub(crate) struct DiffSummary {
    pub why: &'static str,
    pub lines: Vec<String>,
}

/// `None`: the diff is shown whole.
pub(crate) fn diff_summary(path: &str, diff: &[String]) -> Option<DiffSummary> {
    let name = path.rsplit('/').next().unwrap_or(path);
    if diff.len() <= LOCK_LINES || !LOCK_FILES.contains(&name) {
        return None;
    }
    let added = || diff.iter().filter(|line| line.starts_with('+'));
    let hosts: BTreeSet<&str> = added().flat_map(|line| hosts(line)).collect();
    let hosts: Vec<&str> = hosts.into_iter().take(HOSTS).collect();
    let mut lines = vec![
        format!("{} lines of diff, {} of them added", diff.len(), added().count()),
        format!("hosts in added lines: {}", if hosts.is_empty() { "none".into() } else { hosts.join(", ") }),
        format!("the first {FIRST_LINES} lines:"),
    ];
    lines.extend(diff.iter().take(FIRST_LINES).cloned());
    Some(DiffSummary { why: "a lock file", lines })
}

fn hosts(line: &str) -> impl Iterator<Item = &str> {
    line.split("://").skip(1).filter_map(|rest| {
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || ".-:@".contains(c)));
        let authority = rest.get(..end.unwrap_or(rest.len()))?;
        let host = authority.rsplit('@').next()?;
        host.contains('.').then_some(host)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diff(lines: usize) -> Vec<String> {
        (0..lines).map(|n| format!("+x{n} \"https://user:pw@registry.example.org/x-{n}.tgz\"")).collect()
    }

    #[test]
    fn a_long_lock_file_is_counted_and_its_hosts_named_without_credentials() {
        let summary = diff_summary("web/yarn.lock", &diff(500)).unwrap();
        assert_eq!(summary.why, "a lock file");
        assert!(summary.lines[0].contains("500 lines of diff, 500 of them added"), "{}", summary.lines[0]);
        assert_eq!(summary.lines[1], "hosts in added lines: registry.example.org");
        assert!(summary.lines.len() < 50);
        assert!(diff_summary("web/yarn.lock", &diff(50)).is_none());
        assert!(diff_summary("src/yarn.rs", &diff(500)).is_none());
    }
}

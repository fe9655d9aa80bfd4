//! Which changes could change what a check shows.

use super::line::Simple;

/// Puts other content into the working tree.
pub(super) fn moves_tree(command: &Simple) -> bool {
    let creates = ["-b", "-B", "-c", "-C", "--create"].iter().any(|option| command.has(option));
    let shelved = || command.verbs().nth(1).is_some_and(|verb| matches!(verb, "pop" | "apply"));
    command.program == "git"
        && match command.verb() {
            "checkout" | "switch" => !creates,
            "reset" => command.has("--hard") || command.has("--merge"),
            "restore" => !command.has("--staged"),
            "merge" | "rebase" | "pull" | "cherry-pick" | "apply" | "am" | "revert" => true,
            "stash" => shelved(),
            _ => false,
        }
}

/// Whether a change to it could change what a check shows.
pub(super) fn is_code(path: &str, project: &str) -> bool {
    const TEXTS: [&str; 19] = [
        "md", "mdx", "txt", "rst", "adoc", "png", "jpg", "jpeg", "gif", "svg", "pdf", "ico", "webp", "log",
        "output", "csv", "html", "gitignore", "plan",
    ];
    let name = path.rsplit('/').next().unwrap_or(path);
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let inside = !project.is_empty() && path.starts_with(project);
    let scratch = path.starts_with("/tmp/") || path.starts_with("/private/tmp/");
    let elsewhere = (scratch && !inside) || path.contains("/.claude/") || path.starts_with(".claude/");
    let document =
        ending.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || matches!(c, '-' | '_'));
    !elsewhere && !document && !TEXTS.contains(&ending)
}

pub(super) fn is_test(path: &str) -> bool {
    let lower = path.to_lowercase();
    ["test", "spec"].iter().any(|word| lower.contains(word))
}

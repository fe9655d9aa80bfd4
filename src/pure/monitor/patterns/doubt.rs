//! Calls that could have checked something without saying so: nobody is held up over what they may have shown.

use super::call::CallMarks;
use super::check;
use super::line::Simple;
use super::plain_program::is_plain;
use super::tools;

/// Whether the call could have run a check that its words do not name.
pub(super) fn may_check(tool: &str, call: &CallMarks, said: &str) -> bool {
    match &call.line {
        Some(line) => {
            let text = call.says(&["command", "cmd", "c"]).unwrap_or_default();
            line.commands.iter().any(|command| command_may_check(command, text, said))
        }
        None => tools::may_check(tool, call.says(&["subagent_type", "skill"]).unwrap_or_default()),
    }
}

fn command_may_check(command: &Simple, text: &str, said: &str) -> bool {
    let words: Vec<&str> = command.verbs().collect();
    let did_not_start = said.contains("command not found") || said.starts_with("Exit code 127");
    let is_named = check::check_kind(command).is_some();
    !did_not_start && !is_named && by_words(&command.program, &words, command, text, said)
}

fn by_words(program: &str, words: &[&str], command: &Simple, text: &str, said: &str) -> bool {
    let first = words.first().copied().unwrap_or_default();
    match program {
        "" => false,
        "git" => git_may_check(first, command, text, said),
        "npm" | "pnpm" | "yarn" | "bun" | "uv" | "poetry" | "cargo" | "go" | "deno" | "gem" | "bundle"
        | "composer"
            if is_errand(first) =>
        {
            false
        }
        "npm" | "pnpm" | "yarn" | "bun"
            if first == "run" && words.get(1).is_some_and(|name| is_errand(name)) =>
        {
            false
        }
        "python" | "python3" | "node" | "perl" | "ruby" | "php" | "deno" if is_inline(command, text) => {
            const RUNS: [&str; 10] = [
                "test", "lint", "check", "assert", "subprocess", "system(", "spawn", "exec", "popen", "Popen",
            ];
            RUNS.iter().any(|sign| text.contains(sign))
        }
        _ if is_plain(program) || check::is_formatter(command) => false,
        _ => {
            let inner = first.rsplit('/').next().unwrap_or(first);
            let passes_on = is_plain(inner) && !matches!(inner, "test" | "install");
            let rest = words.get(1..).unwrap_or_default();
            if passes_on { by_words(inner, rest, command, text, said) } else { true }
        }
    }
}

/// A task that is about something else than checking.
fn is_errand(name: &str) -> bool {
    const ERRANDS: [&str; 33] = [
        "add", "audit", "cache", "clean", "config", "deploy", "dev", "doc", "docs", "fetch", "fmt", "format",
        "get", "help", "i", "info", "init", "install", "link", "list", "login", "ls", "mod", "outdated",
        "preview", "publish", "remove", "search", "serve", "start", "sync", "update", "view",
    ];
    ERRANDS.contains(&name)
}

/// The code of an interpreter is part of the command.
fn is_inline(command: &Simple, text: &str) -> bool {
    ["-c", "-e", "-", "--eval", "-p"].iter().any(|option| command.has(option)) || text.contains("<<")
}

/// Hooks run checks inside of `git commit` and `git push`; an alias can be anything.
fn git_may_check(verb: &str, command: &Simple, text: &str, said: &str) -> bool {
    const PLAIN: [&str; 46] = [
        "add", "am", "apply", "archive", "blame", "branch", "cat-file", "checkout", "cherry", "cherry-pick",
        "clean", "clone", "config", "describe", "diff", "fetch", "for-each-ref", "fsck", "gc", "grep",
        "help", "init", "log", "ls-files", "ls-remote", "ls-tree", "merge", "merge-base", "mv", "notes",
        "pull", "rebase", "reflog", "remote", "reset", "restore", "rev-list", "rev-parse", "revert", "rm",
        "shortlog", "show", "stash", "status", "switch", "tag",
    ];
    const ALSO_PLAIN: [&str; 6] = ["", "show-ref", "submodule", "symbolic-ref", "update-ref", "worktree"];
    let runs = || ["-x", "--exec"].iter().any(|option| command.has(option));
    match verb {
        "commit" | "push" => {
            let skips = command.has("--no-verify") || (verb == "commit" && command.has("-n"));
            let cut =
                text.contains('|') || text.contains(" -q") || text.contains("--quiet") || text.contains('>');
            !skips && (said.trim().is_empty() || cut || !said.lines().all(is_git_line))
        }
        "rebase" => runs(),
        // `git -C folder status`: the folder stands where the verb would.
        verb if verb.contains(['/', '.', '=']) => {
            let next = command.verbs().skip_while(|word| *word != verb).nth(1).unwrap_or_default();
            git_may_check(if next.contains(['/', '.', '=']) { "" } else { next }, command, text, said)
        }
        verb => !PLAIN.contains(&verb) && !ALSO_PLAIN.contains(&verb),
    }
}

/// A line that git itself prints for a commit or a push.
fn is_git_line(line: &str) -> bool {
    const BEGINS: [&str; 32] = [
        "[", "create mode", "delete mode", "rename ", "mode change", "rewrite ", "copy ", "To ", "remote:",
        "branch '", "Branch '", "Everything up-to-date", "* [new", "Enumerating objects", "Counting objects",
        "Compressing objects", "Writing objects", "Delta compression", "Total ", "warning: ", "On branch",
        "Your branch", "Author:", "Date:", "Committer:", "nothing to commit", "Changes ", "Untracked files",
        "(use \"git", "modified:", "new file:", "deleted:",
    ];
    let line = line.trim();
    let is_push = line.contains(" -> ");
    let is_stat = line.contains("file changed") || line.contains("files changed");
    // Runners print their steps in brackets too.
    let is_runner = line.starts_with('[') && !line.contains("] ");
    let is_step =
        ["[STARTED]", "[COMPLETED]", "[SUCCESS]", "[INFO]", "[OK]"].iter().any(|sign| line.starts_with(sign));
    line.is_empty()
        || (!is_runner
            && !is_step
            && (is_push || is_stat || BEGINS.iter().any(|sign| line.starts_with(sign))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::step::Nature;

    fn bash(command: &str, said: &str) -> bool {
        let input = serde_json::json!({ "command": command }).to_string();
        may_check("Bash", &CallMarks::read("Bash", &input, Nature::System), said)
    }

    #[test]
    fn programs_that_nobody_knows_could_have_checked() {
        for command in [
            "./ci",
            "python3 tools/run.py",
            "npm run everything",
            "make gen",
            "ssh box 'cd app && make test'",
            "tmux send-keys -t 1 'npm test' Enter",
            "bash -c \"$CHECKS\"",
            "git ci",
            "git rebase -x 'make test' main",
            "docker compose run web ./manage.py",
            "python3 -c 'import subprocess; subprocess.run([\"x\"])'",
        ] {
            assert!(bash(command, ""), "{command}");
        }
    }

    #[test]
    fn everyday_commands_check_nothing() {
        for command in [
            "ls -la",
            "git status && git diff --stat",
            "git -C /home/user/project log --oneline -3",
            "rtk git status",
            "cat a.rs | head -20",
            "mkdir -p a && cp b a/",
            "npm install",
            "npm run dev",
            "gofmt -w .",
            "curl -s localhost:3000",
            "prettier --write src",
            "python3 - <<'E'\nopen('a','w').write('b')\nE",
            "gh pr create --fill",
        ] {
            assert!(!bash(command, "x"), "{command}");
        }
    }

    #[test]
    fn a_commit_could_have_checked_if_more_is_printed_than_git_prints() {
        let plain =
            "[main 1a2b3c4] Add a parser\n 2 files changed, 3 insertions(+)\n create mode 100644 a.rs";
        assert!(!bash("git commit -m x", plain));
        assert!(!bash("git commit --no-verify -m x", "anything else"));
        assert!(bash("git commit -m x", &format!("$ bun test\n 12 pass\n{plain}")));
        assert!(bash("git commit -m x", &format!("[STARTED] Running tasks for staged files...\n{plain}")));
        assert!(bash("git commit -qm x", ""));
        assert!(bash("git commit -m x 2>&1 | tail -3", plain));
        assert!(bash("rtk git commit -m x", "ok ✓ 1a2b3c4"));
        let pushed = "To https://example.com/a.git\n   1a2b3c4..5d6e7f8  main -> main";
        assert!(!bash("git push", pushed));
        assert!(bash("git push", &format!("running pre-push checks\n{pushed}")));
    }
}

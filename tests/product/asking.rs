//! An agent may ask Plimsoll what it would say; only what a person decides is denied to it.

use crate::context::TestContext;

#[test]
fn the_agent_may_ask_what_would_be_said_about_anything() {
    for context in [TestContext::new(), TestContext::enrolled()] {
        for command in [
            "plimsoll explain 'rm -rf /'",
            "plimsoll explain 'git push --no-verify --force' --json",
            "plimsoll explain 'plimsoll pause'",
            "plimsoll explain --tool Write --input '{\"file_path\": \".claude/settings.json\", \"content\": \"\"}'",
            "printf '%s' 'rm -rf ~' | plimsoll explain -",
            "plimsoll explain - <<'E'\nrm -rf /\nE",
            "plimsoll score rows.jsonl --min-recall 98",
            "plimsoll replay ~/.claude/projects --json",
            "plimsoll gate why",
            "plimsoll rules list",
            "plimsoll stats",
        ] {
            let answer = context.before_bash(command);
            assert!(answer.is_silent(), "{command}: {}", answer.json);
        }
        for command in ["plimsoll pause", "HOME=/tmp/x plimsoll score rows.jsonl"] {
            assert_eq!(context.before_bash(command).decision(), Some("deny"), "{command}");
        }
    }
}

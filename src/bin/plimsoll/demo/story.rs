//! The steps of the demo, as data.

use super::act::DemoAct::{Git, LooksAtRemote, Plimsoll, Types, Wants, Writes};
use super::stage::FILE;
use super::step::{DemoExpectation, DemoStep, Ends};

pub(super) fn steps() -> Vec<DemoStep> {
    let well = |says| DemoExpectation { ends: Ends::Succeeded, says };
    let silent = || DemoExpectation { ends: Ends::Silent, says: &[] };
    let refused = |says| DemoExpectation { ends: Ends::Refused, says };
    vec![
        DemoStep {
            title: "A repository is enrolled",
            acts: vec![(Plimsoll(&["enrol", "--yes"]), well(&["is enrolled", "pre-push"]))],
            meaning: "The gate now judges every push.",
        },
        DemoStep {
            title: "A change is reviewed",
            acts: vec![
                (Writes("Hello, harbour\n"), well(&[])),
                (
                    Types { hook: "user-prompt-review", prompt: "/review --free --yes" },
                    well(&["additionalContext", "Review requested", "plimsoll review run --loop 1"]),
                ),
                (Plimsoll(&["review", "run", "--loop", "1"]), well(&["Loop 1", "PASS", "Ship: ALLOWED"])),
            ],
            meaning: "The hook only says what to run. The command ran the checks and sealed a receipt for exactly this content.",
        },
        DemoStep {
            title: "The reviewed content may ship",
            acts: vec![(Types { hook: "user-prompt-ship", prompt: "/ship" }, well(&["Ship gate: APPROVED"]))],
            meaning: "The gate is open for the content of the working tree, although nothing is committed yet.",
        },
        DemoStep {
            title: "It is committed and pushed, and arrives",
            acts: vec![
                (Git(&["commit", "--quiet", "--all", "--message=Greet"]), well(&[])),
                (Wants("git push"), silent()),
                (Git(&["push", "--quiet", "origin", "main"]), well(&[])),
                (LooksAtRemote, well(&[])),
            ],
            meaning: "A new commit with the same content: content counts, not commits. An empty answer means: no objection.",
        },
        DemoStep {
            title: "One byte changes",
            acts: vec![
                (Writes("Hello, Harbour\n"), well(&[])),
                (
                    Types { hook: "user-prompt-ship", prompt: "/ship" },
                    well(&["Ship gate: Stale review", "changed since", FILE]),
                ),
            ],
            meaning: "The review was of other content. The answer names the file and the command to run next.",
        },
        DemoStep {
            title: "The agent tries to push it anyway",
            acts: vec![
                (Git(&["commit", "--quiet", "--all", "--message=Capitals"]), well(&[])),
                (Wants("git push"), well(&["\"permissionDecision\":\"deny\"", "[ship_gate]", FILE])),
            ],
            meaning: "Refused before it ran.",
        },
        DemoStep {
            title: "Somebody pushes past the agent's hook, in a shell",
            acts: vec![
                (
                    Git(&["push", "--quiet", "origin", "main"]),
                    refused(&["Ship gate: BLOCKED. Nothing was pushed.", FILE]),
                ),
                (LooksAtRemote, refused(&[])),
            ],
            meaning: "git's own pre-push hook asked the same gate about the commits to push.",
        },
        DemoStep {
            title: "The agent wants to delete the home directory",
            acts: vec![(Wants("rm -rf ~/"), well(&["\"permissionDecision\":\"deny\"", "[system_or_home]"]))],
            meaning: "The floor: refused under every configuration, paused or not.",
        },
        DemoStep {
            title: "Honest work is left alone",
            acts: vec![(Wants("rm -rf target && git status && echo 'rm -rf /'"), silent())],
            meaning: "The effects of a command count, not its words.",
        },
    ]
}

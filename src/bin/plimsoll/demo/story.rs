//! The story itself, as data.

use super::act::Act::{Git, LooksAtRemote, Plimsoll, Types, Wants, Writes};
use super::stage::FILE;
use super::step::{Ends, Expected, Step};

pub(super) fn steps() -> Vec<Step> {
    let well = |says| Expected { ends: Ends::Well, says };
    let silent = || Expected { ends: Ends::Silent, says: &[] };
    let refused = |says| Expected { ends: Ends::Refused, says };
    vec![
        Step {
            title: "A repository is bound to the gate",
            acts: vec![(Plimsoll(&["enrol", "--yes"]), well(&["is bound to the gate", "pre-push"]))],
            meaning: "From now on every push from it is judged.",
        },
        Step {
            title: "A change is reviewed",
            acts: vec![
                (Writes("Hello, harbour\n"), well(&[])),
                (
                    Types { hook: "user-prompt-review", prompt: "/review --free --yes" },
                    well(&["additionalContext", "Review requested", "plimsoll review run --loop 1"]),
                ),
                (Plimsoll(&["review", "run", "--loop", "1"]), well(&["Loop 1", "PASS", "Ship: ALLOWED"])),
            ],
            meaning: "The hook only hands over what to do. The command ran the checks and sealed a receipt for exactly this content.",
        },
        Step {
            title: "The reviewed content may ship",
            acts: vec![(Types { hook: "user-prompt-ship", prompt: "/ship" }, well(&["Ship gate: APPROVED"]))],
            meaning: "The gate is open for what is in the working tree, although nothing is committed yet.",
        },
        Step {
            title: "It is committed and pushed, and arrives",
            acts: vec![
                (Git(&["commit", "--quiet", "--all", "--message=Greet"]), well(&[])),
                (Wants("git push"), silent()),
                (Git(&["push", "--quiet", "origin", "main"]), well(&[])),
                (LooksAtRemote, well(&[])),
            ],
            meaning: "A new commit, the same content: content counts, not commits. An empty answer means: nothing against it.",
        },
        Step {
            title: "One byte changes",
            acts: vec![
                (Writes("Hello, Harbour\n"), well(&[])),
                (
                    Types { hook: "user-prompt-ship", prompt: "/ship" },
                    well(&["Ship gate: Stale review", "changed since", FILE]),
                ),
            ],
            meaning: "The review was of other content. The answer names the file and the command that mends it.",
        },
        Step {
            title: "The agent tries to push it all the same",
            acts: vec![
                (Git(&["commit", "--quiet", "--all", "--message=Capitals"]), well(&[])),
                (Wants("git push"), well(&["\"permissionDecision\":\"deny\"", "[ship_gate]", FILE])),
            ],
            meaning: "Refused before it ran.",
        },
        Step {
            title: "Somebody pushes past the agent's hook, in a shell",
            acts: vec![
                (
                    Git(&["push", "--quiet", "origin", "main"]),
                    refused(&["Ship gate: BLOCKED. Nothing was pushed.", FILE]),
                ),
                (LooksAtRemote, refused(&[])),
            ],
            meaning: "git's own pre-push hook asked the same gate about the commits that would really have left.",
        },
        Step {
            title: "The agent wants to delete the home directory",
            acts: vec![(Wants("rm -rf ~/"), well(&["\"permissionDecision\":\"deny\"", "[system_or_home]"]))],
            meaning: "The floor: refused under every configuration, paused or not.",
        },
        Step {
            title: "Honest work is left alone",
            acts: vec![(Wants("rm -rf target && git status && echo 'rm -rf /'"), silent())],
            meaning: "What counts is what a command does, not which words it holds.",
        },
    ]
}

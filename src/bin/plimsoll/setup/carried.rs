//! The files that go into `.claude`, inside the program, so that an installation needs no checkout.

/// One file of an installation, by its path below `.claude`.
pub(crate) struct CarriedFile {
    pub(crate) path: &'static str,
    pub(crate) text: &'static str,
    pub(crate) mode: u32,
}

macro_rules! carried {
    ($($path:literal),+ $(,)?) => {
        &[$(CarriedFile { path: $path, text: include_str!(concat!("../../../../", $path)), mode: 0o644 }),+]
    };
}

const FILES: &[CarriedFile] = carried![
    "agents/claude-reviewer.md",
    "agents/git-agent.md",
    "agents/integration-checker.md",
    "agents/outside-reviewer.md",
    "agents/quality-checker.md",
    "agents/review-parser.md",
    "agents/task-reviewer.md",
    "commands/allow.md",
    "commands/parse-review.md",
    "commands/reconcile.md",
    "commands/recover.md",
    "commands/review-task.md",
    "commands/review.md",
    "commands/ship.md",
    "skills/plimsoll/SKILL.md",
];

/// Starts the hooks of a project that is shared through git.
const LAUNCHER: CarriedFile =
    CarriedFile { path: "plimsoll/launch", text: include_str!("../../../../hooks/launch"), mode: 0o755 };

/// The files of an installation; only a shared one has the launcher.
pub(crate) fn files(shared: bool) -> impl Iterator<Item = &'static CarriedFile> {
    FILES.iter().chain(shared.then_some(&LAUNCHER))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_command_agent_and_skill_of_the_checkout_is_carried() {
        let root = camino::Utf8Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut found = BTreeSet::new();
        for folder in ["agents", "commands", "skills/plimsoll"] {
            for entry in root.join(folder).read_dir_utf8().unwrap() {
                found.insert(format!("{folder}/{}", entry.unwrap().file_name()));
            }
        }
        let carried: BTreeSet<String> = files(false).map(|file| file.path.to_owned()).collect();
        assert_eq!(carried, found);
    }
}

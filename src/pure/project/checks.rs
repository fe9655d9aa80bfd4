//! The checks of a project: from the settings, then from the project's own scripts, then from its tools.

use super::ecosystems::{self, Ecosystem};
use super::folder::ProjectFolder;
use super::plan::{CheckPlan, CommandOrigin, PlannedCheck};
use super::{CheckKind, Manifests, tasks};
use crate::pure::policy::Settings;

/// Every plan, in the order of the kinds; at least one for each kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Checks(Vec<PlannedCheck>);

impl Checks {
    /// Kinds without a check are reported as missing.
    pub fn detect(manifests: &Manifests, settings: &Settings) -> Self {
        let sites = sites(manifests);
        Self(CheckKind::ALL.into_iter().flat_map(|kind| planned(kind, manifests, &sites, settings)).collect())
    }

    pub(super) fn into_plans(self) -> Vec<PlannedCheck> {
        self.0
    }

    pub(super) fn from_plans(plans: Vec<PlannedCheck>) -> Self {
        Self(plans)
    }

    pub fn of(&self, kinds: &[CheckKind]) -> Vec<PlannedCheck> {
        self.0.iter().filter(|planned| kinds.contains(&planned.kind)).cloned().collect()
    }

    /// Folders below the root that are projects themselves.
    pub fn subprojects(&self) -> Vec<&str> {
        let mut folders: Vec<&str> =
            self.0.iter().map(|planned| planned.directory.as_str()).filter(|path| !path.is_empty()).collect();
        folders.sort_unstable();
        folders.dedup();
        folders
    }
}

/// A language in a folder.
struct Site<'a> {
    folder: ProjectFolder<'a>,
    ecosystem: &'static Ecosystem,
}

struct Candidate {
    directory: String,
    word: &'static str,
    plan: CheckPlan,
}

/// A language at the root is checked there; otherwise in each of its topmost folders.
fn sites(manifests: &Manifests) -> Vec<Site<'_>> {
    const ALL: &[Ecosystem] = &ecosystems::ALL;
    let mut sites = Vec::new();
    for ecosystem in ALL {
        let root = manifests.root();
        if (ecosystem.present)(&root) {
            sites.push(Site { folder: root, ecosystem });
            continue;
        }
        let mut taken: Vec<String> = Vec::new();
        for folder in manifests.below().0.into_iter().filter(|folder| (ecosystem.present)(folder)) {
            if !taken.iter().any(|above| folder.path.starts_with(&format!("{above}/"))) {
                taken.push(folder.path.clone());
                sites.push(Site { folder, ecosystem });
            }
        }
    }
    sites
}

fn planned(
    kind: CheckKind,
    manifests: &Manifests,
    sites: &[Site<'_>],
    settings: &Settings,
) -> Vec<PlannedCheck> {
    let (key, argv) = command(kind, settings);
    if !argv.is_empty() {
        let plan = CheckPlan::run(argv.to_vec(), format!("{key} in the settings"), CommandOrigin::Settings);
        return vec![PlannedCheck { kind, name: kind.to_string(), directory: String::new(), plan }];
    }
    let mut found = candidates(kind, manifests, sites);
    let more = manifests.below().1;
    if more > 0 {
        let plan =
            CheckPlan::missing(format!("{more} further folders with a manifest are too many to look at"));
        found.push(Candidate { directory: String::new(), word: "further folders", plan });
    }
    if found.is_empty() {
        let plan = CheckPlan::missing("no manifest of a known language was found");
        found.push(Candidate { directory: String::new(), word: "", plan });
    }
    named(kind, found)
}

fn candidates(kind: CheckKind, manifests: &Manifests, sites: &[Site<'_>]) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = sites
        .iter()
        .map(|Site { folder, ecosystem }| Candidate {
            directory: folder.path.clone(),
            word: ecosystem.word,
            plan: (ecosystem.plan)(kind, folder),
        })
        .collect();
    let mut folders: Vec<ProjectFolder<'_>> = sites.iter().map(|site| site.folder.clone()).collect();
    folders.push(manifests.root());
    folders.sort_by(|one, other| one.path.cmp(&other.path));
    folders.dedup_by(|one, other| one.path == other.path);
    // The root last: its target covers everything below.
    for folder in folders.iter().rev() {
        if let Some(target) = tasks::target(kind, folder) {
            let path = folder.path.as_str();
            found
                .retain(|candidate| !within(&candidate.directory, path) || is_kept(candidate, path, &target));
            found.insert(0, Candidate { directory: path.into(), word: "tasks", plan: target.plan });
        }
    }
    found
}

fn within(directory: &str, folder: &str) -> bool {
    folder.is_empty() || directory == folder || directory.starts_with(&format!("{folder}/"))
}

/// A target replaces detected tools. It replaces a script of the project only if it calls that script.
fn is_kept(candidate: &Candidate, folder: &str, target: &tasks::TaskTarget) -> bool {
    match &candidate.plan {
        CheckPlan::Unknown { .. } => true,
        CheckPlan::Missing { .. } => false,
        CheckPlan::Run(command) if command.origin == CommandOrigin::Script => {
            let program = command.argv.first().map(String::as_str).unwrap_or_default();
            let called = match candidate.directory.as_str() {
                directory if directory == folder => target.mentions(program),
                directory => directory.split('/').next_back().is_some_and(|name| target.mentions(name)),
            };
            !called
        }
        CheckPlan::Run(_) => false,
    }
}

/// `lint` for a single check; otherwise with the folder, the language or both.
fn named(kind: CheckKind, found: Vec<Candidate>) -> Vec<PlannedCheck> {
    let several = found.len() > 1;
    let in_folder: Vec<String> = found.iter().map(|candidate| candidate.directory.clone()).collect();
    let name = |candidate: &Candidate| {
        let directory = candidate.directory.as_str();
        let shared = in_folder.iter().filter(|other| other.as_str() == directory).count() > 1;
        match (directory, candidate.word) {
            ("", "") => kind.to_string(),
            ("", word) if several => format!("{kind} ({word})"),
            ("", _) => kind.to_string(),
            (directory, word) if shared => format!("{kind} ({directory}, {word})"),
            (directory, _) => format!("{kind} ({directory})"),
        }
    };
    found
        .into_iter()
        .map(|candidate| PlannedCheck {
            kind,
            name: name(&candidate),
            directory: candidate.directory,
            plan: candidate.plan,
        })
        .collect()
}

fn command(kind: CheckKind, settings: &Settings) -> (String, &[String]) {
    let checks = &settings.loop1.checks;
    let argv = match kind {
        CheckKind::Lint => &checks.lint,
        CheckKind::Typecheck => &checks.typecheck,
        CheckKind::Format => &checks.format,
        CheckKind::Build => &checks.build,
        CheckKind::Test => &checks.test,
        CheckKind::Integration => &settings.loop4.integration,
        CheckKind::E2e => &settings.loop4.e2e,
    };
    let key = if CheckKind::LOOP4.contains(&kind) { "loop4" } else { "loop1.checks" };
    (format!("{key}.{kind}"), argv)
}

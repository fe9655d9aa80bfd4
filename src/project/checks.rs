//! Which checks a project has: the settings first, then what the project itself calls its checks, then its tools.

use super::ecosystems::{self, Ecosystem};
use super::folder::Folder;
use super::plan::{Origin, Plan, Planned};
use super::{CheckKind, Manifests, tasks};
use crate::policy::Settings;

/// Every plan, in the order of the kinds; at least one for each kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checks(Vec<Planned>);

impl Checks {
    /// Nothing found is not an error: every kind is then missing.
    pub fn detect(manifests: &Manifests, settings: &Settings) -> Self {
        let sites = sites(manifests);
        Self(CheckKind::ALL.into_iter().flat_map(|kind| planned(kind, manifests, &sites, settings)).collect())
    }

    pub fn of(&self, kinds: &[CheckKind]) -> Vec<Planned> {
        self.0.iter().filter(|planned| kinds.contains(&planned.kind)).cloned().collect()
    }

    /// Folders that are projects of their own, below the top.
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
    folder: Folder<'a>,
    ecosystem: &'static Ecosystem,
}

struct Candidate {
    directory: String,
    word: &'static str,
    plan: Plan,
}

/// A language at the top is taken care of from there; one that is only below, in each of its topmost folders.
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

fn planned(kind: CheckKind, manifests: &Manifests, sites: &[Site<'_>], settings: &Settings) -> Vec<Planned> {
    let (key, argv) = command(kind, settings);
    if !argv.is_empty() {
        let plan = Plan::run(argv.to_vec(), format!("{key} in the settings"), Origin::Settings);
        return vec![Planned { kind, name: kind.to_string(), directory: String::new(), plan }];
    }
    let mut found = candidates(kind, manifests, sites);
    let more = manifests.below().1;
    if more > 0 {
        let plan = Plan::missing(format!("{more} further folders with a manifest are too many to look at"));
        found.push(Candidate { directory: String::new(), word: "further folders", plan });
    }
    if found.is_empty() {
        let plan = Plan::missing("no manifest of a known language was found");
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
    let mut folders: Vec<Folder<'_>> = sites.iter().map(|site| site.folder.clone()).collect();
    folders.push(manifests.root());
    folders.sort_by(|one, other| one.path.cmp(&other.path));
    folders.dedup_by(|one, other| one.path == other.path);
    // The top last: its target stands for everything below as well.
    for folder in folders.iter().rev() {
        if let Some(target) = tasks::target(kind, folder) {
            let path = folder.path.as_str();
            found.retain(|candidate| !within(&candidate.directory, path) || stays(candidate, path, &target));
            found.insert(0, Candidate { directory: path.into(), word: "tasks", plan: target.plan });
        }
    }
    found
}

fn within(directory: &str, folder: &str) -> bool {
    folder.is_empty() || directory == folder || directory.starts_with(&format!("{folder}/"))
}

/// A target replaces our own guesses; a script of the project only if it calls it, so that nothing is left out.
fn stays(candidate: &Candidate, folder: &str, target: &tasks::Target) -> bool {
    match &candidate.plan {
        Plan::Unknown { .. } => true,
        Plan::Missing { .. } => false,
        Plan::Run(command) if command.origin == Origin::Script => {
            let program = command.argv.first().map(String::as_str).unwrap_or_default();
            let called = match candidate.directory.as_str() {
                directory if directory == folder => target.mentions(program),
                directory => directory.split('/').next_back().is_some_and(|name| target.mentions(name)),
            };
            !called
        }
        Plan::Run(_) => false,
    }
}

/// `lint` where there is one; else told apart by the folder, by the language, or by both.
fn named(kind: CheckKind, found: Vec<Candidate>) -> Vec<Planned> {
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
        .map(|candidate| Planned {
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

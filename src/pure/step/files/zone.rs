//! The zone of a path, and the risk of a deletion there.

use crate::pure::step::effect::{self, Addressed, Losing, Target};
use crate::pure::step::generated::is_always_generated;
use crate::pure::step::git_folder;
use crate::pure::step::pattern::PathPattern;
use crate::pure::step::place::Place;
use camino::{Utf8Path, Utf8PathBuf};

/// System directories.
pub(crate) const SYSTEM: [&str; 20] = [
    "/bin", "/boot", "/dev", "/etc", "/home", "/lib", "/lib64", "/opt", "/proc", "/root", "/sbin", "/srv",
    "/sys", "/usr", "/var", "/Users", "/System", "/Library", "/Applications", "/private",
];

/// Directories whose content may vanish at any time.
const TEMPORARY: [&str; 8] = [
    "/tmp", "/var/tmp", "/dev/shm", "/private/tmp", "/private/var/tmp", "/var/folders",
    "/private/var/folders", "/var/lib/apt/lists",
];

/// Caches below the home directory.
const CACHES: [&str; 25] = [
    ".bun/install/cache",
    ".bundle/cache",
    ".cache",
    ".cargo/git",
    ".cargo/registry",
    ".conda/pkgs",
    ".deno",
    ".electron-gyp",
    ".expo/cache",
    ".gradle/caches",
    ".gradle/daemon",
    ".gradle/wrapper",
    ".ivy2/cache",
    ".m2/repository",
    ".node-gyp",
    ".npm",
    ".nuget/packages",
    ".pnpm-store",
    ".pub-cache",
    ".terraform.d/plugin-cache",
    ".yarn/berry/cache",
    ".yarn/cache",
    "Library/Caches",
    "Library/Developer/Xcode/DerivedData",
    "go/pkg",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Zone {
    Project,
    Temporary,
    /// Programs recreate its content.
    Cache,
    Home,
    System,
    Elsewhere,
}

/// The risk of a deletion, by its place alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum DeletionRisk {
    /// Nothing of value lies there.
    Harmless,
    /// Depends on the files there.
    Depends(Losing),
    /// Outside the project: a person decides, unless the files are known not to matter.
    OutsideUnless(Losing),
    /// Outside the project: a person decides.
    Outside,
    /// Only the shell will know what is deleted.
    Anything,
}

/// The name of a target that is the root, a system directory, the home directory or a parent of it.
pub(crate) fn system_or_home_directory<'a>(target: &'a Target, place: &'a Place) -> Option<&'a str> {
    let mut all = place.home.ancestors().chain(SYSTEM.iter().map(Utf8Path::new));
    match target {
        Target::Path(path) | Target::Inside(path) => all.any(|one| path == one).then_some(path.as_str()),
        Target::Matching(pattern) => {
            let matcher = PathPattern::new(pattern);
            all.find(|path| matcher.matches(path)).map(Utf8Path::as_str)
        }
        Target::Below(_) | Target::Unknown => None,
    }
}

/// A system path, or the whole home directory of a user.
fn is_system(path: &Utf8Path) -> bool {
    let depth = path.components().count();
    let homes = ["/home", "/Users"].iter().any(|root| lies_below(path, root));
    path == "/" || if homes { depth <= 3 } else { SYSTEM.iter().any(|root| lies_below(path, root)) }
}

impl DeletionRisk {
    /// The question for git and the file system.
    pub fn losing(&self) -> Option<&Losing> {
        match self {
            Self::Depends(losing) | Self::OutsideUnless(losing) => Some(losing),
            Self::Harmless | Self::Outside | Self::Anything => None,
        }
    }
}

/// The zone of a path. A project or a home directory inside another zone counts as itself.
pub(crate) fn zone(path: &Utf8Path, place: &Place) -> Zone {
    let in_project = lies_below(path, place.project.as_str());
    let in_home = lies_below(path, place.home.as_str()) && place.home != "/";
    let temporary = |root: &&str| {
        let narrower =
            in_project && lies_below(&place.project, root) || in_home && lies_below(&place.home, root);
        lies_below(path, root) && !narrower
    };
    let in_cache = |path: &Utf8Path, root: &str| {
        let rest = path.as_str().get(place.home.as_str().len() + 1..);
        rest.is_some_and(|rest| lies_below(Utf8Path::new(rest), root))
    };
    let cache = |root: &&str| {
        let around = in_project && lies_below(&place.project, place.home.as_str());
        in_cache(path, root) && !(around && in_cache(&place.project, root))
    };
    if TEMPORARY.iter().any(temporary) {
        Zone::Temporary
    } else if in_home && CACHES.iter().any(cache) {
        Zone::Cache
    } else if in_project {
        Zone::Project
    } else if in_home {
        Zone::Home
    } else if is_system(path) {
        Zone::System
    } else {
        Zone::Elsewhere
    }
}

/// The risk of deleting a target, by its place alone.
pub(crate) fn deletion_risk(target: &Target, recursive: bool, place: &Place) -> DeletionRisk {
    if let Some(risk) = git_folder::deletion(target, place) {
        return risk;
    }
    match target {
        Target::Path(path) if is_temporary_root(path) && recursive => DeletionRisk::Outside,
        Target::Inside(path) if is_temporary_root(path) => DeletionRisk::Outside,
        Target::Path(path) => match zone(path, place) {
            Zone::Temporary | Zone::Cache => DeletionRisk::Harmless,
            Zone::Project => DeletionRisk::Depends(Losing::Path { path: path.clone(), recursive }),
            zone => outside(path, zone, recursive, place, || Losing::Path { path: path.clone(), recursive }),
        },
        Target::Inside(path) => match (zone(path, place), recursive) {
            (Zone::Temporary | Zone::Cache, _) => DeletionRisk::Harmless,
            (Zone::Project, true) => DeletionRisk::Depends(Losing::Inside(path.clone())),
            (Zone::Project, false) => DeletionRisk::Depends(each_in(path)),
            (zone, _) => outside(path, zone, recursive, place, || each_in(path)),
        },
        Target::Matching(pattern) => matching(pattern, recursive, place),
        Target::Below(_) | Target::Unknown if !recursive => DeletionRisk::Harmless,
        Target::Below(path) => match zone(path, place) {
            Zone::Temporary | Zone::Cache => DeletionRisk::Harmless,
            Zone::Project => DeletionRisk::Depends(Losing::Inside(path.clone())),
            Zone::Home | Zone::System | Zone::Elsewhere => DeletionRisk::Anything,
        },
        Target::Unknown => DeletionRisk::Anything,
    }
}

fn outside(
    path: &Utf8Path,
    zone: Zone,
    recursive: bool,
    place: &Place,
    losing: impl Fn() -> Losing,
) -> DeletionRisk {
    let generated = path.file_name().is_some_and(is_always_generated);
    let rest = path.strip_prefix(&place.home).map(Utf8Path::as_str).unwrap_or_default();
    match zone {
        Zone::Home | Zone::Elsewhere if generated => DeletionRisk::Harmless,
        Zone::Home if !recursive && rest.starts_with(".claude/") => DeletionRisk::Harmless,
        Zone::System if !recursive => DeletionRisk::Outside,
        Zone::Home if !recursive && rest.starts_with('.') => DeletionRisk::Outside,
        // A parent of the project or of the home directory is not a worktree.
        _ if recursive && (place.project.starts_with(path) || place.home.starts_with(path)) => {
            DeletionRisk::Outside
        }
        // It may be a worktree of the project's own repository.
        _ if recursive => {
            let repository = Addressed::Directory(place.project.clone());
            DeletionRisk::OutsideUnless(Losing::Worktree { repository, path: path.to_owned() })
        }
        _ => DeletionRisk::OutsideUnless(losing()),
    }
}

fn matching(pattern: &str, recursive: bool, place: &Place) -> DeletionRisk {
    let losing = || Losing::Matching { pattern: pattern.to_owned(), recursive };
    let front = fixed_front(pattern);
    let name = pattern.rsplit('/').next().unwrap_or(pattern);
    let everywhere = front == place.home && pattern.contains("**");
    match zone(&front, place) {
        Zone::Temporary | Zone::Cache => DeletionRisk::Harmless,
        Zone::Project if is_always_generated(name) => DeletionRisk::Harmless,
        Zone::Project => DeletionRisk::Depends(losing()),
        Zone::Home | Zone::Elsewhere if is_always_generated(name) && !everywhere => DeletionRisk::Harmless,
        Zone::System => DeletionRisk::Outside,
        Zone::Home | Zone::Elsewhere if recursive => DeletionRisk::Outside,
        Zone::Home | Zone::Elsewhere => DeletionRisk::OutsideUnless(losing()),
    }
}

/// Whether a path is a directory or lies in it. Compares text, since both are absolute and normal: splitting paths for
/// every directory of a list would cost more than parsing the command.
pub(crate) fn lies_below(path: &Utf8Path, directory: &str) -> bool {
    let (path, directory) = (path.as_str(), directory.trim_end_matches('/'));
    // Nearly every path differs in this byte, which is cheaper to check than the whole prefix.
    matches!(path.as_bytes().get(directory.len()), None | Some(b'/')) && path.starts_with(directory)
}

/// The directory that contains every possible match of a pattern.
pub(crate) fn fixed_front(pattern: &str) -> Utf8PathBuf {
    let fixed = pattern.split('/').take_while(|name| !name.contains(['*', '?', '[', '{', '(', '\\']));
    let front = fixed.collect::<Vec<_>>().join("/");
    if front.is_empty() { Utf8PathBuf::from("/") } else { Utf8PathBuf::from(front) }
}

fn each_in(directory: &Utf8Path) -> Losing {
    Losing::Matching { pattern: effect::each_in(directory), recursive: false }
}

fn is_temporary_root(path: &Utf8Path) -> bool {
    TEMPORARY.iter().any(|root| path == *root)
}

/// Whether git would discard files only in a temporary directory.
pub(crate) fn disposable(losing: &Losing, place: &Place) -> bool {
    let temporary = |path: &Utf8Path| zone(path, place) == Zone::Temporary;
    match losing {
        Losing::Path { path, .. } | Losing::Inside(path) | Losing::Content(path) => temporary(path),
        Losing::Merged { into, .. } => temporary(into),
        Losing::Matching { pattern, .. } | Losing::Contents(pattern) => temporary(&fixed_front(pattern)),
        Losing::Worktree { path, .. } if temporary(path) => true,
        Losing::Changes { repository, .. }
        | Losing::Untracked { repository, .. }
        | Losing::Named { repository, .. }
        | Losing::Branch { repository, .. }
        | Losing::Stash { repository }
        | Losing::History { repository }
        | Losing::Worktree { repository, .. } => match repository {
            Addressed::Directory(directory) => temporary(directory),
            Addressed::Unknown => false,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::step::sample::place;

    fn zone_of(path: &str) -> Zone {
        zone(Utf8Path::new(path), &place())
    }

    #[test]
    fn a_path_lies_in_one_zone() {
        for (path, expected) in [
            ("/home/user/project/src", Zone::Project),
            ("/home/user/projects", Zone::Home),
            ("/home/user/.cache/pip", Zone::Cache),
            ("/home/user/go/pkg/mod", Zone::Cache),
            ("/home/user/go/src", Zone::Home),
            ("/tmp", Zone::Temporary),
            ("/tmpfiles", Zone::Elsewhere),
            ("/var/folders/gz/x/T/y", Zone::Temporary),
            ("/var/lib", Zone::System),
            ("/home/other", Zone::System),
            ("/", Zone::System),
            ("/data", Zone::Elsewhere),
        ] {
            assert_eq!(zone_of(path), expected, "{path}");
        }
    }

    #[test]
    fn a_project_in_a_temporary_directory_is_a_project() {
        let place = Place { project: "/tmp/work".into(), ..place() };
        assert_eq!(zone(Utf8Path::new("/tmp/work/src"), &place), Zone::Project);
        assert_eq!(zone(Utf8Path::new("/tmp/other"), &place), Zone::Temporary);
    }

    #[test]
    fn a_home_in_a_temporary_directory_is_a_home() {
        let place = Place { home: "/tmp/home".into(), ..place() };
        assert_eq!(zone(Utf8Path::new("/tmp/home/x"), &place), Zone::Home);
        assert_eq!(zone(Utf8Path::new("/tmp/home/.cache/x"), &place), Zone::Cache);
        assert_eq!(zone(Utf8Path::new("/tmp/other"), &place), Zone::Temporary);
    }

    #[test]
    fn a_session_at_the_root_keeps_the_temporary_directories() {
        let place = Place { project: "/".into(), ..place() };
        assert_eq!(zone(Utf8Path::new("/tmp/x"), &place), Zone::Temporary);
        assert_eq!(zone(Utf8Path::new("/data/x"), &place), Zone::Project);
    }

    #[test]
    fn what_comes_before_the_first_star_holds_everything_behind_it() {
        for (pattern, front) in [("/a/b*", "/a"), ("/*/a", "/"), ("/a/**/x", "/a"), ("/a/x[1]/y", "/a")] {
            assert_eq!(fixed_front(pattern), front, "{pattern}");
        }
    }
}

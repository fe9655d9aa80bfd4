//! Where a path lies, and what that alone says about losing it.

use crate::step::effect::{self, Addressed, Losing, Target};
use crate::step::git_folder;
use crate::step::pattern::Pattern;
use crate::step::place::Place;
use crate::step::remake::always_made_again;
use camino::{Utf8Path, Utf8PathBuf};

/// Directories that the system is made of.
pub const SYSTEM: [&str; 20] = [
    "/bin", "/boot", "/dev", "/etc", "/home", "/lib", "/lib64", "/opt", "/proc", "/root", "/sbin", "/srv",
    "/sys", "/usr", "/var", "/Users", "/System", "/Library", "/Applications", "/private",
];

/// Directories that are emptied without asking.
const TEMPORARY: [&str; 7] = [
    "/tmp", "/var/tmp", "/dev/shm", "/private/tmp", "/private/var/tmp", "/var/folders",
    "/private/var/folders",
];

/// What programs fill again, below the home directory.
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
pub enum Zone {
    Project,
    Temporary,
    /// Programs fill it again.
    Cache,
    Home,
    System,
    Elsewhere,
}

/// What a deletion comes to by its place alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// Nobody would miss it.
    Harmless,
    /// It depends on what is there.
    Depends(Losing),
    /// Outside the project: to be asked about, unless what is there is known not to matter.
    OutsideUnless(Losing),
    /// Outside the project: to be asked about, whatever is there.
    Outside,
    /// Only the shell will know what is deleted.
    Anything,
}

/// How to call a target that is the root, a system directory, the home directory or one that holds it.
pub fn foundation<'a>(target: &'a Target, place: &'a Place) -> Option<&'a str> {
    let mut all = place.home.ancestors().chain(SYSTEM.iter().map(Utf8Path::new));
    match target {
        Target::Path(path) | Target::Inside(path) => all.any(|one| path == one).then_some(path.as_str()),
        Target::Matching(pattern) => {
            let matcher = Pattern::new(pattern);
            all.find(|path| matcher.matches(path)).map(Utf8Path::as_str)
        }
        Target::Below(_) | Target::Unknown => None,
    }
}

/// Part of the system, or everything that one of its users has.
fn is_system(path: &Utf8Path) -> bool {
    let depth = path.components().count();
    let homes = ["/home", "/Users"].iter().any(|root| lies_below(path, root));
    path == "/" || if homes { depth <= 3 } else { SYSTEM.iter().any(|root| lies_below(path, root)) }
}

impl Standing {
    /// What git and the file system have to be asked about.
    pub fn losing(&self) -> Option<&Losing> {
        match self {
            Self::Depends(losing) | Self::OutsideUnless(losing) => Some(losing),
            Self::Harmless | Self::Outside | Self::Anything => None,
        }
    }
}

/// The zone of a path. A project or a home that lies in another zone is a project or a home first.
pub fn zone(path: &Utf8Path, place: &Place) -> Zone {
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

/// What deleting this comes to, as far as its place says.
pub fn standing(target: &Target, recursive: bool, place: &Place) -> Standing {
    if let Some(standing) = git_folder::deletion(target, place) {
        return standing;
    }
    match target {
        Target::Path(path) if is_temporary_root(path) && recursive => Standing::Outside,
        Target::Inside(path) if is_temporary_root(path) => Standing::Outside,
        Target::Path(path) => match zone(path, place) {
            Zone::Temporary | Zone::Cache => Standing::Harmless,
            Zone::Project => Standing::Depends(Losing::Path { path: path.clone(), recursive }),
            zone => outside(path, zone, recursive, place, || Losing::Path { path: path.clone(), recursive }),
        },
        Target::Inside(path) => match (zone(path, place), recursive) {
            (Zone::Temporary | Zone::Cache, _) => Standing::Harmless,
            (Zone::Project, true) => Standing::Depends(Losing::Inside(path.clone())),
            (Zone::Project, false) => Standing::Depends(each_in(path)),
            (zone, _) => outside(path, zone, recursive, place, || each_in(path)),
        },
        Target::Matching(pattern) => matching(pattern, recursive, place),
        Target::Below(_) | Target::Unknown if !recursive => Standing::Harmless,
        Target::Below(path) => match zone(path, place) {
            Zone::Temporary | Zone::Cache => Standing::Harmless,
            Zone::Project => Standing::Depends(Losing::Inside(path.clone())),
            Zone::Home | Zone::System | Zone::Elsewhere => Standing::Anything,
        },
        Target::Unknown => Standing::Anything,
    }
}

fn outside(
    path: &Utf8Path,
    zone: Zone,
    recursive: bool,
    place: &Place,
    losing: impl Fn() -> Losing,
) -> Standing {
    let made_again = path.file_name().is_some_and(always_made_again);
    let rest = path.strip_prefix(&place.home).map(Utf8Path::as_str).unwrap_or_default();
    match zone {
        Zone::Home | Zone::Elsewhere if made_again => Standing::Harmless,
        Zone::Home if !recursive && rest.starts_with(".claude/") => Standing::Harmless,
        Zone::System if !recursive => Standing::Outside,
        Zone::Home if !recursive && rest.starts_with('.') => Standing::Outside,
        // What holds the project or the home is no worktree beside it.
        _ if recursive && (place.project.starts_with(path) || place.home.starts_with(path)) => {
            Standing::Outside
        }
        // It may be a worktree of the project's own repository.
        _ if recursive => {
            let repository = Addressed::Directory(place.project.clone());
            Standing::OutsideUnless(Losing::Worktree { repository, path: path.to_owned() })
        }
        _ => Standing::OutsideUnless(losing()),
    }
}

fn matching(pattern: &str, recursive: bool, place: &Place) -> Standing {
    let losing = || Losing::Matching { pattern: pattern.to_owned(), recursive };
    let front = fixed_front(pattern);
    let name = pattern.rsplit('/').next().unwrap_or(pattern);
    let everywhere = front == place.home && pattern.contains("**");
    match zone(&front, place) {
        Zone::Temporary | Zone::Cache => Standing::Harmless,
        Zone::Project if always_made_again(name) => Standing::Harmless,
        Zone::Project => Standing::Depends(losing()),
        Zone::Home | Zone::Elsewhere if always_made_again(name) && !everywhere => Standing::Harmless,
        Zone::System => Standing::Outside,
        Zone::Home | Zone::Elsewhere if recursive => Standing::Outside,
        Zone::Home | Zone::Elsewhere => Standing::OutsideUnless(losing()),
    }
}

/// Whether a path is a directory or lies in it. Both are absolute and normal, so the text says it; taking paths apart for
/// every directory of a list would cost more than reading the command.
pub fn lies_below(path: &Utf8Path, directory: &str) -> bool {
    let (path, directory) = (path.as_str(), directory.trim_end_matches('/'));
    // Nearly every path ends or goes on with something else there, and one look is less than a comparison.
    matches!(path.as_bytes().get(directory.len()), None | Some(b'/')) && path.starts_with(directory)
}

/// The directory that everything lies in that a pattern can match.
pub fn fixed_front(pattern: &str) -> Utf8PathBuf {
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

/// Whether what git would throw away lies where nothing is kept.
pub fn disposable(losing: &Losing, place: &Place) -> bool {
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
    use crate::step::sample::place;

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

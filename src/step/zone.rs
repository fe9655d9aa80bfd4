//! Where a path lies, and what that says about losing it.

use super::effect::{Losing, Target};
use super::place::Place;

/// Directories that the system is made of.
pub const SYSTEM: [&str; 20] = [
    "/bin",
    "/boot",
    "/dev",
    "/etc",
    "/home",
    "/lib",
    "/lib64",
    "/opt",
    "/proc",
    "/root",
    "/sbin",
    "/srv",
    "/sys",
    "/usr",
    "/var",
    "/Users",
    "/System",
    "/Library",
    "/Applications",
    "/private",
];

/// What has to be found out before a deletion can be judged; nothing where the place alone decides.
pub fn losing(target: &Target, recursive: bool, place: &Place) -> Option<Losing> {
    match target {
        Target::Path(path) if path.starts_with(&place.project) => {
            Some(Losing::Path { path: path.clone(), recursive })
        }
        Target::Inside(path) if path.starts_with(&place.project) => Some(Losing::Inside(path.clone())),
        Target::Matching(pattern) if pattern.starts_with(place.project.as_str()) => {
            Some(Losing::Matching { pattern: pattern.clone(), recursive })
        }
        Target::Path(_) | Target::Inside(_) | Target::Matching(_) | Target::Below(_) | Target::Unknown => {
            None
        }
    }
}

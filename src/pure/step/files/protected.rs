//! Plimsoll's own files, which the agent may not change under any configuration.

use crate::pure::step::effect::Target;
use crate::pure::step::pattern::PathPattern;
use camino::{Utf8Path, Utf8PathBuf};

/// Room for the folders of nearly every project.
const USUAL: usize = 16;

/// Protected names by folder. Cheap to build, since every
/// tool call builds one and hardly any uses it.
#[derive(Debug, Clone, Default)]
pub struct Protected {
    folders: Vec<(Utf8PathBuf, &'static [ProtectedName])>,
}

/// One protected name below a folder; the empty name is the folder itself.
#[derive(Debug)]
pub struct ProtectedName {
    pub name: &'static str,
    pub what: &'static str,
    pub condition: Condition,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    Always,
    /// Only in an enrolled repository.
    Gated,
    /// Also not to be read.
    Secret,
}

impl Protected {
    pub fn add(&mut self, folder: Utf8PathBuf, entries: &'static [ProtectedName]) {
        if self.folders.is_empty() {
            self.folders.reserve(USUAL);
        }
        self.folders.push((folder, entries));
    }

    /// The protected file that a write to this path would change. `gated`: the repository is enrolled.
    pub fn touched_by_write(&self, path: &Utf8Path, gated: bool) -> Option<&'static str> {
        self.find(gated, |folder| rest_below(path, folder), lies_in)
    }

    /// The protected file that a recursive deletion or a move of this directory would take along.
    pub fn touched_by_removal(&self, path: &Utf8Path, gated: bool) -> Option<&'static str> {
        self.find(gated, |folder| overlap(path, folder), overlaps)
    }

    /// The same of everything in a directory that is not hidden.
    pub fn touched_by_removal_inside(&self, directory: &Utf8Path, gated: bool) -> Option<&'static str> {
        let seen = |folder: &Utf8Path, name: &str| {
            let path = folder.join(name);
            match rest_below(&path, directory) {
                Some(rest) => !rest.starts_with('.'),
                None => rest_below(directory, &path).is_some(),
            }
        };
        self.find(gated, Some, seen)
    }

    /// The protected file that a pattern matches, or that a recursive removal of its matches would take along.
    pub fn touched_by_pattern(
        &self,
        pattern: &PathPattern,
        recursive: bool,
        gated: bool,
    ) -> Option<&'static str> {
        self.find(gated, Some, |folder, name| {
            let path = path_of(folder, name);
            let hit = match recursive {
                true => path.ancestors().any(|path| pattern.matches(path)),
                false => pattern.matches(&path),
            };
            hit || pattern.may_be_below(&path)
        })
    }

    /// Whether protection of this path depends on enrolment.
    pub fn depends_on_gate(&self, path: &Utf8Path) -> bool {
        self.folders.iter().any(|(folder, entries)| {
            let mut gated = entries.iter().filter(|entry| entry.condition == Condition::Gated).peekable();
            gated.peek().is_some()
                && overlap(path, folder).is_some_and(|rest| gated.any(|entry| overlaps(rest, entry.name)))
        })
    }

    /// The secret that reading this target would reveal.
    pub fn secret(&self, target: &Target) -> Option<&'static str> {
        let reads = |folder: &Utf8Path, name: &str| match target {
            Target::Path(read) => rest_below(read, folder).is_some_and(|rest| lies_in(rest, name)),
            Target::Inside(directory) => directory == folder,
            Target::Matching(pattern) => PathPattern::new(pattern).matches(&path_of(folder, name)),
            Target::Below(_) | Target::Unknown => false,
        };
        self.entries()
            .find(|(folder, entry)| entry.condition == Condition::Secret && reads(folder, entry.name))
            .map(|(_, entry)| entry.what)
    }

    /// A secret file below this directory.
    pub fn secret_below(&self, directory: &Utf8Path) -> Option<Utf8PathBuf> {
        let near = self.folders.iter().filter(|(folder, _)| overlap(directory, folder).is_some());
        let entries = near.flat_map(|(folder, entries)| entries.iter().map(move |entry| (folder, entry)));
        let mut secrets = entries.filter(|(_, entry)| entry.condition == Condition::Secret);
        secrets.find_map(|(folder, entry)| {
            let path = folder.join(entry.name);
            rest_below(&path, directory).is_some_and(|rest| !rest.is_empty()).then_some(path)
        })
    }

    /// A protected file that the text names.
    pub fn named_in(&self, text: &str, roots: &[&Utf8Path]) -> Option<&'static str> {
        self.named(text, roots, |condition| condition != Condition::Gated)
    }

    /// The same of everything that is protected in an enrolled repository.
    pub fn gate_named_in(&self, text: &str, roots: &[&Utf8Path]) -> Option<&'static str> {
        self.named(text, roots, |_| true)
    }

    /// A secret file that the text names.
    pub fn secret_named_in(&self, text: &str, roots: &[&Utf8Path]) -> Option<&'static str> {
        self.named(text, roots, |condition| condition == Condition::Secret)
    }

    /// By its path in full, or relative to one of `roots`.
    fn named(
        &self,
        text: &str,
        roots: &[&Utf8Path],
        counts: impl Fn(Condition) -> bool,
    ) -> Option<&'static str> {
        let named = |folder: &Utf8Path, name: &str| {
            let full = folder.join(name);
            let relative = roots.iter().filter_map(|root| full.strip_prefix(root).ok());
            std::iter::once(full.as_path()).chain(relative).any(|path| {
                let path = path.as_str().trim_end_matches('/');
                path.len() > 5 && text.contains(path)
            })
        };
        self.entries()
            .find(|(folder, entry)| counts(entry.condition) && named(folder, entry.name))
            .map(|(_, entry)| entry.what)
    }

    /// The first applicable entry of the folders that are related to the path.
    fn find<'a, R: Copy>(
        &'a self,
        gated: bool,
        relation: impl Fn(&'a Utf8Path) -> Option<R>,
        holds: impl Fn(R, &str) -> bool,
    ) -> Option<&'static str> {
        self.folders.iter().find_map(|(folder, entries)| {
            let relation = relation(folder)?;
            let mut counting = entries.iter().filter(|entry| gated || entry.condition != Condition::Gated);
            counting.find(|entry| holds(relation, entry.name)).map(|entry| entry.what)
        })
    }

    fn entries(&self) -> impl Iterator<Item = (&Utf8Path, &ProtectedName)> {
        self.folders
            .iter()
            .flat_map(|(folder, entries)| entries.iter().map(|entry| (folder.as_path(), entry)))
    }
}

/// The path relative to a folder that contains it, or `""` if the path contains the folder.
fn overlap<'a>(path: &'a Utf8Path, folder: &Utf8Path) -> Option<&'a str> {
    rest_below(path, folder).or_else(|| rest_below(folder, path).map(|_| ""))
}

/// Whether one of the two lies in the other.
fn overlaps(rest: &str, name: &str) -> bool {
    lies_in(rest, name) || lies_in(name, rest)
}

/// The path relative to a folder that contains it. Compares text, since every path here is absolute and normal:
/// splitting paths for every protected name would cost more than parsing the command.
fn rest_below<'a>(path: &'a Utf8Path, folder: &Utf8Path) -> Option<&'a str> {
    let (path, folder) = (path.as_str(), folder.as_str());
    if folder == "/" {
        return path.strip_prefix('/');
    }
    // Nearly every path differs in this byte, which is cheaper to check than the whole prefix.
    match path.as_bytes().get(folder.len()) {
        None | Some(b'/') => path.strip_prefix(folder).map(|rest| rest.strip_prefix('/').unwrap_or(rest)),
        Some(_) => None,
    }
}

/// The same name, or below it; everything lies in the empty name.
fn lies_in(path: &str, name: &str) -> bool {
    match path.strip_prefix(name) {
        Some(rest) => rest.is_empty() || rest.starts_with('/') || name.is_empty(),
        None => false,
    }
}

/// Joining an empty name would end the path with a slash, which no pattern matches.
fn path_of(folder: &Utf8Path, name: &str) -> Utf8PathBuf {
    if name.is_empty() { folder.to_owned() } else { folder.join(name) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRIES: [ProtectedName; 2] = [
        ProtectedName { name: "settings.json", what: "settings", condition: Condition::Always },
        ProtectedName { name: "hooks", what: "hooks", condition: Condition::Gated },
    ];

    fn protected() -> Protected {
        let mut protected = Protected::default();
        protected.add("/p/.x".into(), &ENTRIES);
        protected
    }

    #[test]
    fn a_write_touches_the_file_or_what_is_below_the_folder() {
        for (path, gated, expected) in [
            ("/p/.x/settings.json", false, Some("settings")),
            ("/p/.x/settings.json.bak", false, None),
            ("/p/.x/hooks/pre-push", true, Some("hooks")),
            ("/p/.x/hooks/pre-push", false, None),
            ("/p/.x", true, None),
            ("/p/.xy/settings.json", false, None),
            ("/", true, None),
        ] {
            assert_eq!(protected().touched_by_write(Utf8Path::new(path), gated), expected, "{path}");
        }
    }

    #[test]
    fn a_removal_also_touches_what_lies_below_it() {
        for (path, expected) in
            [("/", true), ("/p", true), ("/p/.x", true), ("/p/.y", false), ("/p/.x/other", false)]
        {
            assert_eq!(
                protected().touched_by_removal(Utf8Path::new(path), false).is_some(),
                expected,
                "{path}"
            );
        }
    }

    #[test]
    fn a_pattern_for_a_protected_folder_itself_touches_it() {
        const WHOLE: [ProtectedName; 1] =
            [ProtectedName { name: "", what: "state", condition: Condition::Always }];
        let mut protected = Protected::default();
        protected.add("/p/.git/plimsoll".into(), &WHOLE);
        for (pattern, expected) in [
            ("/p/.git/plims*", true),
            ("/p/.g*/plimsoll", true),
            ("/p/.git/p[l]*", true),
            ("/p/.git/o*", false),
        ] {
            for recursive in [false, true] {
                let touched = protected.touched_by_pattern(&PathPattern::new(pattern), recursive, false);
                assert_eq!(touched.is_some(), expected, "{pattern} {recursive}");
            }
        }
    }

    #[test]
    fn a_text_names_a_place_in_full_or_from_a_root() {
        let root = [Utf8Path::new("/p")];
        assert!(protected().named_in("open('.x/settings.json','w')", &root).is_some());
        assert!(protected().named_in("open('/p/.x/settings.json','w')", &[]).is_some());
        assert!(protected().named_in("open('settings.json','w')", &root).is_none());
    }
}

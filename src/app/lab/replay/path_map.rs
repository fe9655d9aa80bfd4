//! A session's own paths under the names that they have in the sample world, and back.

use crate::app::lab::sample_world::WorldPlaces;
use camino::Utf8Path;

/// The session's own directories, moved into the world: nothing of the machine on which it ran is needed, or touched.
#[derive(Debug, Clone)]
pub(crate) struct Moved {
    /// From where and to where, the longest first.
    folders: Vec<(String, String)>,
}

impl Moved {
    pub(crate) fn into(world: &WorldPlaces, cwd: &str) -> Self {
        let home = home_of(cwd);
        let mut folders = Vec::new();
        if Utf8Path::new(cwd).components().count() > 1 && Some(cwd) != home.as_deref() {
            folders.push((cwd.trim_end_matches('/').to_owned(), world.project.to_string()));
        }
        folders.extend(home.map(|home| (home, world.home.to_string())));
        Self { folders }
    }

    /// The home directory and the project as labelled rows name them.
    pub(crate) fn of_rows(world: &WorldPlaces) -> Self {
        let folders = [("/srv/project", &world.project), ("/home/test", &world.home)];
        Self { folders: folders.map(|(from, to)| (from.to_owned(), to.to_string())).into() }
    }

    pub(crate) fn there(&self, text: &str) -> String {
        self.folders.iter().fold(text.to_owned(), |text, (from, to)| moved(&text, from, to))
    }

    pub(crate) fn back(&self, text: &str) -> String {
        self.folders.iter().fold(text.to_owned(), |text, (from, to)| moved(&text, to, from))
    }
}

fn home_of(cwd: &str) -> Option<String> {
    let mut parts = Utf8Path::new(cwd).iter();
    let (root, first, second) = (parts.next()?, parts.next()?, parts.next());
    match (root, first, second) {
        ("/", "root", _) => Some("/root".into()),
        ("/", "home" | "Users", Some(name)) => Some(format!("/{first}/{name}")),
        _ => None,
    }
}

/// The folder under another name wherever it stands as a whole path or begins one.
fn moved(text: &str, from: &str, to: &str) -> String {
    let part_of_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '~' | '+');
    let mut pieces = text.split(from).peekable();
    let mut result = String::with_capacity(text.len());
    while let Some(piece) = pieces.next() {
        result += piece;
        let Some(next) = pieces.peek() else { break };
        let within =
            next.starts_with(part_of_name) || result.ends_with(|c: char| part_of_name(c) || c == '/');
        result += if within { from } else { to };
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn world() -> WorldPlaces {
        WorldPlaces::in_world(Utf8Path::new("/w"))
    }

    #[test]
    fn the_session_moves_into_the_world_and_its_words_come_back() {
        let moved = Moved::into(&world(), "/home/dev/tool");
        for (here, there) in [
            ("rm -rf /home/dev/tool/out", "rm -rf /w/home/projects/harbour/out"),
            ("cd \"/home/dev/tool\"", "cd \"/w/home/projects/harbour\""),
            ("ls /home/dev/tool-2 /home/dev/toolbox", "ls /w/home/tool-2 /w/home/toolbox"),
            ("cat /home/dev/.bashrc", "cat /w/home/.bashrc"),
            ("ls /home/developer /mnt/home/dev", "ls /home/developer /mnt/home/dev"),
            ("ls /etc", "ls /etc"),
        ] {
            assert_eq!(moved.there(here), there);
            assert_eq!(moved.back(there), here);
        }
    }

    #[test]
    fn a_session_in_no_home_or_in_the_root_moves_what_it_can() {
        assert_eq!(
            Moved::into(&world(), "/workspace").there("ls /workspace/a"),
            "ls /w/home/projects/harbour/a"
        );
        assert_eq!(Moved::into(&world(), "/").there("ls /etc"), "ls /etc");
        assert_eq!(Moved::into(&world(), "").there("ls /etc"), "ls /etc");
        assert_eq!(Moved::into(&world(), "/root").there("ls /root/x"), "ls /w/home/x");
    }
}

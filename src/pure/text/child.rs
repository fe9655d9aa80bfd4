//! Paths of files in a folder, which hooks make by the dozen.

use camino::{Utf8Path, Utf8PathBuf};

/// `folder/name` in one allocation; the name is a plain relative path.
pub(crate) fn child(folder: &Utf8Path, name: &str) -> Utf8PathBuf {
    let folder = folder.as_str();
    let mut path = String::with_capacity(folder.len() + 1 + name.len());
    path.push_str(folder);
    if !folder.is_empty() && !folder.ends_with('/') {
        path.push('/');
    }
    path.push_str(name);
    path.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_is_what_join_makes() {
        for folder in ["/a/b", "/a/", "/", "a", ""] {
            let folder = Utf8Path::new(folder);
            assert_eq!(child(folder, "c/d.json").as_str(), folder.join("c/d.json").as_str());
        }
    }
}

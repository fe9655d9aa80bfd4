//! Which refs of a server accept only attested commits.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

/// The patterns of one bare repository.
#[derive(Debug, Clone)]
pub struct ProtectedRefs {
    globs: GlobSet,
}

impl ProtectedRefs {
    /// One pattern per line: `main`, `release/*`, or a full name as in `refs/tags/v*`. `#` begins a comment.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut globs = GlobSetBuilder::new();
        let mut count = 0;
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let full = if line.starts_with("refs/") { line.to_owned() } else { format!("refs/heads/{line}") };
            let glob = GlobBuilder::new(&full).literal_separator(true).build();
            globs.add(glob.map_err(|error| format!("`{line}` is not a pattern: {error}"))?);
            count += 1;
        }
        if count == 0 {
            return Err("there is no pattern, so that nothing would be protected".into());
        }
        Ok(Self { globs: globs.build().map_err(|error| error.to_string())? })
    }

    pub fn covers(&self, name: &str) -> bool {
        self.globs.is_match(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_names_are_branches_and_a_star_stays_inside_a_folder() {
        let protected = ProtectedRefs::parse("# ours\nmain\nrelease/*\nrefs/tags/v*\n").unwrap();
        for name in ["refs/heads/main", "refs/heads/release/1", "refs/tags/v1"] {
            assert!(protected.covers(name), "{name}");
        }
        for name in ["refs/heads/main2", "refs/heads/release/1/x", "refs/tags/w", "refs/notes/main", "main"] {
            assert!(!protected.covers(name), "{name}");
        }
    }

    #[test]
    fn a_file_that_protects_nothing_is_an_error() {
        for text in ["", "# main\n\n", "re[lease\n"] {
            assert!(ProtectedRefs::parse(text).is_err(), "{text:?}");
        }
    }
}

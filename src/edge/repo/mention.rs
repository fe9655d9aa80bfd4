//! Whether a part of a tree names something, searched by git itself.

use super::error::Result;
use super::snapshot::Snapshot;

impl Snapshot {
    /// Whether any file in `folder` holds any of the texts.
    pub fn mentions(&self, folder: &str, texts: &[String]) -> Result<bool> {
        if texts.is_empty() {
            return Ok(false);
        }
        let options = ["grep", "--quiet", "--fixed-strings", "--text"].map(String::from);
        let patterns = texts.iter().flat_map(|text| ["-e".to_owned(), text.clone()]);
        let place = [self.tree.to_string(), "--".into(), format!(":(top,literal){folder}")];
        let arguments = options.into_iter().chain(patterns).chain(place);
        Ok(self.git().call(arguments).answer()?.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::Fixture;
    use super::super::worktree_tree;

    #[test]
    fn a_text_is_found_only_in_the_folder_that_holds_it() {
        let fixture = Fixture::with_commit();
        fixture.write("web/src/a.ts", "import '../../shared/b';\n");
        fixture.write("backend/a.py", "open('../web/x')\n");
        fixture.write("web[1]/a.ts", "plain\n");
        let snapshot = worktree_tree(&fixture.open(), &[]).unwrap();
        let mentions = |folder: &str, text: &str| snapshot.mentions(folder, &[text.to_owned()]).unwrap();
        assert!(mentions("backend", "../web"));
        assert!(!mentions("web", "../backend"));
        assert!(!mentions("web[1]", "import"));
        assert!(!snapshot.mentions("web", &[]).unwrap());
    }
}

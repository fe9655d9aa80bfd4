//! The project that most tests begin with, made once by git and copied for each of them.

use crate::context::TestContext;
use camino::{Utf8Path, Utf8PathBuf};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::LazyLock;

/// Stands in git's settings for the folder that a copy is made in.
const ROOT: &str = "@root@";
const SETTINGS: &str = "project/.git/config";

/// Copies the project and its remote into `root`, which git sees as if it had made them there.
pub(crate) fn lay_down(root: &Utf8Path) {
    static TEMPLATE: LazyLock<Utf8PathBuf> = LazyLock::new(template);
    copy(TEMPLATE.as_ref(), root.as_ref());
    let settings = root.join(SETTINGS);
    let text = fs::read_to_string(&settings).unwrap();
    fs::write(settings, text.replace(ROOT, root.as_str())).unwrap();
}

/// Kept between runs, until the code that makes it changes.
fn template() -> Utf8PathBuf {
    let mut hasher = DefaultHasher::new();
    (include_str!("template.rs"), include_str!("context.rs")).hash(&mut hasher);
    let folder = Utf8PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let place = folder.join(format!("project-{:016x}", hasher.finish()));
    if !place.exists() {
        let made = TestContext::made_by_git();
        let settings = made.beside(SETTINGS);
        let text = fs::read_to_string(&settings).unwrap();
        fs::write(&settings, text.replace(made.beside("").as_str().trim_end_matches('/'), ROOT)).unwrap();
        let copied = tempfile::tempdir_in(&folder).unwrap();
        copy(made.beside("").as_ref(), copied.path());
        // Another process may have been faster.
        let _ = fs::rename(copied.keep(), &place);
    }
    place
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            fs::create_dir_all(&target).unwrap();
            copy(&entry.path(), &target);
        } else if entry.path().extension().is_none_or(|extension| extension != "sample") {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

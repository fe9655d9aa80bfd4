//! A setting that is called obeyed has a test that shows it.

#![expect(clippy::unwrap_used, reason = "sources that cannot be read have to fail the test")]

use plimsoll::policy::{KEYS, Wired};
use std::fs;
use std::path::Path;

fn sources(directory: &Path, text: &mut String) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, text);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text.push_str(&fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn every_setting_that_is_called_wired_names_a_test_that_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut text = String::new();
    sources(&root.join("src"), &mut text);
    sources(&root.join("tests"), &mut text);
    for key in KEYS {
        if let Wired::Test(name) = key.wired {
            assert!(text.contains(&format!("fn {name}(")), "{}: no test called {name}", key.name);
        }
    }
}

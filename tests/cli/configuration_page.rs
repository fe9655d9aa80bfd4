//! `docs/configuration.md` lists every key of the program.

#![expect(clippy::unwrap_used, reason = "a page that cannot be read has to fail the test")]

use plimsoll::pure::policy::{KEYS, KeyKind, Settings, SettingsKey, Stricter, flatten};
use std::fs;
use std::path::Path;

const MARK: &str = "<!-- Generated from policy::KEYS: UPDATE_DOCS=1 cargo test configuration_page -->\n";

fn table() -> String {
    let defaults = flatten(&Settings::default()).unwrap();
    let row = |key: &SettingsKey| {
        let default = defaults.get(key.name).unwrap();
        format!("| `{}` | `{default}` | {} | {} |\n", key.name, key.kind, direction(key))
    };
    let head = "| key | default | takes | a project may set it |\n|---|---|---|---|\n";
    head.to_owned() + &KEYS.iter().map(row).collect::<String>()
}

fn direction(key: &SettingsKey) -> String {
    match key.stricter {
        Stricter::True => "to `true`".into(),
        Stricter::False => "to `false`".into(),
        Stricter::Higher => "higher".into(),
        Stricter::Lower => "lower".into(),
        Stricter::Superset => "by adding entries".into(),
        Stricter::Subset => "by removing entries".into(),
        Stricter::Narrower => "narrower; empty is the widest".into(),
        Stricter::LaterWord => {
            let words = if let KeyKind::Word(words) = key.kind { words } else { &[] };
            format!("towards `{}`", words.last().unwrap())
        }
        Stricter::Neutral => "to any value".into(),
        Stricter::AfterTrust => "to any value after `plimsoll config trust`".into(),
        Stricter::UserOnly => "never; only your file may".into(),
    }
}

#[test]
fn configuration_page_lists_every_key() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/configuration.md");
    let page = fs::read_to_string(&path).unwrap();
    let (prose, _) = page.split_once(MARK).unwrap();
    let wanted = format!("{prose}{MARK}\n{}", table());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(path, wanted).unwrap();
        return;
    }
    let differs = page.lines().zip(wanted.lines()).find(|(found, wanted)| found != wanted);
    assert!(
        page == wanted,
        "docs/configuration.md is out of date, first at {differs:?}; UPDATE_DOCS=1 cargo test configuration_page"
    );
}

//! `docs/configuration.md` lists every key as the program knows it.

#![expect(clippy::unwrap_used, reason = "a page that cannot be read has to fail the test")]

use plimsoll::policy::{KEYS, Key, Kind, Settings, Stricter, Wired, flatten};
use std::fs;
use std::path::Path;

const MARK: &str =
    "<!-- The table is made from policy::KEYS: UPDATE_DOCS=1 cargo test configuration_page -->\n";

fn table() -> String {
    let defaults = flatten(&Settings::default()).unwrap();
    let row = |key: &Key| {
        let default = defaults.get(key.name).unwrap();
        let obeyed = match key.wired {
            Wired::Test(_) => "obeyed",
            Wired::Later => "not used yet",
        };
        format!("| `{}` | `{default}` | {} | {} | {obeyed} |\n", key.name, key.kind, direction(key))
    };
    let head = "| key | default | takes | a project may set it | in this version |\n|---|---|---|---|---|\n";
    head.to_owned() + &KEYS.iter().map(row).collect::<String>()
}

fn direction(key: &Key) -> String {
    match key.stricter {
        Stricter::True => "to `true`".into(),
        Stricter::False => "to `false`".into(),
        Stricter::Higher => "higher".into(),
        Stricter::Lower => "lower".into(),
        Stricter::Superset => "with more in the list".into(),
        Stricter::Subset => "with less in the list".into(),
        Stricter::Narrower => "narrower, empty being the widest".into(),
        Stricter::LaterWord => {
            let words = if let Kind::Word(words) = key.kind { words } else { &[] };
            format!("towards `{}`", words.last().unwrap())
        }
        Stricter::Neutral => "freely".into(),
        Stricter::AfterTrust => "after trust".into(),
        Stricter::UserOnly => "never; only your file can".into(),
    }
}

#[test]
fn configuration_page_lists_every_key_as_it_is() {
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

//! `docs/rules.md` lists every built-in rule as the program knows it.

use plimsoll::step::catalogue;
use plimsoll::step::{Course, Example, Level, Rule, Set};
use std::fs;
use std::path::Path;

const MARK: &str = "<!-- The table is made from step::catalogue: UPDATE_DOCS=1 cargo test rules_page -->\n";

fn table() -> String {
    let head = "| rule | holds | answer | about | for example |\n|---|---|---|---|---|\n";
    head.to_owned() + &catalogue::ALL.iter().map(|rule| row(rule)).collect::<String>()
}

fn row(rule: &Rule) -> String {
    let holds = match (rule.level, rule.set) {
        (Level::Floor, _) => "always",
        (Level::Gate, _) => "in bound repositories",
        (Level::Step, Set::Essential) => "`essential` and `all`",
        (Level::Step, Set::All) => "`all`",
    };
    let answer = match rule.course {
        Course::Block => "refused",
        Course::Ask => "asked",
        Course::Modify => "rewritten",
        Course::Warn | Course::Allow => "told to the model",
    };
    let shown = rule.hits.iter().find_map(|example| match example {
        Example::Shell(command) if !command.contains('\n') => Some(*command),
        Example::Shell(_) | Example::Call(..) => None,
    });
    let shown = shown.map(|command| format!("`{}`", command.replace('|', "\\|"))).unwrap_or_default();
    format!("| `{}` | {holds} | {answer} | {} | {shown} |\n", rule.name, rule.about)
}

#[test]
fn rules_page_lists_every_rule_as_it_is() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/rules.md");
    let page = fs::read_to_string(&path).unwrap();
    let (prose, _) = page.split_once(MARK).unwrap();
    let wanted = format!("{prose}{MARK}\n{}", table());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(path, wanted).unwrap();
        return;
    }
    assert!(page == wanted, "docs/rules.md is out of date: UPDATE_DOCS=1 cargo test rules_page");
}

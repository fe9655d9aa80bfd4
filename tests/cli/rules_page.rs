//! `docs/rules.md` lists every built-in rule of the program.

use plimsoll::pure::step::catalogue;
use plimsoll::pure::step::{Level, Rule, Set};
use std::fs;
use std::path::Path;

const EXAMPLES: &str = include_str!("../../src/pure/step/rules/examples.txt");
const MARK: &str = "<!-- Generated from step::catalogue: UPDATE_DOCS=1 cargo test rules_page -->\n";

fn table() -> String {
    let head = "| rule | in force | decision | about | for example |\n|---|---|---|---|---|\n";
    head.to_owned() + &catalogue::ALL.iter().map(|rule| row(rule)).collect::<String>()
}

fn row(rule: &Rule) -> String {
    let in_force = match (rule.level, rule.set) {
        (Level::Floor, _) => "always",
        (Level::Gate, _) => "in enrolled repositories",
        (Level::Step, Set::Essential) => "`essential` and `all`",
        (Level::Step, Set::All) => "`all`",
    };
    let decision = rule.decision.as_str();
    let shown =
        EXAMPLES.lines().skip_while(|line| *line != rule.name).skip(1).take_while(|line| !line.is_empty());
    let shown = shown.filter_map(|line| line.strip_prefix("hit ")).find(|hit| !hit.contains(" {\""));
    let shown = shown.map(|command| format!("`{}`", command.replace('|', "\\|"))).unwrap_or_default();
    format!("| `{}` | {in_force} | {decision} | {} | {shown} |\n", rule.name, rule.about)
}

#[test]
fn rules_page_lists_every_rule() {
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

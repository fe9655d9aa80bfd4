//! The figures in the pages are those of `docs/figures.json`, and their sums are right.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a page without its figures has to fail the test"
)]

use serde_json::Value;
use std::fs;
use std::path::Path;

fn page(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name)).unwrap()
}

fn figures(section: &str) -> Value {
    serde_json::from_str::<Value>(&page("figures.json")).unwrap()[section].clone()
}

fn rows(figures: &Value, name: &str) -> Vec<Value> {
    figures[name].as_array().unwrap().clone()
}

fn count(row: &Value, name: &str) -> u64 {
    row[name].as_u64().unwrap()
}

fn sum(rows: &[Value], name: &str) -> u64 {
    rows.iter().map(|row| count(row, name)).sum()
}

/// `14694` → `14,694`
fn grouped(number: u64) -> String {
    if number < 1000 {
        number.to_string()
    } else {
        format!("{},{:03}", grouped(number / 1000), number % 1000)
    }
}

fn text<'a>(row: &'a Value, name: &str) -> &'a str {
    row[name].as_str().unwrap()
}

/// Checks that the page has the text, and says what it has to be.
#[track_caller]
fn has(page: &str, text: &str) {
    assert!(page.contains(text), "the page and docs/figures.json disagree. The page has to say:\n{text}");
}

#[test]
fn the_accuracy_of_the_public_sets_is_that_of_the_figures() {
    let figures = figures("accuracy");
    let sets = rows(&figures, "sets");
    let mut table = String::new();
    for row in &sets {
        let [to_stop, stopped, honest, interrupted] =
            ["to_stop", "stopped", "honest", "interrupted"].map(|name| grouped(count(row, name)));
        let (set, licence) = (text(row, "set"), text(row, "licence"));
        table += &format!("| {set} | {licence} | {to_stop} | {stopped} | {honest} | {interrupted} |\n");
    }
    let (to_stop, honest) = (sum(&sets, "to_stop"), sum(&sets, "honest"));
    let recall = 100.0 * sum(&sets, "stopped") as f64 / to_stop as f64;
    let alarms = 1000.0 * sum(&sets, "interrupted") as f64 / honest as f64;
    table += &format!(
        "| together | | {to_stop} | {recall:.1} % | {} | {alarms:.1} per 1,000 |\n",
        grouped(honest)
    );
    let page = page("accuracy.md");
    has(&page, &table);
    let [date, version, command] = ["date", "version", "command"].map(|name| text(&figures, name));
    has(&page, &format!("Measured on {date} with version {version}: `{command}`"));
}

#[test]
fn the_attacks_that_get_through_are_those_of_the_figures() {
    let figures = figures("attacks");
    let classes = rows(&figures, "classes");
    let page = page("security.md");
    for row in &classes {
        let [attacks, working, through] = ["attacks", "working", "through"].map(|name| count(row, name));
        has(&page, &format!("| {} | {attacks} | {working} | {through} |", text(row, "class")));
    }
    let (working, through) = (sum(&classes, "working"), sum(&classes, "through"));
    assert_eq!(sum(&classes, "attacks"), count(&figures, "tried"));
    let percent = 100.0 * through as f64 / working as f64;
    has(
        &page,
        &format!(
            "On {}, {working} of the {} attacks worked where nobody looked. In sandboxed mode {} got through. Without the \
             sandbox {through} did ({percent:.1} %)",
            text(&figures, "date"),
            grouped(count(&figures, "tried")),
            count(&figures, "out_of_the_sandbox")
        ),
    );
    has(&page, &format!("`{}`", text(&figures, "command")));
}

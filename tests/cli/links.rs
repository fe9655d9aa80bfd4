//! Every link inside the documentation leads to a file and a heading that exist.

#![expect(clippy::unwrap_used, reason = "a page that cannot be read has to fail the test")]

use regex::Regex;
use std::fs;
use std::path::{Path, PathBuf};

fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pages = vec![root.join("README.md"), root.join("CHANGELOG.md")];
    pages.extend(fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path()));
    pages.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    pages
}

/// The anchors that GitHub makes of a page's headings.
fn anchors(page: &str) -> Vec<String> {
    let headings = page.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|line| {
            let heading = line.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
            heading.chars().filter(|found| found.is_alphanumeric() || "-_".contains(*found)).collect()
        })
        .collect()
}

fn broken_links(path: &Path, page: &str) -> Vec<String> {
    let link = Regex::new(r#"\]\(([^)\s]+)\)|(?:src|href)="([^"]+)""#).unwrap();
    let targets =
        link.captures_iter(page).map(|found| found.get(1).or_else(|| found.get(2)).unwrap().as_str());
    let inside = targets.filter(|target| !target.contains("://"));
    let broken = inside.filter(|target| {
        let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
        let file = if file.is_empty() { path.to_owned() } else { path.with_file_name("").join(file) };
        let wanted = anchor.to_owned();
        !file.exists() || !anchor.is_empty() && !anchors(&fs::read_to_string(file).unwrap()).contains(&wanted)
    });
    broken.map(|target| format!("{}: {target}", path.display())).collect()
}

#[test]
fn every_link_inside_the_documentation_leads_somewhere() {
    let broken: Vec<String> =
        pages().iter().flat_map(|path| broken_links(path, &fs::read_to_string(path).unwrap())).collect();
    assert!(broken.is_empty(), "broken links:\n{}", broken.join("\n"));
}

#[test]
fn a_link_to_a_missing_file_or_heading_is_found() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/page.md");
    let page = "[a](missing.md) [b](rules.md#no-such-heading) [c](../README.md) [d](https://example.com/x)";
    assert_eq!(broken_links(&path, page).len(), 2);
}

#[test]
fn the_landing_page_has_at_most_150_lines_and_links_every_page() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("README.md")).unwrap();
    assert!(text.lines().count() <= 150, "README.md has {} lines", text.lines().count());
    for page in pages().iter().filter(|page| page.parent().unwrap() == root.join("docs")) {
        let name = page.file_name().unwrap().to_str().unwrap();
        assert!(text.contains(&format!("](docs/{name}")), "README.md does not link docs/{name}");
    }
}

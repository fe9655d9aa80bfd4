//! The frame of every HTML page: no script, no network, and everything that others wrote is only text.

use crate::pure::text::printable;

/// Light and dark, wide and narrow, and on paper.
const STYLE: &str = include_str!("page.css");

/// A whole page around the content of `<main>`.
pub(super) fn page(title: &str, main: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n<link rel=\"icon\" href=\"data:,\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{main}</main>\n</body>\n</html>\n",
        text(title)
    )
}

/// Only text, wherever it stands in the page, attributes included.
pub(super) fn text(words: &str) -> String {
    let mut safe = String::with_capacity(words.len());
    for character in printable(&words.replace('\t', "    ")).chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}

/// A list under its title; nothing without items.
pub(super) fn listed(title: &str, items: &[String]) -> String {
    let items: String = items.iter().map(|item| format!("<li>{}</li>\n", text(item))).collect();
    if items.is_empty() { items } else { format!("{title}\n<ul>\n{items}</ul>\n") }
}

/// One number with its name, for a list of class `facts`.
pub(super) fn fact(name: &str, value: u64) -> String {
    format!("<div><dt>{name}</dt><dd>{}</dd></div>\n", grouped(value))
}

/// `1,234,567`.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let parts = digits.as_bytes().rchunks(3).rev().filter_map(|three| std::str::from_utf8(three).ok());
    parts.collect::<Vec<_>>().join(",")
}

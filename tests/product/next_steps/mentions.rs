//! The commands that texts in the source name.

use crate::context::binary;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, str};

/// Every command with the files that name it. Placeholders are `{}`.
pub(super) fn in_source() -> BTreeMap<String, BTreeSet<String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let subcommands = subcommands(&[]);
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in sources(&root) {
        let text = fs::read_to_string(&path).unwrap();
        let product = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        for literal in literals(product) {
            for command in commands(&literal, &subcommands) {
                let name = path.strip_prefix(&root).unwrap().display().to_string();
                found.entry(command).or_default().insert(name);
            }
        }
    }
    found
}

/// Files of the product: no tests, no samples for them, and nothing of the lab, which measures.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && !matches!(name.as_str(), "tests" | "lab" | "demo") {
            files.extend(sources(&path));
        } else if name.ends_with(".rs") && !name.ends_with("tests.rs") && name != "sample.rs" {
            files.push(path);
        }
    }
    files
}

/// String literals, with escaped line ends joined as the compiler does.
fn literals(source: &str) -> Vec<String> {
    let code: String = source
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .map(|line| format!("{line}\n"))
        .collect();
    let mut found = Vec::new();
    let mut letters = code.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            // A character literal that holds a quote.
            '\'' if letters.peek() == Some(&'"') => {
                letters.next();
            }
            '"' => {
                let mut text = String::new();
                while let Some(letter) = letters.next() {
                    match letter {
                        '"' => break,
                        '\\' => match letters.next() {
                            Some('\n') => while letters.next_if(|next| next.is_whitespace()).is_some() {},
                            Some('n') => text.push('\n'),
                            Some(other) => text.push(other),
                            None => {}
                        },
                        other => text.push(other),
                    }
                }
                found.push(text);
            }
            _ => {}
        }
    }
    found
}

/// The commands in a text: in backticks, or `plimsoll` and `install.sh` with what belongs to them.
fn commands(text: &str, subcommands: &BTreeSet<String>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (number, part) in text.split('`').enumerate() {
        // Examples in a help text stand on lines of their own.
        let part: String =
            part.lines().filter(|line| !line.starts_with("  plimsoll")).collect::<Vec<_>>().join("\n");
        let starts = ["plimsoll ", "git ", "gitdir", "/", "chmod ", "install.sh"];
        if number % 2 == 1 && starts.iter().any(|start| part.starts_with(start)) {
            found.insert(placeholders(&part));
            continue;
        }
        for (at, _) in part.match_indices("plimsoll ") {
            let (before, named) = part.split_at(at);
            let before = before.chars().next_back();
            let words: Vec<&str> = named.split([' ', '\n']).skip(1).collect();
            let first = words.first().copied().unwrap_or_default().trim_end_matches(['.', ',', ';', ')']);
            if before.is_some_and(|letter| letter.is_alphanumeric() || "/-:.".contains(letter))
                || !subcommands.contains(first)
            {
                continue;
            }
            let mut command = format!("plimsoll {first}");
            let nested = words.get(1).copied().unwrap_or_default();
            let mut rest = words.iter().skip(1);
            if subcommands.contains(&format!("{first} {nested}")) {
                command += &format!(" {nested}");
                rest.next();
            }
            for word in
                rest.take_while(|word| word.starts_with("--") || word.starts_with('{') || is_value(word))
            {
                command += &format!(" {}", word.trim_end_matches(['.', ',', ';', ')']));
            }
            found.insert(placeholders(&command));
        }
        for (at, _) in part.match_indices("install.sh") {
            let words =
                part.split_at(at).1.split([' ', '\n']).map(|word| word.trim_end_matches(['.', ',', ';']));
            let mut command = String::new();
            for (place, word) in words.enumerate() {
                match place == 0 || word.starts_with("--") || word.starts_with("'{") {
                    true => command += &format!("{}{word}", if place == 0 { "" } else { " " }),
                    false => break,
                }
            }
            found.insert(placeholders(&command));
        }
    }
    found
}

/// `CHOICE`, or a number.
fn is_value(word: &str) -> bool {
    let word = word.trim_end_matches(['.', ',', ';', ')']);
    let is = |kind: fn(&u8) -> bool| !word.is_empty() && word.bytes().all(|byte| kind(&byte));
    is(u8::is_ascii_uppercase) && word.len() > 1 || is(u8::is_ascii_digit)
}

/// `{id}` and `{}` are the same place.
fn placeholders(text: &str) -> String {
    let mut shown = String::new();
    let mut inside = false;
    for letter in text.trim().chars() {
        match letter {
            '{' => {
                inside = true;
                shown.push('{');
            }
            '}' => {
                inside = false;
                shown.push('}');
            }
            _ if inside => {}
            other => shown.push(other),
        }
    }
    shown
}

/// The names that the program itself lists, with those of their own subcommands.
fn subcommands(parent: &[&str]) -> BTreeSet<String> {
    let output = Command::new(binary("plimsoll")).args(parent).arg("--help").output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    let listed = help.split("Commands:\n").nth(1).unwrap_or_default();
    let names = listed.lines().take_while(|line| line.starts_with("  ")).filter_map(|line| {
        let name = line.strip_prefix("  ")?.split(' ').next()?;
        (!name.is_empty() && name != "help").then(|| name.to_owned())
    });
    let mut found = BTreeSet::new();
    for name in names {
        if parent.is_empty() {
            found.extend(subcommands(&[&name]).into_iter().map(|nested| format!("{name} {nested}")));
        }
        found.insert(name);
    }
    found
}

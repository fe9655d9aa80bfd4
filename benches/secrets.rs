//! What a scan for secrets costs beside other scanners, in one run: one file, twenty files, a tree of 50 MB. CPU seconds
//! of the whole process tree and wall seconds, each the mean of its runs. Peers are looked for on PATH, and
//! measured only if they find a token that was put there: one that is called wrongly is fast. Prints; judges nothing.

#![expect(clippy::unwrap_used, reason = "a benchmark that cannot set up its place has nothing to measure")]

use camino::{Utf8Path, Utf8PathBuf};
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ONE_FILE: usize = 14 * 1024;
const TWENTY_FILES: usize = 184 * 1024;
const TREE: usize = 50 * 1024 * 1024;
const TREE_FILES: usize = 7_000;
/// Longer than this nobody waits for the tree.
const LONGEST: f64 = 60.0;
/// Linux counts a process's time in these.
const TICKS_PER_SECOND: f64 = 100.0;

/// A scanner and how it is called on a folder or a file.
struct Scanner {
    name: &'static str,
    program: String,
    arguments: &'static [&'static str],
}

fn main() {
    let place = tempfile::tempdir().unwrap();
    let root = Utf8PathBuf::from_path_buf(place.path().canonicalize().unwrap()).unwrap();
    let text = sources();
    let corpora = [
        ("1 file, 14 KB", corpus(&root.join("one"), &text, ONE_FILE, 1), ONE_FILE, 20),
        ("20 files, 184 KB", corpus(&root.join("twenty"), &text, TWENTY_FILES, 20), TWENTY_FILES, 20),
        ("7,000 files, 50 MB", corpus(&root.join("tree"), &text, TREE, TREE_FILES), TREE, 2),
    ];
    let planted = planted(&root.join("planted"));
    println!("{:<16} {:<20} {:>9} {:>9}", "scanner", "corpus", "CPU s", "wall s");
    for scanner in scanners() {
        if !finds(&scanner, &planted, &root) {
            println!("{:<16} does not find a planted token when it is called so", scanner.name);
            continue;
        }
        let mut small: Vec<(f64, f64)> = Vec::new();
        for (name, folder, bytes, runs) in &corpora {
            if let [(few, short), (more, longer)] = small.as_slice()
                && (longer - short) / (more - few) * *bytes as f64 > LONGEST
            {
                println!("{:<16} {name:<20} {:>9} {:>9}", scanner.name, "-", format!("> {LONGEST}"));
                continue;
            }
            let (cpu, wall) = measured(&scanner, folder, *runs, &root);
            println!("{:<16} {name:<20} {cpu:>9.4} {wall:>9.4}", scanner.name);
            small.push((*bytes as f64, wall));
        }
    }
}

fn planted(folder: &Utf8Path) -> Utf8PathBuf {
    fs::create_dir_all(folder).unwrap();
    let body = "kQ7xZ2mV9rT4wB8nL3sD6fH1jP5cYgXaWeUi";
    fs::write(folder.join("planted.txt"), format!("token = \"{}{body}\"\n", ["gh", "p_"].concat())).unwrap();
    folder.to_owned()
}

fn finds(scanner: &Scanner, folder: &Utf8Path, home: &Utf8Path) -> bool {
    let mut command = Command::new(&scanner.program);
    command.args(scanner.arguments).arg(folder).current_dir(home).env("HOME", home).stdin(Stdio::null());
    let output = command.output().unwrap();
    String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).contains("planted.txt")
}

fn scanners() -> Vec<Scanner> {
    let own = Scanner { name: "plimsoll", program: build(), arguments: &["secrets", "scan"] };
    let peer = |name, arguments| Scanner { name, program: name.to_owned(), arguments };
    let peers = [
        peer("betterleaks", &["fs", "--no-banner"]),
        peer("kingfisher", &["scan", "--no-validate", "--no-update-check"]),
        peer("ripsecrets", &[]),
        peer("detect-secrets", &["scan", "--all-files"]),
    ];
    let installed = |scanner: &Scanner| {
        let mut command = Command::new(&scanner.program);
        command.arg("--help").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
    };
    [own].into_iter().chain(peers.into_iter().filter(installed)).collect()
}

fn build() -> String {
    let mut command = Command::new(env!("CARGO"));
    command
        .args(["build", "--release", "--locked", "--bin", "plimsoll"])
        .current_dir(env!("CARGO_MANIFEST_DIR"));
    assert!(command.stderr(Stdio::null()).status().is_ok_and(|status| status.success()), "it does not build");
    let target =
        std::env::var("CARGO_TARGET_DIR").unwrap_or(concat!(env!("CARGO_MANIFEST_DIR"), "/target").into());
    format!("{target}/release/plimsoll")
}

/// Our own sources, as text like any other.
fn sources() -> Vec<String> {
    let mut waiting = vec![Utf8PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut lines = Vec::new();
    while let Some(folder) = waiting.pop() {
        let mut entries: Vec<_> =
            folder.read_dir_utf8().unwrap().map(|entry| entry.unwrap().into_path()).collect();
        entries.sort();
        for path in entries {
            match path.extension() {
                None => waiting.push(path),
                Some("rs") => lines.extend(fs::read_to_string(&path).unwrap().lines().map(str::to_owned)),
                Some(_) => {}
            }
        }
    }
    lines
}

/// `files` files of together `bytes` bytes; each starts at another line.
fn corpus(folder: &Utf8Path, lines: &[String], bytes: usize, files: usize) -> Utf8PathBuf {
    for number in 0..files {
        let part = folder.join(format!("part{}", number / 100));
        fs::create_dir_all(&part).unwrap();
        let mut text = String::new();
        let mut rest = lines.iter().cycle().skip(number * 131 % lines.len());
        while text.len() < bytes / files {
            text.push_str(rest.next().unwrap());
            text.push('\n');
        }
        fs::write(part.join(format!("file{number}.rs")), text).unwrap();
    }
    folder.to_owned()
}

fn measured(scanner: &Scanner, folder: &Utf8Path, runs: u32, home: &Utf8Path) -> (f64, f64) {
    let (mut wall, before) = (Duration::ZERO, children_ticks());
    for _ in 0..runs {
        let started = Instant::now();
        let mut command = Command::new(&scanner.program);
        command.args(scanner.arguments).arg(folder).current_dir(home).env("HOME", home);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
        wall += started.elapsed();
    }
    let cpu = (children_ticks() - before) / TICKS_PER_SECOND / f64::from(runs);
    (cpu, wall.as_secs_f64() / f64::from(runs))
}

/// Time of all children that are over, in user and system mode.
fn children_ticks() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap();
    let fields = stat.rsplit(')').next().unwrap().split_whitespace();
    fields.skip(13).take(2).map(|ticks| ticks.parse::<f64>().unwrap()).sum()
}

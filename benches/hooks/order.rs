//! Which functions everyday calls run. The linker puts these side by side, so that a hook touches few pages of its program.

use super::{Case, Place, feed, installed};
use camino::{Utf8Path, Utf8PathBuf};
use regex::Regex;
use std::process::{Command, Stdio};

/// Read by the linker, as `.cargo/config.toml` says.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/.cargo/everyday.ld");
/// Longer events use other functions, and loading these is not what they wait for.
const EVERYDAY: usize = 1024;

pub(crate) fn write(place: &Place, cases: &[Case]) {
    let hooks = installed(&build_with_symbols(), &place.root);
    let mut order = Vec::new();
    for case in cases.iter().filter(|case| case.event.len() < EVERYDAY) {
        let mut functions = functions(place, &hooks.join(case.hook), &case.event);
        functions.retain(|function| !order.contains(function));
        order.append(&mut functions);
    }
    let lines: String = order.iter().map(|function| format!("    *(.text.{function})\n")).collect();
    let text = format!(
        "/* Functions that everyday calls run. Written by `cargo bench --bench hooks -- --order`. */\n\
         SECTIONS\n{{\n  .text.everyday :\n  {{\n{lines}  }}\n}}\nINSERT BEFORE .text;\n"
    );
    std::fs::write(FILE, text).unwrap();
    println!("{FILE}: {} functions", order.len());
}

/// In a folder of its own: the programs that are installed have no symbols.
fn build_with_symbols() -> Utf8PathBuf {
    let triple = format!("{}-unknown-linux-musl", std::env::consts::ARCH);
    let target = Utf8PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("target/order");
    let built = Command::new(env!("CARGO"))
        .args(["build", "--release", "--locked", "--no-default-features", "--bin", "plimsoll-hook"])
        .args(["--target", &triple])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("CARGO_TARGET_DIR", &target)
        .env("CARGO_PROFILE_RELEASE_STRIP", "none")
        .stderr(Stdio::null())
        .status();
    assert!(built.is_ok_and(|status| status.success()), "the hooks do not build for {triple}");
    target.join(triple).join("release")
}

/// The names of the functions that run for this event, sorted, without what differs between compilers.
fn functions(place: &Place, program: &Utf8Path, event: &str) -> Vec<String> {
    // The first call makes folders; what counts is every call after it.
    feed(place.command(program.as_str()), event);
    let profile = place.root.join("profile");
    let mut command = place.command("valgrind");
    command
        .args(["--tool=callgrind", "--demangle=no", &format!("--callgrind-out-file={profile}")])
        .arg(program);
    feed(command, event);
    let profile = std::fs::read_to_string(profile).unwrap();
    let name = Regex::new(r"(?m)^c?fn=\([0-9]+\) ([A-Za-z_][A-Za-z0-9_.$]*)").unwrap();
    let version_of_crate = Regex::new(r"Cs[0-9A-Za-z]+_").unwrap();
    let mut names: Vec<String> = name
        .captures_iter(&profile)
        .filter_map(|captures| captures.get(1))
        .map(|name| version_of_crate.replace_all(name.as_str(), "Cs*_").into_owned())
        .collect();
    names.sort();
    names.dedup();
    names
}

//! The built programs, laid down as install.sh does it: `bin/plimsoll`, and the hook program under each of its names in `hooks`.

#![expect(clippy::unwrap_used, reason = "programs that cannot be laid down have to fail the test")]

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{self, Command, Stdio};
use std::sync::LazyLock;

pub(crate) const HOOKS: [&str; 9] = [
    "session-start", "user-prompt-start", "user-prompt-review", "user-prompt-ship", "pre-tool-use",
    "post-tool-use", "stop", "config-change", "git-pre-push",
];

/// Where `plimsoll` or the hook of that name is.
pub(crate) fn program(name: &str) -> PathBuf {
    static FOLDER: LazyLock<PathBuf> = LazyLock::new(lay_down);
    FOLDER.join(if name == "plimsoll" { "bin" } else { "hooks" }).join(name)
}

fn lay_down() -> PathBuf {
    let command = Path::new(env!("CARGO_BIN_EXE_plimsoll"));
    let folder = command.with_file_name("installed").join("plimsoll");
    link(command, &folder.join("bin/plimsoll"));
    let stripped = folder.join("plimsoll-hook");
    link(Path::new(env!("CARGO_BIN_EXE_plimsoll-hook")), &stripped);
    for hook in HOOKS {
        name(&stripped, &folder.join("hooks").join(hook));
    }
    folder
}

/// Without what only a debugger reads, which is two thirds of a program: tests copy, read and install programs all the time.
/// Other tests run at the same time, so the name always stands for a whole program.
fn link(from: &Path, to: &Path) {
    let built = |path: &Path| fs::metadata(path).and_then(|found| found.modified()).ok();
    if built(from) == built(to) {
        return;
    }
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    let temporary = to.with_extension(process::id().to_string());
    let _ = fs::remove_file(&temporary);
    let mut strip = Command::new("strip");
    strip.args(["--preserve-dates", "-o"]).args([&temporary, from]).stderr(Stdio::null());
    if !strip.status().is_ok_and(|status| status.success()) {
        fs::hard_link(from, &temporary).or_else(|_| fs::copy(from, &temporary).map(|_| ())).unwrap();
    }
    fs::rename(temporary, to).unwrap();
}

/// One file under one more name, as `plimsoll install` links it.
fn name(from: &Path, to: &Path) {
    let file = |path: &Path| fs::metadata(path).map(|found| (found.dev(), found.ino())).ok();
    if file(from) == file(to) {
        return;
    }
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    let temporary = to.with_extension(process::id().to_string());
    let _ = fs::remove_file(&temporary);
    fs::hard_link(from, &temporary).unwrap();
    fs::rename(temporary, to).unwrap();
}

//! What review, gate, attestation and server hook cost beside git's own commands: in projects of 1,000 to 200,000 files, then
//! for a range of 1,000 commits that are attested one by one, and for a push of 10,000 objects. Wall seconds, the best of
//! several runs. Numbers as arguments are other sizes of projects. Prints; judges nothing.

#![expect(clippy::unwrap_used, reason = "a benchmark that cannot set up its place has nothing to measure")]

#[path = "../tests/support/programs.rs"]
mod programs;

use camino::Utf8PathBuf;
use std::fs;
use std::process::{Command, Output, Stdio};
use std::time::Instant;

const SIZES: [usize; 4] = [1_000, 10_000, 50_000, 200_000];
const RUNS: usize = 5;
const COMMITS: usize = 1_000;
/// Commits of a push. Each brings a commit, three trees and a file, so that 2,000 are 10,000 objects.
const PUSHED: usize = 2_000;
const NOTES: &str = "refs/notes/plimsoll";

fn main() {
    let named: Vec<usize> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let sizes = if named.is_empty() { SIZES.to_vec() } else { named };
    print!("{:<44}", "seconds, project of … files");
    sizes.iter().for_each(|size| print!("{size:>10}"));
    println!();
    let columns: Vec<Vec<(&str, f64)>> = sizes.iter().map(|&size| Place::with_files(size).costs()).collect();
    for row in 0..columns.first().map_or(0, Vec::len) {
        let cells: Vec<(&str, f64)> = columns.iter().filter_map(|column| column.get(row).copied()).collect();
        print!("{:<44}", cells.first().map_or("", |(name, _)| name));
        cells.iter().for_each(|(_, seconds)| print!("{seconds:>10.3}"));
        println!();
    }
    chain();
    push();
}

/// A range of commits, each with an attestation of its own.
fn chain() {
    let place = Place::with_files(100);
    let (mut reviewed, mut attested) = (0.0, 0.0);
    for number in 0..COMMITS {
        place.write(&format!("src/change{}.txt", number % 50), &format!("change {number}\n"));
        reviewed += once(|| place.plimsoll(&["review", "run", "--loop", "1"]));
        place.commit("change");
        attested += once(|| place.plimsoll(&["attest", "HEAD", "--base", "HEAD~1"]));
    }
    println!("\n{COMMITS} commits, attested one by one");
    println!("{:<44}{:>10.3}", "review of one", reviewed / COMMITS as f64);
    println!("{:<44}{:>10.3}", "attestation of one", attested / COMMITS as f64);
    println!(
        "{:<44}{:>10.3}",
        "git log of the range",
        best(|| place.git(&["log", "--stat", "origin/main..HEAD"]))
    );
    println!(
        "{:<44}{:>10.3}",
        "gate verify of the range",
        best(|| place.plimsoll(&["gate", "verify", "origin/main..HEAD"]))
    );
    println!("{:<44}{:>10.3}", "push to a server without the hook", place.pushed("plain.git"));
    place.guard("guarded.git");
    println!("{:<44}{:>10.3}", "push to a server with the hook", place.pushed("guarded.git"));
}

/// Many objects under one attestation.
fn push() {
    let place = Place::with_files(100);
    for number in 0..PUSHED {
        let folder = format!("part{}/folder{}", number % 20, number % 50);
        place.write(&format!("{folder}/file{number}.txt"), &format!("file {number}\n"));
        place.commit("many");
    }
    place.plimsoll(&["review", "run", "--loop", "1"]);
    place.plimsoll(&["attest"]);
    let listed = place.git(&["rev-list", "--objects", "origin/main..HEAD"]);
    let objects = String::from_utf8_lossy(&listed.stdout).lines().count();
    println!("\na push of {PUSHED} commits, {objects} objects");
    println!("{:<44}{:>10.3}", "to a server without the hook", place.pushed("plain.git"));
    place.guard("guarded.git");
    println!("{:<44}{:>10.3}", "to a server with the hook", place.pushed("guarded.git"));
}

fn best(act: impl Fn() -> Output) -> f64 {
    (0..RUNS).map(|_| once(&act)).fold(f64::MAX, f64::min)
}

fn once(act: impl FnOnce() -> Output) -> f64 {
    let begin = Instant::now();
    act();
    begin.elapsed().as_secs_f64()
}

/// An enrolled project with a bare remote and a key to sign with, and a home of its own.
struct Place {
    _directory: tempfile::TempDir,
    root: Utf8PathBuf,
}

impl Place {
    fn with_files(files: usize) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(directory.path().canonicalize().unwrap()).unwrap();
        let place = Self { _directory: directory, root };
        for folder in ["home/.config/plimsoll", "project"] {
            fs::create_dir_all(place.root.join(folder)).unwrap();
        }
        let key = place.root.join("key");
        place.run(Command::new("ssh-keygen").args(["-q", "-t", "ed25519", "-N", "", "-f", key.as_str()]));
        place.git(&["init", "-q", "--bare", "-b", "main", "../plain.git"]);
        place.git(&["init", "-q", "-b", "main"]);
        place.git(&["config", "user.name", "Ada"]);
        place.git(&["config", "user.email", "ada@example.invalid"]);
        place.git(&["remote", "add", "origin", "../plain.git"]);
        for number in 0..files {
            let folder = format!("part{}/folder{}", number % 20, number / 100);
            place.write(&format!("{folder}/file{number}.txt"), &format!("{folder} {number}\n").repeat(20));
        }
        let public = fs::read_to_string(place.root.join("key.pub")).unwrap();
        place.write(".claude/config/allowed-signers", &format!("ada@example.invalid {public}"));
        place.commit("all");
        place.git(&["push", "-q", "-u", "origin", "main"]);
        place.write(
            "../home/.config/plimsoll/review-config.yaml",
            &format!("blocking: {{required_loops: [1]}}\nattestation: {{key: {key}}}\n"),
        );
        place.plimsoll(&["enrol", "--yes"]);
        place
    }

    fn costs(&self) -> Vec<(&'static str, f64)> {
        for number in 0..10 {
            self.write(&format!("part{number}/change.txt"), "changed\n");
        }
        let mut costs = vec![
            ("git status", best(|| self.git(&["status", "--porcelain"]))),
            ("review run --loop 1, no checks", best(|| self.plimsoll(&["review", "run", "--loop", "1"]))),
            ("gate check --worktree", best(|| self.plimsoll(&["gate", "check", "--worktree"]))),
        ];
        let take = || self.plimsoll(&["checkpoint", "create"]);
        costs.push(("checkpoint create, the first one", once(take)));
        costs.push(("checkpoint create, nothing changed", best(take)));
        self.commit("change");
        costs.push(("git push --dry-run, no hook", best(|| self.git(&["push", "--dry-run", "--no-verify"]))));
        costs.push(("git push --dry-run, judged by the gate", best(|| self.git(&["push", "--dry-run"]))));
        costs.push(("attest", best(|| self.plimsoll(&["attest"]))));
        costs.push(("gate verify", best(|| self.plimsoll(&["gate", "verify"]))));
        costs
    }

    /// A bare repository at the remote's state, where the hook protects `main`.
    fn guard(&self, server: &str) {
        self.git(&["clone", "-q", "--bare", "../plain.git", &format!("../{server}")]);
        let server = self.root.join(server);
        for reference in ["refs/heads/main", NOTES] {
            let first = self.git(&["rev-list", "--max-parents=0", "HEAD"]);
            let first = String::from_utf8(first.stdout).unwrap().trim().to_owned();
            let arguments: &[&str] = if reference == NOTES {
                &["update-ref", "-d", NOTES]
            } else {
                &["update-ref", reference, &first]
            };
            self.run(Command::new("git").arg("--git-dir").arg(&server).args(arguments));
        }
        self.plimsoll(&["server-hook", "install", server.as_str(), "--protect", "main"]);
        let policy = server.join("plimsoll/review-config.yaml");
        fs::write(policy, "blocking: {required_loops: [1]}\n").unwrap();
    }

    fn pushed(&self, server: &str) -> f64 {
        let server = format!("../{server}");
        once(|| self.git(&["push", "-q", "--no-verify", "--atomic", &server, "main", NOTES]))
    }

    fn write(&self, relative: &str, text: &str) {
        let path = self.root.join("project").join(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn commit(&self, message: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", message]);
    }

    fn git(&self, arguments: &[&str]) -> Output {
        self.run(Command::new("git").args(arguments))
    }

    fn plimsoll(&self, arguments: &[&str]) -> Output {
        self.run(Command::new(binary()).args(arguments))
    }

    fn run(&self, command: &mut Command) -> Output {
        command
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .env("HOME", self.root.join("home"))
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .current_dir(self.root.join("project"))
            .stdin(Stdio::null());
        let output = command.output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command:?}: {told}");
        output
    }
}

/// The program of this build, or the one that is named and laid out as install.sh does it.
fn binary() -> Utf8PathBuf {
    let named = std::env::args().skip(1).map(Utf8PathBuf::from).find(|path| path.is_dir());
    named.map_or_else(
        || Utf8PathBuf::from_path_buf(programs::program("plimsoll")).unwrap(),
        |folder| folder.join("bin/plimsoll"),
    )
}

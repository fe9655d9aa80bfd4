//! What a checkpoint of 50,000 files costs beside `git status` on the same tree: the first one, one where nothing changed,
//! one with 400 changes; and how large the store is, at the start and after many checkpoints. Each time is the best of
//! several interleaved runs. Prints; judges nothing.

#![expect(clippy::unwrap_used, reason = "a benchmark that cannot set up its place has nothing to measure")]

use camino::{Utf8Path, Utf8PathBuf};
use plimsoll::app::checkpoints::{CheckpointReason, keep_file, list, prune, take};
use plimsoll::app::workspace::Workspace;
use plimsoll::edge::config::Environment;
use plimsoll::edge::repo::Repo;
use plimsoll::edge::state::{Homes, StateLayout};
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const FOLDERS: usize = 500;
const FILES: usize = 100;
const CHANGED: usize = 400;
const RUNS: usize = 9;
const MANY: usize = 120;

fn main() {
    let place = tempfile::tempdir().unwrap();
    let root = Utf8PathBuf::from_path_buf(place.path().canonicalize().unwrap()).unwrap();
    let (home, project) = (root.join("home"), root.join("project"));
    for folder in [&home, &project] {
        fs::create_dir(folder).unwrap();
    }
    git(&project, &["init", "-q"]);
    for folder in 0..FOLDERS {
        let folder = project.join(format!("part{}/folder{folder}", folder % 20));
        fs::create_dir_all(&folder).unwrap();
        for file in 0..FILES {
            fs::write(folder.join(format!("file{file}.txt")), content(&folder, file, 0)).unwrap();
        }
    }
    git(&project, &["add", "-A"]);
    git(&project, &["-c", "user.name=A", "-c", "user.email=a@example.invalid", "commit", "-q", "-m", "all"]);
    let workspace = workspace(&home, &project);
    println!("{} files", FOLDERS * FILES);
    println!(
        "first checkpoint            {:>8.3} s",
        timed(|| drop(take(&workspace, "s", CheckpointReason::FirstChange).unwrap())).as_secs_f64()
    );
    println!("store                       {:>8.1} MiB", mebibytes(&home));

    let (mut status, mut unchanged) = (Duration::MAX, Duration::MAX);
    for _ in 0..RUNS {
        status = status.min(timed(|| git(&project, &["status", "--porcelain"])));
        unchanged = unchanged
            .min(timed(|| assert!(take(&workspace, "s", CheckpointReason::FirstChange).unwrap().reused)));
    }
    println!("git status                  {:>8.3} s", status.as_secs_f64());
    println!("checkpoint, nothing changed {:>8.3} s", unchanged.as_secs_f64());
    println!("  in units of git status    {:>8.2}", unchanged.as_secs_f64() / status.as_secs_f64());

    let mut changed = Duration::MAX;
    for run in 1..=RUNS {
        for number in 0..CHANGED {
            let folder = project.join(format!("part{}/folder{number}", number % 20));
            fs::write(folder.join("file7.txt"), content(&folder, 7, run)).unwrap();
        }
        changed = changed.min(timed(|| drop(take(&workspace, "s", CheckpointReason::FirstChange).unwrap())));
    }
    println!("checkpoint, {CHANGED} changed     {:>8.3} s", changed.as_secs_f64());

    let file = project.join("part0/folder0/file0.txt");
    let single = (0..100).map(|_| timed(|| keep_file(&workspace, "s", &file).unwrap())).min().unwrap();
    println!("one file before a tool      {:>8.1} µs", single.as_secs_f64() * 1e6);

    for run in 0..MANY {
        fs::write(&file, content(&project, run, run)).unwrap();
        take(&workspace, "s", CheckpointReason::FirstChange).unwrap();
    }
    println!(
        "store after {MANY} more       {:>8.1} MiB, {} checkpoints listed",
        mebibytes(&home),
        list(&workspace).unwrap().len()
    );
    let pruned = timed(|| assert!(prune(&workspace).is_ok()));
    println!(
        "pruned in                   {:>8.3} s, store {:.1} MiB",
        pruned.as_secs_f64(),
        mebibytes(&home)
    );
}

fn content(folder: &Utf8Path, file: usize, run: usize) -> String {
    (0..20)
        .map(|line| {
            format!("{folder} {file} line {line} of run {run}: {}\n", (file * 31 + line * 17 + run) % 97)
        })
        .collect()
}

fn workspace(home: &Utf8Path, project: &Utf8Path) -> Workspace {
    let lookup = |name: &str| (name == "HOME").then(|| home.as_os_str().to_owned());
    let environment = Environment::from_lookup(lookup).unwrap();
    let repo = Repo::discover(project).unwrap();
    let layout = StateLayout::in_repository(&repo.as_ref().unwrap().common_dir);
    Workspace {
        homes: Homes::new(&environment.data_home),
        environment,
        project: project.to_owned(),
        repo,
        layout,
    }
}

fn git(project: &Utf8Path, arguments: &[&str]) {
    let mut command = Command::new("git");
    command.current_dir(project).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    assert!(command.args(arguments).stdout(Stdio::null()).status().unwrap().success());
}

fn timed(act: impl FnOnce()) -> Duration {
    let begin = Instant::now();
    act();
    begin.elapsed()
}

fn mebibytes(folder: &Utf8Path) -> f64 {
    let mut bytes = 0;
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in folder.read_dir_utf8().unwrap().map(Result::unwrap) {
            let found = entry.metadata().unwrap();
            if found.is_dir() {
                waiting.push(entry.into_path());
            } else {
                bytes += found.len();
            }
        }
    }
    bytes as f64 / (1024.0 * 1024.0)
}

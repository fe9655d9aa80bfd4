//! Secrets in files and folders, as they lie there. What git ignores is left out, since it would not be committed.

use crate::app::failure::Failure;
use crate::edge::clock;
use crate::edge::file;
use crate::edge::repo::{Git, Repo, unignored_files};
use crate::pure::report::{FoundSecret, SecretReport};
use crate::pure::secret::{Baseline, scan_file};
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeSet;
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

const LIMIT: u64 = 128 * 1024 * 1024;
/// Beyond these the disk is the limit.
const MOST_THREADS: usize = 8;
/// For fewer files a thread costs more than it saves.
const FILES_PER_THREAD: usize = 16;
const LEFT_OUT: [&str; 2] = [".git", "node_modules"];

pub fn scan_paths(paths: &[Utf8PathBuf]) -> Result<SecretReport, Failure> {
    let started = clock::begin();
    let mut files = BTreeSet::new();
    for path in paths {
        let kind = path.metadata().map_err(|error| format!("{path}: {error}"))?;
        if kind.is_dir() {
            list(path, &mut files)?;
        } else if !kind.is_file() {
            return Err(format!("{path} is not a regular file").into());
        } else {
            files.insert(path.clone().into_std_path_buf());
        }
    }
    let files: Vec<PathBuf> = files.into_iter().collect();
    let known = baseline(paths.first().map_or(Utf8Path::new("."), Utf8PathBuf::as_path));
    let mut report = scan_all(&files, &known);
    report.matches.sort_by(|one, other| (&one.file, one.line).cmp(&(&other.file, other.line)));
    report.elapsed = started.elapsed();
    Ok(report)
}

/// The lists at the top of the project, or where the scan starts.
fn baseline(path: &Utf8Path) -> Baseline {
    let top = Repo::discover(path).ok().flatten().map_or_else(|| path.to_owned(), |repo| repo.worktree);
    let lists =
        Baseline::FILES.iter().filter_map(|name| Some((*name, file::read(top.join(name), LIMIT).ok()?)));
    let lists: Vec<_> = lists.collect();
    Baseline::read(lists.iter().map(|(name, content)| (*name, content.as_slice())))
}

/// By git, if it knows the folder; otherwise everything but what is never written by hand.
fn list(folder: &Utf8Path, files: &mut BTreeSet<PathBuf>) -> Result<(), Failure> {
    let Some(repo) = Repo::discover(folder)? else { return Ok(walk(folder.as_std_path(), files)?) };
    let real = folder.canonicalize_utf8()?;
    let inside = real.strip_prefix(&repo.worktree)?.to_owned();
    for name in unignored_files(&Git::open(repo), inside.as_str())? {
        let name = Path::new(std::ffi::OsStr::from_bytes(&name.0));
        let path = folder.as_std_path().join(name.strip_prefix(&inside).unwrap_or(name));
        match path.symlink_metadata() {
            Ok(kind) if kind.is_dir() => walk(&path, files)?,
            Ok(kind) if kind.is_file() => {
                files.insert(path);
            }
            // A link's text is no secret; a tracked file that is gone holds none.
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(format!("{}: {error}", path.display()).into()),
        }
    }
    Ok(())
}

fn walk(folder: &Path, files: &mut BTreeSet<PathBuf>) -> io::Result<()> {
    for entry in folder.read_dir()? {
        let entry = entry?;
        let kind = entry.file_type()?;
        let left_out = LEFT_OUT.iter().any(|name| entry.file_name() == *name);
        if kind.is_dir() && !left_out {
            walk(&entry.path(), files)?;
        } else if kind.is_file() {
            files.insert(entry.path());
        }
    }
    Ok(())
}

fn scan_all(files: &[PathBuf], known: &Baseline) -> SecretReport {
    let wanted = files.len().div_ceil(FILES_PER_THREAD).clamp(1, MOST_THREADS);
    let threads = thread::available_parallelism().map_or(1, usize::from).min(wanted);
    let next = AtomicUsize::new(0);
    let work = || {
        let (mut report, mut buffer) = (SecretReport::default(), Vec::new());
        while let Some(path) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            scan_one(path, known, &mut buffer, &mut report);
        }
        report
    };
    if threads == 1 {
        return work();
    }
    let mut all = SecretReport::default();
    thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        for thread in running {
            match thread.join() {
                Ok(report) => all.add(report),
                Err(_) => all.unscanned.push(("a part of the files".into(), "a thread stopped".into())),
            }
        }
    });
    all
}

fn scan_one(path: &Path, known: &Baseline, buffer: &mut Vec<u8>, report: &mut SecretReport) {
    let name = path.to_string_lossy();
    let name = name.strip_prefix("./").unwrap_or(&name);
    match read(path, buffer) {
        Ok(()) => {
            report.files += 1;
            report.matches.extend(FoundSecret::all(name, scan_file(name, buffer, known)));
        }
        Err(error) => report.unscanned.push((name.to_owned(), error.to_string())),
    }
}

fn read(path: &Path, buffer: &mut Vec<u8>) -> io::Result<()> {
    buffer.clear();
    let mut file = file::open_to_read(path)?;
    let size = file.metadata()?.len();
    if size > LIMIT {
        return Err(io::Error::other(format!("it has {size} bytes")));
    }
    file.by_ref().take(LIMIT).read_to_end(buffer)?;
    Ok(())
}

//! Hands changed files to the store in one stream, as many as make a portion, and gets a tree and a commit for it.

use super::contents::{Contents, contents};
use super::error::{Error, Result};
use super::folder::What;
use super::git::{in_store, said, talk};
use super::leash::Leash;
use super::pace::Pace;
use super::stat::Stat;
use super::walk::Put;
use crate::restore::Reason;
use std::ffi::OsStr;
use std::io::{self, BufWriter, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Stdio;
use std::time::Instant;

const NAME: &str = "fast-import";
const EMPTY_TREE: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

pub(super) struct Change<'a> {
    pub(super) reference: &'a str,
    /// The tree that the rest is a change of.
    pub(super) base: Option<&'a str>,
    pub(super) gone: &'a [Vec<u8>],
    pub(super) put: &'a [Put],
    /// Larger files are left out.
    pub(super) limit: u64,
    pub(super) pace: &'a Pace<'a>,
}

pub(super) enum Came {
    Saved(Stat),
    Gone,
    LeftOut(Reason),
}

pub(super) struct Imported {
    pub(super) tree: String,
    pub(super) commit: String,
    /// What became of each file, in order, as far as this portion goes.
    pub(super) came: Vec<Came>,
    pub(super) bytes: u64,
}

pub(super) fn import(store: &Path, project: &Path, change: &Change<'_>) -> Result<Imported> {
    // Without `--done` a stream that ends because we died would count as whole.
    let mut command = in_store(store, &[NAME, "--quiet", "--done", "--force", "--date-format=raw"]);
    let mut child = command.stdin(Stdio::piped()).spawn().map_err(|source| Error::Start { source })?;
    let leash = Leash::hold(&child, change.pace.patience());
    let talk = talk(&mut child);
    let streamed = match child.stdin.take() {
        Some(stdin) => stream(BufWriter::with_capacity(1 << 16, stdin), project, change),
        None => Err(io::ErrorKind::BrokenPipe.into()),
    };
    let mut printed = String::new();
    let read = child.stdout.take().map(|pipe| pipe.take(4096).read_to_string(&mut printed));
    let Some(status) = leash.end(&mut child).map_err(|source| Error::Start { source })? else {
        return Err(Error::Deadline { command: NAME });
    };
    let (Ok((came, bytes)), Some(Ok(_)), true) = (streamed, read, status.success()) else {
        remove_crash_report(store, child.id());
        return Err(Error::Git { command: NAME, said: said(talk) });
    };
    let mut lines = printed.lines();
    let tree = lines.next().and_then(tree_of);
    let commit = lines.next().filter(|line| line.len() == 40).map(str::to_owned);
    let (Some(tree), Some(commit)) = (tree, commit) else {
        return Err(Error::Unexpected { command: NAME });
    };
    Ok(Imported { tree, commit, came, bytes })
}

/// `040000 tree <id>\t`; git calls a tree without entries missing.
fn tree_of(line: &str) -> Option<String> {
    if line.starts_with("missing") {
        return Some(EMPTY_TREE.into());
    }
    line.strip_prefix("040000 tree ")?.get(..40).map(str::to_owned)
}

fn stream(
    mut out: BufWriter<impl Write>,
    project: &Path,
    change: &Change<'_>,
) -> io::Result<(Vec<Came>, u64)> {
    let begun = Instant::now();
    let mut total = 0;
    writeln!(out, "commit {}", change.reference)?;
    out.write_all(b"mark :1\ncommitter Plimsoll <plimsoll@localhost> 0 +0000\ndata 0\n")?;
    if let Some(base) = change.base.filter(|base| *base != EMPTY_TREE) {
        writeln!(out, "M 040000 {base} \"\"")?;
    }
    for path in change.gone {
        remove(&mut out, path)?;
    }
    let mut came = Vec::new();
    for put in change.put {
        if change.pace.is_full(begun, came.len(), total) {
            break;
        }
        let read = contents(&project.join(OsStr::from_bytes(&put.path)), put.what, change.limit);
        came.push(match read {
            Contents::Whole { bytes, stat } => {
                let mode = match put.what {
                    What::Link => "120000",
                    _ if stat.is_executable() => "100755",
                    What::File | What::Folder | What::Ignored => "100644",
                };
                write!(out, "M {mode} inline ")?;
                quoted(&mut out, &put.path)?;
                write!(out, "\ndata {}\n", bytes.len())?;
                out.write_all(&bytes)?;
                out.write_all(b"\n")?;
                total += stat.size;
                Came::Saved(stat)
            }
            Contents::Gone => {
                remove(&mut out, &put.path)?;
                Came::Gone
            }
            Contents::LeftOut(reason) => {
                remove(&mut out, &put.path)?;
                Came::LeftOut(reason)
            }
        });
    }
    out.write_all(b"ls \"\"\nget-mark :1\ndone\n")?;
    out.flush()?;
    Ok((came, total))
}

fn remove(out: &mut impl Write, path: &[u8]) -> io::Result<()> {
    out.write_all(b"D ")?;
    quoted(out, path)?;
    out.write_all(b"\n")
}

fn quoted(out: &mut impl Write, path: &[u8]) -> io::Result<()> {
    out.write_all(b"\"")?;
    for byte in path {
        match byte {
            b'"' | b'\\' => out.write_all(&[b'\\', *byte])?,
            0..=31 | 127 => write!(out, "\\{byte:03o}")?,
            _ => out.write_all(&[*byte])?,
        }
    }
    out.write_all(b"\"")
}

fn remove_crash_report(store: &Path, process: u32) {
    let _ = std::fs::remove_file(store.join(format!("fast_import_crash_{process}")));
}

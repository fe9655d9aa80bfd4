//! Hands changed files to the store in one stream, as many as make a portion, and gets a tree and a commit for it.

use super::contents::{Contents, contents};
use super::error::{Error, Result};
use super::folder::EntryKind;
use super::pace::Pace;
use super::stat::Stat;
use super::store::Store;
use super::walk::Put;
use crate::pure::restore::LeftOutReason;
use std::ffi::OsStr;
use std::io::{self, BufWriter, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::Instant;

const NAME: &str = "fast-import";
const EMPTY_TREE: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

pub(super) struct StoreImport<'a> {
    pub(super) reference: &'a str,
    /// The tree that the rest is a change of.
    pub(super) base: Option<&'a str>,
    pub(super) gone: &'a [Vec<u8>],
    pub(super) put: &'a [Put],
    /// Larger files are left out.
    pub(super) limit: u64,
    pub(super) pace: &'a Pace<'a>,
}

pub(super) enum ImportedFile {
    Saved(Stat),
    Gone,
    LeftOut(LeftOutReason),
}

pub(super) struct ImportResult {
    pub(super) tree: String,
    pub(super) commit: String,
    /// The result for each file of this portion, in order.
    pub(super) came: Vec<ImportedFile>,
    pub(super) bytes: u64,
}

pub(super) fn import(store: &Store, project: &Path, change: &StoreImport<'_>) -> Result<ImportResult> {
    // Without `--done` a stream that ends because we died would count as whole.
    let arguments = [NAME, "--quiet", "--done", "--force", "--date-format=raw"];
    let mut git = store.git(arguments).deadline(change.pace.patience()).converse()?;
    let streamed = match git.questions.take() {
        Some(stdin) => stream(BufWriter::with_capacity(1 << 16, stdin), project, change),
        None => Err(io::ErrorKind::BrokenPipe.into()),
    };
    let mut printed = String::new();
    let read = git.answers.by_ref().take(4096).read_to_string(&mut printed);
    let finished = git.finish();
    if finished.is_err() {
        remove_crash_report(store, git.id());
    }
    finished?;
    let (Ok((came, bytes)), Ok(_)) = (streamed, read) else { return Err(Error::unexpected(NAME)) };
    let mut lines = printed.lines();
    let tree = lines.next().and_then(tree_of);
    let commit = lines.next().filter(|line| line.len() == 40).map(str::to_owned);
    let (Some(tree), Some(commit)) = (tree, commit) else {
        return Err(Error::unexpected(NAME));
    };
    Ok(ImportResult { tree, commit, came, bytes })
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
    change: &StoreImport<'_>,
) -> io::Result<(Vec<ImportedFile>, u64)> {
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
                    EntryKind::Link => "120000",
                    _ if stat.is_executable() => "100755",
                    EntryKind::File | EntryKind::Folder | EntryKind::Ignored => "100644",
                };
                write!(out, "M {mode} inline ")?;
                quoted(&mut out, &put.path)?;
                write!(out, "\ndata {}\n", bytes.len())?;
                out.write_all(&bytes)?;
                out.write_all(b"\n")?;
                total += stat.size;
                ImportedFile::Saved(stat)
            }
            Contents::Gone => {
                remove(&mut out, &put.path)?;
                ImportedFile::Gone
            }
            Contents::LeftOut(reason) => {
                remove(&mut out, &put.path)?;
                ImportedFile::LeftOut(reason)
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

fn remove_crash_report(store: &Store, process: u32) {
    let _ = std::fs::remove_file(store.path().join(format!("fast_import_crash_{process}")));
}

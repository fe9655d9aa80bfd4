//! The context on disk: an index, the diff in parts, specifications. Written once, and known again by its digest.

use super::material::{Material, gather};
use crate::app::failure::Failure;
use crate::app::gate::judge;
use crate::app::review::change::Change;
use crate::app::review::receipt::own_folder;
use crate::app::workspace::Workspace;
use crate::edge::clock;
use crate::edge::file::folder;
use crate::edge::state::{self, random_token};
use crate::pure::policy::{LoopNumber, evidence_hash};
use crate::pure::review::loop2::{ListedChange, Section, chunks};
use crate::pure::review::{Pair, ReviewScope};
use crate::pure::text::list;
use camino::{Utf8Path, Utf8PathBuf};
use std::time::Duration;

const PREFIX: &str = "review-";
/// The folder that `plimsoll review context` writes.
const FOR_PEOPLE: &str = "review-context";
/// A context that nobody answered is of no use after that.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);
const MARK: usize = 10;

/// A context that lies on disk.
pub(crate) struct ReviewContext {
    pub folder: Utf8PathBuf,
    /// Each file that has to be read, with the mark at its end.
    pub marks: Vec<(String, String)>,
    /// Every file, also those that may be read.
    pub files: Vec<String>,
}

impl ReviewContext {
    pub fn write(
        workspace: &Workspace,
        change: &Change,
        name: &str,
        material: Material,
    ) -> Result<Self, Failure> {
        let folder = own_folder(workspace, &change.settings.paths.state_dir)?.join(name);
        let written = fill(&folder, material);
        if written.is_err() {
            // Half a context is none. What cannot be removed either is removed with the next one.
            let _ = folder::remove(&folder);
        }
        written
    }

    pub fn digest(&self) -> Result<String, Failure> {
        digest(&self.folder, self.files.iter().map(String::as_str))
    }
}

/// Of the named files, or an error if one of them is gone.
pub(crate) fn digest<'a>(folder: &Utf8Path, files: impl Iterator<Item = &'a str>) -> Result<String, Failure> {
    let mut hasher = blake3::Hasher::new();
    for name in files {
        let path = folder.join(name);
        let bytes = state::read_bounded(&path)?.ok_or_else(|| format!("{path} is gone"))?;
        hasher.update(blake3::hash(name.as_bytes()).as_bytes());
        hasher.update(blake3::hash(&bytes).as_bytes());
    }
    Ok(hasher.finalize().to_hex().to_string())
}

fn fill(folder: &Utf8Path, material: Material) -> Result<ReviewContext, Failure> {
    let Material { round, mut index, specs } = material;
    let diff = write_diff(folder, &round.sections)?;
    index.parts = diff.listed;
    let marks: Vec<(String, String)> =
        std::iter::once(("context.md".to_owned(), mark()?)).chain(diff.marks).collect();
    let mut files: Vec<String> = marks.iter().map(|(name, _)| name.clone()).collect();
    for (number, (path, text)) in (1..).zip(specs) {
        let name = format!("spec-{number:03}.txt");
        state::write_code(&folder.join(&name), &text)?;
        index.specs.push(ListedChange { name: name.clone(), holds: path });
        files.push(name);
    }
    let mark = marks.first().map(|(_, mark)| mark.as_str()).unwrap_or_default();
    state::write_code(&folder.join("context.md"), &index.text(mark))?;
    Ok(ReviewContext { folder: folder.to_owned(), marks, files })
}

/// The diff on disk, in parts.
#[derive(Default)]
pub(crate) struct DiffFiles {
    /// Each file with the mark at its end.
    pub marks: Vec<(String, String)>,
    pub listed: Vec<ListedChange>,
}

pub(crate) fn write_diff(folder: &Utf8Path, sections: &[Section]) -> Result<DiffFiles, Failure> {
    let parts = chunks(sections);
    let mut files = DiffFiles::default();
    for (number, part) in (1..).zip(&parts) {
        let name = format!("diff-{number:03}.txt");
        let mark = mark()?;
        state::write_code(&folder.join(&name), &part.text(number, parts.len(), &mark))?;
        files.listed.push(ListedChange { name: name.clone(), holds: list(&part.holds, 5) });
        files.marks.push((name, mark));
    }
    Ok(files)
}

pub(crate) fn mark() -> Result<String, Failure> {
    Ok(random_token()?.chars().take(MARK).collect())
}

/// The folder of a reviewer's context.
pub(crate) fn folder_name(nonce: &str) -> String {
    format!("{PREFIX}{nonce}")
}

/// Removes contexts whose reviewers never came back.
pub(crate) fn sweep(workspace: &Workspace, change: &Change) -> Result<(), Failure> {
    let folder = own_folder(workspace, &change.settings.paths.state_dir)?;
    for entry in folder.read_dir_utf8()?.flatten() {
        let is_old = || {
            let modified = entry.metadata().and_then(|metadata| metadata.modified()).ok()?;
            clock::system().duration_since(modified).ok().filter(|age| *age > KEPT)
        };
        let ours = entry
            .file_name()
            .strip_prefix(PREFIX)
            .is_some_and(|nonce| nonce.len() == 32 && nonce.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if ours && is_folder && is_old().is_some() {
            folder::remove(entry.path())?;
        }
    }
    Ok(())
}

/// `plimsoll review context`: the same for a person, who reads all of it or only what no reviewer has read.
pub fn write_for_people(
    workspace: &Workspace,
    scope: ReviewScope,
    base: Option<String>,
) -> Result<Utf8PathBuf, Failure> {
    let change = Change::of(workspace, scope, base)?;
    let evidence = judge::evidence(workspace)?;
    let since = super::verdict::since(&change.settings, clock::milliseconds());
    let unread: Vec<&Pair> =
        evidence.unreviewed(LoopNumber::Two, &change.pairs, &evidence_hash(&change.settings), Some(&since));
    if unread.is_empty() {
        return Err(
            "there is nothing to read: no change, or all of it was read within max_evidence_age_minutes"
                .into(),
        );
    }
    let open = super::start::open_findings(&change, &evidence);
    let folder = own_folder(workspace, &change.settings.paths.state_dir)?.join(FOR_PEOPLE);
    folder::remove(&folder)?;
    Ok(ReviewContext::write(workspace, &change, FOR_PEOPLE, gather(&change, &unread, &open, None)?)?.folder)
}

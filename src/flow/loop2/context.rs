//! The context on disk: an index, the diff in parts, specifications. Written once, and known again by its digest.

use super::material::{Material, gather};
use crate::flow::change::Change;
use crate::flow::recording::own_folder;
use crate::flow::scene::Scene;
use crate::flow::serve::Failure;
use crate::flow::{clock, gate};
use crate::policy::evidence_hash;
use crate::review::loop2::{Chunk, Listed, Section, chunks};
use crate::review::{Pair, Scope};
use crate::state::{self, random_token};
use camino::{Utf8Path, Utf8PathBuf};
use std::time::Duration;

const PREFIX: &str = "review-";
/// The folder that `plimsoll review context` writes.
const FOR_PEOPLE: &str = "review-context";
/// A context that nobody answered is of no use after that.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);
const MARK: usize = 10;

/// A context that lies on disk.
pub struct Context {
    pub folder: Utf8PathBuf,
    /// Each file that has to be read, with the mark at its end.
    pub marks: Vec<(String, String)>,
    /// Every file, also those that may be read.
    pub files: Vec<String>,
}

impl Context {
    pub fn write(scene: &Scene, change: &Change, name: &str, material: Material) -> Result<Self, Failure> {
        let folder = own_folder(scene, &change.settings.paths.state_dir)?.join(name);
        let written = fill(&folder, material);
        if written.is_err() {
            // Half a context is none. What cannot be removed either is removed with the next one.
            let _ = std::fs::remove_dir_all(&folder);
        }
        written
    }

    pub fn digest(&self) -> Result<String, Failure> {
        digest(&self.folder, self.files.iter().map(String::as_str))
    }
}

/// Of the named files, or an error if one of them is gone.
pub fn digest<'a>(folder: &Utf8Path, files: impl Iterator<Item = &'a str>) -> Result<String, Failure> {
    let mut hasher = blake3::Hasher::new();
    for name in files {
        let path = folder.join(name);
        let bytes = state::read_bounded(&path)?.ok_or_else(|| format!("{path} is gone"))?;
        hasher.update(blake3::hash(name.as_bytes()).as_bytes());
        hasher.update(blake3::hash(&bytes).as_bytes());
    }
    Ok(hasher.finalize().to_hex().to_string())
}

fn fill(folder: &Utf8Path, material: Material) -> Result<Context, Failure> {
    let Material { round, mut index, specs } = material;
    let diff = write_diff(folder, &round.sections)?;
    index.parts = diff.listed;
    let marks: Vec<(String, String)> =
        std::iter::once(("context.md".to_owned(), mark()?)).chain(diff.marks).collect();
    let mut files: Vec<String> = marks.iter().map(|(name, _)| name.clone()).collect();
    for (number, (path, text)) in (1..).zip(specs) {
        let name = format!("spec-{number:03}.txt");
        state::write_code(&folder.join(&name), &text)?;
        index.specs.push(Listed { name: name.clone(), holds: path });
        files.push(name);
    }
    let mark = marks.first().map(|(_, mark)| mark.as_str()).unwrap_or_default();
    state::write_code(&folder.join("context.md"), &index.text(mark))?;
    Ok(Context { folder: folder.to_owned(), marks, files })
}

/// The diff on disk, in parts.
#[derive(Default)]
pub struct DiffFiles {
    /// Each file with the mark at its end.
    pub marks: Vec<(String, String)>,
    pub listed: Vec<Listed>,
}

pub fn write_diff(folder: &Utf8Path, sections: &[Section]) -> Result<DiffFiles, Failure> {
    let parts = chunks(sections);
    let mut files = DiffFiles::default();
    for (number, part) in (1..).zip(&parts) {
        let name = format!("diff-{number:03}.txt");
        let mark = mark()?;
        state::write_code(&folder.join(&name), &part.text(number, parts.len(), &mark))?;
        files.listed.push(Listed { name: name.clone(), holds: holds(part) });
        files.marks.push((name, mark));
    }
    Ok(files)
}

fn holds(part: &Chunk) -> String {
    const SHOWN: usize = 5;
    let shown: Vec<&str> = part.holds.iter().take(SHOWN).map(String::as_str).collect();
    let more = part.holds.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", shown.join(", "))
}

pub fn mark() -> Result<String, Failure> {
    Ok(random_token()?.chars().take(MARK).collect())
}

/// The folder of a reader's context.
pub fn folder_name(nonce: &str) -> String {
    format!("{PREFIX}{nonce}")
}

/// Removes contexts whose readers never came back.
pub fn sweep(scene: &Scene, change: &Change) -> Result<(), Failure> {
    let folder = own_folder(scene, &change.settings.paths.state_dir)?;
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
            std::fs::remove_dir_all(entry.path())?;
        }
    }
    Ok(())
}

/// `plimsoll review context`: the same for a person, who reads all of it or only what no reader has read.
pub fn write_for_people(scene: &Scene, scope: Scope, base: Option<String>) -> Result<Utf8PathBuf, Failure> {
    let change = Change::of(scene, scope, base)?;
    let evidence = gate::evidence(scene)?;
    let since = super::verdict::since(&change.settings, clock::milliseconds());
    let unread: Vec<&Pair> =
        evidence.unread(2, &change.pairs, &evidence_hash(&change.settings), Some(&since));
    if unread.is_empty() {
        return Err(
            "there is nothing to read: no change, or all of it was read within max_evidence_age_minutes"
                .into(),
        );
    }
    let open = super::start::open_findings(&change, &evidence);
    let folder = own_folder(scene, &change.settings.paths.state_dir)?.join(FOR_PEOPLE);
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    Ok(Context::write(scene, &change, FOR_PEOPLE, gather(&change, &unread, &open, None)?)?.folder)
}

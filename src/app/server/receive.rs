//! Judges a push on the server, before any ref has changed: on the objects in quarantine, with the notes that arrive with it.

use super::install::{PATTERNS, SIGNERS};
use crate::app::attestation::{Verification, holds_all, requirement, signers_at, verify};
use crate::app::failure::Failure;
use crate::edge::config::{DEFAULT_CONFIG_DIR, Environment, load_with_base, project_file};
use crate::edge::file;
use crate::edge::repo::{Git, NOTES, commit_at, file_at, find_commit, new_commits, reached, tracked_refs};
use crate::edge::run::stdio::{current_directory, read_stdin};
use crate::pure::attestation::ProtectedRefs;
use crate::pure::review::ObjectId;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeSet;
use std::io;

const INPUT_LIMIT: u64 = 64 * 1024 * 1024;
const FILE_LIMIT: u64 = 1024 * 1024;
/// More than anybody can read.
const REASONS: usize = 20;

/// One ref of the push.
struct RefChange {
    old: Option<ObjectId>,
    new: Option<ObjectId>,
    name: String,
}

/// A bare repository that is receiving a push.
struct Receiver {
    directory: Utf8PathBuf,
    git: Git,
    protected: ProtectedRefs,
    /// The protected refs as they are now.
    published: Vec<ObjectId>,
    /// The notes to judge by: those of this push, or else those that the server has.
    notes: Option<ObjectId>,
}

/// Reads what git feeds to a pre-receive hook. Returns the refusal, or nothing if the push is accepted.
pub fn judge_push() -> Result<Option<String>, Failure> {
    let changes = parse(&read_stdin(INPUT_LIMIT)?)?;
    let directory = current_directory()?;
    let text = file::read_text(directory.join(PATTERNS), FILE_LIMIT)
        .map_err(|error| format!("could not read {}: {error}", directory.join(PATTERNS)))?;
    let protected = ProtectedRefs::parse(&text).map_err(|problem| format!("{PATTERNS}: {problem}"))?;
    let git = Git::receiving(&directory);
    let refs = tracked_refs(&git)?;
    let here = refs.iter().find(|(_, name)| name == NOTES).map(|(id, _)| id.clone());
    let incoming = changes.iter().find(|change| change.name == NOTES);
    let published = refs.into_iter().filter(|(_, name)| protected.covers(name)).map(|(id, _)| id).collect();
    let notes = match incoming {
        Some(change) => change.new.clone(),
        None => here,
    };
    let receiver = Receiver { directory, git, protected, published, notes };
    let mut text = String::new();
    for change in &changes {
        let reasons = receiver.judge(change)?;
        if !reasons.is_empty() {
            text += &format!("plimsoll: {} was refused:\n", change.name);
            text += &reasons.iter().take(REASONS).map(|reason| format!("  - {reason}\n")).collect::<String>();
            if reasons.len() > REASONS {
                text += &format!("  - and {} more\n", reasons.len() - REASONS);
            }
            if receiver.protected.covers(&change.name) && change.new.is_some() {
                text += "  This branch accepts only attested commits. Review them with Plimsoll (/review), then run\n  \
                         `plimsoll push`, with `attestation: {on_push: true}`, or `plimsoll attest` before it.\n";
            }
        }
    }
    Ok((!text.is_empty()).then_some(text))
}

/// `<old id> <new id> <ref>`, one per line; a line that cannot be read spoils them all.
fn parse(input: &[u8]) -> Result<Vec<RefChange>, Failure> {
    let text = std::str::from_utf8(input).map_err(|_| "the names of the refs are not UTF-8")?;
    let change = |line: &str| {
        let mut words = line.splitn(3, ' ');
        let mut id = || ObjectId::parse(words.next()?);
        let (old, new) = (id()?, id()?);
        let some = |id: ObjectId| (!id.is_zero()).then_some(id);
        Some(RefChange { old: some(old), new: some(new), name: words.next()?.to_owned() })
    };
    text.lines()
        .map(|line| {
            change(line).ok_or_else(|| format!("git said `{line}` about a ref, which makes no sense").into())
        })
        .collect()
}

impl Receiver {
    /// Why the ref may not change like this.
    fn judge(&self, change: &RefChange) -> Result<Vec<String>, Failure> {
        if change.name == NOTES {
            return self.judge_notes(change);
        }
        if !self.protected.covers(&change.name) {
            return Ok(Vec::new());
        }
        let Some(new) = &change.new else { return Ok(vec!["a protected branch cannot be deleted".into()]) };
        let Some(tip) = commit_at(&self.git, new)? else {
            return Ok(vec![format!("{} leads to no commit", new.short())]);
        };
        if let Some(old) = &change.old {
            let wanted: BTreeSet<ObjectId> = commit_at(&self.git, old)?.into_iter().collect();
            if wanted.is_empty() || reached(&self.git, &wanted, std::slice::from_ref(&tip))? != wanted {
                return Ok(vec!["a force push would remove commits from a protected branch".into()]);
            }
        }
        let base = self.base(change)?;
        if new_commits(&self.git, &tip, &self.published)?.is_empty() {
            return Ok(Vec::new());
        }
        let settings = self.settings(base.as_ref())?;
        let signers = self.signers(base.as_ref())?;
        let result = verify(&Verification {
            git: &self.git,
            tip: &tip,
            known: &self.published,
            notes: self.notes.as_ref(),
            signers: signers.as_deref(),
            requirement: &requirement(&settings, &[]),
        })?;
        Ok(result.reasons.iter().map(ToString::to_string).collect())
    }

    /// Nothing that was attested gets lost.
    fn judge_notes(&self, change: &RefChange) -> Result<Vec<String>, Failure> {
        let lost = || vec!["attestations would get lost; run `plimsoll fetch`, then push again".into()];
        match (&change.old, &change.new) {
            (Some(_), None) => Ok(lost()),
            (Some(old), Some(new)) if !holds_all(&self.git, old, new)? => Ok(lost()),
            (Some(_) | None, Some(_) | None) => Ok(Vec::new()),
        }
    }

    /// The commit whose policy counts: where the branch is now, or for a new one the default branch, if that is protected too.
    fn base(&self, change: &RefChange) -> Result<Option<ObjectId>, Failure> {
        Ok(match &change.old {
            Some(old) => commit_at(&self.git, old)?,
            None => find_commit(&self.git, "HEAD")?
                .map(|head| head.id)
                .filter(|head| self.published.contains(head)),
        })
    }

    /// The server's own file `plimsoll/review-config.yaml`, tightened by the base.
    fn settings(&self, base: Option<&ObjectId>) -> Result<crate::pure::policy::Settings, Failure> {
        let own = self.directory.join("plimsoll");
        let environment = Environment {
            data_home: own.clone(),
            config_home: own.clone(),
            state_home: own,
            ..Environment::read_or_guess(&self.directory)
        };
        let text = match base {
            Some(base) => file_at(&self.git, base, config().as_str())?,
            None => None,
        };
        let text = text.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        Ok(load_with_base(&self.directory, &environment, text.as_deref())?.settings)
    }

    /// The server's own list, or the one of the base. Never the one that arrives.
    fn signers(&self, base: Option<&ObjectId>) -> Result<Option<Vec<u8>>, Failure> {
        let path = self.directory.join(SIGNERS);
        match file::read(&path, FILE_LIMIT) {
            Ok(list) => Ok(Some(list)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => signers_at(&self.git, base, &config()),
            Err(error) => Err(format!("could not read {path}: {error}").into()),
        }
    }
}

fn config() -> Utf8PathBuf {
    project_file(Utf8Path::new(DEFAULT_CONFIG_DIR).as_str())
}

//! A checkpoint is taken: the files in the store, a reference that keeps them, and a manifest last.

use super::listing::all;
use super::looking::{head, look, surroundings};
use super::place::Place;
use super::pruning;
use crate::checkpoint::{Captured, Store};
use crate::flow::clock;
use crate::flow::scene::Scene;
use crate::flow::serve::Failure;
use crate::restore::{Checkpoint, Health, Surroundings, Why};
use crate::state::{self, Journal, Kind, Outcome};
use std::collections::BTreeSet;

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    pub id: String,
    pub tree: String,
    /// The newest one shows the same and stands in.
    pub reused: bool,
    pub left_out: usize,
}

/// An error means: there is no checkpoint of now. Earlier ones stay as they are.
pub fn take(scene: &Scene, session: &str, why: Why) -> Result<Taken, Failure> {
    let place = Place::of(scene)?;
    let _lock = place.lock()?;
    let store = place.open_store()?;
    pruning::make_room(&place, &store)?;
    let captured = look(&place, &store, BTreeSet::new())?;
    let taken = record(scene, &place, &store, Some(session), why, &captured)?;
    pruning::forget_expired(&place, &store)?;
    Ok(taken)
}

/// With the lock held.
pub(super) fn record(
    scene: &Scene,
    place: &Place,
    store: &Store,
    session: Option<&str>,
    why: Why,
    captured: &Captured,
) -> Result<Taken, Failure> {
    let session = session.filter(|session| !session.is_empty());
    let surroundings = surroundings(scene, place, captured);
    let likeness = digest(&Surroundings { ignored: Vec::new(), cut: false, ..surroundings.clone() })?;
    let known = all(place)?.0;
    let newest = known.first();
    let taken = |id: &str, reused| Taken {
        id: id.to_owned(),
        tree: captured.tree.to_string(),
        reused,
        left_out: captured.left_out.len(),
    };
    let same = |newest: &&Checkpoint| {
        newest.tree == captured.tree && newest.likeness == likeness && newest.session.as_deref() == session
    };
    if let Some(newest) = newest.filter(same).filter(|newest| why.is_served_by(&newest.why)) {
        return Ok(taken(&newest.id, true));
    }
    // Time orders checkpoints, so no two have the same.
    let time = clock::milliseconds().max(newest.map_or(0, |newest| newest.time + 1));
    let digest = digest(&surroundings)?;
    if !place.surroundings(&digest).exists() {
        state::write_json_of_files(&place.surroundings(&digest), &surroundings)?;
    }
    let id = id(time, &captured.commit.to_string(), &known);
    let checkpoint = Checkpoint {
        version: Checkpoint::VERSION,
        id: id.clone(),
        time,
        session: session.map(str::to_owned),
        worktree: place.worktree.to_string(),
        why,
        commit: captured.commit.clone(),
        tree: captured.tree.clone(),
        surroundings: digest,
        likeness,
        files: captured.count,
        left_out: captured.left_out.len(),
        head: scene.repo.as_ref().and_then(head),
        health: session.map_or(Ok(Health::default()), |session| health(scene, session, time))?,
    };
    store.keep(&id, &captured.commit)?;
    state::write_json(&place.checkpoint(&id), &checkpoint)?;
    Ok(taken(&id, false))
}

fn digest(surroundings: &Surroundings) -> Result<String, Failure> {
    Ok(blake3::hash(&serde_json::to_vec(surroundings)?).to_hex().chars().take(32).collect())
}

/// Sorts by time and is short enough to type: `1116-153052-7f3a`.
fn id(time: u64, commit: &str, known: &[Checkpoint]) -> String {
    let digits: String = clock::moment(time).chars().filter(char::is_ascii_digit).collect();
    let (day, clock) = (digits.get(4..8).unwrap_or_default(), digits.get(8..14).unwrap_or_default());
    let ids = (0_u32..).map(|number| {
        let hash = blake3::hash(format!("{time} {commit} {number}").as_bytes()).to_hex();
        format!("{day}-{clock}-{}", hash.chars().take(4).collect::<String>())
    });
    ids.into_iter().find(|id| known.iter().all(|other| other.id != *id)).unwrap_or_default()
}

/// How the session fared lately, from the end of its journal.
fn health(scene: &Scene, session: &str, time: u64) -> Result<Health, Failure> {
    let path = scene.layout.journal(session);
    if !path.exists() {
        return Ok(Health { time, ..Health::default() });
    }
    let tail = Journal::open(&path)?.tail()?;
    let ended = tail.records.iter().filter(|record| record.kind == Kind::After);
    let failed = ended.clone().filter(|record| record.outcome == Outcome::Failure);
    Ok(Health {
        time,
        calls: ended.count() as u64,
        failures: failed.clone().count() as u64,
        last_error: failed.map(|record| record.time).max(),
    })
}

//! The effect of an undo on each file, also after interrupted restores.

use super::checkpoint::RestoreRecord;
use super::version::Version;
use crate::pure::review::GitPath;
use std::collections::BTreeMap;

/// A restore, and the files that were there before it.
#[derive(Debug, Clone)]
pub(crate) struct UndoStep {
    pub restore: RestoreRecord,
    pub before: BTreeMap<GitPath, Version>,
}

/// One file of an undo; `None`: the file is not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reversal {
    /// The version after the undo.
    pub then: Option<Version>,
    /// The version after the restores.
    pub restored: Option<Version>,
}

/// The number of restores, newest first, that one undo reverts: the newest and the interrupted ones right before it.
pub(crate) fn undone_together(newest_first: &[RestoreRecord]) -> usize {
    let earlier = newest_first.iter().skip(1).take_while(|one| !one.finished);
    newest_first.len().min(1 + earlier.count())
}

/// Newest first. A file that an interrupted restore had changed goes back to what it was before that one; what
/// somebody changed between two restores stays what it was before the later one.
pub(crate) fn reversals(steps: &[UndoStep]) -> BTreeMap<GitPath, Reversal> {
    let mut all: BTreeMap<GitPath, Reversal> = BTreeMap::new();
    let mut later: Option<&UndoStep> = None;
    for step in steps {
        for touched in &step.restore.touched {
            let before = step.before.get(&touched.path).cloned();
            let known = all.get_mut(&touched.path);
            let left = match (&known, later) {
                (Some(known), _) => known.then.clone(),
                (None, Some(later)) => later.before.get(&touched.path).cloned(),
                (None, None) => touched.then.clone(),
            };
            match known {
                _ if left != touched.then => {}
                Some(known) => known.then = before,
                None => {
                    let reversal = Reversal { then: before, restored: touched.then.clone() };
                    all.insert(touched.path.clone(), reversal);
                }
            }
        }
        later = Some(step);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::checkpoint::RestoredFile;
    use super::super::version::FileKind;
    use super::*;
    use crate::pure::review::ObjectId;

    fn version(letter: char) -> Option<Version> {
        let content = ObjectId::parse(&letter.to_string().repeat(40))?;
        Some(Version { kind: FileKind::File, content, permissions: 0o644 })
    }

    /// `files`: the path, what was there before, and what the restore wants there; `-` for nothing.
    fn step(files: &[(&str, char, char)], finished: bool) -> UndoStep {
        let touched = files.iter().filter(|(_, before, then)| before != then);
        let touched =
            touched.map(|(path, _, then)| RestoredFile { path: GitPath::new(path), then: version(*then) });
        let restore = RestoreRecord {
            version: 1,
            time: 0,
            worktree: "/w".into(),
            before: "b".into(),
            restored: "t".into(),
            touched: touched.collect(),
            finished,
        };
        let before =
            files.iter().filter_map(|(path, before, _)| Some((GitPath::new(path), version(*before)?)));
        UndoStep { restore, before: before.collect() }
    }

    fn then(steps: &[UndoStep]) -> Vec<(String, Option<Version>)> {
        reversals(steps).into_iter().map(|(path, one)| (path.to_string(), one.then)).collect()
    }

    #[test]
    fn a_single_restore_is_taken_back_as_it_was_done() {
        let only = step(&[("changed", 'a', 'b'), ("gone", 'a', '-'), ("new", '-', 'b')], true);
        let expected = [("changed", version('a')), ("gone", version('a')), ("new", None)];
        assert_eq!(then(&[only]), expected.map(|(path, version)| (path.to_owned(), version)));
    }

    #[test]
    fn an_interrupted_restore_and_its_repetition_are_one() {
        // The first one came as far as `done`.
        let first = step(&[("done", 'a', 'b'), ("left", 'a', 'b')], false);
        let second = step(&[("done", 'b', 'b'), ("left", 'a', 'b')], true);
        let expected = [("done", version('a')), ("left", version('a'))];
        assert_eq!(then(&[second, first]), expected.map(|(path, version)| (path.to_owned(), version)));
    }

    #[test]
    fn interrupted_again_and_again_it_is_still_one() {
        let first = step(&[("x", 'a', 'b'), ("y", 'a', 'b'), ("z", 'a', 'b')], false);
        let second = step(&[("x", 'b', 'b'), ("y", 'a', 'b'), ("z", 'a', 'b')], false);
        let third = step(&[("x", 'b', 'c'), ("y", 'b', 'c'), ("z", 'a', 'c')], true);
        let all = reversals(&[third, second, first]);
        assert!(all.values().all(|one| one.then == version('a') && one.restored == version('c')), "{all:?}");
        assert_eq!(all.len(), 3);
    }

    #[test]
    fn what_somebody_changed_in_between_is_not_lost_to_an_earlier_state() {
        let first = step(&[("theirs", 'a', 'b'), ("untouched", 'a', 'b')], false);
        let second = step(&[("theirs", 'e', 'b'), ("untouched", 'e', 'e')], true);
        assert_eq!(then(&[second, first]), [("theirs".to_owned(), version('e'))]);
    }

    #[test]
    fn only_interrupted_ones_right_before_the_newest_belong_to_it() {
        let records = |finished: &[bool]| -> Vec<RestoreRecord> {
            finished.iter().map(|finished| step(&[], *finished).restore).collect()
        };
        for (finished, together) in [
            (&[][..], 0),
            (&[true], 1),
            (&[false], 1),
            (&[true, true], 1),
            (&[true, false, true], 2),
            (&[false, false, false], 3),
            (&[true, true, false], 1),
        ] {
            assert_eq!(undone_together(&records(finished)), together, "{finished:?}");
        }
    }
}

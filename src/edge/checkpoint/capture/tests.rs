//! A capture that ends early goes on where it ended.

use super::*;
use camino::Utf8PathBuf;
use std::cell::RefCell;
use std::fs;
use std::time::Duration;

struct Place {
    _directory: tempfile::TempDir,
    root: Utf8PathBuf,
    store: Store,
}

impl Place {
    fn new(files: usize) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(directory.path().canonicalize().unwrap()).unwrap();
        fs::create_dir(root.join("project")).unwrap();
        for number in 0..files {
            fs::write(root.join(format!("project/{number}.txt")), format!("{number:04}\n")).unwrap();
        }
        let store = Store::open(&root.join("store.git")).unwrap();
        Self { _directory: directory, root, store }
    }

    /// Returns what was read in each portion, too.
    fn capture(&self, files: usize, next: Next) -> (Capture, Vec<CaptureProgress>) {
        let told = RefCell::new(Vec::new());
        let rest = |progress: &CaptureProgress, _: &str| {
            // Before the first of several portions nothing is read yet.
            if progress.bytes == 0 {
                return Next::GoOn;
            }
            told.borrow_mut().push(*progress);
            next
        };
        let captured = self.at(&Pace::in_portions(&rest).of_files(files)).unwrap();
        (captured, told.into_inner())
    }

    fn at(&self, pace: &Pace<'_>) -> Result<Capture> {
        self.limited(&StoreLimits::default(), pace)
    }

    fn limited(&self, limits: &StoreLimits, pace: &Pace<'_>) -> Result<Capture> {
        let wanted = CaptureRequest {
            worktree: &self.root.join("project"),
            key: "key",
            // Long after the files were written: none of them has to be read twice.
            now: 4_000_000_000_000,
            named: &BTreeSet::new(),
            skipped: &[],
            limits,
            seen: &self.root.join("seen.bin"),
        };
        capture(&self.store, &wanted, pace)
    }

    fn whole(&self) -> Captured {
        match self.at(&Pace::unlimited()).unwrap() {
            Capture::Whole(captured) => *captured,
            Capture::Part(progress) => panic!("{progress:?}"),
        }
    }
}

#[test]
fn what_one_portion_read_the_next_capture_does_not_read_again() {
    let place = Place::new(40);
    for round in 1..=3 {
        let (captured, told) = place.capture(10, Next::Stop);
        assert!(matches!(captured, Capture::Part(_)), "{round}");
        let [progress] = told.as_slice() else { panic!("{told:?}") };
        assert_eq!((progress.files, progress.of, progress.bytes), (round * 10, 40, 50), "{round}");
    }
    let (captured, told) = place.capture(10, Next::GoOn);
    let Capture::Whole(captured) = captured else { panic!("{told:?}") };
    assert!(told.is_empty(), "one portion was left: {told:?}");
    // In portions or at once, it is the same tree.
    let other = Place::new(40);
    assert_eq!(captured.tree, other.whole().tree);
    assert_eq!((captured.count, captured.left_out.len()), (40, 0));
}

#[test]
fn a_kill_between_what_was_seen_and_the_reference_loses_neither() {
    let place = Place::new(40);
    place.capture(30, Next::Stop);
    let seen = place.store.path().join("refs/seen/key");
    fs::rename(&seen, place.store.path().join("refs/seen/key-next")).unwrap();
    let (captured, told) = place.capture(5, Next::Stop);
    assert!(
        matches!(captured, Capture::Part(CaptureProgress { files: 35, of: 40, bytes: 25, .. })),
        "{told:?}"
    );
    // And one before what was seen is written down costs that portion alone.
    let before = fs::read(place.root.join("seen.bin")).unwrap();
    let old = fs::read(&seen).unwrap();
    place.capture(5, Next::GoOn);
    fs::write(place.root.join("seen.bin"), before).unwrap();
    fs::rename(&seen, place.store.path().join("refs/seen/key-next")).unwrap();
    fs::write(&seen, old).unwrap();
    let (_, told) = place.capture(3, Next::Stop);
    assert_eq!(told.first().map(|progress| progress.bytes), Some(15), "{told:?}");
}

#[test]
fn a_change_or_a_loss_between_portions_is_seen() {
    let place = Place::new(40);
    place.capture(10, Next::Stop);
    fs::write(place.root.join("project/0.txt"), "changed\n").unwrap();
    fs::remove_file(place.root.join("project/1.txt")).unwrap();
    fs::remove_file(place.root.join("project/39.txt")).unwrap();
    let captured = place.whole();
    let other = Place::new(40);
    fs::write(other.root.join("project/0.txt"), "changed\n").unwrap();
    for gone in ["1", "39"] {
        fs::remove_file(other.root.join(format!("project/{gone}.txt"))).unwrap();
    }
    assert_eq!(captured.tree, other.whole().tree);
}

#[test]
fn without_time_there_is_a_part_and_no_error() {
    let place = Place::new(2_000);
    let captured = place.at(&Pace::within(Duration::ZERO)).unwrap();
    assert!(matches!(captured, Capture::Part(_)));
    assert_eq!(place.whole().count, 2_000);
}

#[test]
fn a_project_that_would_fill_the_store_leaves_its_largest_files_out() {
    let place = Place::new(10);
    for name in ["large", "larger", "largest"] {
        fs::write(place.root.join("project").join(name), name.repeat(1_000)).unwrap();
    }
    let limits = StoreLimits { store_bytes: 2 * 12_500, ..StoreLimits::default() };
    for _ in 0..2 {
        let captured = place.limited(&limits, &Pace::unlimited()).unwrap();
        let Capture::Whole(captured) = captured else { panic!("it ended early") };
        let left_out: Vec<_> = captured.left_out.iter().map(|one| one.path.to_string()).collect();
        assert_eq!((captured.count, left_out), (12, vec!["largest".to_owned()]));
    }
}

//! Tasks on disk: one sealed file each, whole or absent. All that happened to a task is in its file, so that one write is one
//! step; the stream of events is read from the files.

use super::error::Error;
use super::layout::{Homes, StateLayout};
use super::lock::Lock;
use super::seal::SealKey;
use super::sealed::SealedKind;
use super::store::{files_in, read_bounded, write_atomic, write_json_of_files};
use crate::pure::review::Pair;
use crate::pure::secret::Redacted;
use crate::pure::task::{Task, TaskId};
use crate::pure::text::digest;
use camino::{Utf8Path, Utf8PathBuf};

const SEALED: SealedKind = SealedKind { purpose: "task", field: "task", version: 1 };

pub(crate) struct Tasks<'a> {
    pub layout: &'a StateLayout,
    pub homes: &'a Homes,
}

/// All tasks that can be read, by id, and what is wrong with the others.
#[derive(Debug, Default)]
pub struct TaskList {
    pub tasks: Vec<Task>,
    pub problems: Vec<String>,
    /// The highest id that is taken, also by a damaged file.
    pub highest: u32,
}

impl TaskList {
    /// The number of the newest event of any task.
    pub fn sequence(&self) -> u64 {
        self.tasks.iter().map(Task::sequence).max().unwrap_or_default()
    }
}

impl Tasks<'_> {
    /// Held from reading to writing.
    pub fn lock(&self) -> Result<Lock, Error> {
        Lock::acquire(&self.layout.tasks_lock())
    }

    pub fn read(&self) -> Result<TaskList, Error> {
        let mut list = TaskList::default();
        for path in files_in(&self.layout.tasks())? {
            let Some(id) = id_of(&path) else { continue };
            list.highest = list.highest.max(id.number());
            match self.get(id) {
                Ok(task) => list.tasks.extend(task),
                Err(error) => list.problems.push(error.to_string()),
            }
        }
        list.tasks.sort_by_key(|task| task.id);
        list.problems.sort();
        Ok(list)
    }

    /// `None` if there is no such task; one that was edited or damaged is an error.
    pub fn get(&self, id: TaskId) -> Result<Option<Task>, Error> {
        let path = self.place(id);
        match SEALED.read::<Task>(&path, self.homes)? {
            Some(task) if task.id != id => Err(Error::Edited { path }),
            task => Ok(task),
        }
    }

    pub fn write(&self, task: &Task) -> Result<(), Error> {
        SEALED.write(&self.place(task.id), &SealKey::load_or_create(&self.homes.seal_key())?, task)
    }

    /// Keeps what a reviewer said, and returns its digest.
    pub fn keep_words(&self, name: &str, words: &Redacted) -> Result<String, Error> {
        write_atomic(&self.layout.task_reviews().join(name), words.as_bytes())?;
        Ok(digest(words.as_bytes()))
    }

    /// The text of a reviewer, if its digest still matches.
    pub fn words(&self, name: &str, expected: &str) -> Result<Option<String>, Error> {
        let bytes = read_bounded(&self.layout.task_reviews().join(name))?;
        let whole = bytes.filter(|bytes| digest(bytes) == expected);
        Ok(whole.and_then(|bytes| String::from_utf8(bytes).ok()))
    }

    /// Keeps which changes a review is about, for words only: nothing is decided by it.
    pub fn keep_changes(&self, review: &str, changes: &[Pair]) -> Result<(), Error> {
        write_json_of_files(&self.changes_of(review), &changes)
    }

    /// Empty if nobody knows any more.
    pub fn changes(&self, review: &str) -> Vec<Pair> {
        let bytes = read_bounded(&self.changes_of(review)).ok().flatten().unwrap_or_default();
        serde_json::from_slice(&bytes).unwrap_or_default()
    }

    fn changes_of(&self, review: &str) -> Utf8PathBuf {
        self.layout.task_reviews().join(format!("{review}-changes.json"))
    }

    fn place(&self, id: TaskId) -> Utf8PathBuf {
        self.layout.tasks().join(format!("{id}.json"))
    }
}

fn id_of(path: &Utf8Path) -> Option<TaskId> {
    let id = TaskId::parse(path.file_name()?.strip_suffix(".json")?)?;
    (path.file_name()? == format!("{id}.json")).then_some(id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::task::{Definition, TaskChange, TaskEvent};

    struct Place {
        _directory: tempfile::TempDir,
        layout: StateLayout,
        homes: Homes,
    }

    impl Place {
        fn new() -> Self {
            let directory = tempfile::tempdir().unwrap();
            let root = Utf8PathBuf::from_path_buf(directory.path().to_owned()).unwrap();
            let (layout, homes) =
                (StateLayout::in_repository(&root.join("git")), Homes::new(&root.join("data")));
            Self { _directory: directory, layout, homes }
        }

        fn tasks(&self) -> Tasks<'_> {
            Tasks { layout: &self.layout, homes: &self.homes }
        }
    }

    fn task(number: u32, sequence: u64) -> Task {
        let definition = Definition { title: format!("task {number}"), ..Definition::default() };
        let history = vec![TaskEvent { sequence, time: 1, change: TaskChange::Added }];
        Task { id: TaskId::new(number), definition, source: None, history }
    }

    #[test]
    fn tasks_come_back_by_id_and_the_newest_event_is_known() {
        let place = Place::new();
        assert_eq!(place.tasks().read().unwrap().highest, 0);
        for (number, sequence) in [(10, 3), (2, 7)] {
            place.tasks().write(&task(number, sequence)).unwrap();
        }
        let list = place.tasks().read().unwrap();
        assert_eq!(list.tasks, [task(2, 7), task(10, 3)]);
        assert_eq!((list.sequence(), list.highest), (7, 10));
    }

    #[test]
    fn an_edited_renamed_damaged_or_newer_task_is_none_and_its_id_stays_taken() {
        type Attack = fn(&str) -> String;
        let attacks: [(&str, Attack); 4] = [
            ("edited", |text| text.replace("task 1", "task one")),
            ("edited", |text| text.replace("T-1", "T-9")),
            ("damaged", |text| text.chars().take(40).collect()),
            ("newer", |text| text.replacen("\"version\": 1", "\"version\": 7", 1)),
        ];
        for (word, attack) in attacks {
            let place = Place::new();
            place.tasks().write(&task(1, 1)).unwrap();
            let path = place.tasks().place(TaskId::new(1));
            let text = std::fs::read_to_string(&path).unwrap();
            std::fs::write(&path, attack(&text)).unwrap();
            let list = place.tasks().read().unwrap();
            assert!(list.tasks.is_empty() && list.highest == 1, "{word}");
            assert!(list.problems[0].contains(word), "{word}: {:?}", list.problems);
            assert!(place.tasks().get(TaskId::new(1)).is_err());
        }
        let place = Place::new();
        place.tasks().write(&task(1, 1)).unwrap();
        std::fs::copy(place.tasks().place(TaskId::new(1)), place.tasks().place(TaskId::new(2))).unwrap();
        assert_eq!(place.tasks().read().unwrap().tasks, [task(1, 1)]);
        std::fs::remove_file(place.homes.seal_key()).unwrap();
        assert!(place.tasks().read().unwrap().tasks.is_empty());
    }

    #[test]
    fn a_reviewers_words_are_known_again_or_are_none() {
        let place = Place::new();
        let digest = place.tasks().keep_words("T-1-1.md", &"Fine.".into()).unwrap();
        assert_eq!(place.tasks().words("T-1-1.md", &digest).unwrap().as_deref(), Some("Fine."));
        std::fs::write(place.layout.task_reviews().join("T-1-1.md"), "Approved.").unwrap();
        assert_eq!(place.tasks().words("T-1-1.md", &digest).unwrap(), None);
        assert_eq!(place.tasks().words("T-1-2.md", &digest).unwrap(), None);
    }
}

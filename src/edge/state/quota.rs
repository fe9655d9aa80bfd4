//! The quota of outside reviews, for the whole machine: one at a time, and a limit per hour.

use super::error::Error;
use super::layout::Homes;
use super::lock::Lock;
use super::store::{read_json, write_json};
use crate::pure::review::loop3::{Exhausted, Quota};
use camino::Utf8PathBuf;
use time::OffsetDateTime;

pub(crate) struct OutsideReviews {
    folder: Utf8PathBuf,
}

/// The answer to a request for one more review.
#[derive(Debug)]
pub(crate) struct Charged {
    pub quota: Quota,
    pub result: Result<(), Exhausted>,
    /// A message about a damaged record.
    pub damaged: Option<String>,
}

impl OutsideReviews {
    pub fn of(homes: &Homes) -> Self {
        Self { folder: homes.outside_reviews() }
    }

    /// Held while a review runs; `None` if another one does.
    pub fn begin(&self) -> Result<Option<Lock>, Error> {
        Lock::try_acquire(&self.folder.join("running.lock"))
    }

    /// Charges one review before it starts: one that is killed has been sent all the same. A damaged record is set aside,
    /// and this hour then counts as used up, since nobody knows what was used of it.
    pub fn charge(&self, now: OffsetDateTime, limit: u32, timestamp: &str) -> Result<Charged, Error> {
        let _lock = Lock::acquire(&self.folder.join("quota.lock"))?;
        let path = self.folder.join("quota.json");
        let (mut quota, damaged) = match read_json::<Quota>(&path, Quota::VERSION) {
            Ok(quota) => (quota.unwrap_or_default(), None),
            Err(error @ Error::Corrupt { .. }) => (Quota::unknown(now, limit), Some(error.to_string())),
            Err(error) => return Err(error),
        };
        let result = quota.spend(now, limit, timestamp);
        write_json(&path, &quota)?;
        Ok(Charged { quota, result, damaged })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8Path;

    fn now() -> OffsetDateTime {
        OffsetDateTime::from_unix_timestamp(1_769_597_100).unwrap()
    }

    fn place() -> (tempfile::TempDir, OutsideReviews) {
        let directory = tempfile::tempdir().unwrap();
        let reviews = OutsideReviews::of(&Homes::new(Utf8Path::from_path(directory.path()).unwrap()));
        (directory, reviews)
    }

    #[test]
    fn what_was_charged_is_remembered_by_the_next_process() {
        let (_directory, reviews) = place();
        for number in 1..=3 {
            assert_eq!(reviews.charge(now(), 3, "t").unwrap().quota.used(now()), number);
        }
        assert_eq!(reviews.charge(now(), 3, "t").unwrap().result.unwrap_err().used, 3);
    }

    #[test]
    fn a_damaged_record_uses_up_the_hour_and_is_kept() {
        let (_directory, reviews) = place();
        let path = reviews.folder.join("quota.json");
        std::fs::create_dir_all(&reviews.folder).unwrap();
        std::fs::write(&path, "{\"version\": 1, \"buckets\": ").unwrap();
        let charged = reviews.charge(now(), 8, "t").unwrap();
        assert!(charged.result.is_err());
        assert!(charged.damaged.unwrap().contains("quota.json.damaged-0"));
        assert!(reviews.charge(now(), 8, "t").unwrap().result.is_err(), "and stays used up");
        let later = now() + time::Duration::hours(1);
        assert!(reviews.charge(later, 8, "t").unwrap().result.is_ok());
    }

    #[test]
    fn many_at_once_are_counted_one_by_one() {
        let (_directory, reviews) = place();
        let granted = std::sync::atomic::AtomicU32::new(0);
        std::thread::scope(|scope| {
            for _ in 0..20 {
                scope.spawn(|| {
                    if reviews.charge(now(), 8, "t").unwrap().result.is_ok() {
                        granted.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    }
                });
            }
        });
        assert_eq!(granted.into_inner(), 8);
    }

    #[test]
    fn one_review_at_a_time() {
        let (_directory, reviews) = place();
        let first = reviews.begin().unwrap();
        assert!(first.is_some() && reviews.begin().unwrap().is_none());
        drop(first);
        assert!(reviews.begin().unwrap().is_some());
    }
}

//! The one door to the clock.

use std::cell::Cell;
use std::time::{Duration, Instant, SystemTime};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

thread_local! {
    /// Set while steps are only tried out that really happened at some other time.
    static REHEARSED: Cell<Option<u64>> = const { Cell::new(None) };
}

/// As file systems count it; no rehearsal changes that.
pub(crate) fn system() -> SystemTime {
    SystemTime::now()
}

/// For measuring how long something takes.
pub(crate) fn begin() -> Instant {
    Instant::now()
}

/// Milliseconds since 1970.
pub fn milliseconds() -> u64 {
    REHEARSED.get().unwrap_or_else(|| {
        let now = system().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        u64::try_from(now.as_millis()).unwrap_or(u64::MAX)
    })
}

pub fn now() -> OffsetDateTime {
    match REHEARSED.get() {
        Some(milliseconds) => OffsetDateTime::UNIX_EPOCH
            .checked_add(Duration::from_millis(milliseconds).try_into().unwrap_or_default())
            .unwrap_or(OffsetDateTime::UNIX_EPOCH),
        None => OffsetDateTime::now_utc(),
    }
}

/// From now on it is that time, for all that this thread tries out.
pub(crate) fn rehearse(milliseconds: u64) {
    REHEARSED.set(Some(milliseconds));
}

/// `2026-01-28T10:30:00Z`.
pub(crate) fn timestamp() -> String {
    rfc3339(now())
}

/// The same for milliseconds since 1970.
pub fn moment(milliseconds: u64) -> String {
    let seconds = i64::try_from(milliseconds / 1000).unwrap_or_default();
    OffsetDateTime::from_unix_timestamp(seconds).map(rfc3339).unwrap_or_default()
}

fn rfc3339(time: OffsetDateTime) -> String {
    time.replace_nanosecond(0).unwrap_or(time).format(&Rfc3339).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rehearsal_has_its_own_time_and_other_threads_theirs() {
        let elsewhere = std::thread::spawn(|| {
            rehearse(1_767_225_600_000);
            (milliseconds(), timestamp())
        });
        assert_eq!(elsewhere.join().unwrap(), (1_767_225_600_000, "2026-01-01T00:00:00Z".to_owned()));
        assert!(milliseconds() > 1_767_225_600_000);
        assert!(now() > OffsetDateTime::UNIX_EPOCH);
    }
}

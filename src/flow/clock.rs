//! The one door to the clock.

use std::time::{Instant, SystemTime};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// As file systems count it.
pub fn system() -> SystemTime {
    SystemTime::now()
}

/// For measuring how long something takes.
pub fn begin() -> Instant {
    Instant::now()
}

/// Milliseconds since 1970.
pub fn milliseconds() -> u64 {
    let now = system().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_millis()).unwrap_or(u64::MAX)
}

pub fn now() -> OffsetDateTime {
    OffsetDateTime::now_utc()
}

/// `2026-01-28T10:30:00Z`.
pub fn timestamp() -> String {
    written(now())
}

/// The same for milliseconds since 1970.
pub fn moment(milliseconds: u64) -> String {
    let seconds = i64::try_from(milliseconds / 1000).unwrap_or_default();
    OffsetDateTime::from_unix_timestamp(seconds).map(written).unwrap_or_default()
}

fn written(time: OffsetDateTime) -> String {
    time.replace_nanosecond(0).unwrap_or(time).format(&Rfc3339).unwrap_or_default()
}

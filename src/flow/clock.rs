//! The one door to the clock.

use std::time::SystemTime;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// As file systems count it.
pub fn system() -> SystemTime {
    SystemTime::now()
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
    let whole = now().replace_nanosecond(0).unwrap_or_else(|_| now());
    whole.format(&Rfc3339).unwrap_or_default()
}

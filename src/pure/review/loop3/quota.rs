//! The number of outside reviews per hour, in UTC.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt;
use time::{Date, Month, OffsetDateTime, Time};

const SECONDS: i64 = 3600;
/// The number of earlier hours that are stored.
const KEPT: i64 = 2;

/// One hour, written `2026-1-28-10`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Hour(i64);

impl Hour {
    fn of(now: OffsetDateTime) -> Self {
        Self(now.unix_timestamp().div_euclid(SECONDS))
    }

    fn start(self) -> OffsetDateTime {
        OffsetDateTime::from_unix_timestamp(self.0.saturating_mul(SECONDS))
            .unwrap_or(OffsetDateTime::UNIX_EPOCH)
    }

    fn parse(text: &str) -> Option<Self> {
        let parts: Vec<&str> = text.split('-').collect();
        let [year, month, day, hour] = parts.as_slice() else { return None };
        let month = Month::try_from(month.parse::<u8>().ok()?).ok()?;
        let date = Date::from_calendar_date(year.parse().ok()?, month, day.parse().ok()?).ok()?;
        let time = Time::from_hms(hour.parse().ok()?, 0, 0).ok()?;
        Some(Self::of(OffsetDateTime::new_utc(date, time)))
    }
}

impl fmt::Display for Hour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = self.start();
        write!(f, "{}-{}-{}-{}", start.year(), u8::from(start.month()), start.day(), start.hour())
    }
}

impl Serialize for Hour {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Hour {
    /// An unreadable hour is an error, because it would not be counted.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom(format!("`{text}` is not an hour")))
    }
}

/// The used quota of this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Quota {
    pub version: u64,
    buckets: BTreeMap<Hour, u32>,
    total_executions: u64,
    last_execution: Option<String>,
    /// Fields of a newer version.
    #[serde(flatten)]
    other: Map<String, Value>,
}

/// The quota of this hour is used up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Exhausted {
    pub used: u32,
    pub limit: u32,
    /// `14:00 UTC`
    pub free_again: String,
}

impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} used this hour; free again at {}", self.used, self.limit, self.free_again)
    }
}

impl Default for Quota {
    fn default() -> Self {
        Self {
            version: Self::VERSION,
            buckets: BTreeMap::new(),
            total_executions: 0,
            last_execution: None,
            other: Map::new(),
        }
    }
}

impl Quota {
    pub const VERSION: u64 = 1;

    /// Where nobody knows any more what was used: this hour counts as used up, the next one is free.
    pub fn unknown(now: OffsetDateTime, limit: u32) -> Self {
        Self { buckets: [(Hour::of(now), limit)].into(), ..Self::default() }
    }

    pub fn used(&self, now: OffsetDateTime) -> u32 {
        self.buckets.get(&Hour::of(now)).copied().unwrap_or_default()
    }

    pub fn remaining(&self, now: OffsetDateTime, limit: u32) -> u32 {
        limit.saturating_sub(self.used(now))
    }

    /// Charges one review, before it starts.
    pub fn spend(&mut self, now: OffsetDateTime, limit: u32, timestamp: &str) -> Result<(), Exhausted> {
        self.forget_old(now);
        if self.remaining(now, limit) == 0 {
            let next = Hour(Hour::of(now).0.saturating_add(1)).start();
            let free_again = format!("{:02}:00 UTC", next.hour());
            return Err(Exhausted { used: self.used(now), limit, free_again });
        }
        *self.buckets.entry(Hour::of(now)).or_default() += 1;
        self.total_executions = self.total_executions.saturating_add(1);
        self.last_execution = Some(timestamp.to_string());
        Ok(())
    }

    /// Hours that began two hours ago or earlier count for nothing, nor do those of a clock that ran ahead.
    fn forget_old(&mut self, now: OffsetDateTime) {
        let current = Hour::of(now);
        self.buckets.retain(|hour, _| (current.0 - KEPT + 1..=current.0 + KEPT).contains(&hour.0));
    }

    /// `rate-limit-state.json`, for people and tools.
    pub fn view(&self, limit: u32) -> Value {
        json!({
            "version": "1.0",
            "limit_per_hour": limit,
            "buckets": self.buckets,
            "total_executions": self.total_executions,
            "last_execution": self.last_execution,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A Wednesday morning: 2026-01-28T10:45:00Z.
    fn morning() -> OffsetDateTime {
        OffsetDateTime::from_unix_timestamp(1_769_597_100).unwrap()
    }

    fn hours(count: i64) -> time::Duration {
        time::Duration::hours(count)
    }

    #[test]
    fn hourly_buckets_are_named_by_year_month_day_and_hour_without_padding() {
        assert_eq!(Hour::of(morning()).to_string(), "2026-1-28-10");
        assert_eq!(Hour::of(morning() + hours(14)).to_string(), "2026-1-29-0");
        assert_eq!(Hour::parse("2026-1-28-10"), Some(Hour::of(morning())));
        assert_eq!(Hour::parse("2026-01-28-10"), Some(Hour::of(morning())));
        for text in ["", "2026-1-28", "2026-13-1-0", "2026-1-28-24", "2026-1-28-10-1", "x-1-28-10"] {
            assert_eq!(Hour::parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_quota_is_enforced_within_the_hour_and_free_in_the_next() {
        let mut quota = Quota::default();
        for number in 1..=8 {
            assert_eq!(quota.spend(morning(), 8, "t"), Ok(()), "{number}");
        }
        let exhausted = quota.spend(morning(), 8, "t").unwrap_err();
        assert_eq!(exhausted.to_string(), "8 of 8 used this hour; free again at 11:00 UTC");
        assert_eq!(quota.remaining(morning(), 8), 0);
        assert_eq!(quota.remaining(morning() + time::Duration::minutes(15), 8), 8);
        assert_eq!(quota.spend(morning() + hours(1), 8, "t"), Ok(()));
        assert_eq!(quota.total_executions, 9);
        assert_eq!(quota.spend(morning(), 9, "t"), Ok(()), "a raised limit counts at once");
    }

    #[test]
    fn the_hour_before_midnight_frees_at_zero() {
        let late = morning() + hours(13);
        let exhausted = Quota::unknown(late, 8).spend(late, 8, "t").unwrap_err();
        assert_eq!(exhausted.free_again, "00:00 UTC");
    }

    #[test]
    fn old_buckets_are_cleaned_up_and_those_of_a_clock_that_ran_ahead() {
        let mut quota = Quota::default();
        for shift in [-5, -2, -1, 0, 2, 9] {
            quota.buckets.insert(Hour::of(morning() + hours(shift)), 1);
        }
        quota.spend(morning(), 8, "t").unwrap();
        let kept: Vec<String> = quota.buckets.keys().map(ToString::to_string).collect();
        assert_eq!(kept, ["2026-1-28-9", "2026-1-28-10", "2026-1-28-12"]);
    }

    #[test]
    fn the_state_is_written_and_read_back_whole() {
        let mut quota = Quota::default();
        quota.spend(morning(), 8, "2026-01-28T10:45:00Z").unwrap();
        let mut text = serde_json::to_value(&quota).unwrap();
        assert_eq!(serde_json::from_value::<Quota>(text.clone()).unwrap(), quota);
        text["later"] = json!({"kept": true});
        let newer: Quota = serde_json::from_value(text.clone()).unwrap();
        assert_eq!(serde_json::to_value(newer).unwrap(), text);
        assert_eq!(
            quota.view(8),
            json!({"version": "1.0", "limit_per_hour": 8, "buckets": {"2026-1-28-10": 1},
                "total_executions": 1, "last_execution": "2026-01-28T10:45:00Z"})
        );
    }

    #[test]
    fn an_hour_that_nobody_can_read_is_damage_and_not_zero() {
        let text = json!({"version": 1, "buckets": {"yesterday": 8}, "total_executions": 8,
            "last_execution": null});
        assert!(serde_json::from_value::<Quota>(text).is_err());
    }
}

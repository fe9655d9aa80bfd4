//! The number of a loop.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// One of the four loops of a code review; written as its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub enum LoopNumber {
    One = 1,
    Two,
    Three,
    Four,
}

impl LoopNumber {
    pub const ALL: [Self; 4] = [Self::One, Self::Two, Self::Three, Self::Four];

    /// Loops 2 and 3 have a reviewer, who reads each pair. Loops 1 and 4 run checks on the whole tree.
    pub fn has_reviewer(self) -> bool {
        matches!(self, Self::Two | Self::Three)
    }
}

impl From<LoopNumber> for u8 {
    fn from(number: LoopNumber) -> Self {
        number as Self
    }
}

impl TryFrom<u8> for LoopNumber {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|known| u8::from(*known) == number);
        found.ok_or_else(|| format!("there is no loop {number}"))
    }
}

impl FromStr for LoopNumber {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.parse::<u8>().map_err(|error| error.to_string())?.try_into()
    }
}

impl fmt::Display for LoopNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        u8::from(*self).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn a_loop_is_written_as_its_number_and_only_four_are_read() {
        let by_loop = BTreeMap::from([(LoopNumber::One, LoopNumber::Four)]);
        let written = serde_json::to_string(&by_loop).unwrap();
        assert_eq!(written, r#"{"1":4}"#);
        assert_eq!(serde_json::from_str::<BTreeMap<LoopNumber, LoopNumber>>(&written).unwrap(), by_loop);
        for wrong in ["0", "5", "256", "-1", "one", "\"1\""] {
            assert!(serde_json::from_str::<LoopNumber>(wrong).is_err(), "{wrong}");
            assert!(wrong.parse::<LoopNumber>().is_err(), "{wrong}");
        }
    }
}

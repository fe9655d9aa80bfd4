//! One thing that is wrong in a configuration file, and where.

use crate::pure::text::printable;
use std::fmt;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigProblem {
    pub file: String,
    /// Counted from 1; 0 where the file as a whole is meant.
    pub line: u64,
    pub message: String,
}

impl fmt::Display for ConfigProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, printable(&self.message))
    }
}

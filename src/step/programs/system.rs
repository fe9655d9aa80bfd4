//! Services, processes, schedules, accounts, the network and the machine itself.

use super::table::Row;

pub const ROWS: &[Row] = &[];

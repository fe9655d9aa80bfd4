//! Package managers: publishing and what cannot be taken back.

use super::table::Row;

pub const ROWS: &[Row] = &[];

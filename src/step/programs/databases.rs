//! Databases: what their clients are told to do.

use super::table::Row;

pub const ROWS: &[Row] = &[];

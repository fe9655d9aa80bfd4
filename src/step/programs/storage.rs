//! Disks, volumes and pools.

use super::table::Row;

pub const ROWS: &[Row] = &[];

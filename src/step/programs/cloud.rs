//! Clouds: aws, gcloud, az and their like.

use super::table::Row;

pub const ROWS: &[Row] = &[];

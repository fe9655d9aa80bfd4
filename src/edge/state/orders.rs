//! Edge to a session's orders: absent in nearly every session, so that a look costs one open that fails.

use super::error::Error;
use super::layout::StateLayout;
use super::store::{read_json_in_place, remove, write_json};
use crate::pure::monitor::interventions::Orders;

const VERSION: u64 = 1;

/// Unreadable orders are an error, since they could forbid the next call.
pub(crate) fn read_orders(layout: &StateLayout, session: &str) -> Result<Option<Orders>, Error> {
    read_json_in_place(&layout.orders(session), VERSION)
}

/// Writes them, or removes the file when nothing is left to obey.
pub(crate) fn write_orders(layout: &StateLayout, session: &str, orders: &Orders) -> Result<(), Error> {
    let path = layout.orders(session);
    if orders.is_empty() {
        return remove(&path);
    }
    write_json(&path, &Orders { version: VERSION, ..orders.clone() })
}

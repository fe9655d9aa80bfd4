//! Pure: an issue → an intervention. The controller, the five kinds and their words, limits, and what a stop leaves behind.

mod history;
mod kind;
mod limits;
mod orders;

pub use history::{Delivered, Effect, History};
pub use kind::Kind;
pub use limits::{Limits, Reached, Resource};
pub use orders::{Orders, Refusal};

//! Tasks: added, worked on, handed in, reviewed by an agent of ours whose answer our hooks take, and told about.

mod asking;
mod context;
mod error;
#[cfg(feature = "cli")]
mod handing_in;
mod idle;
#[cfg(feature = "cli")]
mod importing;
mod moving;
mod own_command;
mod starting;
mod taking;
mod telling;
mod working;

pub use asking::{asked, by_the_model, is_command};
pub use context::write_for_people;
pub use error::Error;
#[cfg(feature = "cli")]
pub use handing_in::{Ended, done};
pub use idle::idle;
#[cfg(feature = "cli")]
pub use importing::{Imported, import};
pub use starting::start;
pub use taking::stopped;
pub use telling::tell;
pub use working::{add, begin, block, block_of_session, contract, list, release, reopen, show, withdraw};

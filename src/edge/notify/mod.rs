//! Edge: tells a person who does not look at the terminal. What is sent where, and the detached process that sends it.

mod channel;
mod curl;
mod delivery;
mod log;
mod message;
mod sender;

pub use channel::Channel;
pub(crate) use delivery::Delivery;
pub use delivery::deliver_by;
pub use log::{NotificationLine, NotificationLog};
pub(crate) use message::QUESTION;
pub use message::{Envelope, Message};
pub(crate) use sender::{program_beside, start};

//! Text that people, terminals and shells can take: quoting, printable characters, limits, counts and lists, colours and columns.

mod base64;
#[cfg(feature = "cli")]
mod block;
mod child;
mod digest;
mod home;
mod list;
mod name;
mod printable;
mod quote;
mod short;
#[cfg(feature = "cli")]
mod style;

pub(crate) use base64::{base64, from_base64};
#[cfg(feature = "cli")]
pub(crate) use block::with_block;
#[cfg(feature = "cli")]
pub use block::without_block;
pub(crate) use child::child;
pub use digest::{digest, short_digest};
pub use home::{below_home, with_home};
pub(crate) use list::{age, and_more};
pub use list::{counted, list};
pub(crate) use name::name_words;
pub use printable::printable;
pub(crate) use printable::{is_hidden, spaced};
pub(crate) use quote::quoted;
pub use quote::quoted_where_needed;
pub use short::cut;
pub(crate) use short::{cut_line, one_line};
#[cfg(feature = "cli")]
pub use style::{Tone, bold, columns, faint, padded, paint_verdict, width};

//! Text that people, terminals and shells can take: quoting, printable characters, limits, counts and lists, colours and columns.

mod list;
mod printable;
mod quote;
mod short;
#[cfg(feature = "cli")]
mod style;

pub use list::counted;
pub(crate) use list::{and_more, list};
pub use printable::printable;
pub(crate) use printable::{is_hidden, spaced};
pub(crate) use quote::quoted;
pub use quote::quoted_where_needed;
pub use short::cut;
pub(crate) use short::one_line;
#[cfg(feature = "cli")]
pub use style::{Tone, below_home, bold, columns, faint, width};

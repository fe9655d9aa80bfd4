//! Pure: the session so far → what goes wrong in it. Loops, drift, scope, spirals, and claims without evidence.

mod issue;
mod observed;
mod usage;
mod watch;

pub use issue::{Details, Growth, Issue, Pattern, Refuse, Severity, Sign};
pub use observed::{Ended, Meter, Observed};
pub use usage::{Came, Plan, Recent, Spent, Usage};
pub use watch::{Contract, Rules, Watch};

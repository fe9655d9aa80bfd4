//! Pure: the session so far → what goes wrong in it. Loops, drift, scope, spirals, and claims without evidence.

mod budget;
mod call;
mod canonical;
mod check;
mod claims;
mod code_change;
mod drift;
mod errors;
mod evidence;
mod flip_flop;
mod found;
mod issue;
mod line;
mod masked;
mod missing;
mod observed;
mod outcome;
mod phantom;
mod plan;
mod polls;
mod ratchet;
mod repeat;
mod role;
mod scope;
mod sentences;
mod tally;
mod text;
mod tools;
mod trace;
mod usage;
mod watch;

#[cfg(test)]
mod tests;

pub use issue::{Details, Growth, Issue, Pattern, Refuse, Severity, Sign};
pub use observed::{Ended, Meter, Observed};
pub use tools::{is_shell, named_nature};
pub use usage::{Came, Plan, Recent, Spent, Usage};
pub use watch::{Contract, Rules, Watch};

//! The four loops: what was run or read, what it found, and which content that covers. Pure.

mod concerning;
mod evidence;
mod finding;
mod guard;
pub mod loop1;
pub mod loop2;
pub mod loop3;
pub mod loop4;
mod object;
mod others_words;
mod outcome;
mod receipt;
mod request;
mod rounds;
mod sensitive;

pub use evidence::{Evidence, differing};
pub use finding::{Finding, FindingId, Severity};
pub use guard::{Guard, guard_of};
pub use object::{GitPath, ObjectId, Pair, Side, TreeId, as_place, as_places};
pub use others_words::tamed;
pub use outcome::{CheckOutcome, LoopOutcome, RATE_LIMIT_EXCEEDED, Verdict};
pub use receipt::{Dismissal, RECEIPT_VERSION, Receipt, Scope, ScopeKind};
pub use request::{Error as RequestError, Request, USAGE, is_within, words};
pub use rounds::{Standing, Tracked};
pub use sensitive::{ChangedText, Sensitive, sensitive};

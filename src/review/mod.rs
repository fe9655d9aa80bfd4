//! The four loops: what was run or read, what it found, and which content that covers. Pure.

mod evidence;
pub mod loop1;
mod object;
mod outcome;
mod receipt;
mod request;

pub use evidence::{Evidence, differing};
pub use object::{GitPath, ObjectId, Pair, Side, TreeId};
pub use outcome::{AVAILABLE, CheckOutcome, Finding, LoopOutcome, Severity, Verdict};
pub use receipt::{RECEIPT_VERSION, Receipt, Scope, ScopeKind};
pub use request::{Error as RequestError, Request, USAGE, words};

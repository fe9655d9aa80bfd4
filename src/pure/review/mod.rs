//! The four loops: their results, their findings, and the content that they cover. Pure.

mod evidence;
mod finding;
mod finding_history;
mod foreign_text;
mod guard;
mod installed;
mod instruction;
pub(crate) mod loop1;
pub(crate) mod loop2;
pub(crate) mod loop3;
pub(crate) mod loop4;
mod object;
mod outcome;
mod receipt;
mod request;
mod sensitive;

pub(crate) use evidence::{Evidence, changed_paths};
pub(crate) use finding::FindingId;
pub use finding::{Finding, FindingSeverity};
pub(crate) use finding_history::{FindingState, TrackedFinding};
pub(crate) use foreign_text::sanitize;
pub(crate) use installed::InstalledFiles;
pub(crate) use instruction::{AUTHORS_WORDS, is_instruction, speaks_of_reviews};
pub use object::{GitPath, ObjectId};
pub(crate) use object::{Pair, Side, TreeId, as_place, as_places};
pub(crate) use outcome::CheckOutcome;
pub use outcome::{LoopOutcome, LoopVerdict, RATE_LIMIT_EXCEEDED};
pub(crate) use receipt::{Dismissal, Draft, RECEIPT_VERSION, Receipt};
pub use receipt::{ReviewScope, ScopeKind};
pub(crate) use request::{ReviewCommand, USAGE, is_within, words};
pub(crate) use sensitive::{ChangedText, Sensitive, sensitive};

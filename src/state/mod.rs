//! Edge: where truth is kept. Layout, lock, atomic files, journal, receipts, sessions.

mod check_cache;
mod denial;
mod enrolment;
mod error;
mod grant;
mod journal;
mod layout;
mod ledger;
mod lock;
mod pending;
mod prune;
mod quota;
mod record;
mod review_cache;
mod seal;
mod session;
mod store;

pub use crate::step::fingerprint;
pub use check_cache::{CheckCache, KnownResult};
pub use denial::{Allowed, Denial, Denials, Named, Recent};
pub use enrolment::{Enrolment, repository_id};
pub use error::Error;
pub use grant::{Grant, commit_token};
pub use journal::{Journal, Tail};
pub use layout::{Checkpoints, Homes, Layout};
pub use ledger::{Ledger, Reading};
pub use lock::Lock;
pub use pending::Pending;
pub use prune::prune;
pub use quota::{Charged, OutsideReviews};
pub use record::{Kind, Outcome, Record, Remark, Totals};
pub use review_cache::{Remembered, ReviewCache};
pub use seal::{Key, random_token};
pub use session::{OverrideRequest, ReviewRequest, SessionFacts, edit, goal, read};
pub use store::{read_bounded, read_json, read_json_in_place, remove, write_atomic, write_json};

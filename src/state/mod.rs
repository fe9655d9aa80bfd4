//! Edge: where truth is kept. Layout, lock, atomic files, journal, receipts, sessions.

mod batch;
mod check_cache;
mod denial;
mod enrolment;
mod error;
mod grant;
mod interventions_log;
mod journal;
mod layout;
mod ledger;
mod lock;
mod one_time;
mod orders;
mod pending;
mod project_lock;
mod prune;
mod quota;
mod record;
mod recovery_grant;
mod review_cache;
mod seal;
mod session;
mod session_task;
mod standing;
mod store;
mod tasks;
mod transcript;

pub use crate::step::fingerprint;
pub use batch::{end_batch, place_in_batch};
pub use check_cache::{CheckCache, KnownResult};
pub use denial::{Allowed, Denial, Denials, Named, Recent};
pub use enrolment::{Enrolment, repository_id};
pub use error::Error;
pub use grant::{Grant, commit_token};
pub use interventions_log::{InterventionEvent, InterventionLine, InterventionsLog};
pub use journal::{Journal, Tail};
pub use layout::{Checkpoints, Homes, Layout};
pub use ledger::{Ledger, Reading};
pub use lock::Lock;
pub use orders::{read_orders, write_orders};
pub use pending::{Pending, Stage, TaskReading};
pub use project_lock::{LockMode, Locked, ProjectLock};
pub use prune::prune;
pub use quota::{Charged, OutsideReviews};
pub use record::{Kind, Outcome, Record, Remark, Totals};
pub use recovery_grant::RecoveryGrant;
pub use review_cache::{Remembered, ReviewCache};
pub use seal::{Key, random_token};
pub use session::{OverrideRequest, RecoveryRequest, ReviewRequest, SessionFacts, edit, goal, read};
pub use session_task::{AskedReview, SessionTask, edit_session_task, session_task};
pub use standing::{Keeper, Standing, TranscriptRead};
pub use store::{
    read_bounded, read_json, read_json_in_place, remove, without_waiting, write_atomic, write_json,
};
pub use tasks::{TaskList, Tasks};

//! Loop 2: the context of the reviewer, and the check of its answer. Pure.

mod answer;
mod chunk;
mod decoded;
mod index;
mod prompt;
mod quote;
mod round;
mod section;
mod specs;
mod stack;
mod summary;

pub(crate) use answer::{AnswerContract, ReviewerFinding, nonce, object, read};
pub(crate) use chunk::{LINES as PART_LINES, chunks};
pub(crate) use decoded::{Decoded, decoded, without_values};
pub(crate) use index::{Index, ListedChange, OPEN};
pub(crate) use prompt::{prompt, retry_message};
pub(crate) use quote::{Text, located};
pub(crate) use round::{ContextRound, RoundLimits};
pub(crate) use section::{Section, ShownPart};
pub(crate) use specs::{FOLDERS as SPEC_FOLDERS, matching};
pub(crate) use stack::stack;
pub(crate) use summary::diff_summary;

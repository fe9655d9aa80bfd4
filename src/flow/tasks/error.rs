//! Why nothing happened to a task.

use crate::task::{Refusal, TaskId};

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{id}: {refusal}")]
    Refused { id: TaskId, refusal: Refusal },
    #[error("there is no task {0}; `plimsoll task list` shows all")]
    Unknown(TaskId),
}

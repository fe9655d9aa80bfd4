//! Tool calls that are only tried out: labelled ones, and those of finished sessions, through the hooks' own code in a
//! repository made for it.

mod hook_session;
mod loop_rows;
pub mod replay;
pub mod sample_world;
pub mod score;

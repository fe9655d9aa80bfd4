//! Texts inside an action that are no shell: code, SQL, addresses, and what is told by its looks alone.

pub mod address;
pub mod code;
pub mod code_calls;
pub mod fork_bomb;
pub mod host;
pub mod sql;

//! Texts other than shell commands: code, SQL, addresses and fork bombs.

pub(crate) mod address;
pub(crate) mod code;
pub(crate) mod code_calls;
pub(crate) mod fork_bomb;
pub(crate) mod host;
pub(crate) mod sql;

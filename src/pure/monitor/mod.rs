//! The session so far: patterns in its tool calls, and the interventions that answer them.

pub mod interventions;
pub mod patterns;

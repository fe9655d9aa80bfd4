//! What the rules are, what they say to an effect, and what the user made of them.

pub mod catalogue;
pub mod custom;
pub mod judge;
pub mod overriding;
pub mod rewrite;
pub mod rule;

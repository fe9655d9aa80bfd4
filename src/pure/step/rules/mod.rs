//! The rules: built-in and custom, their judgement of an effect, and the settings for them.

pub mod catalogue;
pub(crate) mod custom;
pub(crate) mod effective_settings;
pub(crate) mod judge;
pub(crate) mod rewrite;
pub(crate) mod rule;

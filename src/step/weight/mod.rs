//! How risky and how sensible an action is, and what else it changes: computed and shown; rules refuse.

pub mod assess;
pub mod history;
pub mod matrix;
pub mod rationality;
pub mod risk;
pub mod side_effects;

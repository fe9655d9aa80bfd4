//! The assessment of a tool call: risk, rationality and side effects. It is shown and logged; rules refuse.

pub(crate) mod assessment;
pub(crate) mod history;
pub(crate) mod matrix;
pub(crate) mod processes;
pub(crate) mod rationality;
pub(crate) mod risk;
pub(crate) mod side_effects;

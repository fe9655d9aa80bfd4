//! What the gate answered, as far as a report shows it.

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ship {
    pub allowed: bool,
    pub blockers: Vec<String>,
}

//! How much work a review may still do, counted in steps so that a busy machine changes no verdict.

/// Which readers may be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// Only the quick one, whose work grows with the text and not faster.
    Quick,
    /// The thorough one as well, where the quick one gives up.
    Thorough,
    #[cfg(test)]
    ThoroughOnly,
}

/// Steps left: one for each node visited and each byte parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Budget {
    left: usize,
    reading: Reading,
    unread: bool,
}

impl Budget {
    /// Enough for the largest accepted text and several layers of texts inside it.
    const DEFAULT: usize = 512 * 1024;

    pub fn new(steps: usize) -> Self {
        Self { left: steps, reading: Reading::Thorough, unread: false }
    }

    pub fn for_reading(reading: Reading) -> Self {
        Self { reading, ..Self::default() }
    }

    pub fn reading(&self) -> Reading {
        self.reading
    }

    /// Remembers that a text was left unread.
    pub(super) fn leave_unread(&mut self) {
        self.unread = true;
    }

    /// Whether the quick reader did not do, so that there may be more to it than was found.
    pub fn left_unread(&self) -> bool {
        self.unread
    }

    /// Takes the steps, or everything that is left; false once there was not enough.
    pub fn spend(&mut self, steps: usize) -> bool {
        let enough = steps <= self.left;
        self.left = self.left.saturating_sub(steps);
        enough
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self::new(Self::DEFAULT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spent_budget_stays_spent() {
        let mut budget = Budget::new(10);
        assert!(budget.spend(10));
        assert!(!budget.spend(1));
        assert!(!budget.spend(1));
    }

    #[test]
    fn asking_for_too_much_spends_what_is_left() {
        let mut budget = Budget::new(10);
        assert!(!budget.spend(11));
        assert!(!budget.spend(1));
    }
}

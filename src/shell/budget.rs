//! How much work a review may still do, counted in steps so that a busy machine changes no verdict.

/// Steps left: one for each node visited and each byte parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Budget {
    left: usize,
}

impl Budget {
    /// Enough for the largest accepted text and several layers of texts inside it.
    const DEFAULT: usize = 512 * 1024;

    pub fn new(steps: usize) -> Self {
        Self { left: steps }
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

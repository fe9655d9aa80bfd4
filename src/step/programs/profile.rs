//! What programs are as such, where their effects do not say: readers, builders, unknown ones.

use super::Call;
use crate::step::assess::Nature;

pub fn nature(_program: &str, _call: &Call<'_>) -> Nature {
    Nature::System
}

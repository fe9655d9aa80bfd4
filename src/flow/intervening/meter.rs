//! What the session has used so far, where somebody outside of it counts.

use crate::hook::Input;
use crate::pattern::Meter;
use crate::run::memory_of_parent_mb;
use crate::state::Standing;
use camino::Utf8Path;

/// Looking through the processes is not free, and memory grows over many calls.
const LOOK_AT_MEMORY_EVERY: u64 = 8;

/// The client's transcript says tokens; without one there is no client, and its memory is nobody's.
pub fn read(standing: &mut Standing, input: &Input<'_>) -> Meter {
    let Some(transcript) = &input.transcript else { return Meter::default() };
    standing.transcript.catch_up(Utf8Path::new(transcript));
    let calls = standing.watch.usage(0).session.calls;
    if calls.is_multiple_of(LOOK_AT_MEMORY_EVERY) {
        standing.memory_mb = memory_of_parent_mb().unwrap_or_default();
    }
    Meter { tokens: standing.transcript.tokens, memory_mb: standing.memory_mb }
}

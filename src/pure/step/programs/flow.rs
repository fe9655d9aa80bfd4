//! The forbidden flows: pairs of a source and a sink, and the effect of each pair.

use crate::pure::dataflow::Source;
use crate::pure::step::effect::{Effect, TextSource};

/// Where bytes end up.
pub(super) enum Sink {
    /// A shell, an interpreter, `eval`, `source`, a scheduler: whatever runs them.
    ProgramText,
    /// Another machine, by name.
    Network(String),
}

/// The effect of bytes from this source that end up in this sink.
pub(super) fn effect(source: Source, sink: Sink) -> Option<Effect> {
    Some(match (source, sink) {
        (Source::Remote(address), Sink::ProgramText) => {
            Effect::RunFetched { source: TextSource::Downloaded(address) }
        }
        (Source::Decoded(by), Sink::ProgramText) => Effect::RunFetched { source: TextSource::Decoded(by) },
        (Source::Wire(by), Sink::ProgramText) => {
            let verb = if by == "/dev/tcp" { "sends" } else { "receives" };
            Effect::NetworkShell { how: format!("running what {by} {verb}") }
        }
        (Source::Secret(what), Sink::Network(to)) => Effect::Send { what, to, secret: true },
        (Source::Tree(what), Sink::Network(to)) => Effect::Send { what: what.to_owned(), to, secret: false },
        // To read what another machine sends, or to show what is sent back to it, is what such programs are for.
        (Source::Remote(_) | Source::Decoded(_) | Source::Wire(_), Sink::Network(_))
        | (Source::Secret(_) | Source::Tree(_), Sink::ProgramText) => return None,
    })
}

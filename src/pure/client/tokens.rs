//! The tokens in a line of the transcript.

use memchr::memmem;
use serde::Deserialize;

/// The ID and the tokens of a message, without tokens read from the cache.
pub(crate) fn spent_tokens(line: &[u8]) -> Option<(String, u64)> {
    #[derive(Deserialize)]
    struct Line {
        message: Message,
    }
    #[derive(Deserialize)]
    struct Message {
        #[serde(default)]
        id: String,
        usage: Usage,
    }
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Usage {
        input_tokens: u64,
        cache_creation_input_tokens: u64,
        output_tokens: u64,
    }
    memmem::find(line, b"\"usage\"")?;
    let Line { message: Message { id, usage } } = serde_json::from_slice(line).ok()?;
    Some((id, usage.input_tokens + usage.cache_creation_input_tokens + usage.output_tokens))
}

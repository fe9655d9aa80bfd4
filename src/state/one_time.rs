//! What a person permits in a dialog: sealed, named by a token, and good for one taker.
//!
//! The token travels only in the command that the dialog shows, so a command that nobody approved does not have it.

use super::error::Error;
use super::layout::{Homes, short_hash};
use super::seal::Key;
use super::store::{read_bounded, remove, write_pretty};
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// One kind of permission.
pub(super) trait OneTime: Serialize + DeserializeOwned {
    const PURPOSE: &'static str;

    /// Milliseconds since 1970 after which it is void.
    fn expires(&self) -> u64;
}

#[derive(Serialize, Deserialize)]
struct Sealed<T> {
    version: u32,
    grant: T,
    seal: String,
}

/// A file named by the token's hash: whoever can list it does not learn the token.
pub(super) fn place(folder: &Utf8Path, prefix: &str, token: &str) -> Utf8PathBuf {
    folder.join(format!("{prefix}{}.json", short_hash(token)))
}

/// `bytes` are what the seal covers.
pub(super) fn give<T: OneTime>(path: &Utf8Path, homes: &Homes, grant: &T, bytes: &[u8]) -> Result<(), Error> {
    let key = Key::load_or_create(&homes.seal_key())?;
    write_pretty(path, &Sealed { version: 1, grant, seal: key.seal(T::PURPOSE, bytes) })
}

/// Takes it away and returns it if it holds. A second taker gets nothing.
pub(super) fn take<T: OneTime>(
    path: &Utf8Path,
    homes: &Homes,
    now: u64,
    bytes: impl FnOnce(&T) -> Vec<u8>,
) -> Result<Option<T>, Error> {
    let Some(read) = read_bounded(path)? else { return Ok(None) };
    let taken = Utf8PathBuf::from(format!("{path}.{}", std::process::id()));
    if std::fs::rename(path, &taken).is_err() {
        return Ok(None);
    }
    remove(&taken)?;
    let Some(key) = Key::load(&homes.seal_key())? else { return Ok(None) };
    let Ok(Sealed { grant, seal, .. }) = serde_json::from_slice::<Sealed<T>>(&read) else { return Ok(None) };
    let holds = key.verify(T::PURPOSE, &bytes(&grant), &seal) && now <= grant.expires();
    Ok(holds.then_some(grant))
}

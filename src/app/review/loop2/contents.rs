//! The files that findings name, as the reviewer could have seen them.

use super::material::withheld;
use crate::app::failure::Failure;
use crate::app::review::change::Change;
use crate::edge::repo::{Content, file_at};
use crate::pure::review::loop2::Text;
use crate::pure::review::{GitPath, Side};
use crate::pure::secret::redact_code;

const LIMIT: u64 = 16 * 1024 * 1024;

/// Of the change if it is part of it, else of the project.
pub(crate) fn text(change: &Change, unshown: &[GitPath], path: &GitPath) -> Result<Text, Failure> {
    if unshown.contains(path) {
        return Ok(Text::Unshown);
    }
    if let Some(pair) = change.pairs.iter().find(|pair| pair.path == *path) {
        if pair.old.iter().chain(&pair.new).any(Side::is_submodule) || withheld(path).is_some() {
            return Ok(Text::Unshown);
        }
        return Ok(Text::Known {
            new: side(change, pair.new.as_ref())?,
            old: side(change, pair.old.as_ref())?,
        });
    }
    // git reads one name per line, so a name with a line break cannot be asked for. It resolves `./x` and `../x` from its own
    // directory.
    let plain = |name: &&str| !name.contains('\n') && !name.starts_with("./") && !name.starts_with("../");
    let Some(name) = std::str::from_utf8(&path.0).ok().filter(plain) else {
        return Ok(Text::Missing);
    };
    match file_at(change.snapshot.git(), &change.snapshot.content.0, name) {
        Ok(Some(_)) if withheld(path).is_some() => Ok(Text::Unshown),
        Ok(Some(bytes)) => Ok(Text::Known { new: Some(shown(&bytes)), old: None }),
        Ok(None) => Ok(Text::Missing),
        Err(crate::edge::repo::Error::TooLarge { .. }) => Ok(Text::Unshown),
        Err(error) => Err(error.into()),
    }
}

fn side(change: &Change, side: Option<&Side>) -> Result<Option<String>, Failure> {
    let Some(side) = side else { return Ok(None) };
    let object = change.snapshot.blobs(std::slice::from_ref(&side.id), LIMIT)?.next().transpose()?;
    Ok(match object {
        Some((_, Content::Bytes(bytes))) => Some(shown(&bytes)),
        Some((_, Content::TooLarge(_))) | None => None,
    })
}

/// As the reviewer saw it, without secrets.
fn shown(bytes: &[u8]) -> String {
    redact_code(&String::from_utf8_lossy(bytes))
}

//! Which changes touch what guards the others: reads both sides of each change and lets the pure room judge.

use super::change::Change;
use crate::app::failure::Failure;
use crate::edge::repo::Content;
use crate::pure::review::{ChangedText, ObjectId, Sensitive, Side, sensitive};

/// No hand-written source is larger; beyond it only the path is judged.
const TEXT_LIMIT: u64 = 1024 * 1024;

/// Every change that touches a guard.
pub(crate) fn guards(change: &Change) -> Result<Vec<Sensitive>, Failure> {
    let text = |sides: Vec<Option<&Side>>| -> Result<Vec<String>, Failure> {
        let wanted = |side: &&Side| !side.is_submodule();
        let ids: Vec<ObjectId> =
            sides.iter().filter_map(|side| side.filter(wanted).map(|side| side.id.clone())).collect();
        let mut contents = change.snapshot.blobs(&ids, TEXT_LIMIT)?;
        let mut texts = Vec::with_capacity(sides.len());
        for side in sides {
            texts.push(match side.filter(wanted).and_then(|_| contents.next()).transpose()? {
                Some((_, Content::Bytes(bytes))) => String::from_utf8_lossy(&bytes).into_owned(),
                Some((_, Content::TooLarge(_))) | None => String::new(),
            });
        }
        Ok(texts)
    };
    let old = text(change.pairs.iter().map(|pair| pair.old.as_ref()).collect())?;
    let new = text(change.pairs.iter().map(|pair| pair.new.as_ref()).collect())?;
    let changes: Vec<ChangedText> = change
        .pairs
        .iter()
        .zip(old.into_iter().zip(new))
        .map(|(pair, (old, new))| ChangedText { pair: pair.clone(), old, new })
        .collect();
    Ok(sensitive(&changes))
}

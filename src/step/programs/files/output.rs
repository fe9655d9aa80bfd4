//! Programs that only look, until an option or an operand names a file for what they print.

use super::super::Call;
use super::{has_flag, operands, overwrite, without_prefix};
use crate::step::effect::Effect;

/// `sort -o FILE`, `-oFILE`, `--output=FILE`, also behind other letters: `sort -uo FILE`.
pub fn by_option(call: &Call<'_>, effects: &mut Vec<Effect>) {
    let mut arguments = call.arguments().iter();
    while let Some(word) = arguments.next() {
        let text = word.literal_prefix();
        let attached = ["--output=", "-o"].into_iter().find_map(|option| without_prefix(word, option));
        let letters = text.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
        match (attached, letters) {
            (Some(file), _) if !file.parts.is_empty() => overwrite(call, &file, effects),
            _ if text == "--output" || letters.is_some_and(|letters| letters.ends_with('o')) => {
                arguments.next().into_iter().for_each(|file| overwrite(call, file, effects));
            }
            _ => {}
        }
    }
}

/// `yq -i EXPRESSION FILE…`
pub fn in_place(call: &Call<'_>, effects: &mut Vec<Effect>) {
    if has_flag(call, 'i', &["--inplace", "--in-place"]) {
        operands(call).for_each(|word| overwrite(call, word, effects));
    }
}

//! Files that an option or an operand names for what a program prints.

use super::super::ShellCall;
use super::valued::ValuedOption;
use super::{has_flag, operands, overwrite};
use crate::pure::shell::Word;
use crate::pure::step::effect::Effect;

/// `sort -o FILE`, `-oFILE`, `--output=FILE`, also behind other letters: `sort -uo FILE`.
pub(crate) fn by_option(call: &ShellCall<'_>, effects: &mut Vec<Effect>) {
    const OUTPUT: ValuedOption =
        ValuedOption { letter: "o", long: "output", flags: "abcCdefFgGhiJlmMnNpQrRsSuvVxXz" };
    for file in OUTPUT.values(call) {
        overwrite(call, &file, effects);
    }
}

/// The usual output option of most programs: only the bytes that it would replace count, for it may mean anything.
pub(crate) fn by_usual_option(arguments: &[Word], call: &ShellCall<'_>) -> Vec<Effect> {
    const NAMES: [&str; 7] = ["-o", "-out", "--out", "--output", "--outfile", "--out-file", "--output-file"];
    let behind = arguments.iter().zip(arguments.iter().skip(1));
    let behind = behind.filter(|(option, _)| option.literal().is_some_and(|text| NAMES.contains(&text)));
    let long = || NAMES.into_iter().filter(|name| name.starts_with("--"));
    // Nearly no word begins like that, and looking costs less than putting names together.
    let attached = arguments.iter().filter(|word| word.starts_with("--out"));
    let attached = attached.filter_map(|word| long().find_map(|name| word.strip_prefix(&format!("{name}="))));
    let targets = behind.map(|(_, file)| call.target(file)).chain(attached.map(|file| call.target(&file)));
    targets.map(|target| Effect::Replace { target }).collect()
}

/// `yq -i EXPRESSION FILE…`
pub(crate) fn in_place(call: &ShellCall<'_>, effects: &mut Vec<Effect>) {
    if has_flag(call, 'i', &["--inplace", "--in-place"]) {
        operands(call).for_each(|word| overwrite(call, word, effects));
    }
}

/// `sed 'w FILE'` and `sed 's/a/b/w FILE'`: a name goes up to the end of its line.
pub(crate) fn by_sed_script(call: &ShellCall<'_>, effects: &mut Vec<Effect>) {
    for line in call.literals().flat_map(str::lines) {
        for (at, _) in line.match_indices("w ") {
            let before = line.get(..at).and_then(|front| front.chars().next_back()).unwrap_or(' ');
            let name = line.get(at + 2..).map(str::trim).unwrap_or_default();
            if !name.is_empty() && (!before.is_alphabetic() || "gpIeM".contains(before)) {
                overwrite(call, &Word::plain(name), effects);
            }
        }
    }
}

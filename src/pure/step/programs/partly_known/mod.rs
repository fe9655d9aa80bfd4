//! Words that are only partly known, read as the options that they may be: `rm -rf$x ~`, `git push $opts origin main`.
//!
//! A command with such words is looked at again in other spellings, by every family at once, and what it does in any
//! of them counts. Nothing is taken back: the command as written always counts as well.

mod git;
mod spellings;
mod worst;

use super::line::ProgramLine;
use super::{InnerText, Meaning, ShellCall, storage, table};
use crate::pure::shell::Word;
use crate::pure::step::effect::{Effect, Target};
use crate::pure::step::place::Place;
use crate::pure::step::zone::system_or_home_directory;
use spellings::{Open, Spellings};
use worst::Worst;

/// Adds what the command does if its open words are options.
pub(super) fn add(call: &ShellCall<'_>, meaning: &mut Meaning) {
    let Some(program) = call.command.program() else { return };
    let line = ProgramLine::of(program, call);
    let after_verb = (program == "git" || program.starts_with("git-")).then(|| git::after_verb(call));
    let writes_to_devices = storage::writer(line.program).is_some();
    let has_verbs = table::tool(line.program).is_some() || writes_to_devices;
    let verbs = match after_verb {
        Some(after) => after.saturating_sub(1)..after + 1,
        None if has_verbs => 0..4,
        None => 0..0,
    };
    let end = call.arguments().iter().position(|word| word.literal() == Some("--"));
    let words = call.arguments().iter().take(end.unwrap_or(usize::MAX)).enumerate();
    let is_verb =
        |at: usize, word: &Word| verbs.contains(&at) || (line.program == "dd" && names_output(word));
    let open: Vec<(usize, Open)> =
        words.filter_map(|(at, word)| Some((at, openness(word, is_verb(at, word))?))).collect();
    // Of most programs nothing gets worse by any option: only a word that is one in part says more.
    let says_nothing = open.iter().all(|(_, open)| *open == Open::All);
    if open.is_empty() || says_nothing && after_verb.is_none() && !Worst::knows(line.program) {
        return;
    }
    let worst = match after_verb {
        Some(after) => Worst::of_git(&git::subcommand(call, after)),
        None => Worst::of(line.program),
    };
    let mut spellings = Spellings { call, open, worst, after_verb, has_verbs };
    spellings.leave_out_values();
    for (number, words) in spellings.certain().into_iter().enumerate() {
        let mut found = spellings.meaning(words);
        // The first spelling reports what leaves the machine; the others add their other effects.
        found.effects.retain(|effect| number == 0 || !matches!(effect, Effect::Leave { .. }));
        join(&mut meaning.effects, found.effects);
        join(&mut meaning.runs, found.runs);
    }
    for words in spellings.possible() {
        let mut found = spellings.meaning(words);
        found
            .effects
            .retain(|effect| is_in_reach(effect, call.place) || loses_what_it_names(program, effect));
        join(&mut meaning.effects, found.effects.into_iter().map(told_as_possible).collect());
        found.runs.retain(|run| !meaning.runs.contains(run));
        meaning.may_run.extend(found.runs.into_iter().filter_map(|run| match run {
            InnerText::Text(text) => Some(text),
            _ => None,
        }));
    }
}

fn join<T: PartialEq>(all: &mut Vec<T>, more: Vec<T>) {
    for one in more {
        if !all.contains(&one) {
            all.push(one);
        }
    }
}

/// The open part of a word, if the run may make an option or a verb of it.
fn openness(word: &Word, is_verb: bool) -> Option<Open> {
    if word.literal().is_some() {
        return None;
    }
    let (front, known) = (word.literal_prefix(), word.known_text());
    let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    match () {
        () if front.starts_with('-') => Some(Open::Tail),
        () if is_verb && !known.is_empty() && !known.starts_with('-') && plain(front) => Some(Open::Verb),
        () if !word.may_be_option() => None,
        () if known.starts_with('-') => Some(Open::Front),
        () => plain(&known).then_some(Open::All),
    }
}

/// `${x}of=/dev/sda`: what dd writes to.
fn names_output(word: &Word) -> bool {
    !word.literal_prefix().contains('=') && word.known_text().starts_with("of=")
}

/// Whether an effect is a matter of the rules that hold everywhere: the machine, the home, our own files, the gate.
pub(crate) fn is_in_reach(effect: &Effect, place: &Place) -> bool {
    match effect {
        Effect::Format { .. } | Effect::ForkBomb | Effect::Impersonate { .. } | Effect::Bypass { .. } => true,
        Effect::Delete { target, recursive } | Effect::Write { target, recursive } => {
            let is_ours = |path| place.protected.touched_by_write(path, true).is_some();
            target.is_device()
                || (*recursive && system_or_home_directory(target, place).is_some())
                || matches!(target, Target::Path(path) if is_ours(path))
        }
        Effect::Read { target } => place.protected.secret(target).is_some(),
        _ => false,
    }
}

/// `rm $x src`, `git clean $x`: without an option these do nothing, so one is meant.
fn loses_what_it_names(program: &str, effect: &Effect) -> bool {
    match effect {
        Effect::Delete { target: Target::Path(_), .. } => program == "rm",
        Effect::Discard { how, .. } => how == "git clean",
        _ => false,
    }
}

fn told_as_possible(effect: Effect) -> Effect {
    match effect {
        Effect::Bypass { how } => {
            Effect::Bypass { how: format!("what only the shell knows here may be `{how}`") }
        }
        other => other,
    }
}

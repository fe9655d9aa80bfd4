//! Inputs made of others: bytes, words and whole pieces are changed, repeated, removed, and joined with those of a second one.

use super::corpus::Corpus;
use super::random::Random;

const LONGEST: usize = 70_000;
/// Deep nesting is made of these.
const REPEATED: usize = 3_000;
const JOINTS: [&str; 16] =
    [" ", "; ", " | ", " && ", " || ", "\n", " & ", " > ", " < ", "$(", ")", "`", " <<E\n", ",", "{", "\""];
const TOKENS: [&str; 56] = [
    "\"", "'", "`", "\\", "$", "$(", ")", "(", "${", "}", "{", "[", "]", "[[", "]]", "<(", "<<", "<<-'E'",
    "$'", "#", "*", "?", "~", "!", "=", "+=", "--", "-", "-c", "%", "@", ":", "&", "|", "\0", "\n", "\r\n",
    "\t", "\u{feff}", "\u{202e}", "é", "𝄞", "\\u0000", "\\ud800", "0", "-1", "4294967296", "1e999", "null",
    "true", "{}", "[]", "eval ", "sudo ", "$IFS", "{a,b}",
];

/// Input number `index`; the same for the same seed.
pub(super) fn input(corpus: &Corpus, seed: u64, index: u64) -> Vec<u8> {
    let mut random = Random::new(seed.rotate_left(40) ^ index);
    let mut input = corpus[random.below(corpus.len())].clone();
    for _ in 0..=random.below(6) {
        input = changed(input, corpus, &mut random);
    }
    input.truncate(LONGEST);
    input
}

fn changed(mut input: Vec<u8>, corpus: &Corpus, random: &mut Random) -> Vec<u8> {
    let (start, end) = {
        let (one, other) = (random.below(input.len() + 1), random.below(input.len() + 1));
        (one.min(other), one.max(other))
    };
    match random.below(16) {
        0 => input.get_mut(start).into_iter().for_each(|byte| *byte ^= 1 << random.below(8)),
        1 => input.insert(start, random.next() as u8),
        2 => drop(input.drain(start..end.min(start + 8))),
        3 => drop(input.drain(start..end)),
        4 => input.truncate(start),
        5 => {
            let piece = input[start..end].to_vec();
            let place = random.below(input.len() + 1);
            input.splice(place..place, piece);
        }
        6 if random.chance(10) => {
            let token = random.pick(&TOKENS).repeat(random.below(REPEATED));
            input.splice(start..start, token.into_bytes());
        }
        6..=9 => drop(input.splice(start..start, random.pick(&TOKENS).bytes())),
        10..=12 => {
            let other = &corpus[random.below(corpus.len())];
            let from = if random.chance(50) { 0 } else { random.below(other.len() + 1) };
            let place = if random.chance(50) { input.len() } else { start };
            let joined = [random.pick(&JOINTS).as_bytes(), &other[from..]].concat();
            input.splice(place..place, joined);
        }
        _ => return with_another_word(&input, corpus, random),
    }
    input
}

/// One word removed, repeated, or replaced by one of another input.
fn with_another_word(input: &[u8], corpus: &Corpus, random: &mut Random) -> Vec<u8> {
    let mut words: Vec<&[u8]> = input.split(|byte| *byte == b' ').collect();
    let other = &corpus[random.below(corpus.len())];
    let others: Vec<&[u8]> = other.split(|byte| *byte == b' ').collect();
    let place = random.below(words.len());
    match random.below(4) {
        0 => drop(words.remove(place)),
        1 => words.insert(place, words[random.below(words.len())]),
        2 => words.insert(place, others[random.below(others.len())]),
        _ => words[place] = others[random.below(others.len())],
    }
    words.join(&b' ')
}

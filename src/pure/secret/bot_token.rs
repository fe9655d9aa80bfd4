//! Tokens of Discord bots: the account number in base 64, a time, a signature. The number is their only mark.

use super::form::begins;
use super::placeholder::{is_example, is_sequence};
use super::rule::{FoundSecretSpan, MatchStrength, SecretVerdict};

const LONGEST: usize = 90;
const NUMBERED: &str = "the number of an account, a time and a seal, as Discord makes tokens of bots";
const LOOKS_SO: &str = "three parts as a token of a Discord bot has them";

/// The characters that digits become in base 64, by their place in a group of four.
const DIGITS: [&[u8]; 4] = [b"MNO", b"DTjz", b"AEIMQUYcgk", b"wxyz012345"];

/// The first characters of a number of two or more digits.
pub(super) const BEGINNINGS: [&str; 100] = [
    "MDA", "MDE", "MDI", "MDM", "MDQ", "MDU", "MDY", "MDc", "MDg", "MDk", "MTA", "MTE", "MTI", "MTM", "MTQ",
    "MTU", "MTY", "MTc", "MTg", "MTk", "MjA", "MjE", "MjI", "MjM", "MjQ", "MjU", "MjY", "Mjc", "Mjg", "Mjk",
    "MzA", "MzE", "MzI", "MzM", "MzQ", "MzU", "MzY", "Mzc", "Mzg", "Mzk", "NDA", "NDE", "NDI", "NDM", "NDQ",
    "NDU", "NDY", "NDc", "NDg", "NDk", "NTA", "NTE", "NTI", "NTM", "NTQ", "NTU", "NTY", "NTc", "NTg", "NTk",
    "NjA", "NjE", "NjI", "NjM", "NjQ", "NjU", "NjY", "Njc", "Njg", "Njk", "NzA", "NzE", "NzI", "NzM", "NzQ",
    "NzU", "NzY", "Nzc", "Nzg", "Nzk", "ODA", "ODE", "ODI", "ODM", "ODQ", "ODU", "ODY", "ODc", "ODg", "ODk",
    "OTA", "OTE", "OTI", "OTM", "OTQ", "OTU", "OTY", "OTc", "OTg", "OTk",
];

pub(super) fn bot_token(content: &[u8], start: usize) -> Option<FoundSecretSpan> {
    if !begins(content, start) {
        return None;
    }
    let rest = content.get(start..)?.iter().take(LONGEST);
    let length = rest.take_while(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(byte)).count();
    let text = content.get(start..start + length)?;
    let mut parts = text.strip_suffix(b".").unwrap_or(text).split(|byte| *byte == b'.');
    let (number, time, seal) = (parts.next()?, parts.next()?, parts.next()?);
    let lengths = (23..=26).contains(&number.len())
        && (6..=7).contains(&time.len())
        && (27..=38).contains(&seal.len())
        && parts.next().is_none();
    if !lengths || is_example(seal) {
        return None;
    }
    let end = start + number.len() + time.len() + seal.len() + 2;
    let certain = is_number(number) && !is_sequence(seal);
    let (verdict, reason) =
        if certain { (SecretVerdict::Block, NUMBERED) } else { (SecretVerdict::Ask, LOOKS_SO) };
    Some(FoundSecretSpan::new("discord-bot-token", verdict, MatchStrength::Form, reason, start..end))
}

fn is_number(encoded: &[u8]) -> bool {
    let (groups, last) = encoded.as_chunks::<4>();
    let digits = |group: &[u8]| group.iter().zip(DIGITS).all(|(byte, digits)| digits.contains(byte));
    // A single digit at the end takes two characters, the second with only two bits of it.
    let ends = match last {
        [first, second] => digits(&[*first]) && b"AQgw".contains(second),
        last => digits(last),
    };
    ends && groups.iter().all(|group| digits(group))
}

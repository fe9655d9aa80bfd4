//! Tokens of Discord bots: the number of the account in base 64, a time, a seal. They have no mark but that number.

use super::form::begins;
use super::placeholder::{is_example, is_sequence};
use super::rule::{Evidence, Found, Severity, Verdict};

const LONGEST: usize = 90;
const NUMBERED: &str = "the number of an account, a time and a seal, as Discord makes tokens of bots";
const LOOKS_SO: &str = "three parts as a token of a Discord bot has them";

/// The characters that digits become in base 64, by their place in a group of four.
const DIGITS: [&[u8]; 4] = [b"MNO", b"DTjz", b"AEIMQUYcgk", b"wxyz012345"];

/// How a number of two digits and more begins.
pub(super) const BEGINNINGS: [&str; 100] = [
    "MDA", "MDE", "MDI", "MDM", "MDQ", "MDU", "MDY", "MDc", "MDg", "MDk", "MTA", "MTE", "MTI", "MTM", "MTQ",
    "MTU", "MTY", "MTc", "MTg", "MTk", "MjA", "MjE", "MjI", "MjM", "MjQ", "MjU", "MjY", "Mjc", "Mjg", "Mjk",
    "MzA", "MzE", "MzI", "MzM", "MzQ", "MzU", "MzY", "Mzc", "Mzg", "Mzk", "NDA", "NDE", "NDI", "NDM", "NDQ",
    "NDU", "NDY", "NDc", "NDg", "NDk", "NTA", "NTE", "NTI", "NTM", "NTQ", "NTU", "NTY", "NTc", "NTg", "NTk",
    "NjA", "NjE", "NjI", "NjM", "NjQ", "NjU", "NjY", "Njc", "Njg", "Njk", "NzA", "NzE", "NzI", "NzM", "NzQ",
    "NzU", "NzY", "Nzc", "Nzg", "Nzk", "ODA", "ODE", "ODI", "ODM", "ODQ", "ODU", "ODY", "ODc", "ODg", "ODk",
    "OTA", "OTE", "OTI", "OTM", "OTQ", "OTU", "OTY", "OTc", "OTg", "OTk",
];

pub(super) fn bot_token(content: &[u8], start: usize) -> Option<Found> {
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
    let (verdict, severity, reason) = if certain {
        (Verdict::Block, Severity::Critical, NUMBERED)
    } else {
        (Verdict::Ask, Severity::High, LOOKS_SO)
    };
    let (rule, evidence) = ("discord-bot-token", Evidence::Form);
    Some(Found { rule, severity, verdict, evidence, reason, start, end })
}

fn is_number(encoded: &[u8]) -> bool {
    let (groups, last) = encoded.as_chunks::<4>();
    let digits = |group: &[u8]| group.iter().zip(DIGITS).all(|(byte, digits)| digits.contains(byte));
    // A single digit at the end takes two characters, and the second holds only two bits of it.
    let ends = match last {
        [first, second] => digits(&[*first]) && b"AQgw".contains(second),
        last => digits(last),
    };
    ends && groups.iter().all(|group| digits(group))
}

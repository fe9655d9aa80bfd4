//! What tokens look like: published prefixes, alphabets and lengths, one table per field. Data only.

mod beside;
mod business;
mod cloud;
mod code;
mod messages;
mod models;
mod operations;
mod row;

pub(super) use beside::BESIDE;
pub(super) use row::{Beside, Proof, Token, is_uuid};

const TABLES: [&[Token]; 6] =
    [models::TOKENS, code::TOKENS, cloud::TOKENS, operations::TOKENS, messages::TOKENS, business::TOKENS];

#[expect(clippy::indexing_slicing, reason = "done by the compiler; a wrong index does not build")]
pub(super) const COUNT: usize = {
    let (mut count, mut table) = (0, 0);
    while table < TABLES.len() {
        count += TABLES[table].len();
        table += 1;
    }
    count
};

/// Tokens that are known by their own form, in one list.
#[expect(clippy::indexing_slicing, reason = "done by the compiler; a wrong index does not build")]
pub(super) static TOKENS: [Token; COUNT] = {
    let mut all = [TABLES[0][0]; COUNT];
    let (mut at, mut table) = (0, 0);
    while table < TABLES.len() {
        let mut row = 0;
        while row < TABLES[table].len() {
            all[at] = TABLES[table][row];
            at += 1;
            row += 1;
        }
        table += 1;
    }
    all
};

/// Changes whenever a row does; with `ENGINE` it names what a clean scan was clean of.
#[expect(clippy::indexing_slicing, reason = "done by the compiler; a wrong index does not build")]
pub(super) const FINGERPRINT: u64 = {
    let mut hash = 0xcbf2_9ce4_8422_2325;
    let mut at = 0;
    while at < COUNT {
        hash = mixed(mixed(mixed(hash, TOKENS[at].name), TOKENS[at].mark), TOKENS[at].rest);
        at += 1;
    }
    at = 0;
    while at < BESIDE.len() {
        hash = mixed(hash, BESIDE[at].name);
        hash =
            (hash ^ BESIDE[at].least as u64 ^ ((BESIDE[at].most as u64) << 16)).wrapping_mul(0x100_0000_01b3);
        at += 1;
    }
    hash
};

#[expect(clippy::indexing_slicing, reason = "done by the compiler; a wrong index does not build")]
const fn mixed(mut hash: u64, text: &str) -> u64 {
    let mut at = 0;
    while at < text.len() {
        hash = (hash ^ text.as_bytes()[at] as u64).wrapping_mul(0x100_0000_01b3);
        at += 1;
    }
    hash.wrapping_mul(0x100_0000_01b3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_catalogue_knows_at_least_two_hundred_formats() {
        let names: BTreeSet<&str> =
            TOKENS.iter().map(|token| token.name).chain(BESIDE.iter().map(|beside| beside.name)).collect();
        assert!(names.len() >= 200, "{}", names.len());
        assert!(names.iter().all(|name| {
            name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
        }));
    }
}

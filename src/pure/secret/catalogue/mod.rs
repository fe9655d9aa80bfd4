//! The catalogue of tokens: published prefixes, alphabets and lengths, one table per field.

mod beside;
mod business;
mod cloud;
mod code;
mod hashes;
mod messages;
mod models;
mod operations;
mod providers;
mod row;

pub(super) use beside::BESIDE;
pub(super) use row::{Alphabet, Beside, Proof, Token, is_uuid};

const TABLES: [&[Token]; 7] = [
    hashes::TOKENS,
    models::TOKENS,
    code::TOKENS,
    cloud::TOKENS,
    operations::TOKENS,
    messages::TOKENS,
    business::TOKENS,
];

#[expect(clippy::indexing_slicing, reason = "done by the compiler; a wrong index does not build")]
pub(super) const COUNT: usize = {
    let (mut count, mut table) = (0, 0);
    while table < TABLES.len() {
        let mut row = 0;
        while row < TABLES[table].len() {
            count += 1 + TABLES[table][row].other_marks.len();
            row += 1;
        }
        table += 1;
    }
    count
};

/// Tokens that are known by their own form, one for each mark.
#[expect(clippy::indexing_slicing, reason = "done by the compiler; a wrong index does not build")]
pub(super) static TOKENS: [Token; COUNT] = {
    let mut all = [TABLES[0][0]; COUNT];
    let (mut at, mut table) = (0, 0);
    while table < TABLES.len() {
        let mut row = 0;
        while row < TABLES[table].len() {
            let token = TABLES[table][row];
            all[at] = token;
            let mut other = 0;
            while other < token.other_marks.len() {
                at += 1;
                all[at] = Token { mark: token.other_marks[other], ..token };
                other += 1;
            }
            at += 1;
            row += 1;
        }
        table += 1;
    }
    all
};

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

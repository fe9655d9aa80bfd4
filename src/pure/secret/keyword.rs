//! The prefilter: one pass over the bytes that finds every literal of the catalogue. The tables are built at compile time,
//! so that a hook pays nothing for their size.

use super::bot_token::BEGINNINGS;
use super::catalogue::{BESIDE, COUNT, TOKENS};

/// The kind of secret that a literal may begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trigger {
    Token(u16),
    Beside(u16),
    /// A part of a telling name.
    Name,
    Address,
    BotToken,
    KeyBlock,
    EncodedKeyBlock,
    Header,
    Curl,
    Manifest,
    /// A parameter of an address that carries a key.
    Parameter,
    /// A function that takes a user and a password.
    Call,
    /// A program whose options take a password.
    Client,
    Cookie,
}

#[derive(Clone, Copy)]
struct Keyword {
    text: &'static str,
    trigger: Trigger,
}

/// In any case.
const WORDS: [(Trigger, &[&str]); 11] = [
    (Trigger::Name, &["token", "secret", "pass", "pwd", "key", "credential", "login", "auth", "psk"]),
    (Trigger::Header, &["bearer", "authorization"]),
    (Trigger::Address, &["://"]),
    (Trigger::KeyBlock, &["private key", "private-lines:", "openvpn static key"]),
    (Trigger::EncodedKeyBlock, &["ls0tls1crudjti"]),
    (Trigger::Curl, &["curl "]),
    (Trigger::Manifest, &["kind:"]),
    (Trigger::Cookie, &["cookie:"]),
    (Trigger::Parameter, &["?key=", "&key=", "?code=", "&code=", "?sig=", "&sig=", "appid="]),
    (
        Trigger::Call,
        &[
            "login(",
            "connect(",
            "connection(",
            "networkcredential(",
            "securestring",
            "new pdo(",
            "basicauth(",
            "basic_auth(",
            "credentials(",
            "client(",
            "auth=(",
            "auth = (",
            "authenticate(",
            "networkcredential]::new(",
            "identified by ",
        ],
    ),
    (
        Trigger::Client,
        &[
            "mysql", "mariadb", "sshpass", " login", "redis-cli", "mongo", "ldap", "sqlcmd", "smbclient",
            "plink", "pscp", "zip ", "7z ", "http -", "wget ", "psexec", "schtasks", "net user ", "net use ",
        ],
    ),
];

#[expect(clippy::indexing_slicing, reason = "done by the compiler; a wrong index does not build")]
const ALL_WORDS: usize = {
    let (mut count, mut row) = (0, 0);
    while row < BESIDE.len() {
        count += BESIDE[row].words.len();
        row += 1;
    }
    row = 0;
    while row < WORDS.len() {
        count += WORDS[row].1.len();
        row += 1;
    }
    count
};

const KEYWORDS: usize = COUNT + ALL_WORDS + BEGINNINGS.len();

#[expect(clippy::indexing_slicing, reason = "done by the compiler; a wrong index does not build")]
static ALL: [Keyword; KEYWORDS] = {
    let mut all = [Keyword { text: "", trigger: Trigger::Name }; KEYWORDS];
    let (mut at, mut row) = (0, 0);
    while row < COUNT {
        assert!(TOKENS[row].mark.len() >= 3, "a mark has to have three bytes");
        all[at] = Keyword { text: TOKENS[row].mark, trigger: Trigger::Token(row as u16) };
        at += 1;
        row += 1;
    }
    row = 0;
    while row < BESIDE.len() {
        let mut word = 0;
        while word < BESIDE[row].words.len() {
            assert!(BESIDE[row].words[word].len() >= 3, "a word has to have three bytes");
            all[at] = Keyword { text: BESIDE[row].words[word], trigger: Trigger::Beside(row as u16) };
            at += 1;
            word += 1;
        }
        row += 1;
    }
    row = 0;
    while row < WORDS.len() {
        let (trigger, words) = WORDS[row];
        let mut word = 0;
        while word < words.len() {
            all[at] = Keyword { text: words[word], trigger };
            at += 1;
            word += 1;
        }
        row += 1;
    }
    row = 0;
    while row < BEGINNINGS.len() {
        all[at] = Keyword { text: BEGINNINGS[row], trigger: Trigger::BotToken };
        at += 1;
        row += 1;
    }
    all
};

const BUCKETS: usize = 2048;
const NONE: u16 = u16::MAX;

/// A bit for each hash of three bytes, and a chain of literals for each bucket.
struct Table {
    bits: [u64; 1024],
    first: [u16; BUCKETS],
    next: [u16; KEYWORDS],
}

#[expect(clippy::indexing_slicing, reason = "done by the compiler; a wrong index does not build")]
static TABLE: Table = {
    let mut table = Table { bits: [0; 1024], first: [NONE; BUCKETS], next: [NONE; KEYWORDS] };
    let mut at = 0;
    while at < KEYWORDS {
        let text = ALL[at].text.as_bytes();
        let three = folded(text[0]) | folded(text[1]) << 8 | folded(text[2]) << 16;
        let hash = hashed(three);
        table.bits[hash >> 6] |= 1 << (hash & 63);
        let bucket = hash % BUCKETS;
        table.next[at] = table.first[bucket];
        table.first[bucket] = at as u16;
        at += 1;
    }
    table
};

/// Folds case; other bytes may collide, which the later comparison resolves.
const fn folded(byte: u8) -> u32 {
    (byte | 0x20) as u32
}

const fn hashed(three: u32) -> usize {
    (three.wrapping_mul(0x9e37_79b1) >> 16) as usize
}

/// Calls `seen` with the place of every literal in `content`.
pub(super) fn each(content: &[u8], mut seen: impl FnMut(usize, Trigger)) {
    let mut three = 0;
    for (at, byte) in content.iter().enumerate() {
        three = three >> 8 | folded(*byte) << 16;
        let hash = hashed(three);
        if TABLE.bits.get(hash >> 6).is_some_and(|word| word >> (hash & 63) & 1 == 1) {
            verify(content, at.wrapping_sub(2), hash, &mut seen);
        }
    }
}

/// Whether no literal is there, and nothing needs decoding: no escape and no line end. True of nearly every name and ID.
pub(super) fn is_plain(content: &[u8]) -> bool {
    let mut three = 0;
    content.iter().enumerate().all(|(at, byte)| {
        three = three >> 8 | folded(*byte) << 16;
        let hash = hashed(three);
        let met = TABLE.bits.get(hash >> 6).is_some_and(|word| word >> (hash & 63) & 1 == 1);
        let is_literal = met && begins_literal(content, at.wrapping_sub(2), hash);
        !is_literal && !matches!(byte, b'\\' | b'%' | b'\n')
    })
}

fn begins_literal(content: &[u8], start: usize, hash: usize) -> bool {
    let mut seen = false;
    verify(content, start, hash, &mut |_, _| seen = true);
    seen
}

fn verify(content: &[u8], start: usize, hash: usize, seen: &mut impl FnMut(usize, Trigger)) {
    let Some(rest) = content.get(start..) else { return };
    let mut at = TABLE.first.get(hash % BUCKETS).copied().unwrap_or(NONE);
    while let Some(keyword) = ALL.get(usize::from(at)) {
        if rest.get(..keyword.text.len()).is_some_and(|text| is_spelled(text, keyword)) {
            seen(start, keyword.trigger);
        }
        at = TABLE.next.get(usize::from(at)).copied().unwrap_or(NONE);
    }
}

fn is_spelled(text: &[u8], keyword: &Keyword) -> bool {
    match keyword.trigger {
        Trigger::Token(_) | Trigger::BotToken => text == keyword.text.as_bytes(),
        Trigger::EncodedKeyBlock
        | Trigger::Beside(_)
        | Trigger::Name
        | Trigger::Address
        | Trigger::KeyBlock
        | Trigger::Header
        | Trigger::Curl
        | Trigger::Manifest
        | Trigger::Parameter
        | Trigger::Call
        | Trigger::Client
        | Trigger::Cookie => text.eq_ignore_ascii_case(keyword.text.as_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(content: &str) -> Vec<(usize, Trigger)> {
        let mut found = Vec::new();
        each(content.as_bytes(), |at, trigger| found.push((at, trigger)));
        found
    }

    #[test]
    fn every_literal_is_found_where_it_stands() {
        for keyword in &ALL {
            let found = seen(&format!("é {} z", keyword.text));
            assert!(found.contains(&(3, keyword.trigger)), "{}", keyword.text);
        }
    }

    #[test]
    fn words_count_in_any_case_and_marks_only_as_they_are() {
        assert_eq!(seen("My_PassWord"), [(3, Trigger::Name)]);
        assert_eq!(seen("gHp_ AKIa"), []);
        assert_eq!(seen("to"), []);
        assert_eq!(seen(""), []);
    }
}

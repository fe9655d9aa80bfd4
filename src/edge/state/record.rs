//! One fixed-size entry of the journal, with a checksum, so that a tail can be read without parsing what is before it.

use crate::pure::step::{Decision, Nature};

/// Bytes of a record; a multiple of eight.
pub(crate) const SIZE: usize = 128;
const WORDS: usize = SIZE / 8 - 1;
const MAGIC: u64 = 0x504c_494d_0002_0000; // "PLIM", layout 2
/// Journals of sessions that began before layout 2 stay readable.
const MAGIC_1: u64 = 0x504c_494d_0001_0000;

const LOW: u64 = u32::MAX as u64;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RecordKind {
    /// A person's prompt: streaks start again.
    #[default]
    Prompt,
    /// Before a tool call: what we answered.
    Before,
    /// After a tool call.
    After,
    /// A tool call that the client itself refused; known only from the end of its batch.
    Rejected,
    /// The end of a parallel batch.
    BatchEnd,
    /// Totals up to a place in the journal.
    Totals,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Outcome {
    #[default]
    None,
    /// Before a call.
    Decided(Decision),
    /// After a call.
    Success,
    Failure,
    Interrupted,
}

/// Written as its place in this table.
const OUTCOMES: [Outcome; 9] = [
    Outcome::None,
    Outcome::Decided(Decision::Silent),
    Outcome::Decided(Decision::Warn),
    Outcome::Decided(Decision::Ask),
    Outcome::Decided(Decision::Deny),
    Outcome::Success,
    Outcome::Failure,
    Outcome::Interrupted,
    Outcome::Decided(Decision::Rewrite),
];

/// A remark about a call besides its outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RecordRemark {
    #[default]
    None,
    /// Before: a rule would have spoken, but is only observed.
    Noted,
    /// Before: asked instead of denied, since a person wanted it so.
    AllowedOnce,
    /// After: it was asked, and it ran.
    Approved,
    /// After: it was denied, and it ran all the same.
    DeniedButRan,
    /// After: it ran in another spelling than the one that it was given.
    NotAsRewritten,
}

/// Counters over the whole session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Totals {
    pub prompts: u64,
    pub calls: u64,
    pub warned: u64,
    pub modified: u64,
    pub asked: u64,
    pub denied: u64,
    pub failures: u64,
    pub allowed_once: u64,
    pub approved: u64,
    /// Reviews for which the cache was asked, and those that it answered.
    pub cache_asked: u64,
    pub cached: u64,
    /// Reviews that took longer than the settings expect.
    pub slow: u64,
    /// All reviews together.
    pub microseconds: u64,
    /// Since the last prompt.
    pub file_operations: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct JournalRecord {
    pub kind: RecordKind,
    pub outcome: Outcome,
    /// Milliseconds since 1970.
    pub time: u64,
    /// Fingerprints, not texts: the journal holds nothing that could leak.
    pub agent: u64,
    pub call: u64,
    pub tool: u64,
    pub action: u64,
    /// After: what came of it. Before, if rewritten: the command that it was given.
    pub result: u64,
    /// Tool, program and subcommand.
    pub family: u64,
    /// The rule that spoke, and what about.
    pub rule: u64,
    pub nature: Nature,
    pub remark: RecordRemark,
    pub cache_asked: bool,
    pub cached: bool,
    pub slow: bool,
    /// How long the review took.
    pub microseconds: u32,
    /// In thousandths, where it was weighed.
    pub risk: Option<u16>,
    /// For `Totals` only: how many records they cover.
    pub covered: u64,
    pub totals: Totals,
}

impl JournalRecord {
    pub fn new(kind: RecordKind, outcome: Outcome, time: u64) -> Self {
        Self { kind, outcome, time, ..Self::default() }
    }

    pub fn encode(&self) -> [u8; SIZE] {
        let outcome = OUTCOMES.iter().position(|outcome| *outcome == self.outcome).unwrap_or_default();
        let head = MAGIC | (self.kind as u64) << 8 | outcome as u64;
        let words = match self.kind {
            RecordKind::Totals => self.totals.words(head, self.covered),
            RecordKind::Prompt
            | RecordKind::Before
            | RecordKind::After
            | RecordKind::Rejected
            | RecordKind::BatchEnd => self.words(head),
        };
        let mut bytes = [0; SIZE];
        let all = words.iter().copied().chain([checksum(MAGIC, &words)]);
        for (place, word) in bytes.chunks_exact_mut(8).zip(all) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    fn words(&self, head: u64) -> [u64; WORDS] {
        let details = self.nature as u64
            | (self.remark as u64) << 8
            | u64::from(self.cached) << 16
            | u64::from(self.slow) << 17
            | u64::from(self.cache_asked) << 18
            | u64::from(self.microseconds) << 32;
        [
            head,
            self.time,
            self.agent,
            self.call,
            self.tool,
            self.action,
            self.result,
            self.family,
            self.rule,
            details,
            self.risk.map_or(0, |risk| u64::from(risk) + 1),
            0,
            0,
            0,
            0,
        ]
    }

    /// `None` for anything that is not a whole record of ours.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut words = [0_u64; WORDS + 1];
        let (chunks, []) = bytes.as_chunks::<8>() else { return None };
        if chunks.len() != words.len() {
            return None;
        }
        for (word, chunk) in words.iter_mut().zip(chunks) {
            *word = u64::from_le_bytes(*chunk);
        }
        let (sum, body) = words.split_last()?;
        let body: &[u64; WORDS] = body.try_into().ok()?;
        let head = *body.first()?;
        let magic = head & !0xffff;
        if !matches!(magic, MAGIC | MAGIC_1) || checksum(magic, body) != *sum {
            return None;
        }
        let record = Self::new(kind(head >> 8 & 0xff)?, outcome(head & 0xff)?, 0);
        match (magic, record.kind) {
            (MAGIC_1, _) => Some(record.with_words_of_layout_1(body)),
            (_, RecordKind::Totals) => {
                let (covered, totals) = Totals::read(body);
                Some(Self { covered, totals, ..record })
            }
            _ => record.with_words(body),
        }
    }

    fn with_words(self, words: &[u64; WORDS]) -> Option<Self> {
        let [_, time, agent, call, tool, action, result, family, rule, details, risk, ..] = *words;
        Some(Self {
            time,
            agent,
            call,
            tool,
            action,
            result,
            family,
            rule,
            nature: nature(details & 0xff)?,
            remark: remark(details >> 8 & 0xff)?,
            cached: details >> 16 & 1 == 1,
            slow: details >> 17 & 1 == 1,
            cache_asked: details >> 18 & 1 == 1,
            microseconds: u32::try_from(details >> 32).unwrap_or_default(),
            risk: risk.checked_sub(1).and_then(|risk| u16::try_from(risk).ok()),
            ..self
        })
    }

    fn with_words_of_layout_1(self, words: &[u64; WORDS]) -> Self {
        let [
            _,
            time,
            agent,
            call,
            tool,
            action,
            result,
            covered,
            prompts,
            calls,
            asked,
            denied,
            failures,
            _,
            _,
        ] = *words;
        let totals = Totals { prompts, calls, asked, denied, failures, ..Totals::default() };
        Self { time, agent, call, tool, action, result, covered, totals, ..self }
    }
}

impl Totals {
    pub fn add(&mut self, record: &JournalRecord) {
        match record.kind {
            RecordKind::Prompt => {
                self.prompts += 1;
                self.file_operations = 0;
            }
            RecordKind::Before => self.add_review(record),
            RecordKind::After | RecordKind::Rejected => {
                self.failures += u64::from(record.outcome == Outcome::Failure);
                self.approved += u64::from(record.remark == RecordRemark::Approved);
            }
            RecordKind::BatchEnd | RecordKind::Totals => {}
        }
    }

    fn add_review(&mut self, record: &JournalRecord) {
        let outcome = record.outcome;
        self.calls += 1;
        self.warned += u64::from(outcome == Outcome::Decided(Decision::Warn));
        self.modified += u64::from(outcome == Outcome::Decided(Decision::Rewrite));
        self.asked += u64::from(outcome == Outcome::Decided(Decision::Ask));
        self.denied += u64::from(outcome == Outcome::Decided(Decision::Deny));
        self.allowed_once += u64::from(record.remark == RecordRemark::AllowedOnce);
        self.cache_asked += u64::from(record.cache_asked);
        self.cached += u64::from(record.cached);
        self.slow += u64::from(record.slow);
        self.microseconds += u64::from(record.microseconds);
        let writes = record.nature.touches_files();
        self.file_operations += u64::from(writes && outcome != Outcome::Decided(Decision::Deny));
    }

    /// In the order of the words after the first two. `cached` shares its word with `cache_asked`.
    fn counters(&mut self) -> [&mut u64; WORDS - 2] {
        [
            &mut self.prompts,
            &mut self.calls,
            &mut self.warned,
            &mut self.modified,
            &mut self.asked,
            &mut self.denied,
            &mut self.failures,
            &mut self.allowed_once,
            &mut self.approved,
            &mut self.cached,
            &mut self.slow,
            &mut self.microseconds,
            &mut self.file_operations,
        ]
    }

    fn words(mut self, head: u64, covered: u64) -> [u64; WORDS] {
        self.cached = self.cached & LOW | self.cache_asked << 32;
        let mut words = [head, covered, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        for (word, counter) in words.iter_mut().skip(2).zip(self.counters()) {
            *word = *counter;
        }
        words
    }

    fn read(words: &[u64; WORDS]) -> (u64, Self) {
        let [_, covered, counters @ ..] = words;
        let mut totals = Self::default();
        for (counter, word) in totals.counters().into_iter().zip(counters) {
            *counter = *word;
        }
        totals.cache_asked = totals.cached >> 32;
        totals.cached &= LOW;
        (*covered, totals)
    }
}

fn kind(number: u64) -> Option<RecordKind> {
    use RecordKind::{After, BatchEnd, Before, Prompt, Rejected, Totals};
    [Prompt, Before, After, Rejected, BatchEnd, Totals].into_iter().find(|kind| *kind as u64 == number)
}

fn outcome(number: u64) -> Option<Outcome> {
    OUTCOMES.get(usize::try_from(number).ok()?).copied()
}

fn nature(number: u64) -> Option<Nature> {
    use Nature::{Creation, Deletion, Modification, Network, Read, System};
    [Read, Creation, Modification, Network, System, Deletion]
        .into_iter()
        .find(|nature| *nature as u64 == number)
}

fn remark(number: u64) -> Option<RecordRemark> {
    use RecordRemark::{AllowedOnce, Approved, DeniedButRan, NotAsRewritten, Noted};
    [RecordRemark::None, Noted, AllowedOnce, Approved, DeniedButRan, NotAsRewritten]
        .into_iter()
        .find(|remark| *remark as u64 == number)
}

fn checksum(magic: u64, words: &[u64]) -> u64 {
    words.iter().fold(magic, |sum, word| (sum.rotate_left(7) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> JournalRecord {
        JournalRecord {
            call: 7,
            action: 9,
            family: 11,
            nature: Nature::Deletion,
            remark: RecordRemark::AllowedOnce,
            slow: true,
            microseconds: 12_345,
            risk: Some(0),
            ..JournalRecord::new(RecordKind::Before, Outcome::Decided(Decision::Deny), 1_700_000_000_000)
        }
    }

    #[test]
    fn a_record_survives_being_written() {
        assert_eq!(JournalRecord::decode(&sample().encode()), Some(sample()));
        let totals = Totals { calls: 3, cached: 4, cache_asked: 7, file_operations: 6, ..Totals::default() };
        let totals =
            JournalRecord { covered: 5, totals, ..JournalRecord::new(RecordKind::Totals, Outcome::None, 0) };
        assert_eq!(JournalRecord::decode(&totals.encode()), Some(totals));
    }

    #[test]
    fn a_record_of_the_first_layout_is_still_read() {
        let head = MAGIC_1 | (RecordKind::Totals as u64) << 8;
        let words: [u64; WORDS] = [head, 1, 2, 3, 4, 5, 6, 40, 10, 20, 30, 40, 50, 0, 0];
        let sum = checksum(MAGIC_1, &words);
        let bytes: Vec<u8> = words.iter().chain([&sum]).flat_map(|word| word.to_le_bytes()).collect();
        let read = JournalRecord::decode(&bytes).unwrap();
        assert_eq!(
            (read.kind, read.covered, read.totals.calls, read.totals.failures),
            (RecordKind::Totals, 40, 20, 50)
        );
    }

    #[test]
    fn file_operations_are_counted_from_the_last_prompt_and_only_if_they_ran() {
        let mut totals = Totals::default();
        let write = JournalRecord { outcome: Outcome::Decided(Decision::Silent), ..sample() };
        for record in [
            write,
            sample(),
            JournalRecord::new(RecordKind::Prompt, Outcome::None, 0),
            write,
            write,
            sample(),
        ] {
            totals.add(&record);
        }
        assert_eq!((totals.file_operations, totals.denied, totals.calls), (2, 2, 5));
    }

    #[test]
    fn one_flipped_bit_anywhere_is_noticed() {
        let bytes = sample().encode();
        for at in 0..SIZE * 8 {
            let mut damaged = bytes;
            damaged[at / 8] ^= 1 << (at % 8);
            assert_eq!(JournalRecord::decode(&damaged), None, "bit {at}");
        }
    }

    #[test]
    fn zeros_and_short_reads_are_no_records() {
        assert_eq!(JournalRecord::decode(&[0; SIZE]), None);
        assert_eq!(JournalRecord::decode(&sample().encode()[..SIZE - 1]), None);
    }
}

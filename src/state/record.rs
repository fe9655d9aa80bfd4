//! One fixed-size entry of the journal, with a checksum, so that a tail can be read without parsing what is before it.

/// Bytes of a record; a multiple of eight.
pub const SIZE: usize = 128;
const MAGIC: u64 = 0x504c_494d_0001_0000; // "PLIM", layout 1

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A person's prompt: streaks start anew.
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    None,
    Silent,
    Context,
    Ask,
    Deny,
    Success,
    Failure,
    Interrupted,
}

/// Counters over the whole session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Totals {
    pub prompts: u64,
    pub calls: u64,
    pub asked: u64,
    pub denied: u64,
    pub failures: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record {
    pub kind: Kind,
    pub outcome: Outcome,
    /// Milliseconds since 1970.
    pub time: u64,
    /// Fingerprints, not texts: the journal holds nothing that could leak.
    pub agent: u64,
    pub call: u64,
    pub tool: u64,
    pub action: u64,
    pub result: u64,
    /// For `Totals` only: how many records they cover.
    pub covered: u64,
    pub totals: Totals,
}

impl Record {
    pub fn new(kind: Kind, outcome: Outcome, time: u64) -> Self {
        let totals = Totals::default();
        Self { kind, outcome, time, agent: 0, call: 0, tool: 0, action: 0, result: 0, covered: 0, totals }
    }

    pub fn encode(&self) -> [u8; SIZE] {
        let words: [u64; SIZE / 8 - 1] = [
            MAGIC | (self.kind as u64) << 8 | self.outcome as u64,
            self.time,
            self.agent,
            self.call,
            self.tool,
            self.action,
            self.result,
            self.covered,
            self.totals.prompts,
            self.totals.calls,
            self.totals.asked,
            self.totals.denied,
            self.totals.failures,
            0,
            0,
        ];
        let mut bytes = [0; SIZE];
        let all = words.iter().copied().chain([checksum(&words)]);
        for (place, word) in bytes.chunks_exact_mut(8).zip(all) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    /// `None` for anything that is not a whole record of ours.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut words = [0_u64; SIZE / 8];
        let (chunks, []) = bytes.as_chunks::<8>() else { return None };
        if chunks.len() != words.len() {
            return None;
        }
        for (word, chunk) in words.iter_mut().zip(chunks) {
            *word = u64::from_le_bytes(*chunk);
        }
        let [
            head,
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
            sum,
        ] = words;
        let (_, body) = words.split_last()?;
        if head & !0xffff != MAGIC || checksum(body) != sum {
            return None;
        }
        Some(Self {
            kind: kind(head >> 8 & 0xff)?,
            outcome: outcome(head & 0xff)?,
            time,
            agent,
            call,
            tool,
            action,
            result,
            covered,
            totals: Totals { prompts, calls, asked, denied, failures },
        })
    }
}

impl Totals {
    pub fn add(&mut self, record: &Record) {
        match record.kind {
            Kind::Prompt => self.prompts += 1,
            Kind::Before => {
                self.calls += 1;
                self.asked += u64::from(record.outcome == Outcome::Ask);
                self.denied += u64::from(record.outcome == Outcome::Deny);
            }
            Kind::After | Kind::Rejected => self.failures += u64::from(record.outcome == Outcome::Failure),
            Kind::BatchEnd | Kind::Totals => {}
        }
    }
}

fn kind(number: u64) -> Option<Kind> {
    [Kind::Prompt, Kind::Before, Kind::After, Kind::Rejected, Kind::BatchEnd, Kind::Totals]
        .into_iter()
        .find(|kind| *kind as u64 == number)
}

fn outcome(number: u64) -> Option<Outcome> {
    use Outcome::{Ask, Context, Deny, Failure, Interrupted, None, Silent, Success};
    [None, Silent, Context, Ask, Deny, Success, Failure, Interrupted]
        .into_iter()
        .find(|outcome| *outcome as u64 == number)
}

fn checksum(words: &[u64]) -> u64 {
    words.iter().fold(MAGIC, |sum, word| (sum.rotate_left(7) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Record {
        Record { call: 7, action: 9, ..Record::new(Kind::Before, Outcome::Deny, 1_700_000_000_000) }
    }

    #[test]
    fn a_record_survives_being_written() {
        let record = Record { covered: 5, totals: Totals { calls: 3, ..Totals::default() }, ..sample() };
        assert_eq!(Record::decode(&record.encode()), Some(record));
    }

    #[test]
    fn one_flipped_bit_anywhere_is_noticed() {
        let bytes = sample().encode();
        for at in 0..SIZE * 8 {
            let mut damaged = bytes;
            damaged[at / 8] ^= 1 << (at % 8);
            assert_eq!(Record::decode(&damaged), None, "bit {at}");
        }
    }

    #[test]
    fn zeros_and_short_reads_are_no_records() {
        assert_eq!(Record::decode(&[0; SIZE]), None);
        assert_eq!(Record::decode(&sample().encode()[..SIZE - 1]), None);
    }
}

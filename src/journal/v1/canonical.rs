//! Fast path for events in their canonical form, byte for byte.
//!
//! Nearly all events of nearly all journals have that form, and their text can be hashed as it is.
//! All else is left to the general parser, which also reports faults.

use super::event::{CardRecord, EventRecord, PlayRecord, PlayerRecord, Record};
use super::tokens::TokenEventRecord;
use crate::cards::Rank;
use crate::engine::Seat;
use crate::support::hex::Hex;
use serde::{Serialize, de::DeserializeOwned};
use std::num::NonZeroU16;

/// Event that a record can hold.
pub(in crate::journal) trait RecordedEvent:
    Serialize + DeserializeOwned
{
    /// Parses the event at the start of a text, and returns it with the rest of the text.
    ///
    /// Parses only the canonical form, and only frequent kinds of events.
    fn parse_canonical(text: &[u8]) -> Option<(Self, &[u8])>;
}

/// A record at the start of a text, in its canonical form.
pub(in crate::journal) struct CanonicalRecord<E> {
    pub(in crate::journal) record: Record<E>,
    /// Length of the record without link and last brace, in bytes.
    pub(in crate::journal) unlinked_length: usize,
    /// Length of the record, in bytes.
    pub(in crate::journal) length: usize,
}

/// Parses the record at the start of a text.
pub(in crate::journal) fn parse_canonical_record<E: RecordedEvent>(
    text: &[u8],
) -> Option<CanonicalRecord<E>> {
    let mut rest = Cursor { text };
    rest.word(b"{\"seq\":")?;
    let seq = rest.number()?;
    rest.word(b",\"turn\":")?;
    let turn = u32::try_from(rest.number()?).ok()?;
    rest.word(b",\"event\":")?;
    let (event, after) = E::parse_canonical(rest.text)?;
    rest = Cursor { text: after };
    rest.word(b",\"state\":\"")?;
    let state = rest.hex()?;
    rest.word(b"\"")?;
    let unlinked_length = text.len() - rest.text.len();
    rest.word(b",\"chain\":\"")?;
    let chain = rest.hex()?;
    rest.word(b"\"}")?;
    Some(CanonicalRecord {
        record: Record {
            seq,
            turn,
            event,
            state,
            chain,
        },
        unlinked_length,
        length: text.len() - rest.text.len(),
    })
}

impl RecordedEvent for TokenEventRecord {
    /// Parses nothing: a token game has few events.
    fn parse_canonical(_: &[u8]) -> Option<(Self, &[u8])> {
        None
    }
}

impl<const HIGHEST: u8> RecordedEvent for EventRecord<HIGHEST> {
    fn parse_canonical(text: &[u8]) -> Option<(Self, &[u8])> {
        let mut rest = Cursor { text };
        rest.word(b"{\"")?;
        let event = if rest.word(b"clash\":{").is_some() {
            let plays = rest.plays()?;
            Self::Clash { plays }
        } else if rest.word(b"collected\":{\"player\":").is_some() {
            let player = rest.player()?;
            rest.word(b",\"cards\":[")?;
            let cards = rest.list(Cursor::card)?;
            Self::Collected { player, cards }
        } else if rest.word(b"face_down\":{").is_some() {
            let plays = rest.plays()?;
            Self::FaceDown { plays }
        } else {
            rest.word(b"war_round\":{\"round\":")?;
            let round = u32::try_from(rest.number()?).ok()?;
            rest.word(b",")?;
            let plays = rest.plays()?;
            Self::WarRound { round, plays }
        };
        rest.word(b"}}")?;
        Some((event, rest.text))
    }
}

/// Cursor over the rest of a text.
struct Cursor<'a> {
    text: &'a [u8],
}

impl Cursor<'_> {
    /// Takes these bytes, or returns `None` if the text doesn't start with them.
    fn word(&mut self, word: &[u8]) -> Option<()> {
        self.text = self.text.strip_prefix(word)?;
        Some(())
    }

    /// Takes a number of at most 18 digits, without leading zeros.
    fn number(&mut self) -> Option<u64> {
        const MAX_DIGITS: usize = 18;
        let (&first, rest) = self.text.split_first()?;
        let mut value = digit(first)?;
        self.text = rest;
        if value == 0 {
            return Some(0);
        }
        for _ in 1..=MAX_DIGITS {
            match self.text.split_first() {
                Some((&byte, rest)) if byte.is_ascii_digit() => {
                    value = value * 10 + u64::from(byte - b'0');
                    self.text = rest;
                }
                _ => return Some(value),
            }
        }
        None
    }

    fn hex<const N: usize>(&mut self) -> Option<Hex<N>> {
        let (digits, rest) = self.text.split_at_checked(2 * N)?;
        self.text = rest;
        Hex::from_digits(digits)
    }

    fn player(&mut self) -> Option<PlayerRecord> {
        let number = u8::try_from(self.number()?).ok()?;
        Seat::from_number(number).map(PlayerRecord)
    }

    fn card<const HIGHEST: u8>(&mut self) -> Option<CardRecord<HIGHEST>> {
        let value = u8::try_from(self.number()?).ok()?;
        Rank::new(value)
            .filter(|_| value <= HIGHEST)
            .map(CardRecord)
    }

    fn plays<const HIGHEST: u8>(&mut self) -> Option<Vec<PlayRecord<HIGHEST>>> {
        self.word(b"\"plays\":[")?;
        self.list(|rest| {
            rest.word(b"{\"player\":")?;
            let player = rest.player()?;
            rest.word(b",\"card\":")?;
            let card = rest.card()?;
            let mut index = None;
            if rest.word(b"}").is_none() {
                rest.word(b",\"index\":")?;
                index = Some(NonZeroU16::new(u16::try_from(rest.number()?).ok()?)?);
                rest.word(b"}")?;
            }
            Some(PlayRecord {
                player,
                card,
                index,
            })
        })
    }

    /// Takes the items of a list after its opening bracket, and the closing bracket.
    fn list<T>(&mut self, item: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        /// Capacity for the cards of a turn without a long war.
        const TYPICAL_LENGTH: usize = 8;
        if self.word(b"]").is_some() {
            return Some(Vec::new());
        }
        let mut items = Vec::with_capacity(TYPICAL_LENGTH);
        loop {
            items.push(item(self)?);
            let (&next, rest) = self.text.split_first()?;
            self.text = rest;
            match next {
                b',' => {}
                b']' => return Some(items),
                _ => return None,
            }
        }
    }
}

fn digit(byte: u8) -> Option<u64> {
    byte.is_ascii_digit().then(|| u64::from(byte - b'0'))
}

#[cfg(test)]
mod tests {
    use super::{CanonicalRecord, EventRecord, Record, parse_canonical_record};

    const EVENTS: [&str; 6] = [
        r#"{"clash":{"plays":[{"player":1,"card":9},{"player":2,"card":14,"index":11}]}}"#,
        r#"{"face_down":{"plays":[{"player":5,"card":2}]}}"#,
        r#"{"war_round":{"round":3,"plays":[]}}"#,
        r#"{"collected":{"player":255,"cards":[10,2,14]}}"#,
        r#"{"collected":{"player":1,"cards":[]}}"#,
        r#"{"clash":{"plays":[{"player":1,"card":9,"index":65535}]}}"#,
    ];

    fn line(event: &str) -> String {
        let digits = "0123456789abcdef";
        format!(
            "{{\"seq\":70,\"turn\":5,\"event\":{event},\"state\":\"{digits}\",\
             \"chain\":\"{digits}{digits}\"}}\n"
        )
    }

    /// Returns true if the fast path parses a text, and checks the record against the general
    /// parser.
    fn is_canonical(text: &[u8]) -> bool {
        let Some(found): Option<CanonicalRecord<EventRecord<14>>> = parse_canonical_record(text)
        else {
            return false;
        };
        let parsed = serde_json::from_slice(&text[..found.length]);
        let parsed: Record<EventRecord<14>> = parsed.expect("the parser reads it too");
        let written = serde_json::to_vec(&parsed).expect("plain values");
        assert_eq!([&text[..found.unlinked_length], b"}"].concat(), written);
        let fast = serde_json::to_vec(&found.record).expect("plain values");
        assert_eq!(fast, written);
        assert_eq!(found.record.chain, parsed.chain);
        true
    }

    #[test]
    fn frequent_events_take_the_fast_path() {
        for event in EVENTS {
            assert!(is_canonical(line(event).as_bytes()), "{event}");
        }
        let high = line(EVENTS[0]).replace("14", "15");
        assert!(!is_canonical(high.as_bytes()));
        assert!(parse_canonical_record::<EventRecord<15>>(high.as_bytes()).is_some());
    }

    #[test]
    fn only_the_canonical_form_takes_the_fast_path() {
        for event in EVENTS {
            let text = line(event).into_bytes();
            let (mut read, mut left) = (0, 0);
            for at in 0..text.len() - 1 {
                for byte in *b" 0159afF\"\\,:{}[]-" {
                    let mut other = text.clone();
                    other[at] = byte;
                    let mut longer = text.clone();
                    longer.insert(at, byte);
                    for text in [&other[..], &longer, &text[..at]] {
                        if is_canonical(text) {
                            read += 1;
                        } else {
                            left += 1;
                        }
                    }
                }
            }
            assert!(read > 200 && left > 1000, "{read} and {left} of {event}");
        }
    }
}

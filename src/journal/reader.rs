use super::digest::Chain;
use super::fault::{Fault, Position, ReadError};
use super::framing::{EventLine, Records, TextShape};
use super::header::{Header, RecordedRules};
use super::judgement::End;
use super::kind::JournaledGame;
use super::parse::{check_brackets, classify_fault};
use super::problem::{GameError, Problem, RecordError};
use super::splitter::Splitter;
use super::v1::{self, Record, RecordedEvent, TokenEventRecord};
use super::v2::compact_event;
use super::versions::{finish_v1_chain, start_v1_chain};
use crate::cards::Rank;
use crate::engine::{Event, Table};
use crate::rules::Rulebook;
use crate::support::hex::{self, Hex};
use crate::tokens::{TokenEvent, TokenGame};
use serde::Serialize;
use std::io::Read;

/// Reads a journal as a stream, and checks its form, its sequence and its chain.
///
/// Memory use doesn't depend on the length of the journal. The rules are checked by the
/// [`Verifier`](super::Verifier).
pub struct Reader<'a> {
    records: Records<'a>,
    header: Header,
    chain: Chain,
    /// The chain of the version 1 journal that this one was upgraded from.
    v1_chain: Option<Chain>,
    events: u64,
    /// The shape of a compact event that is not in the chain yet, because its state is unknown.
    unlinked_shape: Option<TextShape>,
    state: Option<GameState>,
}

/// A recorded event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalEntry<E> {
    /// The sequence number, counted from 0.
    pub seq: u64,
    /// The recorded event.
    pub event: E,
    /// The recorded state after the event; `None` in a compact journal, where it follows from the
    /// events.
    pub after: Option<RecordedState>,
    /// The place of the event in the file.
    pub at: Position,
}

/// The state after an event, as the journal records it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordedState {
    /// The turn of the event; 0 before the first.
    pub turn: u32,
    /// The hash of the state.
    pub state: Hex<8>,
}

/// An event of any kind of game, as JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonEntry {
    /// The sequence number, counted from 0.
    pub seq: u64,
    /// The turn of the event; 0 before the first.
    pub turn: u32,
    /// The event as JSON.
    pub event: String,
    /// The hash of the state after the event.
    pub state: Hex<8>,
}

/// State of the game, from which the left-out values of a compact journal follow.
enum GameState {
    War(Table),
    Tokens(Box<TokenGame>),
}

impl GameState {
    fn new(rules: &RecordedRules) -> Self {
        match rules {
            RecordedRules::War { .. } => Self::War(Table::default()),
            RecordedRules::Tokens(committed) => Self::Tokens(Box::new(TokenGame::new(
                committed.rules,
                committed.game,
                committed.secret,
            ))),
        }
    }
}

impl<'a> Reader<'a> {
    /// Opens a journal: reads and checks its header.
    ///
    /// # Errors
    ///
    /// [`ReadError`] if the file can't be read, is not a journal, or has an invalid header.
    pub fn open(input: impl Read + 'a) -> Result<Self, ReadError> {
        Self::open_with(&Rulebook::default(), input)
    }

    /// Opens a journal whose rules may also come from the rulebook `book`.
    ///
    /// # Errors
    ///
    /// As [`Reader::open`].
    pub fn open_with(book: &Rulebook, input: impl Read + 'a) -> Result<Self, ReadError> {
        let (records, (record, brackets)) = Records::open(Splitter::new(input), book)?;
        let at = records.position();
        let mut chain = Chain::default();
        let link = chain.link(&record);
        check_brackets(brackets, chain.canonical_record(), at)?;
        if link != record.link() {
            return Err(fault(at, RecordError::HeaderChain));
        }
        let header = record.into_domain(records.is_compact(), book);
        let header = header.map_err(|error| fault(at, error))?;
        let v1_chain = header
            .format
            .upgraded_from()
            .map(|_| start_v1_chain(&header));
        Ok(Self {
            records,
            header,
            chain,
            v1_chain,
            events: 0,
            unlinked_shape: None,
            state: None,
        })
    }

    /// The header of the journal.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// The start of the record read last.
    #[must_use]
    pub const fn position(&self) -> Position {
        self.records.position()
    }

    /// The end of the record read last. Unspecified after a record with a fault.
    #[must_use]
    pub const fn end_position(&self) -> Position {
        self.records.end_position()
    }

    /// The number of events read so far.
    #[must_use]
    pub const fn events(&self) -> u64 {
        self.events
    }

    /// Reads the next event of any kind of game. After the last it returns `None`, and
    /// [`Reader::read_end`] is due.
    ///
    /// # Errors
    ///
    /// [`ReadError`] if the file can't be read or the event is damaged; in a compact journal, also
    /// if the event can't happen in this game.
    pub fn next_entry(&mut self) -> Result<Option<JsonEntry>, ReadError> {
        let fold = self.state.take();
        let mut fold = fold.unwrap_or_else(|| GameState::new(&self.header.rules));
        let entry = match &mut fold {
            GameState::War(table) => self.next_war_entry()?.map(|entry| {
                let applied = entry.after.is_some() || table.apply(&entry.event).is_ok();
                self.json_entry(&entry, table, applied)
            }),
            GameState::Tokens(game) => self.next_token_entry()?.map(|entry| {
                let applied = entry.after.is_some() || game.apply(&entry.event).is_ok();
                self.json_entry(&entry, &**game, applied)
            }),
        };
        self.state = Some(fold);
        entry.transpose()
    }

    /// Converts an entry to JSON. If the entry records no state, `state` must be the state after
    /// its event.
    fn json_entry<S: JournaledGame>(
        &mut self,
        entry: &JournalEntry<S::Event>,
        state: &S,
        applied: bool,
    ) -> Result<JsonEntry, ReadError> {
        let (seq, turn) = (entry.seq, state.turn());
        if !applied {
            return Err(fault(entry.at, GameError::Event { seq, turn }));
        }
        let state = || state.hash(&mut Vec::new());
        let after = entry.after.unwrap_or_else(|| RecordedState {
            turn,
            state: state(),
        });
        self.link_compact_event::<S>(entry, after)?;
        Ok(JsonEntry {
            seq,
            turn: after.turn,
            event: S::event_json(&entry.event),
            state: after.state,
        })
    }

    /// Reads the next event of a game of War.
    pub(super) fn next_war_entry(&mut self) -> Result<Option<JournalEntry<Event>>, ReadError> {
        const ACE: u8 = Rank::ACE.get();
        const ANY_RANK: u8 = Rank::HIGHEST.get();
        match &self.header.rules {
            RecordedRules::War { rules, .. } if rules.allows_any_rank() => {
                self.linked_entry(v1::EventRecord::<ANY_RANK>::into_domain)
            }
            // In these rules a card above the ace is a fault.
            _ => self.linked_entry(v1::EventRecord::<ACE>::into_domain),
        }
    }

    /// Reads the next event of a token game.
    pub(super) fn next_token_entry(
        &mut self,
    ) -> Result<Option<JournalEntry<TokenEvent>>, ReadError> {
        self.linked_entry(TokenEventRecord::into_domain)
    }

    /// Reads the next event, checks its sequence number, and adds it to the chain unless it is
    /// compact.
    fn linked_entry<E: RecordedEvent, T>(
        &mut self,
        into_domain: impl FnOnce(E) -> T,
    ) -> Result<Option<JournalEntry<T>>, ReadError> {
        let found = self.records.next_event(self.events);
        let Some((line, shape)) = found.map_err(|error| self.classify(error))? else {
            return Ok(None);
        };
        let at = self.position();
        let seq = self.events;
        let (event, after): (E, _) = match line {
            EventLine::Full(record) => {
                self.link(&record, shape, at)?;
                let (turn, state) = (record.turn, record.state);
                (record.event, Some(RecordedState { turn, state }))
            }
            EventLine::Compact(event) => {
                self.unlinked_shape = Some(shape);
                (event, None)
            }
        };
        self.events += 1;
        Ok(Some(JournalEntry {
            seq,
            event: into_domain(event),
            after,
            at,
        }))
    }

    /// Recognizes a rejected record that a newer program wrote.
    fn classify(&mut self, error: ReadError) -> ReadError {
        match error {
            ReadError::Fault(fault) => {
                classify_fault(fault, &self.chain, self.records.rejected_text()).into()
            }
            error @ ReadError::Io(_) => error,
        }
    }

    /// Adds an event to the chain, and checks its number and its link.
    fn link<E: Serialize>(
        &mut self,
        record: &Record<E>,
        shape: TextShape,
        at: Position,
    ) -> Result<(), ReadError> {
        let (expected, found) = (self.events, record.seq);
        if found != expected {
            return Err(fault(at, RecordError::Sequence { expected, found }));
        }
        let link = match shape {
            TextShape::Canonical(length) => {
                let unlinked = &self.records.event_text()[..length];
                self.chain.link_canonical(&[unlinked, b"}"])
            }
            TextShape::Brackets(brackets) => {
                let link = self.chain.link(record);
                check_brackets(brackets, self.chain.canonical_record(), at)?;
                link
            }
        };
        if link != record.chain {
            return Err(fault(at, RecordError::Chain { seq: found }));
        }
        self.extend_v1_chain();
        Ok(())
    }

    /// Adds an event of a compact journal to the chain, once the state after it is known. No
    /// effect in a full journal.
    pub(super) fn link_compact_event<S: JournaledGame>(
        &mut self,
        entry: &JournalEntry<S::Event>,
        after: RecordedState,
    ) -> Result<(), ReadError> {
        match self.unlinked_shape.take() {
            None => return Ok(()),
            Some(TextShape::Canonical(length)) => {
                let event = compact_event(self.records.event_text(), length);
                self.chain.link_canonical(&[
                    b"{\"seq\":",
                    itoa::Buffer::new().format(entry.seq).as_bytes(),
                    b",\"turn\":",
                    itoa::Buffer::new().format(after.turn).as_bytes(),
                    b",\"event\":",
                    event,
                    b",\"state\":\"",
                    after
                        .state
                        .write_digits(&mut [0; hex::MAX_DIGITS])
                        .as_bytes(),
                    b"\"}",
                ]);
            }
            Some(TextShape::Brackets(brackets)) => {
                self.chain.link(&Record {
                    seq: entry.seq,
                    turn: after.turn,
                    event: S::event_record(&entry.event),
                    state: after.state,
                    chain: Hex::ZERO,
                });
                check_brackets(brackets, self.chain.canonical_record(), entry.at)?;
            }
        }
        self.extend_v1_chain();
        Ok(())
    }

    fn extend_v1_chain(&mut self) {
        if let Some(chain) = &mut self.v1_chain {
            chain.link_to_last(&self.chain);
        }
    }

    /// Reads the end record. Must be called once, after the last event.
    ///
    /// # Errors
    ///
    /// [`ReadError`] if the file can't be read, the end record is missing or damaged, or data
    /// follows it.
    pub fn read_end(&mut self) -> Result<End, ReadError> {
        let found = self.records.read_end(self.events);
        let (record, brackets) = found.map_err(|error| self.classify(error))?;
        let at = self.position();
        let link = self.chain.link(&record);
        if let Err(error) = check_brackets(brackets, self.chain.canonical_record(), at) {
            return Err(self.records.refine_end_error(self.events, error));
        }
        if link != record.link() {
            let error = if self.records.is_compact() {
                fault(at, RecordError::CompactChain)
            } else {
                fault(at, RecordError::EndChain)
            };
            return Err(self.records.refine_end_error(self.events, error));
        }
        let end = record.into_domain();
        let end = end.ok_or_else(|| fault(at, RecordError::EndWinner))?;
        self.records.check_nothing_follows(self.events)?;
        Ok(end)
    }

    /// Checks the digest of the version 1 journal that this one was upgraded from, if the header
    /// has such a digest: it must be the one that the events and this end give.
    pub(super) fn check_v1_digest(&mut self, end: &End) -> Result<(), Fault> {
        let named = self.header.format.upgraded_from();
        let Some((found, chain)) = named.zip(self.v1_chain.as_mut()) else {
            return Ok(());
        };
        let expected = finish_v1_chain(chain, end);
        if found == expected {
            return Ok(());
        }
        let problem = RecordError::UpgradedFrom { found, expected };
        Err(Fault::new(self.position(), problem))
    }
}

fn fault(at: Position, problem: impl Into<Problem>) -> ReadError {
    Fault::new(at, problem).into()
}

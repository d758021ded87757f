use super::digest::Chain;
use super::fault::{Fault, Position, ReadError};
use super::framing::{EventLine, Records, Shape};
use super::header::{Header, RecordedRules};
use super::judgement::End;
use super::kind::Journaled;
use super::parse::{check_brackets, judged};
use super::problem::{GameError, Problem, RecordError};
use super::splitter::Splitter;
use super::v1::{self, Record, Recorded, TokenEventRecord};
use super::v2::event_in;
use super::versions::{first_chain, first_digest};
use crate::cards::Rank;
use crate::engine::{Event, Table};
use crate::rules::Rulebook;
use crate::support::hex::{self, Hex};
use crate::tokens::{TokenEvent, TokenGame};
use serde::Serialize;
use std::io::Read;

/// Reads a journal as a stream: its form, its sequence and its chain are checked.
///
/// Memory stays flat however long the journal is. Whether the game was played by the
/// rules is for the [`Verifier`](super::Verifier) to say.
pub struct Reader<'a> {
    records: Records<'a>,
    header: Header,
    chain: Chain,
    /// The chain of the journal that this one was upgraded from.
    first: Option<Chain>,
    events: u64,
    /// The shape of an event that is not part of the chain yet, for its state is not known.
    unlinked: Option<Shape>,
    fold: Option<Fold>,
}

/// An event as recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry<E> {
    /// Its place in the sequence, counted from 0.
    pub seq: u64,
    /// The event.
    pub event: E,
    /// What is recorded of the state after it; `None` in a compact journal, where this follows
    /// from the events.
    pub after: Option<After>,
    /// Where it is in the file.
    pub at: Position,
}

/// What a journal says of the state after an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct After {
    /// The turn that the event belongs to; 0 before the first.
    pub turn: u32,
    /// The hash of the state.
    pub state: Hex<8>,
}

/// An event of any kind of game, as it is in the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryForm {
    /// Its place in the sequence, counted from 0.
    pub seq: u64,
    /// The turn it belongs to; 0 before the first.
    pub turn: u32,
    /// The event as JSON.
    pub event: String,
    /// The hash of the state after it.
    pub state: Hex<8>,
}

/// The game of a compact journal, which alone knows what follows from the events.
enum Fold {
    War(Table),
    Tokens(Box<TokenGame>),
}

impl Fold {
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
    /// [`ReadError`] where the file can't be read, is not a journal, or has a bad header.
    pub fn open(input: impl Read + 'a) -> Result<Self, ReadError> {
        Self::open_by(&Rulebook::default(), input)
    }

    /// Opens a journal whose rules may be those of this book beside the editions.
    ///
    /// # Errors
    ///
    /// As [`Reader::open`].
    pub fn open_by(book: &Rulebook, input: impl Read + 'a) -> Result<Self, ReadError> {
        let (records, (record, brackets)) = Records::open(Splitter::new(input), book)?;
        let at = records.position();
        let mut chain = Chain::default();
        let link = chain.link(&record);
        check_brackets(brackets, chain.canonical(), at)?;
        if link != record.chain() {
            return Err(fault(at, RecordError::HeaderChain));
        }
        let header = record.into_domain(records.is_compact(), book);
        let header = header.map_err(|error| fault(at, error))?;
        let first = header.format.upgraded_from().map(|_| first_chain(&header));
        Ok(Self {
            records,
            header,
            chain,
            first,
            events: 0,
            unlinked: None,
            fold: None,
        })
    }

    /// The header.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// Where the record read last begins.
    #[must_use]
    pub const fn position(&self) -> Position {
        self.records.position()
    }

    /// Where reading has come to: behind the record read last, unless it had a fault.
    #[must_use]
    pub const fn reached(&self) -> Position {
        self.records.reached()
    }

    /// The number of events read so far.
    #[must_use]
    pub const fn events(&self) -> u64 {
        self.events
    }

    /// The next event of any kind of game, or `None` where the events end; [`Reader::end`] is
    /// due then.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where the file can't be read, or the event is not as it was recorded. In a
    /// compact journal, also where the event can't happen in this game.
    pub fn entry_form(&mut self) -> Result<Option<EntryForm>, ReadError> {
        let fold = self.fold.take();
        let mut fold = fold.unwrap_or_else(|| Fold::new(&self.header.rules));
        let form = match &mut fold {
            Fold::War(table) => self.war_entry()?.map(|entry| {
                let applied = entry.after.is_some() || table.apply(&entry.event).is_ok();
                self.form(&entry, table, applied)
            }),
            Fold::Tokens(game) => self.token_entry()?.map(|entry| {
                let applied = entry.after.is_some() || game.apply(&entry.event).is_ok();
                self.form(&entry, &**game, applied)
            }),
        };
        self.fold = Some(fold);
        form.transpose()
    }

    /// The form of an event, with what is recorded of the state after it, or with this state
    /// where it was `applied` to it.
    fn form<S: Journaled>(
        &mut self,
        entry: &Entry<S::Event>,
        state: &S,
        applied: bool,
    ) -> Result<EntryForm, ReadError> {
        let (seq, turn) = (entry.seq, state.turn());
        if !applied {
            return Err(fault(entry.at, GameError::Event { seq, turn }));
        }
        let state = || state.hash(&mut Vec::new());
        let after = entry.after.unwrap_or_else(|| After {
            turn,
            state: state(),
        });
        self.confirm::<S>(entry, after)?;
        Ok(EntryForm {
            seq,
            turn: after.turn,
            event: S::event_json(&entry.event),
            state: after.state,
        })
    }

    /// The next event of a game of War.
    pub(super) fn war_entry(&mut self) -> Result<Option<Entry<Event>>, ReadError> {
        const ACE: u8 = Rank::ACE.get();
        const ANY_RANK: u8 = Rank::HIGHEST.get();
        match &self.header.rules {
            RecordedRules::War { rules, .. } if rules.have_any_rank() => {
                self.linked(v1::EventRecord::<ANY_RANK>::into_domain)
            }
            // A card above the ace is a fault.
            _ => self.linked(v1::EventRecord::<ACE>::into_domain),
        }
    }

    /// The next event of a token game.
    pub(super) fn token_entry(&mut self) -> Result<Option<Entry<TokenEvent>>, ReadError> {
        self.linked(TokenEventRecord::into_domain)
    }

    /// The next record, in its sequence and its chain, with its event as `into_domain` makes it.
    fn linked<E: Recorded, T>(
        &mut self,
        into_domain: impl FnOnce(E) -> T,
    ) -> Result<Option<Entry<T>>, ReadError> {
        let found = self.records.event(self.events);
        let Some((line, shape)) = found.map_err(|error| self.judged(error))? else {
            return Ok(None);
        };
        let at = self.position();
        let seq = self.events;
        let (event, after): (E, _) = match line {
            EventLine::Full(record) => {
                self.link(&record, shape, at)?;
                let (turn, state) = (record.turn, record.state);
                (record.event, Some(After { turn, state }))
            }
            EventLine::Compact(event) => {
                self.unlinked = Some(shape);
                (event, None)
            }
        };
        self.events += 1;
        Ok(Some(Entry {
            seq,
            event: into_domain(event),
            after,
            at,
        }))
    }

    /// What to say of a record that does not fit, which may be a newer program's.
    fn judged(&mut self, error: ReadError) -> ReadError {
        match error {
            ReadError::Fault(fault) => judged(fault, &self.chain, self.records.taken()).into(),
            error @ ReadError::Io(_) => error,
        }
    }

    /// Takes an event into the chain, whose link it must have.
    fn link<E: Serialize>(
        &mut self,
        record: &Record<E>,
        shape: Shape,
        at: Position,
    ) -> Result<(), ReadError> {
        let (expected, found) = (self.events, record.seq);
        if found != expected {
            return Err(fault(at, RecordError::Sequence { expected, found }));
        }
        let link = match shape {
            Shape::Canonical(length) => {
                let unlinked = &self.records.event_text()[..length];
                self.chain.link_canonical(&[unlinked, b"}"])
            }
            Shape::Brackets(brackets) => {
                let link = self.chain.link(record);
                check_brackets(brackets, self.chain.canonical(), at)?;
                link
            }
        };
        if link != record.chain {
            return Err(fault(at, RecordError::Chain { seq: found }));
        }
        self.follow();
        Ok(())
    }

    /// Takes an event of a compact journal into the chain, now that it is known what follows
    /// from it; does nothing in a full one.
    pub(super) fn confirm<S: Journaled>(
        &mut self,
        entry: &Entry<S::Event>,
        after: After,
    ) -> Result<(), ReadError> {
        match self.unlinked.take() {
            None => return Ok(()),
            Some(Shape::Canonical(length)) => {
                let event = event_in(self.records.event_text(), length);
                self.chain.link_canonical(&[
                    b"{\"seq\":",
                    itoa::Buffer::new().format(entry.seq).as_bytes(),
                    b",\"turn\":",
                    itoa::Buffer::new().format(after.turn).as_bytes(),
                    b",\"event\":",
                    event,
                    b",\"state\":\"",
                    after.state.digits(&mut [0; hex::LONGEST]).as_bytes(),
                    b"\"}",
                ]);
            }
            Some(Shape::Brackets(brackets)) => {
                self.chain.link(&Record {
                    seq: entry.seq,
                    turn: after.turn,
                    event: S::record(&entry.event),
                    state: after.state,
                    chain: Hex::ZERO,
                });
                check_brackets(brackets, self.chain.canonical(), entry.at)?;
            }
        }
        self.follow();
        Ok(())
    }

    /// Takes the event last linked into the chain of the journal that this one was made from.
    fn follow(&mut self) {
        if let Some(first) = &mut self.first {
            first.follow(&self.chain);
        }
    }

    /// The end record; to be called once, after the last event.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where the file can't be read, the end record is missing or not as
    /// it was recorded, or something follows it.
    pub fn end(&mut self) -> Result<End, ReadError> {
        let found = self.records.end(self.events);
        let (record, brackets) = found.map_err(|error| self.judged(error))?;
        let at = self.position();
        let link = self.chain.link(&record);
        if let Err(error) = check_brackets(brackets, self.chain.canonical(), at) {
            return Err(self.records.bad_end(self.events, error));
        }
        if link != record.chain() {
            let error = if self.records.is_compact() {
                fault(at, RecordError::CompactChain)
            } else {
                fault(at, RecordError::EndChain)
            };
            return Err(self.records.bad_end(self.events, error));
        }
        let end = record.into_domain();
        let end = end.ok_or_else(|| fault(at, RecordError::EndWinner))?;
        self.records.close(self.events)?;
        Ok(end)
    }

    /// Checks that the journal was made from the one of version 1 that it names, if it names
    /// one: that journal's final digest follows from the events and this end.
    pub(super) fn check_upgraded(&mut self, end: &End) -> Result<(), Fault> {
        let named = self.header.format.upgraded_from();
        let Some((found, first)) = named.zip(self.first.as_mut()) else {
            return Ok(());
        };
        let expected = first_digest(first, end);
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

use super::as_found;
use super::chain::Chain;
use super::cut::can_go_on;
use super::end::End;
use super::fault::{Fault, Position, ReadError};
use super::header::{Header, RecordedRules};
use super::kind::Journaled;
use super::opening::take_header;
use super::parse::{Brackets, ParseError, check_brackets, parse};
use super::problem::{Problem, RecordError};
use super::splitter::Splitter;
use super::v1::{self, EndRecord, Record, TokenEventRecord};
use crate::cards::Rank;
use crate::engine::{Event, Table};
use crate::fields::FieldError;
use crate::hex::Hex;
use crate::rules::{Rulebook, Scenarios};
use crate::tokens::{TokenEvent, TokenGame};
use serde::{Serialize, de::DeserializeOwned};
use std::io::Read;

/// Reads a journal as a stream: its form, its sequence and its chain are checked.
///
/// Memory stays flat however long the journal is. Whether the game was played by the
/// rules is for the [`Verifier`](super::Verifier) to say.
pub struct Reader<R> {
    splitter: Splitter<R>,
    header: Header,
    chain: Chain,
    events: u64,
    last: Position,
}

/// An event as recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry<E> {
    /// Its place in the sequence, counted from 0.
    pub seq: u64,
    /// The turn it belongs to; 0 before the first.
    pub turn: u32,
    /// The event.
    pub event: E,
    /// The hash of the state after it.
    pub state: Hex<8>,
    /// Where it is in the file.
    pub at: Position,
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

impl EntryForm {
    fn of<S: Journaled>(entry: &Entry<S::Event>) -> Self {
        Self {
            seq: entry.seq,
            turn: entry.turn,
            event: S::event_json(&entry.event),
            state: entry.state,
        }
    }
}

impl<R: Read> Reader<R> {
    /// Opens a journal: reads and checks its header.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where the file can't be read, is not a journal, or has a bad header.
    pub fn open(input: R) -> Result<Self, ReadError> {
        Self::open_by(&Rulebook::default(), input)
    }

    /// Opens a journal whose rules may be those of this book beside the editions.
    ///
    /// # Errors
    ///
    /// As [`Reader::open`].
    pub fn open_by(book: &Rulebook, input: R) -> Result<Self, ReadError> {
        let mut splitter = Splitter::new(input);
        let record = take_header(&mut splitter, book)?;
        let at = splitter.taken_at();
        let mut chain = Chain::default();
        let link = chain.link(&record);
        check_brackets(Brackets::of(splitter.taken()), chain.canonical(), at)?;
        if link != record.chain {
            return Err(fault(at, RecordError::HeaderChain));
        }
        let header = record.into_domain(book).map_err(|error| fault(at, error))?;
        splitter.end_header();
        Ok(Self {
            splitter,
            header,
            chain,
            events: 0,
            last: at,
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
        self.last
    }

    /// Where reading has come to: behind the record read last, unless it had a fault.
    #[must_use]
    pub const fn reached(&self) -> Position {
        self.splitter.position()
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
    /// [`ReadError`] where the file can't be read, or the event is not as it was recorded.
    pub fn entry_form(&mut self) -> Result<Option<EntryForm>, ReadError> {
        Ok(match self.header.rules {
            RecordedRules::War { .. } => self.war_entry()?.as_ref().map(EntryForm::of::<Table>),
            RecordedRules::Tokens(_) => {
                self.token_entry()?.as_ref().map(EntryForm::of::<TokenGame>)
            }
        })
    }

    /// The next event of a game of War.
    pub(super) fn war_entry(&mut self) -> Result<Option<Entry<Event>>, ReadError> {
        const ACE: u8 = Rank::ACE.get();
        const ANY_RANK: u8 = Rank::HIGHEST.get();
        match &self.header.rules {
            RecordedRules::War { rules, .. } if rules.scenarios() == Scenarios::AnyRank => {
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
    fn linked<E: Serialize + DeserializeOwned, T>(
        &mut self,
        into_domain: impl FnOnce(E) -> T,
    ) -> Result<Option<Entry<T>>, ReadError> {
        let first = self.events == 0;
        match self.splitter.peek_significant()? {
            None => return Err(self.cut(no_end)),
            Some(b']') => {
                self.splitter.take();
                return Ok(None);
            }
            Some(b',') if !first => self.splitter.take(),
            Some(_) if first => {}
            Some(_) => return Err(self.syntax()),
        }
        let (record, brackets): (Record<E>, _) = self.value(cut_off)?;
        let at = self.last;
        if record.seq != self.events {
            let (expected, found) = (self.events, record.seq);
            return Err(fault(at, RecordError::Sequence { expected, found }));
        }
        let link = self.chain.link(&record);
        check_brackets(brackets, self.chain.canonical(), at)?;
        if link != record.chain {
            return Err(fault(at, RecordError::Chain { seq: record.seq }));
        }
        self.events += 1;
        Ok(Some(Entry {
            seq: record.seq,
            turn: record.turn,
            event: into_domain(record.event),
            state: record.state,
            at,
        }))
    }

    /// The end record; to be called once, after the last event.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where the file can't be read, the end record is missing or not as
    /// it was recorded, or something follows it.
    pub fn end(&mut self) -> Result<End, ReadError> {
        if self.splitter.peek_significant()? == Some(b'}') {
            self.close()?;
            return Err(self.cut(no_end));
        }
        self.expect(b',')?;
        self.field("end")?;
        let (record, brackets): (EndRecord, _) = self.value(no_end)?;
        let at = self.last;
        let link = self.chain.link(&record);
        check_brackets(brackets, self.chain.canonical(), at)?;
        if link != record.chain {
            return Err(fault(at, RecordError::EndChain));
        }
        let end = record.into_domain();
        let end = end.ok_or_else(|| fault(at, RecordError::EndWinner))?;
        if self.splitter.peek_significant()? == Some(b',') {
            self.splitter.take();
            self.field("}")?;
        }
        self.close()?;
        Ok(end)
    }

    /// Takes the name of a field, which must be this one, and its colon.
    fn field(&mut self, name: &str) -> Result<(), ReadError> {
        let (found, _): (String, _) = self.value(no_end)?;
        if found != name {
            let unknown = FieldError::unknown(&found);
            return Err(fault(self.last, RecordError::from(unknown)));
        }
        self.expect(b':')
    }

    /// Sees the document closed, and nothing after it.
    fn close(&mut self) -> Result<(), ReadError> {
        self.expect(b'}')?;
        self.splitter.begin();
        if self.splitter.peek_significant()?.is_some() || self.splitter.ends_in_zeros() {
            let at = self.splitter.position();
            return Err(fault(at, RecordError::DataAfterEnd));
        }
        Ok(())
    }

    /// The next value with its brackets; `cut` is what a file lacks that ends before it does.
    fn value<T: DeserializeOwned>(&mut self, cut: Cut) -> Result<(T, Brackets), ReadError> {
        let started = self.splitter.peek_significant()?.is_some();
        self.splitter.begin();
        self.last = self.splitter.taken_at();
        if let Some(parsed) = self.splitter.take_parsed() {
            return Ok(parsed);
        }
        let whole = started && self.splitter.take_value()?.is_some();
        let taken = self.splitter.taken();
        let value = parse(taken, self.last);
        if whole {
            return match value {
                Ok(value) => Ok((value, Brackets::of(taken))),
                Err(ParseError::Fault(fault)) => {
                    Err(as_found::judged(fault, &self.chain, taken).into())
                }
                Err(cut) => Err(cut.into()),
            };
        }
        // A file that was cut off is sound up to the cut: anything else is damage.
        match value {
            Err(ParseError::Fault(fault)) => Err(fault.into()),
            _ if !can_go_on(taken) => Err(self.syntax()),
            _ => Err(self.cut(cut)),
        }
    }

    /// Takes a byte of the outermost object.
    fn expect(&mut self, byte: u8) -> Result<(), ReadError> {
        match self.splitter.peek_significant()? {
            Some(found) if found == byte => {
                self.splitter.take();
                Ok(())
            }
            None => Err(self.cut(no_end)),
            Some(_) => Err(self.syntax()),
        }
    }

    fn cut(&self, cut: Cut) -> ReadError {
        fault(self.splitter.position(), cut(self.events))
    }

    fn syntax(&self) -> ReadError {
        fault(self.splitter.position(), RecordError::Syntax)
    }
}

/// What is missing of a file with this many whole events.
type Cut = fn(u64) -> RecordError;

const fn cut_off(events: u64) -> RecordError {
    RecordError::CutOff { events }
}

const fn no_end(events: u64) -> RecordError {
    RecordError::NoEnd { events }
}

fn fault(at: Position, problem: impl Into<Problem>) -> ReadError {
    Fault::new(at, problem).into()
}

use super::chain::Chain;
use super::end::End;
use super::fault::{Code, Fault, Position, ReadError};
use super::header::{Header, Rules};
use super::kind::Journaled;
use super::opening::{header_fault, take_header};
use super::parse::{Brackets, ParseError, check_brackets, parse, unknown_field};
use super::splitter::Splitter;
use super::v1::{self, EndRecord, Record, TokenEventRecord};
use crate::cards::Rank;
use crate::engine::{Event, Table};
use crate::hex::Hex;
use crate::i18n::{Message, Text};
use crate::rules::Scenarios;
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
    /// Where it stands in the file.
    pub at: Position,
}

/// An event of any kind of game, as it stands in the journal.
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
    /// [`ReadError`] where the file can't be read, is no journal, or has a bad header.
    pub fn open(input: R) -> Result<Self, ReadError> {
        let mut splitter = Splitter::new(input);
        let record = take_header(&mut splitter)?;
        let at = splitter.taken_at();
        let mut chain = Chain::default();
        let link = chain.link(&record);
        check_brackets(Brackets::of(splitter.taken()), chain.canonical(), at)?;
        if link != record.chain {
            return Err(fault(Code::Chain, at, Message::JOURNAL_HEADER_CHAIN));
        }
        let header = record
            .into_domain()
            .map_err(|error| header_fault(error, at))?;
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
            Rules::War { .. } => self.war_entry()?.as_ref().map(EntryForm::of::<Table>),
            Rules::Tokens(_) => self.token_entry()?.as_ref().map(EntryForm::of::<TokenGame>),
        })
    }

    /// The next event of a game of War.
    pub(super) fn war_entry(&mut self) -> Result<Option<Entry<Event>>, ReadError> {
        const ACE: u8 = Rank::ACE.get();
        const ANY_RANK: u8 = Rank::HIGHEST.get();
        match &self.header.rules {
            Rules::War { variant, .. } if variant.scenarios == Scenarios::AnyRank => {
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
        match self.splitter.peek_token()? {
            None => return Err(self.cut(Code::NoEnd)),
            Some(b']') => {
                self.splitter.take();
                return Ok(None);
            }
            Some(b',') if !first => self.splitter.take(),
            Some(_) if first => {}
            Some(_) => return Err(self.syntax()),
        }
        let (record, brackets): (Record<E>, _) = self.value(Code::CutOff)?;
        let at = self.last;
        if record.seq != self.events {
            let text = Text::new(Message::JOURNAL_SEQUENCE)
                .with("expected", self.events.to_string())
                .with("found", record.seq.to_string());
            return Err(Fault::new(Code::Sequence, at, text).into());
        }
        let link = self.chain.link(&record);
        check_brackets(brackets, self.chain.canonical(), at)?;
        if link != record.chain {
            let text = Text::new(Message::JOURNAL_CHAIN).with("seq", record.seq.to_string());
            return Err(Fault::new(Code::Chain, at, text).into());
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
        if self.splitter.peek_token()? == Some(b'}') {
            self.close()?;
            return Err(self.cut(Code::NoEnd));
        }
        self.expect(b',')?;
        self.field("end")?;
        let (record, brackets): (EndRecord, _) = self.value(Code::NoEnd)?;
        let at = self.last;
        let link = self.chain.link(&record);
        check_brackets(brackets, self.chain.canonical(), at)?;
        if link != record.chain {
            return Err(fault(Code::Chain, at, Message::JOURNAL_END_CHAIN));
        }
        let end = record.into_domain();
        let end = end.ok_or_else(|| fault(Code::End, at, Message::JOURNAL_END_WINNER))?;
        if self.splitter.peek_token()? == Some(b',') {
            self.splitter.take();
            self.field("}")?;
        }
        self.close()?;
        Ok(end)
    }

    /// Takes the name of a field, which must be this one, and its colon.
    fn field(&mut self, name: &str) -> Result<(), ReadError> {
        let (found, _): (String, _) = self.value(Code::NoEnd)?;
        if found != name {
            return Err(unknown_field(self.last, &found).into());
        }
        self.expect(b':')
    }

    /// Sees the document closed, and nothing after it.
    fn close(&mut self) -> Result<(), ReadError> {
        self.expect(b'}')?;
        self.splitter.begin();
        if self.splitter.peek_token()?.is_some() {
            let at = self.splitter.position();
            return Err(fault(Code::End, at, Message::JOURNAL_DATA_AFTER_END));
        }
        Ok(())
    }

    /// The next value with its brackets; `code` is for a file that ends before it does.
    fn value<T: DeserializeOwned>(&mut self, code: Code) -> Result<(T, Brackets), ReadError> {
        let started = self.splitter.peek_token()?.is_some();
        self.splitter.begin();
        self.last = self.splitter.taken_at();
        if let Some(parsed) = self.splitter.take_parsed() {
            return Ok(parsed);
        }
        let whole = started && self.splitter.take_value()?.is_some();
        let taken = self.splitter.taken();
        let value = parse(taken, self.last);
        if whole {
            return Ok((value?, Brackets::of(taken)));
        }
        // A file that was cut off is sound up to the cut: anything else is damage.
        match value {
            Err(ParseError::Fault(fault)) => Err(fault.into()),
            _ if !plain_at_the_cut(taken) && !holds_words(taken) => Err(self.syntax()),
            _ => Err(self.cut(code)),
        }
    }

    /// Takes a token of the outermost object.
    fn expect(&mut self, token: u8) -> Result<(), ReadError> {
        match self.splitter.peek_token()? {
            Some(found) if found == token => {
                self.splitter.take();
                Ok(())
            }
            None => Err(self.cut(Code::NoEnd)),
            Some(_) => Err(self.syntax()),
        }
    }

    fn cut(&self, code: Code) -> ReadError {
        let message = match code {
            Code::CutOff => Message::JOURNAL_CUT_OFF,
            _ => Message::JOURNAL_NO_END,
        };
        let text = Text::new(message).with("events", self.events);
        Fault::new(code, self.splitter.position(), text).into()
    }

    fn syntax(&self) -> ReadError {
        let at = self.splitter.position();
        fault(Code::NotJson, at, Message::JOURNAL_SYNTAX)
    }
}

/// Whether what stands behind the last quotation mark can be the start of a name, a hash,
/// a number or a card of a token game: but for [`holds_words`], no text of an event or an
/// end record holds anything else.
fn plain_at_the_cut(taken: &[u8]) -> bool {
    let last = taken.iter().rposition(|&byte| byte == b'"');
    let rest = &taken[last.map_or(0, |at| at + 1)..];
    let outside = taken.split(|&byte| byte == b'"').count() % 2 == 1;
    let plain = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'_';
    let after_rank = match rest {
        [b'T' | b'J' | b'Q' | b'K' | b'A', suit @ ..] if suit.len() < 2 => suit,
        rest => rest,
    };
    outside || after_rank.iter().all(plain)
}

/// Whether a record holds what players wrote: a token game's names and seeds.
fn holds_words(taken: &[u8]) -> bool {
    let contains = |name: &[u8]| taken.windows(name.len()).any(|part| part == name);
    contains(b"\"started\"") || contains(b"\"seeded\"")
}

fn fault(code: Code, at: Position, message: Message) -> ReadError {
    Fault::new(code, at, Text::new(message)).into()
}

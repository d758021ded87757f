use super::chain::Chain;
use super::fault::{Code, Fault, Position, ReadError};
use super::splitter::Splitter;
use super::v1::{self, EndRecord, HeaderRecord, Record, Unliftable};
use super::{End, Header, Hex};
use crate::engine;
use crate::i18n::{Message, Text};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::error::Category;
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
pub struct Entry {
    /// Its place in the sequence, counted from 0.
    pub seq: u64,
    /// The turn it belongs to; 0 before the first.
    pub turn: u32,
    /// The event.
    pub event: engine::Event,
    /// The hash of the table after it.
    pub state: Hex<8>,
    /// Where it stands in the file.
    pub at: Position,
}

impl<R: Read> Reader<R> {
    /// Opens a journal: reads and checks its header.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where the file can't be read, is no journal, or has a bad header.
    pub fn open(input: R) -> Result<Self, ReadError> {
        let mut splitter = Splitter::new(input);
        let at = splitter.position();
        match splitter.peek()? {
            Some(0xef) => return Err(fault(Code::NotJson, at, Message::JOURNAL_BOM)),
            Some(0xfe | 0xff) => return Err(fault(Code::NotJson, at, Message::JOURNAL_UTF16)),
            _ => {}
        }
        match splitter.peek_token()? {
            None => return Err(fault(Code::NotJson, at, Message::JOURNAL_EMPTY)),
            Some(b'{') => {}
            Some(_) => return Err(other_value(&mut splitter)?),
        }
        let after = take_header(&mut splitter)?;
        let at = splitter.taken_at();
        let end = splitter.position();
        let text = splitter.taken();
        match parse::<IgnoredAny>(text, at) {
            Err(ParseError::CutOff(_)) if matches!(after, After::Nothing) => {
                return Err(fault(Code::CutOff, end, Message::JOURNAL_HEADER_CUT));
            }
            parsed => parsed.map_err(ParseError::into_read_error)?,
        };
        check_format(text, at)?;
        let record: HeaderRecord = parse(text, at).map_err(ParseError::into_read_error)?;
        if !matches!(after, After::Events) {
            let text = Text::new(Message::JOURNAL_FIELD).with("reason", "missing field `events`");
            return Err(Fault::new(Code::Field, end, text).into());
        }
        let mut chain = Chain::default();
        if chain.link(&record) != record.chain {
            return Err(fault(Code::Chain, at, Message::JOURNAL_HEADER_CHAIN));
        }
        let header = record.lift().map_err(|error| unliftable(error, at))?;
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

    /// The next event, or `None` where the events end; [`Reader::end`] is due then.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where the file can't be read, or the event is not as it was recorded.
    pub fn entry(&mut self) -> Result<Option<Entry>, ReadError> {
        let first = self.events == 0;
        match self.splitter.peek_token()? {
            None => return Err(self.cut(Code::NoEnd, Message::JOURNAL_NO_END)),
            Some(b']') => {
                self.splitter.take();
                return Ok(None);
            }
            Some(b',') if !first => self.splitter.take(),
            Some(_) if first => {}
            Some(_) => return Err(self.syntax("`,` or `]`")),
        }
        let record: Record = self.value(Code::CutOff, Message::JOURNAL_CUT_OFF)?;
        let at = self.last;
        if record.seq != self.events {
            let text = Text::new(Message::JOURNAL_SEQUENCE)
                .with("expected", self.events.to_string())
                .with("found", record.seq.to_string());
            return Err(Fault::new(Code::Sequence, at, text).into());
        }
        if self.chain.link(&record) != record.chain {
            let text = Text::new(Message::JOURNAL_CHAIN).with("seq", record.seq.to_string());
            return Err(Fault::new(Code::Chain, at, text).into());
        }
        self.events += 1;
        Ok(Some(Entry {
            seq: record.seq,
            turn: record.turn,
            event: record.event.lift(),
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
        self.expect(b',', Some(b'}'))?;
        let key: String = self.value(Code::NoEnd, Message::JOURNAL_NO_END)?;
        if key != "end" {
            let text = Text::new(Message::JOURNAL_UNKNOWN_FIELD).with("field", key);
            return Err(Fault::new(Code::Field, self.last, text).into());
        }
        self.expect(b':', None)?;
        let record: EndRecord = self.value(Code::NoEnd, Message::JOURNAL_NO_END)?;
        let at = self.last;
        if self.chain.link(&record) != record.chain {
            return Err(fault(Code::Chain, at, Message::JOURNAL_END_CHAIN));
        }
        let end = record.lift();
        let end = end.ok_or_else(|| fault(Code::End, at, Message::JOURNAL_END_WINNER))?;
        self.finish()?;
        Ok(end)
    }

    /// The next value; `code` and `message` tell of a file that ends before it does.
    fn value<T: DeserializeOwned>(&mut self, code: Code, message: Message) -> Result<T, ReadError> {
        let started = self.splitter.peek_token()?.is_some();
        self.splitter.begin();
        self.last = self.splitter.taken_at();
        if let Some(value) = self.splitter.take_parsed() {
            return Ok(value);
        }
        let whole = started && self.splitter.take_value()?.is_some();
        let value = parse(self.splitter.taken(), self.last);
        if whole {
            return value.map_err(ParseError::into_read_error);
        }
        // A file that was cut off is sound up to the cut: anything else is damage.
        match value {
            Err(ParseError::Fault(fault)) => Err(fault.into()),
            _ => Err(self.cut(code, message)),
        }
    }

    /// Sees the document closed, and nothing after it.
    fn finish(&mut self) -> Result<(), ReadError> {
        self.expect(b'}', None)?;
        self.splitter.begin();
        if self.splitter.peek_token()?.is_some() {
            let at = self.splitter.position();
            return Err(fault(Code::End, at, Message::JOURNAL_DATA_AFTER_END));
        }
        Ok(())
    }

    /// Takes a token of the outermost object; `closing` would end it before its time.
    fn expect(&mut self, token: u8, closing: Option<u8>) -> Result<(), ReadError> {
        match self.splitter.peek_token()? {
            Some(found) if found == token => {
                self.splitter.take();
                Ok(())
            }
            None => Err(self.cut(Code::NoEnd, Message::JOURNAL_NO_END)),
            found if found == closing => Err(self.cut(Code::NoEnd, Message::JOURNAL_NO_END)),
            Some(_) => Err(self.syntax(&format!("`{}`", char::from(token)))),
        }
    }

    fn cut(&self, code: Code, message: Message) -> ReadError {
        let text = Text::new(message).with("events", self.events.to_string());
        Fault::new(code, self.splitter.position(), text).into()
    }

    fn syntax(&self, expected: &str) -> ReadError {
        let text =
            Text::new(Message::JOURNAL_SYNTAX).with("reason", format!("expected {expected}"));
        Fault::new(Code::NotJson, self.splitter.position(), text).into()
    }
}

/// Takes the header's fields, and makes them an object of their own.
///
/// The result says what follows them.
fn take_header<R: Read>(splitter: &mut Splitter<R>) -> Result<After, ReadError> {
    splitter.begin();
    splitter.take();
    let mut fields_end = splitter.taken().len();
    loop {
        match splitter.peek_token()? {
            None => return Ok(After::Nothing),
            Some(b'}') => {
                splitter.take();
                return Ok(After::NoEvents);
            }
            Some(b',') => {
                splitter.take();
                splitter.peek_token()?;
            }
            Some(_) => {}
        }
        let key_start = splitter.taken().len();
        if splitter.peek()?.is_none() || splitter.take_value()?.is_none() {
            return Ok(After::Nothing);
        }
        let is_events = &splitter.taken()[key_start..] == b"\"events\"";
        if splitter.peek_token()? == Some(b':') {
            splitter.take();
            let value = splitter.peek_token()?;
            if is_events && value == Some(b'[') {
                splitter.take();
                splitter.taken().truncate(fields_end);
                splitter.taken().push(b'}');
                return Ok(After::Events);
            }
            if value.is_none() || splitter.take_value()?.is_none() {
                return Ok(After::Nothing);
            }
        }
        fields_end = splitter.taken().len();
    }
}

/// What follows the fields of a header.
enum After {
    /// The list of events.
    Events,
    /// The end of the object.
    NoEvents,
    /// The end of the file.
    Nothing,
}

/// What to say of a file whose first value is no object.
fn other_value<R: Read>(splitter: &mut Splitter<R>) -> Result<ReadError, ReadError> {
    splitter.begin();
    let at = splitter.position();
    // A number may end with the file: whether the value is whole, parsing will show.
    let _ = splitter.take_value()?;
    let message = match serde_json::from_slice::<IgnoredAny>(splitter.taken()) {
        Ok(_) => return Ok(fault(Code::NoJournal, at, Message::JOURNAL_OTHER_JSON)),
        Err(_) => Message::JOURNAL_NOT_JSON,
    };
    Ok(fault(Code::NotJson, at, message))
}

/// Sees that the document says it is a journal of this version.
fn check_format(text: &[u8], at: Position) -> Result<(), ReadError> {
    #[derive(Deserialize)]
    struct Claim {
        format: Option<serde_json::Value>,
        version: Option<serde_json::Value>,
    }
    let claim: Claim = parse(text, at).map_err(ParseError::into_read_error)?;
    if claim.format != Some(v1::FORMAT.into()) {
        return Err(fault(Code::NoJournal, at, Message::JOURNAL_OTHER_JSON));
    }
    match claim.version {
        Some(version) if version.is_u64() && version != v1::VERSION => {
            let text = Text::new(Message::JOURNAL_VERSION)
                .with("version", version.to_string())
                .with("known", v1::VERSION.to_string());
            Err(Fault::new(Code::Version, at, text).into())
        }
        _ => Ok(()),
    }
}

/// Why a record could not be parsed.
enum ParseError {
    /// It ends too early, and is sound so far.
    CutOff(Fault),
    /// It is wrong.
    Fault(Fault),
}

impl ParseError {
    fn into_read_error(self) -> ReadError {
        let (Self::CutOff(fault) | Self::Fault(fault)) = self;
        fault.into()
    }
}

/// Parses a record that stands at a place of the file.
fn parse<T: DeserializeOwned>(text: &[u8], start: Position) -> Result<T, ParseError> {
    serde_json::from_slice(text).map_err(|error| {
        let line = error.line() as u64;
        let column = error.column() as u64;
        let at = Position {
            line: start.line + line.saturating_sub(1),
            column: if line <= 1 {
                start.column + column.saturating_sub(1)
            } else {
                column
            },
        };
        let reason = error.to_string();
        // The library ends its messages with the place in the record, not in the file.
        let reason = reason.split(" at line ").next().unwrap_or_default();
        let (code, message) = match error.classify() {
            Category::Data => (Code::Field, Message::JOURNAL_FIELD),
            _ => (Code::NotJson, Message::JOURNAL_SYNTAX),
        };
        let fault = Fault::new(code, at, Text::new(message).with("reason", reason));
        match error.classify() {
            Category::Eof => ParseError::CutOff(fault),
            _ => ParseError::Fault(fault),
        }
    })
}

fn unliftable(error: Unliftable, at: Position) -> ReadError {
    let (code, text) = match error {
        Unliftable::UnknownRules(id) => {
            let text = Text::new(Message::JOURNAL_UNKNOWN_RULES);
            (Code::Version, text.with("rules", id))
        }
        Unliftable::UnknownGenerator(name) => {
            let text = Text::new(Message::JOURNAL_UNKNOWN_GENERATOR);
            (Code::Version, text.with("generator", name))
        }
        Unliftable::BadSeed(seed) => {
            let text = Text::new(Message::JOURNAL_BAD_SEED);
            (Code::Field, text.with("seed", seed))
        }
        Unliftable::BadCorrection => {
            let text = Text::new(Message::JOURNAL_BAD_CORRECTION);
            (Code::Field, text)
        }
    };
    Fault::new(code, at, text).into()
}

fn fault(code: Code, at: Position, message: Message) -> ReadError {
    Fault::new(code, at, Text::new(message)).into()
}

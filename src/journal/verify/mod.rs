//! Verification: a journal's game, played along.

mod recorded;
mod tokens;
mod war;

use super::fault::{Divergence, Fault, Position, ReadError};
use super::problem::GameError;
use super::{End, Entry, Event, Header, Moment, Printed, Reader, Reason, Rules, event_json, v1};
use std::io::Read;
use tokens::TokenChecker;
use war::WarChecker;

/// Reads a journal and plays the rules along: each event must be the one they decide.
///
/// Events come out only after they were found true, so whatever is folded from them is
/// an exact prefix of the game as it was played.
pub struct Verifier<R> {
    reader: Reader<R>,
    checker: Checker,
    events: u64,
}

/// A game that is played along with its journal.
enum Checker {
    War(WarChecker),
    Tokens(TokenChecker),
}

impl Checker {
    /// The hands as they are.
    fn hands(&self) -> String {
        match self {
            Self::War(checker) => war::hands(checker.table()),
            Self::Tokens(checker) => tokens::hands(checker.game()),
        }
    }
}

impl<R: Read> Verifier<R> {
    /// Opens a journal: reads and checks its header.
    ///
    /// # Errors
    ///
    /// As [`Reader::open`].
    pub fn open(input: R) -> Result<Self, ReadError> {
        let reader = Reader::open(input)?;
        let checker = match reader.header().rules {
            Rules::War(variant) => Checker::War(WarChecker::new(variant.parameters)),
            Rules::Tokens(committed) => Checker::Tokens(TokenChecker::new(committed)),
        };
        Ok(Self {
            reader,
            checker,
            events: 0,
        })
    }

    /// The header.
    #[must_use]
    pub const fn header(&self) -> &Header {
        self.reader.header()
    }

    /// The event last handed out, with its game as it is after it.
    ///
    /// # Panics
    ///
    /// If the event is of another kind of game than the journal's.
    #[must_use]
    pub fn moment<'a>(&'a self, event: &'a Event) -> Moment<'a> {
        match (event, &self.checker) {
            (Event::War(event), Checker::War(checker)) => Moment::War(event, checker.table()),
            (Event::Tokens(event), Checker::Tokens(checker)) => {
                Moment::Tokens(event, checker.game())
            }
            _ => panic!("the event is not of this journal"),
        }
    }

    /// The turn played last: of a token game, the number of the deal.
    #[must_use]
    pub const fn turn(&self) -> u32 {
        match &self.checker {
            Checker::War(checker) => checker.table().turn(),
            Checker::Tokens(checker) => checker.game().deals(),
        }
    }

    /// The number of events found true so far.
    #[must_use]
    pub const fn events(&self) -> u64 {
        self.events
    }

    /// Where the record read last begins.
    #[must_use]
    pub const fn position(&self) -> Position {
        self.reader.position()
    }

    /// The next event, found true, or `None` where the events end.
    ///
    /// # Errors
    ///
    /// [`ReadError`] at the first event that is damaged or diverges from the rules.
    ///
    /// # Panics
    ///
    /// If the rules decide an event that their game can't do: never.
    pub fn event(&mut self) -> Result<Option<Event>, ReadError> {
        let Some(entry) = self.reader.entry()? else {
            return Ok(None);
        };
        let header = self.reader.header();
        match (&entry.event, &mut self.checker) {
            (Event::War(event), Checker::War(checker)) => checker.check(header, &entry, event)?,
            (Event::Tokens(event), Checker::Tokens(checker)) => {
                checker.check(header, &entry, event)?;
            }
            _ => unreachable!("the reader reads events of the header's rules"),
        }
        let turn = self.turn();
        if entry.turn != turn {
            let problem = GameError::Turn {
                seq: entry.seq,
                found: entry.turn,
                expected: turn,
            };
            let told = |turn| format!("{{\"turn\":{turn},\"event\":{}}}", event_json(&entry.event));
            let hands = self.checker.hands();
            let mut fault = Fault::new(entry.at, problem);
            fault.divergence = Some(Box::new(Divergence {
                seq: entry.seq,
                turn: entry.turn,
                journal: told(entry.turn),
                rules: told(turn),
                journal_hands: hands.clone(),
                rules_hands: hands,
            }));
            return Err(fault.into());
        }
        let state = match &mut self.checker {
            Checker::War(checker) => checker.state(),
            Checker::Tokens(checker) => v1::token_state(checker.game()),
        };
        if state != entry.state {
            let problem = GameError::State {
                seq: entry.seq,
                turn: entry.turn,
                found: entry.state,
                expected: state,
            };
            return Err(Fault::new(entry.at, problem).into());
        }
        self.events += 1;
        Ok(Some(entry.event))
    }

    /// The end record, found true; to be called once, after the last event.
    ///
    /// `console` is the digest of what the events print, or `None` where it can't be
    /// compared because the game was printed by another renderer or in another language.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where the end record is missing or says what is not true.
    pub fn end(&mut self, console: Option<Printed>) -> Result<End, ReadError> {
        let end = self.reader.end()?;
        let at = self.reader.position();
        let cut_off = end.reason == Reason::CutOff;
        let wrong = |field: &'static str, found: String, expected: String| {
            let problem = GameError::End {
                field,
                found,
                expected,
            };
            Err(Fault::new(at, problem).into())
        };
        let reason = self.reason();
        if end.reason != reason && !cut_off {
            return wrong("reason", reason_name(end.reason), reason_name(reason));
        }
        if end.turns != self.turn() {
            return wrong("turns", end.turns.to_string(), self.turn().to_string());
        }
        if end.events != self.events {
            return wrong("events", end.events.to_string(), self.events.to_string());
        }
        match console {
            Some(console) if console != end.console => {
                let problem = GameError::Console {
                    found: end.console.blake3,
                    found_bytes: end.console.bytes,
                    expected: console.blake3,
                    expected_bytes: console.bytes,
                };
                Err(Fault::new(at, problem).into())
            }
            _ => Ok(end),
        }
    }

    fn reason(&self) -> Reason {
        match &self.checker {
            Checker::War(checker) => Reason::of(checker.table()),
            Checker::Tokens(checker) => Reason::of_tokens(checker.game()),
        }
    }
}

/// An event that is not the one that the rules decide.
fn diverges(entry: &Entry, divergence: Divergence) -> Fault {
    let (seq, turn) = (entry.seq, entry.turn);
    let mut fault = Fault::new(entry.at, GameError::Event { seq, turn });
    fault.divergence = Some(Box::new(divergence));
    fault
}

/// What the journal says and what the rules say, with the hands that either leads to.
fn divergence(
    entry: &Entry,
    rules: Option<&Event>,
    hands: impl Fn(&Event) -> String,
) -> Divergence {
    Divergence {
        seq: entry.seq,
        turn: entry.turn,
        journal: event_json(&entry.event),
        rules: rules.map(event_json).unwrap_or_default(),
        journal_hands: hands(&entry.event),
        rules_hands: rules.map(hands).unwrap_or_default(),
    }
}

fn reason_name(reason: Reason) -> String {
    match reason {
        Reason::Won(seat) => format!("won {seat}"),
        Reason::Endless => "endless".to_owned(),
        Reason::Stopped(Some(seat)) => format!("stopped {seat}"),
        Reason::Stopped(None) => "stopped".to_owned(),
        Reason::Drawn => "drawn".to_owned(),
        Reason::Folded => "folded".to_owned(),
        Reason::CutOff => "cut_off".to_owned(),
    }
}

//! Verification: a journal's game, played along.

use super::digest::{ConsoleDigest, Printed};
use super::fault::{Divergence, Fault, Position, ReadError};
use super::header::{Header, SILENT};
use super::judgement::{End, Reason};
use super::kind::Journaled;
use super::problem::GameError;
use super::reader::{After, Entry, Reader};
use super::v1::Form;
use crate::engine::State;
use crate::support::hex::Hex;
use crate::tokens::Seats;

/// Reads a journal and plays the rules along: each event must be the one they decide.
///
/// Events come out only after they were verified, so whatever is folded from them is
/// an exact prefix of the game as it was played.
pub struct Verifier<'a, C> {
    reader: Reader<'a>,
    checker: C,
    events: u64,
    room: Vec<u8>,
}

impl<'a, C: Checker> Verifier<'a, C> {
    /// Verifies what this reader reads on, with a checker made for its header.
    #[must_use]
    pub const fn new(reader: Reader<'a>, checker: C) -> Self {
        Self {
            reader,
            checker,
            events: 0,
            room: Vec::new(),
        }
    }

    /// The header.
    #[must_use]
    pub const fn header(&self) -> &Header {
        self.reader.header()
    }

    /// The state of the game after the event last handed out.
    #[must_use]
    pub fn state(&self) -> &C::State {
        self.checker.state()
    }

    /// Who plays a token game, once it has started; `None` in every other game.
    #[must_use]
    pub fn seats(&self) -> Option<&Seats> {
        self.checker.seats()
    }

    /// The number of events verified so far.
    #[must_use]
    pub const fn events(&self) -> u64 {
        self.events
    }

    /// Where the record read last begins.
    #[must_use]
    pub const fn position(&self) -> Position {
        self.reader.position()
    }

    /// Where reading has come to; see [`Reader::reached`].
    #[must_use]
    pub const fn reached(&self) -> Position {
        self.reader.reached()
    }

    /// The next event, verified, or `None` where the events end.
    ///
    /// # Errors
    ///
    /// [`ReadError`] at the first event that is damaged or diverges from the rules.
    pub fn event(&mut self) -> Result<Option<<C::State as State>::Event>, ReadError> {
        let Some(entry) = self.checker.read(&mut self.reader)? else {
            return Ok(None);
        };
        self.checker.check(self.reader.header(), &entry)?;
        let state = self.checker.state();
        let turn = state.turn();
        if let Some(after) = entry.after.filter(|after| after.turn != turn) {
            return Err(wrong_turn(&entry, after.turn, state).into());
        }
        let hash = state.hash(&mut self.room);
        if let Some(after) = entry.after.filter(|after| after.state != hash) {
            return Err(wrong_state(&entry, after, hash).into());
        }
        let after = After { turn, state: hash };
        self.reader.confirm::<C::State>(&entry, after)?;
        self.events += 1;
        Ok(Some(entry.event))
    }

    /// The end record, verified; to be called once, after the last event.
    ///
    /// `console` is the digest of what the events print, or `None` where it can't be
    /// compared because the game was printed in another language. A game that printed nothing
    /// has the digest of nothing, whatever is given here.
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
        let reason = self.state().reason();
        if end.reason != reason && !cut_off {
            return wrong("reason", reason_name(end.reason), reason_name(reason));
        }
        if end.turns != self.state().turn() {
            return wrong(
                "turns",
                end.turns.to_string(),
                self.state().turn().to_string(),
            );
        }
        if end.events != self.events {
            return wrong("events", end.events.to_string(), self.events.to_string());
        }
        let is_silent = self.header().renderer == SILENT;
        let nothing = || ConsoleDigest::default().printed();
        match is_silent.then(nothing).or(console) {
            Some(console) if console != end.console => {
                let problem = GameError::Console {
                    found: end.console.blake3,
                    found_bytes: end.console.bytes,
                    expected: console.blake3,
                    expected_bytes: console.bytes,
                };
                Err(Fault::new(at, problem).into())
            }
            _ => {
                self.reader.check_upgraded(&end)?;
                Ok(end)
            }
        }
    }
}

/// An event as a checker reads it.
pub(super) type EntryOf<C> = Entry<<<C as Checker>::State as crate::engine::State>::Event>;

/// A game that is played along with its journal.
pub trait Checker {
    /// The state of the game.
    type State: Journaled;

    /// The state after the events checked so far.
    fn state(&self) -> &Self::State;

    /// Who plays a token game, once it has started; `None` in every other game.
    fn seats(&self) -> Option<&Seats> {
        None
    }

    /// Reads the next event, or `None` where the events end.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where the file can't be read, or the event is not as it was recorded.
    fn read(&self, reader: &mut Reader<'_>) -> Result<Option<EntryOf<Self>>, ReadError>;

    /// Takes the next event, which must be the one that the rules decide.
    ///
    /// # Errors
    ///
    /// [`Fault`] where it is another one.
    fn check(&mut self, header: &Header, entry: &EntryOf<Self>) -> Result<(), Fault>;
}

/// An event recorded in another turn than its own.
fn wrong_turn<S: Journaled>(entry: &Entry<S::Event>, found: u32, state: &S) -> Fault {
    let problem = GameError::Turn {
        seq: entry.seq,
        found,
        expected: state.turn(),
    };
    let event = S::event_json(&entry.event);
    let told = |turn| format!("{{\"turn\":{turn},\"event\":{event}}}");
    let mut fault = Fault::new(entry.at, problem);
    fault.divergence = Some(Box::new(Divergence {
        seq: entry.seq,
        turn: found,
        journal: told(found),
        rules: told(state.turn()),
        journal_hands: state.hands(),
        rules_hands: state.hands(),
    }));
    fault
}

/// A state recorded that is not the one that the events make.
fn wrong_state<E>(entry: &Entry<E>, found: After, state: Hex<8>) -> Fault {
    let problem = GameError::State {
        seq: entry.seq,
        turn: found.turn,
        found: found.state,
        expected: state,
    };
    Fault::new(entry.at, problem)
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

/// An event that is not the one that the rules decide after this state; they decide nothing
/// where the game is over.
///
/// `apply` applies an event to a state; the result says whether it could.
pub(super) fn diverges<S: Journaled>(
    entry: &Entry<S::Event>,
    state: &S,
    rules: Option<&S::Event>,
    apply: impl Fn(&mut S, &S::Event) -> bool,
) -> Fault {
    let after = |event: &S::Event| {
        let mut state = state.clone();
        apply(&mut state, event).then_some(state)
    };
    let made = after(&entry.event);
    let happened = made.as_ref().unwrap_or(state).turn();
    let (seq, turn) = (entry.seq, entry.after.map_or(happened, |after| after.turn));
    let mut fault = Fault::new(entry.at, GameError::Event { seq, turn });
    let hands = |state: Option<S>| state.as_ref().map(S::hands).unwrap_or_default();
    fault.divergence = Some(Box::new(Divergence {
        seq,
        turn,
        journal: S::event_json(&entry.event),
        rules: rules.map(S::event_json).unwrap_or_default(),
        journal_hands: hands(made),
        rules_hands: hands(rules.and_then(after)),
    }));
    fault
}

//! Verification: plays the game of a journal again, and compares each event with the recorded one.

use super::digest::{ConsoleDigest, ConsoleHasher};
use super::fault::{Divergence, Fault, Position, ReadError};
use super::header::{Header, NO_RENDERER};
use super::judgement::{End, GameEndReason};
use super::kind::JournaledGame;
use super::problem::GameError;
use super::reader::{JournalEntry, Reader, RecordedState};
use super::v1::RecordForm;
use crate::engine::State;
use crate::support::hex::Hex;
use crate::tokens::Seats;

/// Reads a journal and plays its game: each event must be the one that the rules decide.
///
/// Returns only verified events, so everything folded from them is an exact prefix of the game as
/// it was played.
pub struct Verifier<'a, C> {
    reader: Reader<'a>,
    checker: C,
    events: u64,
    /// Scratch space for hashing states.
    buffer: Vec<u8>,
}

impl<'a, C: Checker> Verifier<'a, C> {
    /// A verifier of the rest of a journal. The checker must be made for the header of the reader.
    #[must_use]
    pub const fn new(reader: Reader<'a>, checker: C) -> Self {
        Self {
            reader,
            checker,
            events: 0,
            buffer: Vec::new(),
        }
    }

    /// The header of the journal.
    #[must_use]
    pub const fn header(&self) -> &Header {
        self.reader.header()
    }

    /// The state of the game after the last event returned.
    #[must_use]
    pub fn state(&self) -> &C::State {
        self.checker.state()
    }

    /// The players of a token game, once it has started; `None` in every other game.
    #[must_use]
    pub fn seats(&self) -> Option<&Seats> {
        self.checker.seats()
    }

    /// The number of events verified so far.
    #[must_use]
    pub const fn events(&self) -> u64 {
        self.events
    }

    /// The start of the record read last.
    #[must_use]
    pub const fn position(&self) -> Position {
        self.reader.position()
    }

    /// The end of the records read so far; see [`Reader::end_position`].
    #[must_use]
    pub const fn end_position(&self) -> Position {
        self.reader.end_position()
    }

    /// Reads and verifies the next event; `None` after the last.
    ///
    /// # Errors
    ///
    /// [`ReadError`] at the first event that is damaged or diverges from the rules.
    pub fn next_event(&mut self) -> Result<Option<<C::State as State>::Event>, ReadError> {
        let Some(entry) = self.checker.read(&mut self.reader)? else {
            return Ok(None);
        };
        self.checker.check(self.reader.header(), &entry)?;
        let state = self.checker.state();
        let turn = state.turn();
        if let Some(after) = entry.after.filter(|after| after.turn != turn) {
            return Err(turn_fault(&entry, after.turn, state).into());
        }
        let hash = state.hash(&mut self.buffer);
        if let Some(after) = entry.after.filter(|after| after.state != hash) {
            return Err(state_fault(&entry, after, hash).into());
        }
        let after = RecordedState { turn, state: hash };
        self.reader.link_compact_event::<C::State>(&entry, after)?;
        self.events += 1;
        Ok(Some(entry.event))
    }

    /// Reads and verifies the end record. Must be called once, after the last event.
    ///
    /// `console` is the digest of the replayed screens, or `None` if they can't be compared because
    /// they are in another language. `console` is ignored for a game that printed nothing.
    ///
    /// # Errors
    ///
    /// [`ReadError`] if the end record is missing or wrong.
    pub fn read_end(&mut self, console: Option<ConsoleDigest>) -> Result<End, ReadError> {
        let end = self.reader.read_end()?;
        let at = self.reader.position();
        let cut_off = end.reason == GameEndReason::CutOff;
        let mismatch = |field: &'static str, found: String, expected: String| {
            let problem = GameError::End {
                field,
                found,
                expected,
            };
            Err(Fault::new(at, problem).into())
        };
        let reason = self.state().reason();
        if end.reason != reason && !cut_off {
            return mismatch("reason", reason_name(end.reason), reason_name(reason));
        }
        if end.turns != self.state().turn() {
            return mismatch(
                "turns",
                end.turns.to_string(),
                self.state().turn().to_string(),
            );
        }
        if end.events != self.events {
            return mismatch("events", end.events.to_string(), self.events.to_string());
        }
        let is_silent = self.header().renderer == NO_RENDERER;
        let nothing = || ConsoleHasher::default().digest();
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
                self.reader.check_v1_digest(&end)?;
                Ok(end)
            }
        }
    }
}

/// Entry of the kind of game that a checker plays.
pub(super) type CheckerEntry<C> =
    JournalEntry<<<C as Checker>::State as crate::engine::State>::Event>;

/// A game that is played along with its journal, to check each event.
pub trait Checker {
    /// The state of the game.
    type State: JournaledGame;

    /// The state after the events checked so far.
    fn state(&self) -> &Self::State;

    /// The players of a token game, once it has started; `None` in every other game.
    fn seats(&self) -> Option<&Seats> {
        None
    }

    /// Reads the next event; `None` after the last.
    ///
    /// # Errors
    ///
    /// [`ReadError`] if the file can't be read or the event is damaged.
    fn read(&self, reader: &mut Reader<'_>) -> Result<Option<CheckerEntry<Self>>, ReadError>;

    /// Checks that the next event is the one that the rules decide, and applies it.
    ///
    /// # Errors
    ///
    /// [`Fault`] if the event is not the one that the rules decide.
    fn check(&mut self, header: &Header, entry: &CheckerEntry<Self>) -> Result<(), Fault>;
}

/// Fault of an event recorded in the wrong turn.
fn turn_fault<S: JournaledGame>(entry: &JournalEntry<S::Event>, found: u32, state: &S) -> Fault {
    let problem = GameError::Turn {
        seq: entry.seq,
        found,
        expected: state.turn(),
    };
    let event = S::event_json(&entry.event);
    let text = |turn| format!("{{\"turn\":{turn},\"event\":{event}}}");
    let mut fault = Fault::new(entry.at, problem);
    fault.divergence = Some(Box::new(Divergence {
        seq: entry.seq,
        turn: found,
        journal: text(found),
        rules: text(state.turn()),
        journal_hands: state.hands_text(),
        rules_hands: state.hands_text(),
    }));
    fault
}

/// Fault of an event recorded with the wrong state.
fn state_fault<E>(entry: &JournalEntry<E>, found: RecordedState, state: Hex<8>) -> Fault {
    let problem = GameError::State {
        seq: entry.seq,
        turn: found.turn,
        found: found.state,
        expected: state,
    };
    Fault::new(entry.at, problem)
}

fn reason_name(reason: GameEndReason) -> String {
    match reason {
        GameEndReason::Won(seat) => format!("won {seat}"),
        GameEndReason::Endless => "endless".to_owned(),
        GameEndReason::Stopped(Some(seat)) => format!("stopped {seat}"),
        GameEndReason::Stopped(None) => "stopped".to_owned(),
        GameEndReason::Drawn => "drawn".to_owned(),
        GameEndReason::Folded => "folded".to_owned(),
        GameEndReason::CutOff => "cut_off".to_owned(),
    }
}

/// Fault of an event that differs from `rules`: the event that the rules decide after this state,
/// or `None` if there is none, as in a game that is over.
///
/// `apply` applies an event to a state, and returns false if the event is impossible.
pub(super) fn divergence_fault<S: JournaledGame>(
    entry: &JournalEntry<S::Event>,
    state: &S,
    rules: Option<&S::Event>,
    apply: impl Fn(&mut S, &S::Event) -> bool,
) -> Fault {
    let after = |event: &S::Event| {
        let mut state = state.clone();
        apply(&mut state, event).then_some(state)
    };
    let next = after(&entry.event);
    let next_turn = next.as_ref().unwrap_or(state).turn();
    let (seq, turn) = (entry.seq, entry.after.map_or(next_turn, |after| after.turn));
    let mut fault = Fault::new(entry.at, GameError::Event { seq, turn });
    let hands = |state: Option<S>| state.as_ref().map(S::hands_text).unwrap_or_default();
    fault.divergence = Some(Box::new(Divergence {
        seq,
        turn,
        journal: S::event_json(&entry.event),
        rules: rules.map(S::event_json).unwrap_or_default(),
        journal_hands: hands(next),
        rules_hands: hands(rules.and_then(after)),
    }));
    fault
}

use super::checker::{Checker, EntryOf};
use super::fault::diverges;
use crate::cards::Deck;
use crate::journal::fault::{Fault, ReadError};
use crate::journal::header::{Committed, Header};
use crate::journal::problem::GameError;
use crate::journal::reader::Reader;
use crate::tokens::{Fairness, Move, Refused, Seats, TokenEvent, TokenGame};
use std::io::Read;

/// A token game that is played along with its journal.
///
/// What the players did is read from the journal; cards and results must be what the
/// secret and the rules make of it.
#[derive(Debug)]
pub struct TokenChecker {
    game: TokenGame,
    committed: Committed,
}

impl TokenChecker {
    /// The game that was committed to, before its first event.
    #[must_use]
    pub const fn new(committed: Committed) -> Self {
        let game = TokenGame::new(committed.rules, committed.game, committed.secret);
        Self { game, committed }
    }

    /// Checks that the game starts, and that its seed is the one committed to.
    fn check_opening(&self, header: &Header, entry: &EntryOf<Self>) -> Result<(), Fault> {
        let wrong = if (header.players, header.deck) != (2, Deck::Large) {
            GameError::NoDeck
        } else if self.committed.secret.commitment() != self.committed.commitment {
            GameError::Commitment
        } else if !self.is_start(&entry.event) {
            GameError::NotStarted
        } else {
            return Ok(());
        };
        Err(Fault::new(entry.at, wrong))
    }

    /// Whether games by these rules begin with this event.
    const fn is_start(&self, event: &TokenEvent) -> bool {
        match self.committed.rules.fairness {
            Fairness::Added => matches!(event, TokenEvent::Started { .. }),
            Fairness::Committed => matches!(event, TokenEvent::Committed { .. }),
        }
    }

    fn check_decided(&self, entry: &EntryOf<Self>) -> Result<(), Fault> {
        let recorded = &entry.event;
        let decided = self.decided(recorded);
        if let (Err(Refused::WrongSeed), TokenEvent::Opened { seat, .. }) = (&decided, recorded) {
            return Err(Fault::new(entry.at, GameError::OpenedSeed(*seat)));
        }
        let decided = decided.ok();
        if decided.as_ref() == Some(recorded) {
            return Ok(());
        }
        let dealt_otherwise = matches!(
            (&decided, recorded),
            (Some(TokenEvent::Dealt { .. }), TokenEvent::Dealt { .. })
        );
        let apply = |game: &mut TokenGame, event: &TokenEvent| game.apply(event).is_ok();
        let mut fault = diverges(entry, &self.game, decided.as_ref(), apply);
        if dealt_otherwise {
            fault.problem = GameError::Generator.into();
        }
        Err(fault)
    }

    /// What the rules bring about, by themselves or by the move that this event records.
    fn decided(&self, recorded: &TokenEvent) -> Result<TokenEvent, Refused> {
        if let Some(event) = self.game.follows() {
            return Ok(event);
        }
        let made = match recorded {
            TokenEvent::Seeded { seat, value } => Move::Seed(*seat, value.clone()),
            TokenEvent::Opened { seat, seed } => Move::Open(*seat, *seed),
            TokenEvent::Forfeited { seat } => Move::TimeOut(*seat),
            TokenEvent::Decided {
                seat,
                decision,
                timed_out,
            } => match timed_out {
                true => Move::TimeOut(*seat),
                false => Move::Decide(*seat, *decision),
            },
            // Time may have brought the first deal.
            _ => Move::Deal,
        };
        self.game.decide(&made)
    }
}

impl Checker for TokenChecker {
    type State = TokenGame;

    fn state(&self) -> &TokenGame {
        &self.game
    }

    fn seats(&self) -> Option<&Seats> {
        self.game.seats()
    }

    fn read<R: Read>(&self, reader: &mut Reader<R>) -> Result<Option<EntryOf<Self>>, ReadError> {
        reader.token_entry()
    }

    /// The event must be the one that the moves, the secret and the rules bring about.
    fn check(&mut self, header: &Header, entry: &EntryOf<Self>) -> Result<(), Fault> {
        if self.game.seats().is_none() {
            self.check_opening(header, entry)?;
        } else {
            self.check_decided(entry)?;
        }
        let applied = self.game.apply(&entry.event);
        applied.expect("the event was found true");
        Ok(())
    }
}

use super::super::{self as journal, Committed, Entry, Header};
use super::{divergence, diverges};
use crate::cards::{Card, Deck};
use crate::journal::{Divergence, Fault, GameError};
use crate::tokens::{Decision, Move, TokenEvent, TokenGame};

/// A token game that is played along with its journal.
///
/// What the players did is read from the journal; cards and results must be what the
/// secret and the rules make of it.
pub(super) struct TokenChecker {
    game: TokenGame,
    committed: Committed,
}

impl TokenChecker {
    pub(super) const fn new(committed: Committed) -> Self {
        let game = TokenGame::new(committed.kind, committed.game, committed.secret);
        Self { game, committed }
    }

    pub(super) const fn game(&self) -> &TokenGame {
        &self.game
    }

    /// Takes the next event, which must be the one that the moves, the secret and the
    /// rules bring about.
    pub(super) fn check(
        &mut self,
        header: &Header,
        entry: &Entry,
        event: &TokenEvent,
    ) -> Result<(), Fault> {
        if self.game.players().is_none() {
            self.check_opening(header, entry, event)?;
        } else {
            self.check_decided(entry, event)?;
        }
        let applied = self.game.apply(event);
        applied.expect("the event was found true");
        Ok(())
    }

    /// Sees that the game starts, and that its seed is the one committed to.
    fn check_opening(
        &self,
        header: &Header,
        entry: &Entry,
        event: &TokenEvent,
    ) -> Result<(), Fault> {
        let wrong = if (header.players, header.deck) != (2, Deck::Large) {
            GameError::NoDeck
        } else if self.committed.secret.commitment() != self.committed.commitment {
            GameError::Commitment
        } else if !matches!(event, TokenEvent::Started { .. }) {
            GameError::NotStarted
        } else {
            return Ok(());
        };
        Err(Fault::new(entry.at, wrong))
    }

    fn check_decided(&self, entry: &Entry, recorded: &TokenEvent) -> Result<(), Fault> {
        let decided = self.decided(recorded);
        if decided.as_ref() == Some(recorded) {
            return Ok(());
        }
        let dealt_otherwise = matches!(
            (&decided, recorded),
            (Some(TokenEvent::Dealt { .. }), TokenEvent::Dealt { .. })
        );
        let decided = decided.map(journal::Event::Tokens);
        let mut fault = diverges(entry, self.divergence(entry, decided.as_ref()));
        if dealt_otherwise {
            fault.problem = GameError::Generator.into();
        }
        Err(fault)
    }

    /// What the rules bring about, by themselves or by the move that this event records.
    fn decided(&self, recorded: &TokenEvent) -> Option<TokenEvent> {
        if let Some(event) = self.game.follows() {
            return Some(event);
        }
        let at_the_table = |seat: crate::engine::Seat| seat.index() < 2;
        let made = match recorded {
            TokenEvent::Seeded { seat, value } if at_the_table(*seat) => {
                Move::Seed(*seat, value.clone())
            }
            TokenEvent::Decided {
                seat,
                decision,
                timed_out,
            } if at_the_table(*seat) => match timed_out {
                true => Move::TimeOut(*seat),
                false => Move::Decide(*seat, *decision),
            },
            // Time may have brought the first deal.
            _ => Move::Deal,
        };
        self.game.decide(&made).ok()
    }

    fn divergence(&self, entry: &Entry, rules: Option<&journal::Event>) -> Divergence {
        divergence(entry, rules, |event| {
            let mut game = self.game.clone();
            match event {
                journal::Event::Tokens(event) if game.apply(event).is_ok() => hands(&game),
                _ => String::new(),
            }
        })
    }
}

/// The hands in play, with the decisions on them.
pub(super) fn hands(game: &TokenGame) -> String {
    let hand = |(cards, decision): (&Vec<Card>, Option<Decision>)| {
        let cards: Vec<_> = cards.iter().map(Card::to_string).collect();
        let decided = match decision {
            None => "",
            Some(Decision::Play) => " play",
            Some(Decision::Fold) => " fold",
        };
        format!("[{}]{decided}", cards.join(","))
    };
    let hands = game.hands().map(|hands| hands.iter()).unwrap_or_default();
    let hands = hands.zip(game.decisions()).map(hand);
    format!("[{}]", hands.collect::<Vec<_>>().join(","))
}

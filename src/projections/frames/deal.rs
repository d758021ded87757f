use crate::engine::Seat;
use crate::tokens::{Decision, Hand, TokenEvent};

/// A deal of a token game; the first frame, before any deal, has no cards.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Deal {
    /// What each player got and did, by seat.
    pub seats: [Dealt; 2],
    /// Whether both played equal hands.
    pub is_tied: bool,
}

/// What a player of a token game got and did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Dealt {
    /// Their cards.
    pub hand: Hand,
    /// What they decided.
    pub decision: Option<Decision>,
    /// Whether time decided for them.
    pub timed_out: bool,
    /// Whether they did not open their seed in time.
    pub forfeited: bool,
    /// The tokens they won, with the end of the game; negative for what they lost.
    pub won: Option<i64>,
}

impl Deal {
    /// Adds an event.
    pub(super) fn show(&mut self, event: &TokenEvent) {
        match event {
            TokenEvent::Dealt { hands } => {
                for (seat, hand) in self.seats.iter_mut().zip(hands) {
                    seat.hand.clone_from(hand);
                }
            }
            TokenEvent::Forfeited { seat } => {
                self.of(*seat, |dealt| dealt.forfeited = true);
            }
            TokenEvent::Decided {
                seat,
                decision,
                timed_out,
            } => self.of(*seat, |dealt| {
                dealt.decision = Some(*decision);
                dealt.timed_out = *timed_out;
            }),
            TokenEvent::Tied => self.is_tied = true,
            TokenEvent::Settled { deltas } => {
                for (seat, won) in self.seats.iter_mut().zip(deltas) {
                    seat.won = Some(*won);
                }
            }
            TokenEvent::Started { .. }
            | TokenEvent::Committed { .. }
            | TokenEvent::Opened { .. }
            | TokenEvent::Seeded { .. } => {}
        }
    }

    fn of(&mut self, seat: Seat, change: impl FnOnce(&mut Dealt)) {
        if let Some(dealt) = self.seats.get_mut(seat.index()) {
            change(dealt);
        }
    }
}

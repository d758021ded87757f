use super::{ClientSeed, Hand, Kind, Name, compare};
use crate::engine::Seat;
use crate::support::hex::Hex;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// What a player does with their hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// They play it.
    Play,
    /// They fold it.
    Fold,
}

/// A fact of a token game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TokenEvent {
    /// Version 1: two players met; the one who waited sits at seat 1.
    Started {
        /// Their names, by seat.
        players: [Name; 2],
    },
    /// Version 2: two players met, each committed to a seed; the one who waited sits at seat 1.
    Committed {
        /// Their public numbers, by seat.
        players: [u64; 2],
        /// The SHA-256 of their seeds, by seat.
        seed_hashes: [Hex<32>; 2],
    },
    /// Version 2: a player opened the seed that they are committed to.
    Opened {
        /// Whose it is.
        seat: Seat,
        /// The seed.
        seed: Hex<32>,
    },
    /// Version 2: a player did not open their seed in time, and folds the game.
    Forfeited {
        /// Who.
        seat: Seat,
    },
    /// Version 1: a player added a seed of their own, before the first deal.
    Seeded {
        /// Whose it is.
        seat: Seat,
        /// The seed.
        value: ClientSeed,
    },
    /// Both were dealt a hand from a deck shuffled afresh.
    Dealt {
        /// The hands, by seat.
        hands: [Hand; 2],
    },
    /// A player decided, or time decided for them.
    Decided {
        /// Who.
        seat: Seat,
        /// What; always to fold where time ran out.
        decision: Decision,
        /// Whether they did not decide in time.
        timed_out: bool,
    },
    /// Both played hands that are equal: new ones are due.
    Tied,
    /// The game is over.
    Settled {
        /// What each player wins, by seat; negative for what they lose.
        deltas: [i64; 2],
    },
}

/// How a game comes out once both players decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settlement {
    /// Both played equal hands.
    Tied,
    /// What each player wins, by seat; negative for what they lose.
    Deltas([i64; 2]),
}

impl Settlement {
    /// How a game with these decisions and hands comes out, by the stakes of its kind.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::tokens::{Decision, Kind, Settlement};
    ///
    /// let hands = ["Jc", "9h"].map(|card| vec![card.parse().unwrap()]);
    /// let settled = |one, two| Settlement::of(Kind::Single, [one, two], &hands);
    /// let showdown = settled(Decision::Play, Decision::Play);
    /// assert_eq!(showdown, Settlement::Deltas([10, -10]));
    /// let folded = settled(Decision::Fold, Decision::Play);
    /// assert_eq!(folded, Settlement::Deltas([-3, 3]));
    /// ```
    #[must_use]
    pub fn of(kind: Kind, decisions: [Decision; 2], hands: &[Hand; 2]) -> Self {
        let stakes = kind.stakes();
        let won = match decisions {
            [Decision::Fold, Decision::Fold] => return Self::Deltas([-stakes.both_fold; 2]),
            [Decision::Play, Decision::Fold] => stakes.one_folds,
            [Decision::Fold, Decision::Play] => -stakes.one_folds,
            [Decision::Play, Decision::Play] => match compare(&hands[0], &hands[1]) {
                Ordering::Equal => return Self::Tied,
                Ordering::Greater => stakes.showdown,
                Ordering::Less => -stakes.showdown,
            },
        };
        Self::Deltas([won, -won])
    }
}

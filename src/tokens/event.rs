use super::{ClientSeed, Hand, Kind, Name, compare_hands};
use crate::engine::Seat;
use crate::support::hex::Hex;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// A player's decision on their hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// Decision to play the hand.
    Play,
    /// Decision to fold the hand.
    Fold,
}

/// A fact of a token game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TokenEvent {
    /// Version 1: start of a game of two players; the one who waited is in seat 1.
    Started {
        /// Names of the players, by seat.
        players: [Name; 2],
    },
    /// Version 2: start of a game of two players, each committed to a seed; the one who waited is
    /// in seat 1.
    Committed {
        /// Public numbers of the players, by seat.
        players: [u64; 2],
        /// SHA-256 hashes of the players' seeds, by seat.
        seed_hashes: [Hex<32>; 2],
    },
    /// Daily duel: start of a hand of a player, in seat 1, against the house, in seat 2.
    DuelStarted,
    /// Version 2: seed opened by the player who is committed to it.
    Opened {
        /// The player who opened the seed.
        seat: Seat,
        /// The opened seed.
        seed: Hex<32>,
    },
    /// Version 2: timeout of a player who did not open their seed, and so folds.
    Forfeited {
        /// The player who ran out of time.
        seat: Seat,
    },
    /// Version 1: seed added by a player before the first deal.
    Seeded {
        /// The player who added the seed.
        seat: Seat,
        /// The added seed.
        value: ClientSeed,
    },
    /// Deal of a hand to both players from a freshly shuffled deck.
    Dealt {
        /// The hands, by seat.
        hands: [Hand; 2],
    },
    /// Decision of a player, or the end of their time.
    Decided {
        /// The player who decided, or whose time ran out.
        seat: Seat,
        /// The decision; always to fold after a timeout.
        decision: Decision,
        /// Set if the player did not decide in time.
        timed_out: bool,
    },
    /// Tie: both played equal hands, so new hands are due.
    Tied,
    /// End of the game.
    Settled {
        /// Tokens that each player wins, by seat; negative for a loss.
        deltas: [i64; 2],
    },
}

/// Result of a deal once both players have decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DealResult {
    /// Tie: both played equal hands.
    Tied,
    /// Tokens that each player wins, by seat; negative for a loss.
    Deltas([i64; 2]),
}

impl DealResult {
    /// Settles these decisions and hands by the stakes of the game.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::tokens::{Decision, Kind, DealResult};
    ///
    /// let hands = ["Jc", "9h"].map(|card| vec![card.parse().unwrap()]);
    /// let settled = |one, two| DealResult::settle(Kind::Single, [one, two], &hands);
    /// let showdown = settled(Decision::Play, Decision::Play);
    /// assert_eq!(showdown, DealResult::Deltas([10, -10]));
    /// let folded = settled(Decision::Fold, Decision::Play);
    /// assert_eq!(folded, DealResult::Deltas([-3, 3]));
    /// ```
    #[must_use]
    pub fn settle(kind: Kind, decisions: [Decision; 2], hands: &[Hand; 2]) -> Self {
        let stakes = kind.stakes();
        let won = match decisions {
            [Decision::Fold, Decision::Fold] => return Self::Deltas([-stakes.both_fold; 2]),
            [Decision::Play, Decision::Fold] => stakes.one_folds,
            [Decision::Fold, Decision::Play] => -stakes.one_folds,
            [Decision::Play, Decision::Play] => match compare_hands(&hands[0], &hands[1]) {
                Ordering::Equal => return Self::Tied,
                Ordering::Greater => stakes.showdown,
                Ordering::Less => -stakes.showdown,
            },
        };
        Self::Deltas([won, -won])
    }
}

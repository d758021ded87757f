use crate::room::PlayerId;
use std::collections::BTreeMap;
use war::tokens::Kind;

/// The number of the house in the ladder, however many play for it: no player has it.
pub const HOUSE: PlayerId = PlayerId(0);

/// The most games a day that count between the same two.
pub const MOST_A_DAY: usize = 5;

/// How many milliseconds a day has.
const DAY: u64 = 24 * 3_600_000;

/// A game that two players who met in the public queue finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Game {
    /// Its number.
    pub number: u64,
    /// What was played.
    pub kind: Kind,
    /// Who played; all players of the house are [`HOUSE`].
    pub players: [PlayerId; 2],
    /// What each of them won; negative for what they lost.
    pub tokens: [i64; 2],
}

impl Game {
    /// The score of the player at this seat, counted from 0: 0.5, and as much more as their tokens
    /// are of twice the highest stake.
    pub(super) fn score(&self, seat: usize) -> f64 {
        let highest = as_float(2 * self.kind.stakes().showdown);
        // What a store holds may be anything.
        (0.5 + as_float(self.tokens[seat]) / highest).clamp(0.0, 1.0)
    }
}

/// A number of tokens of a game, which is small.
#[expect(clippy::cast_precision_loss, reason = "it is small")]
fn as_float(tokens: i64) -> f64 {
    tokens as f64
}

/// The day of a moment, both counted from 1970 in UTC: the moment in milliseconds.
#[must_use]
pub const fn day_of(moment: u64) -> u64 {
    moment / DAY
}

/// The first moment of a day.
#[must_use]
pub const fn first_moment(day: u64) -> u64 {
    day.saturating_mul(DAY)
}

/// The games of a day that count, in the order of their numbers: the first of every two players.
pub(super) fn counted(mut games: Vec<Game>) -> Vec<Game> {
    games.sort_unstable_by_key(|game| game.number);
    let mut met: BTreeMap<[PlayerId; 2], usize> = BTreeMap::new();
    games.retain(|game| {
        let mut pair = game.players;
        pair.sort_unstable();
        let times = met.entry(pair).or_default();
        *times += 1;
        *times <= MOST_A_DAY
    });
    games
}

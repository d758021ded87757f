//! The ladder of the card table: players by their results, not by their tokens.
//!
//! It knows no store and no clock: results of finished days go in, ratings come out. Games are
//! rated by [Glicko-2](https://www.glicko.net/glicko/glicko2.pdf), all those of a day at once from the
//! ratings at its start.
//!
//! # Examples
//!
//! ```
//! use war_table::ladder::{Game, Standings};
//! use war_table::protocol::PlayerId;
//! use war::tokens::Kind;
//!
//! let won = |number| Game {
//!     number,
//!     kind: Kind::Single,
//!     players: [PlayerId(2), PlayerId(3)],
//!     tokens: [10, -10],
//! };
//! let mut ladder = Standings::default();
//! ladder.rate(19_000, (1..=20).map(won).collect());
//! let [winner, loser] = [2, 3].map(|id| ladder.of(PlayerId(id)).unwrap());
//! assert!(winner.rating() > 1500.0 && loser.rating() < 1500.0);
//! // Only five games a day count between the same two.
//! assert_eq!(winner.games, 5);
//! ```

pub use crate::protocol::Span;

use crate::protocol::PlayerId;
use instant_glicko_2::algorithm::{InternalGame, rate_games_untimed};
use instant_glicko_2::{FromWithParameters, IntoWithParameters, Parameters, PublicRating};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use war::tokens::Kind;

/// How many games a player needs to be shown.
pub const LEAST_GAMES: u64 = 20;

/// All players of a ladder, as they were after some day.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Standings(BTreeMap<PlayerId, Standing>);

impl Standings {
    /// Rates the games of a day, in whatever order they come: those that count. Days are rated in
    /// their order; those without games may be left out. A game of somebody with themselves does not
    /// count.
    ///
    /// The result is who was rated.
    pub fn rate(&mut self, day: u64, games: Vec<Game>) -> Vec<PlayerId> {
        let mut played: BTreeMap<PlayerId, Vec<(PlayerId, f64)>> = BTreeMap::new();
        for game in counted(games) {
            let [one, other] = game.players;
            if one != other {
                played.entry(one).or_default().push((other, game.score(0)));
                played.entry(other).or_default().push((one, game.score(1)));
            }
        }
        let start = |id: &PlayerId| {
            let known = self.0.get(id).map(|standing| standing.on(day));
            (*id, known.unwrap_or_else(|| Standing::new(day)))
        };
        let start: BTreeMap<_, _> = played.keys().map(start).collect();
        for (id, games) in &played {
            let games = games.iter().map(|(other, score)| (start[other], *score));
            let games: Vec<_> = games.collect();
            self.0.insert(*id, start[id].after(day, &games));
        }
        played.into_keys().collect()
    }

    /// Somebody's standing, if any of their games was rated.
    #[must_use]
    pub fn of(&self, id: PlayerId) -> Option<&Standing> {
        self.0.get(&id)
    }

    /// Takes somebody's standing as it is known.
    pub fn insert(&mut self, id: PlayerId, standing: Standing) {
        self.0.insert(id, standing);
    }

    /// All of them, by number.
    pub fn iter(&self) -> impl Iterator<Item = (PlayerId, &Standing)> {
        self.0.iter().map(|(id, standing)| (*id, standing))
    }

    /// Those who are shown, the highest rating first.
    #[must_use]
    pub fn ranked(&self) -> Vec<(PlayerId, Standing)> {
        let shown = self.iter().filter(|(_, one)| one.games >= LEAST_GAMES);
        let mut shown: Vec<_> = shown.map(|(id, standing)| (id, *standing)).collect();
        shown.sort_by_key(|(id, standing)| (Reverse(standing.rating), *id));
        shown
    }
}

/// What one is in the numbers that are kept: nine decimals of each.
const ONE: f64 = 1e9;

/// How much volatility may change: Glickman's tau.
const TAU: f64 = 0.5;

/// A player in the ladder.
///
/// Rating, deviation and volatility are rounded to nine decimals after each day, and are kept as
/// whole numbers: so the ladder of a day follows exactly from that of the day before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// The rating, in billionths.
    pub rating: i64,
    /// Its deviation, in billionths.
    pub deviation: i64,
    /// Its volatility, in billionths.
    pub volatility: i64,
    /// How many games were rated.
    pub games: u64,
    /// The last day on which there were any.
    pub day: u64,
}

impl Standing {
    /// Somebody who has played no game before this day.
    fn new(day: u64) -> Self {
        Self::of(parameters().start_rating(), 0, day)
    }

    /// The rating.
    #[must_use]
    pub fn rating(&self) -> f64 {
        decimal(self.rating)
    }

    /// How far from it the strength of the player may be: twice this at most, with a probability of 95
    /// percent.
    #[must_use]
    pub fn deviation(&self) -> f64 {
        decimal(self.deviation)
    }

    /// The same at the start of a day: the deviation grows with each day without games.
    #[must_use]
    pub fn on(&self, day: u64) -> Self {
        let idle = day.saturating_sub(self.day).saturating_sub(1);
        if idle == 0 || self.games == 0 {
            return *self;
        }
        let idle = u32::try_from(idle).unwrap_or(u32::MAX);
        let rated = rate_games_untimed(self.internal(), &[], idle.into(), parameters());
        Self::of(
            rated.into_with_parameters(parameters()),
            self.games,
            self.day,
        )
    }

    /// The standing after a day: with the opponents as they were at its start, and the scores.
    fn after(&self, day: u64, games: &[(Self, f64)]) -> Self {
        let results = games
            .iter()
            .map(|(opponent, score)| InternalGame::new(opponent.internal(), *score));
        let results: Vec<_> = results.collect();
        let rated = rate_games_untimed(self.internal(), &results, 1.0, parameters());
        let games = self.games + results.len() as u64;
        Self::of(rated.into_with_parameters(parameters()), games, day)
    }

    fn internal(&self) -> instant_glicko_2::InternalRating {
        let volatility = decimal(self.volatility);
        let rating = PublicRating::new(self.rating(), self.deviation(), volatility);
        FromWithParameters::from_with_parameters(rating, parameters())
    }

    fn of(rating: PublicRating, games: u64, day: u64) -> Self {
        Self {
            rating: rounded(rating.rating()),
            deviation: rounded(rating.deviation()),
            volatility: rounded(rating.volatility()),
            games,
            day,
        }
    }
}

/// Ratings begin at 1500 with a deviation of 350 and a volatility of 0.06, as in Glickman's paper.
fn parameters() -> Parameters {
    Parameters::default().with_volatility_change(TAU)
}

#[expect(clippy::cast_possible_truncation, reason = "ratings are small")]
fn rounded(number: f64) -> i64 {
    (number * ONE).round() as i64
}

/// A number as it is kept. What a store holds may be anything, but never less than the smallest
/// number there is.
#[expect(clippy::cast_precision_loss, reason = "ratings are small")]
fn decimal(kept: i64) -> f64 {
    kept as f64 / ONE
}

/// What the ladder has become with a day that is over, and perhaps with days before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rated {
    /// The last day that was rated before; none where all days are rated.
    pub since: Option<u64>,
    /// The last day that is rated now.
    pub day: u64,
    /// All players of the week and of the month, and those of all times whose standing has changed.
    pub standings: Vec<(Span, PlayerId, Standing)>,
}

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
    fn score(&self, seat: usize) -> f64 {
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
fn counted(mut games: Vec<Game>) -> Vec<Game> {
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

#[cfg(test)]
mod tests {
    use super::Standing;

    fn standing(rating: i64, deviation: i64) -> Standing {
        Standing {
            rating: rating * 1_000_000_000,
            deviation: deviation * 1_000_000_000,
            volatility: 60_000_000,
            games: 1,
            day: 1,
        }
    }

    // The example of Glickman's paper, "Example of the Glicko-2 system".
    #[test]
    fn ratings_are_those_of_glickmans_example() {
        let player = standing(1500, 200);
        let games = [
            (standing(1400, 30), 1.0),
            (standing(1550, 100), 0.0),
            (standing(1700, 300), 0.0),
        ];
        let after = player.after(2, &games);
        assert!((after.rating() - 1464.06).abs() < 0.01, "{after:?}");
        assert!((after.deviation() - 151.52).abs() < 0.01, "{after:?}");
        let volatility = after.volatility.cast_unsigned();
        assert!(volatility.abs_diff(59_990_000) < 10_000, "{after:?}");
        assert_eq!((after.games, after.day), (4, 2));
    }

    // Step 6 of the paper: the new deviation is the root of the sum of both squares, on its scale of
    // 173.7178; by hand for 4 days: sqrt((200 / 173.7178)^2 + 4 * 0.06^2) * 173.7178 = 201.0832.
    #[test]
    fn who_does_not_play_is_rated_less_surely() {
        let player = standing(1500, 200);
        assert_eq!(player.on(2), player, "the day behind the last one");
        let idle = player.on(6);
        assert_eq!((idle.rating, idle.games, idle.day), (player.rating, 1, 1));
        assert!((idle.deviation() - 201.083_2).abs() < 0.001, "{idle:?}");
    }
}

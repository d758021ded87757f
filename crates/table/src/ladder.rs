//! The ladder of the card table: players rated by their results, not by their tokens.
//!
//! The module has no store and no clock: results of full days go in, ratings come out. Games are
//! rated by [Glicko-2](https://www.glicko.net/glicko/glicko2.pdf), all those of a day at once, from
//! the ratings at the start of the day.
//!
//! # Examples
//!
//! ```
//! use war_table::ladder::{RatedGame, Standings};
//! use war_table::protocol::PlayerId;
//! use war::tokens::Kind;
//!
//! let won = |number| RatedGame {
//!     number,
//!     kind: Kind::Single,
//!     players: [PlayerId(2), PlayerId(3)],
//!     tokens: [10, -10],
//! };
//! let mut ladder = Standings::default();
//! ladder.rate(19_000, (1..=20).map(won).collect());
//! let [winner, loser] = [2, 3].map(|id| ladder.get(PlayerId(id)).unwrap());
//! assert!(winner.rating() > 1500.0 && loser.rating() < 1500.0);
//! // Only five games a day count between the same two players.
//! assert_eq!(winner.games, 5);
//! ```

pub use crate::protocol::LadderPeriod;

use crate::protocol::PlayerId;
use crate::time::WallTime;
use instant_glicko_2::algorithm::{InternalGame, rate_games_untimed};
use instant_glicko_2::{FromWithParameters, IntoWithParameters, Parameters, PublicRating};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use war::tokens::Kind;

/// Minimum number of rated games for a player to be listed.
pub const MIN_RATED_GAMES: u64 = 20;

/// Standings of all players after some day.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Standings(BTreeMap<PlayerId, Standing>);

impl Standings {
    /// Rates the games of a day, in any order, and returns the rated players. Days must be rated in
    /// order; those without games may be left out.
    ///
    /// At most [`MAX_PAIR_GAMES_PER_DAY`] games between the same two players count. A game of a
    /// player against themselves does not count.
    pub fn rate(&mut self, day: u64, games: Vec<RatedGame>) -> Vec<PlayerId> {
        let mut played: BTreeMap<PlayerId, Vec<(PlayerId, f64)>> = BTreeMap::new();
        for game in counted_games(games) {
            let [one, other] = game.players;
            if one != other {
                played.entry(one).or_default().push((other, game.score(0)));
                played.entry(other).or_default().push((one, game.score(1)));
            }
        }
        let start = |id: &PlayerId| {
            let known = self.0.get(id).map(|standing| standing.at_start_of(day));
            (*id, known.unwrap_or_else(|| Standing::new(day)))
        };
        let start: BTreeMap<_, _> = played.keys().map(start).collect();
        for (id, games) in &played {
            let games = games.iter().map(|(other, score)| (start[other], *score));
            let games: Vec<_> = games.collect();
            self.0.insert(*id, start[id].rated_after(day, &games));
        }
        played.into_keys().collect()
    }

    /// Standing of a player, if any of their games has been rated.
    #[must_use]
    pub fn get(&self, id: PlayerId) -> Option<&Standing> {
        self.0.get(&id)
    }

    /// Sets the standing of a player.
    pub fn insert(&mut self, id: PlayerId, standing: Standing) {
        self.0.insert(id, standing);
    }

    /// Standings of all players, by number.
    pub fn iter(&self) -> impl Iterator<Item = (PlayerId, &Standing)> {
        self.0.iter().map(|(id, standing)| (*id, standing))
    }

    /// Listed players, highest rating first.
    #[must_use]
    pub fn ranking(&self) -> Vec<(PlayerId, Standing)> {
        let listed = self.iter().filter(|(_, one)| one.games >= MIN_RATED_GAMES);
        let mut listed: Vec<_> = listed.map(|(id, standing)| (id, *standing)).collect();
        listed.sort_by_key(|(id, standing)| (Reverse(standing.rating), *id));
        listed
    }
}

/// Scale of stored numbers, which have nine decimals.
const SCALE: f64 = 1e9;

/// Glickman's tau, which limits changes of the volatility.
const TAU: f64 = 0.5;

/// A player's standing in the ladder.
///
/// Rating, deviation and volatility are rounded to nine decimals after each day and stored as
/// integers, so that the ladder of a day follows exactly from that of the day before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// The rating, in billionths.
    pub rating: i64,
    /// The deviation of the rating, in billionths.
    pub deviation: i64,
    /// The volatility of the rating, in billionths.
    pub volatility: i64,
    /// Number of rated games.
    pub games: u64,
    /// Day of the last rated game.
    pub day: u64,
}

impl Standing {
    /// Standing of a player without games before this day.
    fn new(day: u64) -> Self {
        Self::of(parameters().start_rating(), 0, day)
    }

    /// The rating.
    #[must_use]
    pub fn rating(&self) -> f64 {
        from_stored(self.rating)
    }

    /// The rating deviation: the player's strength is within two deviations of the rating with a
    /// probability of 95 percent.
    #[must_use]
    pub fn deviation(&self) -> f64 {
        from_stored(self.deviation)
    }

    /// Standing at the start of a day: the deviation grows with each day without games.
    #[must_use]
    pub fn at_start_of(&self, day: u64) -> Self {
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

    /// Standing after a day, from the opponents' standings at the start of the day and the scores.
    fn rated_after(&self, day: u64, games: &[(Self, f64)]) -> Self {
        let results = games
            .iter()
            .map(|(opponent, score)| InternalGame::new(opponent.internal(), *score));
        let results: Vec<_> = results.collect();
        let rated = rate_games_untimed(self.internal(), &results, 1.0, parameters());
        let games = self.games + results.len() as u64;
        Self::of(rated.into_with_parameters(parameters()), games, day)
    }

    fn internal(&self) -> instant_glicko_2::InternalRating {
        let volatility = from_stored(self.volatility);
        let rating = PublicRating::new(self.rating(), self.deviation(), volatility);
        FromWithParameters::from_with_parameters(rating, parameters())
    }

    fn of(rating: PublicRating, games: u64, day: u64) -> Self {
        Self {
            rating: to_stored(rating.rating()),
            deviation: to_stored(rating.deviation()),
            volatility: to_stored(rating.volatility()),
            games,
            day,
        }
    }
}

/// Parameters of Glickman's paper: ratings start at 1500 with deviation 350 and volatility 0.06.
fn parameters() -> Parameters {
    Parameters::default().with_volatility_change(TAU)
}

#[expect(clippy::cast_possible_truncation, reason = "ratings are small")]
fn to_stored(number: f64) -> i64 {
    (number * SCALE).round() as i64
}

/// Converts a stored number of billionths to a floating-point number.
#[expect(clippy::cast_precision_loss, reason = "ratings are small")]
fn from_stored(stored: i64) -> f64 {
    stored as f64 / SCALE
}

/// An update of the ladder with the results of a finished day, and of earlier days that were not
/// rated yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LadderUpdate {
    /// The last day rated before this update; `None` if no day has been rated before.
    pub previous_day: Option<u64>,
    /// The last day rated now.
    pub day: u64,
    /// All standings of the week and of the month, and the changed standings of all time.
    pub standings: Vec<(LadderPeriod, PlayerId, Standing)>,
}

/// Player number under which the ladder lists all house players together. No player has this
/// number.
pub const HOUSE_ID: PlayerId = PlayerId(0);

/// Maximum number of games per day that count between the same two players.
pub const MAX_PAIR_GAMES_PER_DAY: usize = 5;

/// Milliseconds in a day.
const DAY_MS: u64 = 24 * 3_600_000;

/// A finished game between players who met in the public queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RatedGame {
    /// The number of the game.
    pub number: u64,
    /// The kind of game.
    pub kind: Kind,
    /// The players; all house players are [`HOUSE_ID`].
    pub players: [PlayerId; 2],
    /// Tokens won by each player; negative if lost.
    pub tokens: [i64; 2],
}

impl RatedGame {
    /// Score of the player at this seat, counted from 0: 0.5 plus their tokens as a fraction of
    /// twice the highest stake.
    fn score(&self, seat: usize) -> f64 {
        let highest = as_float(2 * self.kind.stakes().showdown);
        // Stored tokens may have any value, so the score may be out of range.
        (0.5 + as_float(self.tokens[seat]) / highest).clamp(0.0, 1.0)
    }
}

#[expect(clippy::cast_precision_loss, reason = "tokens of a game are few")]
fn as_float(tokens: i64) -> f64 {
    tokens as f64
}

/// Day of a time, counted from 1970 in UTC.
#[must_use]
pub const fn day_of(time: WallTime) -> u64 {
    time.as_millis() / DAY_MS
}

/// Start of a day.
#[must_use]
pub const fn start_of_day(day: u64) -> WallTime {
    WallTime::from_millis(day.saturating_mul(DAY_MS))
}

/// Selects the games of a day that count, in order of their numbers: the first
/// [`MAX_PAIR_GAMES_PER_DAY`] of each pair of players.
fn counted_games(mut games: Vec<RatedGame>) -> Vec<RatedGame> {
    games.sort_unstable_by_key(|game| game.number);
    let mut games_of_pairs: BTreeMap<[PlayerId; 2], usize> = BTreeMap::new();
    games.retain(|game| {
        let mut pair = game.players;
        pair.sort_unstable();
        let games = games_of_pairs.entry(pair).or_default();
        *games += 1;
        *games <= MAX_PAIR_GAMES_PER_DAY
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

    // From Glickman's paper, "Example of the Glicko-2 system".
    #[test]
    fn ratings_match_glickmans_example() {
        let player = standing(1500, 200);
        let games = [
            (standing(1400, 30), 1.0),
            (standing(1550, 100), 0.0),
            (standing(1700, 300), 0.0),
        ];
        let after = player.rated_after(2, &games);
        assert!((after.rating() - 1464.06).abs() < 0.01, "{after:?}");
        assert!((after.deviation() - 151.52).abs() < 0.01, "{after:?}");
        let volatility = after.volatility.cast_unsigned();
        assert!(volatility.abs_diff(59_990_000) < 10_000, "{after:?}");
        assert_eq!((after.games, after.day), (4, 2));
    }

    // Step 6 of the paper: the new deviation is the root of the sum of the squares of deviation and
    // volatility, with deviations divided by 173.7178. By hand for 4 days:
    // sqrt((200 / 173.7178)^2 + 4 * 0.06^2) * 173.7178 = 201.0832.
    #[test]
    fn the_deviation_grows_without_games() {
        let player = standing(1500, 200);
        assert_eq!(player.at_start_of(2), player, "the day behind the last one");
        let idle = player.at_start_of(6);
        assert_eq!((idle.rating, idle.games, idle.day), (player.rating, 1, 1));
        assert!((idle.deviation() - 201.083_2).abs() < 0.001, "{idle:?}");
    }
}

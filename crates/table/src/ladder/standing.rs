use instant_glicko_2::algorithm::{InternalGame, rate_games_untimed};
use instant_glicko_2::{FromWithParameters, IntoWithParameters, Parameters, PublicRating};

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
    pub(super) fn new(day: u64) -> Self {
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
    pub(super) fn after(&self, day: u64, games: &[(Self, f64)]) -> Self {
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

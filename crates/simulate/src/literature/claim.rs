use crate::enumeration::ExactFigures;
use crate::figures::{Estimate, TurnStatistics, quantile_estimate, share_estimate};
use crate::setup::GameSetup;
use crate::tally::{Mean, Moments, Tally};
use std::ops::Range;
use war::cards::Deck;
use war::rules::Parameters;

/// Row of the comparison: a source, one set of rules, and the figures published for it.
#[derive(Debug, Clone)]
pub struct SourceRow {
    /// Author and publication.
    pub source: String,
    /// Command that plays the games, without `war`, the number of games and the seed.
    pub command: String,
    /// Games that reproduce those of the source.
    pub games: SourceGames,
    /// True if the figures are this project's own reference values.
    pub is_ours: bool,
    /// Number of games that the source played, if known.
    pub published_games: Option<u64>,
    /// Figures that the source gives.
    pub claims: Vec<Claim>,
}

impl SourceRow {
    /// Returns the command that plays the same games, from any directory; `games` is the number of
    /// random games. `None` for deals that aren't played.
    #[must_use]
    pub fn to_command(&self, games: u64, seed: u64) -> Option<String> {
        let command = &self.command;
        let simulate = |games| format!("war {command} --games {games} --seed {seed}");
        match &self.games {
            SourceGames::Enumerated(..) => Some(format!("war {command}")),
            SourceGames::JavaSeeds(seeds) => {
                let (first, last) = (seeds.start, seeds.end - 1);
                Some(format!("war xy {first}, …, war xy {last}"))
            }
            SourceGames::Counted(_) => None,
            SourceGames::Simulated(_) | SourceGames::Rounds(_) => Some(simulate(games)),
            SourceGames::SingleGame(_) => Some(simulate(1)),
        }
    }

    /// Returns the claim with a margin that also covers the sampling error of the source's games:
    /// our error, scaled to their number.
    #[must_use]
    #[expect(
        clippy::cast_precision_loss,
        reason = "a figure has fewer digits than a float"
    )]
    pub fn add_sampling_error(&self, claim: &Claim, ours: Estimate, games: u64) -> Claim {
        let sampling = self.published_games.map_or(0.0, |published| {
            ours.error * (games as f64 / published as f64).sqrt()
        });
        Claim {
            margin: claim.margin.hypot(sampling),
            ..*claim
        }
    }
}

/// Games that reproduce those of a source.
#[derive(Debug, Clone)]
pub enum SourceGames {
    /// Random games with these rules.
    Simulated(GameSetup),
    /// Random games with these rules, measured in rounds of cards instead of turns.
    Rounds(GameSetup),
    /// All deals of a deck.
    Enumerated(Parameters, Deck),
    /// All deals of a deck; the share of sweeps is computed without playing a game.
    Counted(Deck),
    /// X/Y games with these Java seeds.
    JavaSeeds(Range<i64>),
    /// A single game with this setup.
    SingleGame(GameSetup),
}

/// Published figure.
#[derive(Debug, Clone, Copy)]
pub struct Claim {
    /// Kind of the published figure.
    pub figure: Figure,
    /// Published value.
    pub published: f64,
    /// Rounding error of the value, or its standard error.
    pub margin: f64,
}

/// Kind of figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Figure {
    /// Mean number of turns.
    MeanTurns,
    /// Standard deviation of the turns of a game.
    TurnsDeviation,
    /// Median number of turns.
    MedianTurns,
    /// Mean number of rounds of cards, in games measured in rounds.
    MeanRounds,
    /// Standard deviation of the number of rounds.
    RoundsDeviation,
    /// Median number of rounds.
    MedianRounds,
    /// Number of turns not exceeded by this many in a thousand games.
    Quantile(u32),
    /// Maximum number of turns of a game.
    MostTurns,
    /// Mean number of wars.
    MeanWars,
    /// Mean number of ties for the highest card; a war within a war counts again.
    MeanTies,
    /// Mean number of ties after which at least two players could go on.
    MeanPlayedOn,
    /// Percentage of games won or drawn.
    FinishedShare,
    /// Mean number of turns divided by the square of this number of cards.
    MeanTurnsPerSquare(u16),
    /// Percentage of games that player 1 wins.
    FirstWins,
    /// Percentage of endless games.
    EndlessShare,
    /// Number of endless games.
    EndlessCount,
    /// Period of all endless games.
    Period,
    /// Mean number of pairs put.
    MeanPairs,
    /// Maximum number of pairs put in a game.
    MostPairs,
    /// Number of deals.
    Deals,
    /// Number of deals per 10¹² that player 1 wins without a war and without losing a card.
    Sweeps,
}

/// Figures with a fixed name in the table of published figures.
const NAMES: [(&str, Figure); 19] = [
    ("mean turns", Figure::MeanTurns),
    ("sd of turns", Figure::TurnsDeviation),
    ("median turns", Figure::MedianTurns),
    ("most turns", Figure::MostTurns),
    ("mean rounds", Figure::MeanRounds),
    ("sd of rounds", Figure::RoundsDeviation),
    ("median rounds", Figure::MedianRounds),
    ("mean wars", Figure::MeanWars),
    ("mean ties", Figure::MeanTies),
    ("mean ties played on", Figure::MeanPlayedOn),
    ("mean pairs", Figure::MeanPairs),
    ("most pairs", Figure::MostPairs),
    ("player1 wins %", Figure::FirstWins),
    ("finished %", Figure::FinishedShare),
    ("endless %", Figure::EndlessShare),
    ("endless", Figure::EndlessCount),
    ("period", Figure::Period),
    ("deals", Figure::Deals),
    ("sweeps", Figure::Sweeps),
];

impl Figure {
    /// Returns the figure with this name in the table of published figures; besides the fixed
    /// names these are `P% of turns`, a quantile, and `mean turns / N²`.
    ///
    /// # Examples
    ///
    /// ```
    /// use war_simulate::literature::Figure;
    ///
    /// assert_eq!(Figure::from_name("mean turns"), Some(Figure::MeanTurns));
    /// assert_eq!(Figure::from_name("2.5% of turns"), Some(Figure::Quantile(25)));
    /// assert_eq!(Figure::from_name("mean turns / 8²"), Some(Figure::MeanTurnsPerSquare(8)));
    /// assert_eq!(Figure::from_name("turns"), None);
    /// ```
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        if let Some(percent) = name.strip_suffix("% of turns") {
            let (whole, tenths) = percent.split_once('.').unwrap_or((percent, "0"));
            let digit = |text: &str| text.parse::<u32>().ok();
            let tenths = digit(tenths).filter(|tenths| *tenths < 10)?;
            let thousandths = digit(whole)?.checked_mul(10)? + tenths;
            return (1..1_000)
                .contains(&thousandths)
                .then_some(Self::Quantile(thousandths));
        }
        if let Some(cards) = name.strip_prefix("mean turns / ") {
            let cards = cards.strip_suffix('²')?.parse().ok()?;
            return Some(Self::MeanTurnsPerSquare(cards));
        }
        let mut names = NAMES.into_iter();
        names.find(|known| known.0 == name).map(|known| known.1)
    }

    /// Returns true if the figure is of games measured in rounds of cards.
    pub(super) const fn is_of_rounds(self) -> bool {
        matches!(
            self,
            Self::MeanRounds | Self::RoundsDeviation | Self::MedianRounds
        )
    }

    /// Returns the figure of random games, with its standard error if there is one.
    #[must_use]
    pub fn estimate(self, tally: &Tally) -> Option<Estimate> {
        let exact = |value: f64| Estimate { value, error: 0.0 };
        let scaled = |estimate: Estimate, factor: f64| Estimate {
            value: estimate.value * factor,
            error: estimate.error * factor,
        };
        let hundredths = |part| scaled(share_estimate(part, tally.games()), 100.0);
        let mean = |counted: Moments| {
            counted
                .mean(tally.finished_games())
                .and_then(Mean::estimate)
        };
        let turns = TurnStatistics::from_histogram(&tally.turns);
        let mean_turns = turns.and_then(|turns| {
            let (value, error) = (turns.mean, turns.mean_error?);
            Some(Estimate { value, error })
        });
        Some(match self {
            Self::MeanTurns | Self::MeanRounds => mean_turns?,
            Self::MeanTurnsPerSquare(cards) => {
                let cards = f64::from(cards);
                scaled(mean_turns?, 1.0 / (cards * cards))
            }
            Self::TurnsDeviation | Self::RoundsDeviation => Estimate {
                value: turns?.sd?,
                error: turns?.sd_error?,
            },
            Self::MedianTurns | Self::MedianRounds => quantile_estimate(&tally.turns, 500)?,
            Self::Quantile(thousandths) => quantile_estimate(&tally.turns, thousandths)?,
            Self::MostTurns => exact(turns?.max.into()),
            Self::MeanWars => mean(tally.wars)?,
            Self::MeanTies => mean(tally.ties)?,
            Self::MeanPlayedOn => mean(tally.played_on)?,
            Self::MeanPairs => mean(tally.comparisons)?,
            Self::FirstWins => hundredths(tally.won[0]),
            Self::EndlessShare => hundredths(tally.endless),
            Self::FinishedShare => hundredths(tally.finished_games()),
            Self::Period => exact(tally.periods.moments.mean(tally.endless)?.value),
            // A tally of several games doesn't hold the maximum number of pairs.
            Self::MostPairs if tally.finished_games() == 1 => {
                exact(tally.comparisons.mean(1)?.value)
            }
            Self::EndlessCount | Self::MostPairs | Self::Deals | Self::Sweeps => return None,
        })
    }

    /// Returns the figure of all deals of a deck, which has no error.
    #[must_use]
    #[expect(
        clippy::cast_precision_loss,
        reason = "a figure has fewer digits than a float"
    )]
    pub fn exact_estimate(self, exact: &ExactFigures) -> Option<Estimate> {
        let finished = exact.finished_games() as f64;
        let mut periods = exact.periods.iter().map(|(period, _)| period);
        let value = match self {
            Self::Deals => exact.deals as f64,
            Self::EndlessCount => exact.endless as f64,
            // Endless games with different periods have no single figure.
            Self::Period => periods.next().filter(|_| periods.next().is_none())?.into(),
            Self::MostTurns => exact.most_turns.as_ref()?.turns.into(),
            Self::MostPairs => exact.most_pairs.as_ref()?.pairs as f64,
            Self::MeanPairs => exact.pairs as f64 / finished,
            Self::MeanTurns => exact.sum_of_turns() as f64 / finished,
            _ => return None,
        };
        Some(Estimate { value, error: 0.0 })
    }
}

impl Claim {
    /// Returns true if our figure agrees with the published one. They may differ by three times the
    /// combined error: our standard error, and the margin of the claim. If our figure has no error,
    /// they may differ by the margin only.
    #[must_use]
    pub fn agrees_with(&self, ours: Estimate) -> bool {
        let margin = match ours.error {
            0.0 => self.margin,
            error => 3.0 * error.hypot(self.margin),
        };
        // Rounded floats may differ by up to 1e-10.
        (ours.value - self.published).abs() <= margin.max(self.margin) + 1e-10
    }
}

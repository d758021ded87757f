use crate::cards::Deck;
use crate::rules::Parameters;
use crate::simulate::enumerate::Exact;
use crate::simulate::figures::{Estimate, Turns, quantile_estimate, share};
use crate::simulate::setup::{Dealing, GameSetup};
use crate::simulate::tally::Tally;
use std::ops::Range;

/// A source with one of its rules and the figures that it gives.
#[derive(Debug, Clone)]
pub struct Row {
    /// Who has published the figures, and where.
    pub source: &'static str,
    /// What makes the same games here.
    pub games: Games,
    /// Whether the source is this project itself, and has published nothing.
    pub is_ours: bool,
    /// How many games the source has played, where it says so.
    pub published_games: Option<u64>,
    /// The figures.
    pub claims: Vec<Claim>,
}

/// Games of a source.
#[derive(Debug, Clone)]
pub enum Games {
    /// Random games of these rules.
    Simulated(GameSetup),
    /// All deals of a deck.
    Enumerated(Parameters, Deck),
    /// The X/Y games of these Java seeds.
    JavaSeeds(Range<i64>),
    /// One game.
    One(GameSetup),
}

/// A figure that was published.
#[derive(Debug, Clone, Copy)]
pub struct Claim {
    /// What was counted.
    pub figure: Figure,
    /// The value.
    pub published: f64,
    /// How far the value may be off because it was rounded, or its standard error.
    pub margin: f64,
}

/// What a figure counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Figure {
    /// The mean number of turns.
    MeanTurns,
    /// The standard deviation of the turns of a game.
    Deviation,
    /// The median number of turns.
    Median,
    /// So many in a thousand games take fewer turns.
    Quantile(u32),
    /// The most turns of a game.
    Longest,
    /// The mean number of wars.
    MeanWars,
    /// The mean number of times that the highest card was shared: a war in a war counts again.
    MeanTies,
    /// The share of games that player 1 wins, in hundredths.
    FirstWins,
    /// The share of endless games, in hundredths.
    Endless,
    /// The number of endless games.
    Cycles,
    /// The period of every endless game.
    Period,
    /// The mean number of pairs put.
    MeanPairs,
    /// The most pairs put in a game.
    MostPairs,
    /// The number of deals.
    Deals,
}

impl Figure {
    /// The figure as random games have it, with its standard error where there is one.
    #[must_use]
    pub fn of(self, tally: &Tally) -> Option<Estimate> {
        let exact = |value: f64| Estimate { value, error: 0.0 };
        let hundredths = |share: Estimate| Estimate {
            value: share.value * 100.0,
            error: share.error * 100.0,
        };
        let turns = Turns::of(&tally.turns);
        Some(match self {
            Self::MeanTurns => Estimate {
                value: turns?.mean,
                error: turns?.se?,
            },
            Self::Deviation => Estimate {
                value: turns?.sd?,
                // Turns have long tails: about twice the error of a normal distribution.
                error: turns?.se? * std::f64::consts::SQRT_2,
            },
            Self::Median => quantile_estimate(&tally.turns, 500)?,
            Self::Quantile(thousandths) => quantile_estimate(&tally.turns, thousandths)?,
            Self::Longest => exact(turns?.max.into()),
            Self::MeanWars => Estimate {
                value: tally.mean_wars(),
                // Wars are a share of the turns, and vary as they do.
                error: turns?.se? / turns?.mean * tally.mean_wars(),
            },
            Self::MeanTies => Estimate {
                value: tally.mean_ties(),
                error: turns?.se? / turns?.mean * tally.mean_ties(),
            },
            Self::FirstWins => hundredths(share(tally.won[0], tally.games())),
            Self::Endless => hundredths(share(tally.endless, tally.games())),
            Self::Period => exact(tally.mean_period()),
            Self::Cycles | Self::MeanPairs | Self::MostPairs | Self::Deals => return None,
        })
    }

    /// The figure of all deals of a deck, which has no error.
    #[must_use]
    #[expect(
        clippy::cast_precision_loss,
        reason = "a figure has fewer digits than a float"
    )]
    pub fn of_all(self, exact: &Exact) -> Option<Estimate> {
        let finished = exact.finished_games() as f64;
        let value = match self {
            Self::Deals => exact.deals as f64,
            Self::Cycles => exact.endless as f64,
            Self::Period if exact.periods.0 == exact.periods.1 => exact.periods.0.into(),
            Self::Longest => exact.most_turns.into(),
            Self::MostPairs => exact.most_pairs as f64,
            Self::MeanPairs => exact.pairs as f64 / finished,
            Self::MeanTurns => exact.turns as f64 / finished,
            _ => return None,
        };
        Some(Estimate { value, error: 0.0 })
    }
}

impl Games {
    /// The command that makes the same games, this many of random ones, at the project's root.
    #[must_use]
    pub fn command(&self, games: u64, seed: u64) -> String {
        let options = |parameters: &Parameters| {
            format!(
                "--face-down {} --collect {} --out-of-cards {}",
                parameters.face_down,
                parameters.collect.name(),
                parameters.out_of_cards.name(),
            )
        };
        let (rules, games) = match self {
            Self::Enumerated(parameters, deck) => {
                return format!("war enumerate {deck} {}", options(parameters));
            }
            Self::JavaSeeds(seeds) => {
                return format!("war xy {}, …, war xy {}", seeds.start, seeds.end - 1);
            }
            Self::Simulated(rules) => (rules, games),
            Self::One(rules) => (rules, 1),
        };
        let deal = match &rules.dealing {
            Dealing::Shuffled => format!("--players {} --deck {}", rules.players, rules.deck),
            Dealing::Fixed { seat, cards } => {
                let cards: Vec<_> = cards.iter().map(ToString::to_string).collect();
                format!("--deck {} --fix {seat}:{}", rules.deck, cards.join(","))
            }
            Dealing::Given { name, .. } => format!("--deal scenarios/literature/{name}.json"),
        };
        let options = options(&rules.parameters);
        format!("war simulate {deal} {options} --games {games} --seed {seed}")
    }
}

impl Claim {
    pub(super) const fn new(figure: Figure, published: f64, margin: f64) -> Self {
        Self {
            figure,
            published,
            margin,
        }
    }

    /// Whether our figure agrees: it is off by no more than three standard errors of both,
    /// and what rounding makes. Where ours has no error, rounding is all that may separate them.
    #[must_use]
    pub fn agrees(&self, ours: Estimate) -> bool {
        let margin = match ours.error {
            0.0 => self.margin,
            error => 3.0 * error.hypot(self.margin),
        };
        // One unit in ten thousand million, for what floats can't tell apart.
        (ours.value - self.published).abs() <= margin.max(self.margin) + 1e-10
    }
}

use crate::enumeration::Exact;
use crate::figures::{Estimate, Turns, quantile_estimate, share_estimate};
use crate::setup::{Dealing, GameSetup};
use crate::tally::{Mean, Moments, Tally};
use std::ops::Range;
use war::cards::Deck;
use war::rules::Parameters;

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

impl Row {
    /// A claim of this row with the error that the source's games have themselves: as large as
    /// that of ours, if it were of as many games.
    #[must_use]
    #[expect(
        clippy::cast_precision_loss,
        reason = "a figure has fewer digits than a float"
    )]
    pub fn sampled(&self, claim: &Claim, ours: Estimate, games: u64) -> Claim {
        let sampling = self.published_games.map_or(0.0, |published| {
            ours.error * (games as f64 / published as f64).sqrt()
        });
        Claim {
            margin: claim.margin.hypot(sampling),
            ..*claim
        }
    }
}

/// Games of a source.
#[derive(Debug, Clone)]
pub enum Games {
    /// Random games of these rules.
    Simulated(GameSetup),
    /// Random games of these rules, whose turns are not counted, but how often cards are put.
    Rounds(GameSetup),
    /// All deals of a deck.
    Enumerated(Parameters, Deck),
    /// All deals of a deck, of which those are counted that one player sweeps: none is played.
    Counted(Deck),
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
    /// The mean number of times that cards are put, of games counted so.
    MeanRounds,
    /// The standard deviation of that number.
    RoundsDeviation,
    /// The median of that number.
    MedianRounds,
    /// So many in a thousand games take fewer turns.
    Quantile(u32),
    /// The most turns of a game.
    Longest,
    /// The mean number of wars.
    MeanWars,
    /// The mean number of times that the highest card was shared: a war in a war counts again.
    MeanTies,
    /// The mean number of times that it was, and two players or more could go on.
    MeanPlayedOn,
    /// The share of games that were won or drawn, in hundredths.
    Finished,
    /// The mean number of turns for each pair of cards of the deck: turns divided by the square
    /// of so many cards.
    MeanTurnsPerSquare(u16),
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
    /// Of a million million deals, how many player 1 wins without a war and without losing a card.
    Sweeps,
}

impl Figure {
    /// The figure as random games have it, with its standard error where there is one.
    #[must_use]
    pub fn of(self, tally: &Tally) -> Option<Estimate> {
        let exact = |value: f64| Estimate { value, error: 0.0 };
        let scaled = |estimate: Estimate, factor: f64| Estimate {
            value: estimate.value * factor,
            error: estimate.error * factor,
        };
        let hundredths = |part| scaled(share_estimate(part, tally.games()), 100.0);
        let mean = |counted: Moments| counted.mean(tally.finished()).and_then(Mean::estimate);
        let turns = Turns::of(&tally.turns);
        let mean_turns = turns.and_then(|turns| {
            let (value, error) = (turns.mean, turns.se?);
            Some(Estimate { value, error })
        });
        Some(match self {
            Self::MeanTurns | Self::MeanRounds => mean_turns?,
            Self::MeanTurnsPerSquare(cards) => {
                let cards = f64::from(cards);
                scaled(mean_turns?, 1.0 / (cards * cards))
            }
            Self::Deviation | Self::RoundsDeviation => Estimate {
                value: turns?.sd?,
                error: turns?.sd_error?,
            },
            Self::Median | Self::MedianRounds => quantile_estimate(&tally.turns, 500)?,
            Self::Quantile(thousandths) => quantile_estimate(&tally.turns, thousandths)?,
            Self::Longest => exact(turns?.max.into()),
            Self::MeanWars => mean(tally.wars)?,
            Self::MeanTies => mean(tally.ties)?,
            Self::MeanPlayedOn => mean(tally.played_on)?,
            Self::MeanPairs => mean(tally.pairs)?,
            Self::FirstWins => hundredths(tally.won[0]),
            Self::Endless => hundredths(tally.endless),
            Self::Finished => hundredths(tally.finished()),
            Self::Period => exact(tally.cycles.all.mean(tally.endless)?.value),
            // Of several games, which one has the most pairs is not counted.
            Self::MostPairs if tally.finished() == 1 => exact(tally.pairs.mean(1)?.value),
            Self::Cycles | Self::MostPairs | Self::Deals | Self::Sweeps => return None,
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
        let mut periods = exact.periods.iter().map(|(period, _)| period);
        let value = match self {
            Self::Deals => exact.deals as f64,
            Self::Cycles => exact.endless as f64,
            // Several periods are no one figure.
            Self::Period => periods.next().filter(|_| periods.next().is_none())?.into(),
            Self::Longest => exact.most_turns.as_ref()?.turns.into(),
            Self::MostPairs => exact.most_pairs.as_ref()?.pairs as f64,
            Self::MeanPairs => exact.pairs as f64 / finished,
            Self::MeanTurns => exact.sum_of_turns() as f64 / finished,
            _ => return None,
        };
        Some(Estimate { value, error: 0.0 })
    }
}

impl Games {
    /// The command that makes the same games, this many of random ones, at the project's root;
    /// `None` of deals that are not played.
    #[must_use]
    pub fn command(&self, games: u64, seed: u64) -> Option<String> {
        let options = |parameters: &Parameters| {
            format!(
                "--face-down {} --collect {} --out-of-cards {}",
                parameters.face_down,
                parameters.collect,
                parameters.out_of_cards.name(),
            )
        };
        let (rules, games) = match self {
            Self::Enumerated(parameters, deck) => {
                return Some(format!("war enumerate {deck} {}", options(parameters)));
            }
            Self::JavaSeeds(seeds) => {
                let (first, last) = (seeds.start, seeds.end - 1);
                return Some(format!("war xy {first}, …, war xy {last}"));
            }
            Self::Counted(_) => return None,
            Self::Simulated(rules) | Self::Rounds(rules) => (rules, games),
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
        Some(format!(
            "war simulate {deal} {options} --games {games} --seed {seed}"
        ))
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

//! What others have published about War, and what makes the same games here.

use super::figures::{Estimate, Turns, quantile_estimate, share};
use super::game::Depths;
use super::kernel::General;
use super::parallel::{Watch, fold_in_order};
use super::setup::{Dealing, GameSetup};
use super::tally::Tally;
use crate::cards::{Chance, Deck, JavaRandom, Rank, deal};
use crate::engine::Seat;
use crate::rules::{CLASSIC, Collect, Draw, OutOfCards, Parameters, Repeated, XY};
use std::iter;
use std::num::NonZero;
use std::ops::{ControlFlow, Range};

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
    const fn new(figure: Figure, published: f64, margin: f64) -> Self {
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

const DELAHAYE: &str = "Delahaye, Mathieu, Pour la Science 567 (2025)";
const OURS: &str = "reference of this project, 400,000 games";
const CLASSIC_OURS: &str = "reference of this project, classic edition dealt";

const fn parameters(face_down: u8, collect: Collect, out_of_cards: OutOfCards) -> Parameters {
    Parameters {
        face_down,
        collect,
        out_of_cards,
        repetition: Repeated::Ends,
        draw: Draw::Top,
        limit: None,
    }
    .with_cycles_ended()
}

fn two_players(deck: Deck, parameters: Parameters) -> GameSetup {
    GameSetup {
        parameters,
        players: 2,
        deck,
        dealing: Dealing::Shuffled,
    }
}

/// Every row, in the order in which they are shown.
#[must_use]
pub fn rows() -> Vec<Row> {
    let mut rows = enumerations();
    rows.push(spivey());
    rows.extend(simulators());
    rows.extend(riddler());
    rows.push(Row {
        source: "Mosher, WarCardGamePlayer, Java seeds 1..1,000,000",
        games: Games::JavaSeeds(1..1_000_001),
        is_ours: false,
        published_games: None,
        claims: vec![
            Claim::new(Figure::MeanTurns, 269.863, 0.0005),
            Claim::new(Figure::FirstWins, 50.063, 0.0005),
            Claim::new(Figure::MeanWars, 15.985, 0.0005),
        ],
    });
    rows.extend(references());
    rows.extend(endless_shares());
    rows
}

fn enumerations() -> Vec<Row> {
    let exact = |figure, published| Claim::new(figure, published, 0.0);
    let rounded = |figure, published| Claim::new(figure, published, 0.000_05);
    let claims = [
        (
            "2x4",
            vec![
                exact(Figure::Deals, 38.0),
                exact(Figure::Cycles, 0.0),
                rounded(Figure::MeanPairs, 5.2632),
            ],
        ),
        (
            "3x4",
            vec![
                exact(Figure::Deals, 17_370.0),
                exact(Figure::Cycles, 360.0),
                exact(Figure::Period, 19.0),
                exact(Figure::Longest, 37.0),
                exact(Figure::MostPairs, 54.0),
                rounded(Figure::MeanPairs, 13.4301),
            ],
        ),
        (
            "4x4",
            vec![
                exact(Figure::Deals, 31_532_760.0),
                exact(Figure::Cycles, 8_545.0),
                exact(Figure::Period, 24.0),
                exact(Figure::Longest, 145.0),
                exact(Figure::MostPairs, 192.0),
                rounded(Figure::MeanPairs, 28.6137),
            ],
        ),
    ];
    let row = |(deck, claims)| {
        let deck = Deck::shaped(deck).unwrap_or(Deck::Small);
        Row {
            source: DELAHAYE,
            games: Games::Enumerated(Parameters::BATAILLE, deck),
            is_ours: false,
            published_games: None,
            claims,
        }
    };
    claims.into_iter().map(row).collect()
}

/// The cards of a game whose hands come back, where 1 is the highest, top first.
const SPIVEY: [[u8; 26]; 2] = [
    [
        26, 46, 1, 7, 8, 27, 9, 28, 29, 47, 2, 10, 11, 30, 12, 31, 32, 48, 3, 13, 14, 33, 15, 34,
        35, 49,
    ],
    [
        16, 36, 17, 37, 38, 50, 4, 18, 19, 39, 20, 40, 41, 51, 5, 21, 22, 42, 23, 43, 44, 52, 6,
        24, 25, 45,
    ],
];

fn spivey() -> Row {
    let hand = |cards: [u8; 26]| {
        let ranks = cards.into_iter().map(|card| Rank::new(53 - card));
        ranks.flatten().collect()
    };
    Row {
        source: "Spivey, Cycles in War, Integers 10 (2010)",
        games: Games::One(GameSetup {
            parameters: parameters(1, Collect::WinnerFirst, OutOfCards::Loses),
            players: 2,
            deck: Deck::Large,
            dealing: Dealing::Given {
                name: "spivey".to_owned(),
                hands: SPIVEY.into_iter().map(hand).collect(),
            },
        }),
        is_ours: false,
        published_games: None,
        claims: vec![Claim::new(Figure::Period, 31_920.0, 0.0)],
    }
}

fn simulators() -> Vec<Row> {
    let row = |source, face_down, collect, out_of_cards, claims| Row {
        source,
        games: Games::Simulated(two_players(
            Deck::Large,
            parameters(face_down, collect, out_of_cards),
        )),
        is_ours: false,
        published_games: Some(1_000_000),
        claims,
    };
    vec![
        row(
            "jouets.ababsurdo.fr, 1 M games",
            1,
            Collect::Shuffled,
            OutOfCards::Loses,
            vec![
                Claim::new(Figure::MeanTurns, 441.4, 0.05),
                Claim::new(Figure::Median, 334.0, 0.5),
                Claim::new(Figure::Quantile(25), 70.0, 0.5),
                Claim::new(Figure::Quantile(975), 1_414.0, 0.5),
            ],
        ),
        row(
            "kevinabrandon/kbWar, 1 M games",
            3,
            Collect::Shuffled,
            OutOfCards::LastCard,
            vec![
                Claim::new(Figure::MeanTurns, 270.622, 0.000_5),
                Claim::new(Figure::MeanTies, 16.93, 0.005),
            ],
        ),
        row(
            "zaporter/war_simulator",
            3,
            Collect::WinnerPile,
            OutOfCards::Loses,
            vec![
                Claim::new(Figure::MeanTurns, 178.0, 0.05),
                Claim::new(Figure::Deviation, 135.98, 0.005),
                Claim::new(Figure::MeanTies, 13.3, 0.05),
            ],
        ),
    ]
}

fn riddler() -> Vec<Row> {
    let aces = vec![Rank::ACE; 4];
    let row = |(face_down, published)| Row {
        source: "The Riddler (FiveThirtyEight), 10 M games",
        games: Games::Simulated(GameSetup {
            dealing: Dealing::Fixed {
                seat: Seat::from_index(0),
                cards: aces.clone(),
            },
            ..two_players(
                Deck::Large,
                parameters(face_down, Collect::Shuffled, OutOfCards::Loses),
            )
        }),
        is_ours: false,
        published_games: Some(10_000_000),
        claims: vec![Claim::new(Figure::FirstWins, published, 0.05)],
    };
    [(1, 80.9), (2, 71.7), (3, 65.5)].map(row).into()
}

fn references() -> Vec<Row> {
    let rows = [
        (Deck::Large, 1, Collect::WinnerFirst, 257.58, 0.30),
        (Deck::Large, 3, Collect::WinnerFirst, 169.88, 0.20),
        (Deck::Small, 1, Collect::WinnerFirst, 38.07, 0.04),
        (Deck::Small, 3, Collect::WinnerFirst, 20.12, 0.02),
        (Deck::Large, 1, Collect::Shuffled, 441.82, 0.58),
        (Deck::Large, 3, Collect::Shuffled, 236.00, 0.30),
        (Deck::Small, 1, Collect::Shuffled, 56.10, 0.08),
        (Deck::Small, 3, Collect::Shuffled, 24.30, 0.03),
    ];
    let row = |(deck, face_down, collect, published, margin)| Row {
        source: OURS,
        games: Games::Simulated(two_players(
            deck,
            parameters(face_down, collect, OutOfCards::Loses),
        )),
        is_ours: true,
        published_games: None,
        claims: vec![Claim::new(Figure::MeanTurns, published, margin)],
    };
    rows.map(row).into()
}

fn endless_shares() -> Vec<Row> {
    let shares = [
        (Deck::Small, [53.0, 42.0, 40.0, 39.0]),
        (Deck::Large, [82.0, 73.0, 70.0, 73.0]),
    ];
    let rows = shares.into_iter().flat_map(|(deck, shares)| {
        (2..).zip(shares).map(move |(players, published)| Row {
            source: CLASSIC_OURS,
            games: Games::Simulated(GameSetup {
                parameters: CLASSIC.parameters,
                players,
                deck,
                dealing: Dealing::Shuffled,
            }),
            is_ours: true,
            published_games: None,
            claims: vec![Claim::new(Figure::Endless, published, 0.5)],
        })
    });
    rows.collect()
}

/// How many Java seeds a thread takes at a time.
const SEEDS: i64 = 1_000;

/// Plays the X/Y games of these Java seeds with so many threads, and counts them; games are
/// numbered by seed.
///
/// A watch that does not go on ends it after some of the seeds, from the first on.
#[must_use]
pub fn play_java_seeds(seeds: Range<i64>, jobs: NonZero<usize>, watch: &dyn Watch) -> Tally {
    let mut sum = Tally::default();
    let end = seeds.end;
    let starts = iter::successors(Some(seeds.start), |start| start.checked_add(SEEDS));
    let starts = starts.take_while(|&start| start < end);
    let player = || {
        let mut kernel = General::new(XY.parameters);
        move |start: i64, _: &dyn Fn() -> bool| {
            let mut tally = Tally::default();
            for seed in start..end.min(start.saturating_add(SEEDS)) {
                play_java_seed(seed, &mut kernel, &mut tally);
            }
            tally
        }
    };
    let counted: ControlFlow<()> = fold_in_order(jobs, watch, starts, player, |tally| {
        sum.add(&tally);
        watch.counted(tally.games());
        ControlFlow::Continue(())
    });
    debug_assert!(counted.is_continue());
    sum
}

fn play_java_seed(seed: i64, kernel: &mut General, tally: &mut Tally) {
    let (mut cards, mut chance) = (Deck::Thirteen.cards(), JavaRandom::new(seed));
    chance.shuffle(&mut cards);
    let mut depths = Depths::default();
    let counted = kernel.play(&deal(&cards, 2), &mut chance, &mut depths);
    tally.depths.add(&depths);
    tally.count(seed.unsigned_abs(), &counted.played);
}

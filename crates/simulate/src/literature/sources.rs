//! Published figures, their sources, and the games that they belong to.

use super::claim::{Claim, Figure, SourceGames, SourceRow};
use super::deals;
use crate::setup::{Dealing, GameSetup};
use war::cards::{Deck, Rank};
use war::engine::Seat;
use war::rules::{
    CLASSIC, CardChoice, CollectOrder, OutOfCards, Parameters, Piles, RepetitionRule,
};

const DELAHAYE: &str = "Delahaye, Mathieu, Pour la Science 567 (2025)";
const HIGHEST_FIRST: &str =
    "cristal-smac/bataille, all deals, won cards highest first, Delahaye and Mathieu (2025)";
const ODD_DECKS: &str = "cristal-smac/bataille, odd decks, Delahaye and Mathieu (2025)";
const RECORDS: &str = "cristal-smac/bataille, all deals, Delahaye and Mathieu (2025)";

/// Returns all rows, in display order.
#[must_use]
pub fn source_rows() -> Vec<SourceRow> {
    let mut rows = enumerations();
    rows.extend(deals::known_deal_rows());
    rows.push(spivey());
    rows.extend(simulator_rows());
    rows.push(SourceRow {
        source: "Mosher, WarCardGamePlayer, Java seeds 1..1,000,000",
        games: SourceGames::JavaSeeds(1..1_000_001),
        is_ours: false,
        published_games: None,
        claims: vec![
            Claim::new(Figure::MeanTurns, 269.863, 0.0005),
            Claim::new(Figure::FirstWins, 50.063, 0.0005),
            Claim::new(Figure::MeanWars, 15.985, 0.0005),
        ],
    });
    rows.extend(reference_rows());
    rows
}

fn enumerations() -> Vec<SourceRow> {
    let exact = |figure, published| Claim::new(figure, published, 0.0);
    let rounded = |figure, published| Claim::new(figure, published, 0.000_05);
    let two_places = |figure, published| Claim::new(figure, published, 0.005);
    let claims = [
        (
            DELAHAYE,
            "2x4",
            vec![
                exact(Figure::Deals, 38.0),
                exact(Figure::EndlessCount, 0.0),
                rounded(Figure::MeanPairs, 5.2632),
            ],
        ),
        (
            DELAHAYE,
            "3x4",
            vec![
                exact(Figure::Deals, 17_370.0),
                exact(Figure::EndlessCount, 360.0),
                exact(Figure::Period, 19.0),
                exact(Figure::MostTurns, 37.0),
                exact(Figure::MostPairs, 54.0),
                rounded(Figure::MeanPairs, 13.4301),
            ],
        ),
        (
            DELAHAYE,
            "4x4",
            vec![
                exact(Figure::Deals, 31_532_760.0),
                exact(Figure::EndlessCount, 8_545.0),
                exact(Figure::Period, 24.0),
                exact(Figure::MostTurns, 145.0),
                exact(Figure::MostPairs, 192.0),
                rounded(Figure::MeanPairs, 28.6137),
            ],
        ),
        (RECORDS, "8x1", vec![two_places(Figure::MeanTurns, 10.53)]),
        (
            RECORDS,
            "10x1",
            vec![
                exact(Figure::EndlessCount, 197_970.0),
                exact(Figure::Period, 60.0),
                two_places(Figure::MeanTurns, 14.47),
            ],
        ),
        (ODD_DECKS, "5x1", vec![exact(Figure::EndlessCount, 30.0)]),
        (ODD_DECKS, "7x1", vec![exact(Figure::EndlessCount, 2_304.0)]),
        (
            ODD_DECKS,
            "9x1",
            vec![exact(Figure::EndlessCount, 218_680.0)],
        ),
    ];
    let highest_first = [
        (ODD_DECKS, "3x3", vec![exact(Figure::EndlessCount, 594.0)]),
        (
            HIGHEST_FIRST,
            "3x4",
            vec![
                two_places(Figure::MeanPairs, 12.07),
                exact(Figure::MostTurns, 34.0),
                exact(Figure::MostPairs, 48.0),
            ],
        ),
        (
            HIGHEST_FIRST,
            "4x4",
            vec![
                two_places(Figure::MeanPairs, 24.03),
                exact(Figure::MostPairs, 138.0),
            ],
        ),
    ];
    let row = |collect| {
        move |(source, deck, claims)| SourceRow {
            source,
            games: SourceGames::Enumerated(
                Parameters {
                    collect,
                    ..Parameters::BATAILLE
                },
                deck_of_shape(deck),
            ),
            is_ours: false,
            published_games: None,
            claims,
        }
    };
    let claims = claims.into_iter().map(row(CollectOrder::Bataille));
    let highest_first = highest_first
        .into_iter()
        .map(row(CollectOrder::HighestFirst));
    claims.chain(highest_first).collect()
}

/// Hands of Spivey's endless game, top card first; cards are numbered from 1, the highest.
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

fn spivey() -> SourceRow {
    let hand = |cards: [u8; 26]| {
        let ranks = cards.into_iter().map(|card| Rank::new(53 - card));
        ranks.flatten().collect()
    };
    SourceRow {
        source: "Spivey, Cycles in War, Integers 10 (2010)",
        games: SourceGames::SingleGame(GameSetup {
            parameters: parameters(1, CollectOrder::WinnerFirst, OutOfCards::Loses),
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

/// Returns the rows of programs that play random games.
fn simulator_rows() -> impl Iterator<Item = SourceRow> {
    let rows = bataille().chain(simulators()).chain(norvig());
    rows.chain(erikras()).chain(riddler())
}

fn simulators() -> Vec<SourceRow> {
    let row = |source, games, parameters, claims| SourceRow {
        source,
        games: SourceGames::Simulated(two_players(Deck::Large, parameters)),
        is_ours: false,
        published_games: Some(games),
        claims,
    };
    let jouets = |deck, mean, median, [low, high]: [f64; 2]| SourceRow {
        games: SourceGames::Simulated(two_players(
            deck,
            parameters(1, CollectOrder::Shuffled, OutOfCards::Loses),
        )),
        source: "jouets.ababsurdo.fr, 1 M games",
        is_ours: false,
        published_games: Some(1_000_000),
        claims: vec![
            Claim::new(Figure::MeanTurns, mean, 0.05),
            Claim::new(Figure::MedianTurns, median, 0.5),
            Claim::new(Figure::Quantile(25), low, 0.5),
            Claim::new(Figure::Quantile(975), high, 0.5),
        ],
    };
    vec![
        jouets(Deck::Large, 441.4, 334.0, [70.0, 1_414.0]),
        jouets(deck_of_shape("8x4"), 126.5, 96.0, [20.0, 404.0]),
        jouets(deck_of_shape("6x6"), 118.9, 90.0, [20.0, 374.0]),
        row(
            "kevinabrandon/kbWar, 1 M games",
            1_000_000,
            parameters(3, CollectOrder::Shuffled, OutOfCards::LastCard),
            vec![
                Claim::new(Figure::MeanTurns, 270.622, 0.000_5),
                // The source counts a tie only if at least two players can go on.
                Claim::new(Figure::MeanPlayedOn, 16.93, 0.005),
            ],
        ),
        row(
            "kevinabrandon/kbWar, 100,000 games without shuffling",
            100_000,
            parameters(3, CollectOrder::ReversedPile, OutOfCards::LastCard),
            vec![
                // The source calls games of more than 20,000 turns endless; no finished game is
                // that long.
                Claim::new(Figure::EndlessShare, 9.518, 0.000_5),
                Claim::new(Figure::MeanTurns, 593.731_8, 0.000_05),
            ],
        ),
        row(
            "zaporter/war_simulator, 10,000 games",
            10_000,
            parameters(3, CollectOrder::WinnerPile, OutOfCards::Loses),
            vec![
                Claim::new(Figure::MeanTurns, 178.0, 0.05),
                Claim::new(Figure::TurnsDeviation, 135.98, 0.005),
                Claim::new(Figure::MeanTies, 13.3, 0.05),
            ],
        ),
    ]
}

/// Returns Norvig's rows: the number of rounds in a game, and the share of sweeps.
fn norvig() -> [SourceRow; 2] {
    let plays = SourceRow {
        source: "Norvig, pytudes, War (2025), 100,000 games",
        games: SourceGames::Rounds(two_players(
            Deck::Large,
            parameters(3, CollectOrder::Shuffled, OutOfCards::Loses),
        )),
        is_ours: false,
        published_games: Some(100_000),
        claims: vec![
            Claim::new(Figure::MeanRounds, 294.0, 0.5),
            Claim::new(Figure::RoundsDeviation, 234.0, 0.5),
            Claim::new(Figure::MedianRounds, 224.0, 0.5),
        ],
    };
    let sweeps = SourceRow {
        source: "Norvig, pytudes, War (2025), sweeps",
        games: SourceGames::Counted(Deck::Large),
        is_ours: false,
        published_games: None,
        claims: vec![Claim::new(Figure::Sweeps, 3_132.436, 0.000_5)],
    };
    [plays, sweeps]
}

/// Returns the rows of means by the rules of bataille, for decks that aren't enumerated.
fn bataille() -> impl Iterator<Item = SourceRow> {
    let means = [
        ("16x1", Figure::MeanTurns, 35.28),
        ("22x1", Figure::MeanTurns, 78.58),
        ("24x1", Figure::MeanTurns, 74.48),
        ("32x1", Figure::MeanTurns, 130.10),
        ("6x4", Figure::MeanPairs, 72.37),
    ];
    means
        .into_iter()
        .map(|(deck, figure, published)| SourceRow {
            source: "cristal-smac/bataille, means of Delahaye and Mathieu (2025)",
            games: SourceGames::Simulated(two_players(deck_of_shape(deck), Parameters::BATAILLE)),
            is_ours: false,
            published_games: None,
            claims: vec![Claim::new(figure, published, 0.005)],
        })
}

/// Returns the rows with the percentage of finished games if cards are collected by seat.
fn erikras() -> impl Iterator<Item = SourceRow> {
    let finished = [(1, 60.0), (2, 73.0), (3, 90.0)];
    finished
        .into_iter()
        .map(|(face_down, published)| SourceRow {
            source: "erikras/war, 1,000 games",
            games: SourceGames::Simulated(two_players(
                Deck::Large,
                parameters(face_down, CollectOrder::SeatInterleaved, OutOfCards::Loses),
            )),
            is_ours: false,
            published_games: Some(1_000),
            claims: vec![Claim::new(Figure::FinishedShare, published, 0.5)],
        })
}

fn riddler() -> Vec<SourceRow> {
    let aces = vec![Rank::ACE; 4];
    let row = |(face_down, published)| SourceRow {
        source: "Hector Pefo on a question of The Riddler (FiveThirtyEight), 10 M games",
        games: SourceGames::Simulated(GameSetup {
            dealing: Dealing::Fixed {
                seat: Seat::FIRST,
                cards: aces.clone(),
            },
            ..two_players(
                Deck::Large,
                parameters(face_down, CollectOrder::Shuffled, OutOfCards::Loses),
            )
        }),
        is_ours: false,
        published_games: Some(10_000_000),
        claims: vec![Claim::new(Figure::FirstWins, published, 0.05)],
    };
    [(1, 80.9), (2, 71.7), (3, 65.5)].map(row).into()
}

const OWN_REFERENCE: &str = "reference of this project, 400,000 games";
const OWN_CLASSIC_REFERENCE: &str = "reference of this project, classic edition dealt";
const SQUARES: &str =
    "Bhatia, Chin, Mani, Mossel (arXiv 2302.03535): of order N²; factors of this project";

/// Returns the rows of this project's own reference figures.
fn reference_rows() -> impl Iterator<Item = SourceRow> {
    let rows = means().into_iter().chain(endless_shares());
    rows.chain(squares())
}

fn means() -> Vec<SourceRow> {
    let rows = [
        (Deck::Large, 1, CollectOrder::WinnerFirst, 257.58, 0.30),
        (Deck::Large, 3, CollectOrder::WinnerFirst, 169.88, 0.20),
        (Deck::Small, 1, CollectOrder::WinnerFirst, 38.07, 0.04),
        (Deck::Small, 3, CollectOrder::WinnerFirst, 20.12, 0.02),
        (Deck::Large, 1, CollectOrder::Shuffled, 441.82, 0.58),
        (Deck::Large, 3, CollectOrder::Shuffled, 236.00, 0.30),
        (Deck::Small, 1, CollectOrder::Shuffled, 56.10, 0.08),
        (Deck::Small, 3, CollectOrder::Shuffled, 24.30, 0.03),
    ];
    let row = |(deck, face_down, collect, published, margin)| SourceRow {
        source: OWN_REFERENCE,
        games: SourceGames::Simulated(two_players(
            deck,
            parameters(face_down, collect, OutOfCards::Loses),
        )),
        is_ours: true,
        published_games: None,
        claims: vec![Claim::new(Figure::MeanTurns, published, margin)],
    };
    rows.map(row).into()
}

fn endless_shares() -> Vec<SourceRow> {
    let shares = [
        (Deck::Small, [53.0, 42.0, 40.0, 39.0], 0.5),
        (Deck::Large, [82.5, 71.1, 72.1, 70.5], 0.1),
    ];
    let rows = shares.into_iter().flat_map(|(deck, shares, margin)| {
        (2..)
            .zip(shares)
            .map(move |(players, published)| SourceRow {
                source: OWN_CLASSIC_REFERENCE,
                games: SourceGames::Simulated(GameSetup {
                    parameters: CLASSIC.parameters,
                    players,
                    deck,
                    dealing: Dealing::Shuffled,
                }),
                is_ours: true,
                published_games: None,
                claims: vec![Claim::new(Figure::EndlessShare, published, margin)],
            })
    });
    rows.collect()
}

/// Returns the rows of the mean number of turns of one-suit decks, divided by the square of the
/// number of cards. For large decks, this quotient may approach 1/8.
fn squares() -> impl Iterator<Item = SourceRow> {
    let factors = [
        (8, 0.164, 0.000_5),
        (16, 0.138, 0.000_5),
        (24, 0.129, 0.000_5),
        (32, 0.127, 0.000_5),
        (48, 0.125, 0.000_5),
        (64, 0.124_5, 0.000_05),
    ];
    factors
        .into_iter()
        .map(|(cards, factor, margin)| SourceRow {
            source: SQUARES,
            games: SourceGames::Simulated(two_players(
                deck_of_shape(&format!("{cards}x1")),
                Parameters::BATAILLE,
            )),
            is_ours: true,
            published_games: None,
            claims: vec![Claim::new(
                Figure::MeanTurnsPerSquare(cards),
                factor,
                margin,
            )],
        })
}

const fn parameters(face_down: u8, collect: CollectOrder, out_of_cards: OutOfCards) -> Parameters {
    Parameters {
        face_down,
        collect,
        piles: Piles::One,
        out_of_cards,
        repetition: RepetitionRule::Ends,
        card_choice: CardChoice::Top,
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

/// Returns the deck with this shape, as ranks and suits.
fn deck_of_shape(shape: &str) -> Deck {
    Deck::from_shape(shape).unwrap_or(Deck::Small)
}

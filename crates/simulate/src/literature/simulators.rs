//! Programs that play random games.

use super::claim::{Claim, Figure, Games, Row};
use super::setups::{parameters, shaped, two_players};
use crate::setup::{Dealing, GameSetup};
use war::cards::{Deck, Rank};
use war::engine::Seat;
use war::rules::{Collect, OutOfCards, Parameters};

/// The rows.
pub(super) fn rows() -> impl Iterator<Item = Row> {
    let rows = bataille().chain(simulators()).chain(norvig());
    rows.chain(erikras()).chain(riddler())
}

fn simulators() -> Vec<Row> {
    let row = |source, games, parameters, claims| Row {
        source,
        games: Games::Simulated(two_players(Deck::Large, parameters)),
        is_ours: false,
        published_games: Some(games),
        claims,
    };
    let jouets = |deck, mean, median, [low, high]: [f64; 2]| Row {
        games: Games::Simulated(two_players(
            deck,
            parameters(1, Collect::Shuffled, OutOfCards::Loses),
        )),
        source: "jouets.ababsurdo.fr, 1 M games",
        is_ours: false,
        published_games: Some(1_000_000),
        claims: vec![
            Claim::new(Figure::MeanTurns, mean, 0.05),
            Claim::new(Figure::Median, median, 0.5),
            Claim::new(Figure::Quantile(25), low, 0.5),
            Claim::new(Figure::Quantile(975), high, 0.5),
        ],
    };
    vec![
        jouets(Deck::Large, 441.4, 334.0, [70.0, 1_414.0]),
        jouets(shaped("8x4"), 126.5, 96.0, [20.0, 404.0]),
        jouets(shaped("6x6"), 118.9, 90.0, [20.0, 374.0]),
        row(
            "kevinabrandon/kbWar, 1 M games",
            1_000_000,
            parameters(3, Collect::Shuffled, OutOfCards::LastCard),
            vec![
                Claim::new(Figure::MeanTurns, 270.622, 0.000_5),
                // It counts a tie only when at least two players can go on.
                Claim::new(Figure::MeanPlayedOn, 16.93, 0.005),
            ],
        ),
        row(
            "kevinabrandon/kbWar, 100,000 games without shuffling",
            100_000,
            parameters(3, Collect::ReversedPile, OutOfCards::LastCard),
            vec![
                // What takes more than 20,000 turns is endless there: no finished game does.
                Claim::new(Figure::Endless, 9.518, 0.000_5),
                Claim::new(Figure::MeanTurns, 593.731_8, 0.000_05),
            ],
        ),
        row(
            "zaporter/war_simulator, 10,000 games",
            10_000,
            parameters(3, Collect::WinnerPile, OutOfCards::Loses),
            vec![
                Claim::new(Figure::MeanTurns, 178.0, 0.05),
                Claim::new(Figure::Deviation, 135.98, 0.005),
                Claim::new(Figure::MeanTies, 13.3, 0.05),
            ],
        ),
    ]
}

/// What a game comes to in plays, in each of which both put a card, face up or face down; and how
/// many games are over after one pass.
fn norvig() -> [Row; 2] {
    let plays = Row {
        source: "Norvig, pytudes, War (2025), 100,000 games",
        games: Games::Rounds(two_players(
            Deck::Large,
            parameters(3, Collect::Shuffled, OutOfCards::Loses),
        )),
        is_ours: false,
        published_games: Some(100_000),
        claims: vec![
            Claim::new(Figure::MeanRounds, 294.0, 0.5),
            Claim::new(Figure::RoundsDeviation, 234.0, 0.5),
            Claim::new(Figure::MedianRounds, 224.0, 0.5),
        ],
    };
    let sweeps = Row {
        source: "Norvig, pytudes, War (2025), sweeps",
        games: Games::Counted(Deck::Large),
        is_ours: false,
        published_games: None,
        claims: vec![Claim::new(Figure::Sweeps, 3_132.436, 0.000_5)],
    };
    [plays, sweeps]
}

/// Means of the rules of bataille, of decks that are not played in full.
fn bataille() -> impl Iterator<Item = Row> {
    let means = [
        ("16x1", Figure::MeanTurns, 35.28),
        ("22x1", Figure::MeanTurns, 78.58),
        ("24x1", Figure::MeanTurns, 74.48),
        ("32x1", Figure::MeanTurns, 130.10),
        ("6x4", Figure::MeanPairs, 72.37),
    ];
    means.into_iter().map(|(deck, figure, published)| Row {
        source: "cristal-smac/bataille, means of Delahaye and Mathieu (2025)",
        games: Games::Simulated(two_players(shaped(deck), Parameters::BATAILLE)),
        is_ours: false,
        published_games: None,
        claims: vec![Claim::new(figure, published, 0.005)],
    })
}

/// How many games end where the winner does not choose the order.
fn erikras() -> impl Iterator<Item = Row> {
    let finished = [(1, 60.0), (2, 73.0), (3, 90.0)];
    finished.into_iter().map(|(face_down, published)| Row {
        source: "erikras/war, 1,000 games",
        games: Games::Simulated(two_players(
            Deck::Large,
            parameters(face_down, Collect::SeatInterleaved, OutOfCards::Loses),
        )),
        is_ours: false,
        published_games: Some(1_000),
        claims: vec![Claim::new(Figure::Finished, published, 0.5)],
    })
}

fn riddler() -> Vec<Row> {
    let aces = vec![Rank::ACE; 4];
    let row = |(face_down, published)| Row {
        source: "Hector Pefo on a question of The Riddler (FiveThirtyEight), 10 M games",
        games: Games::Simulated(GameSetup {
            dealing: Dealing::Fixed {
                seat: Seat::FIRST,
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

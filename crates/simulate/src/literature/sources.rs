use super::claim::{Claim, Figure, Games, Row};
use super::setups::{parameters, shaped};
use super::{deals, references, simulators};
use crate::setup::{Dealing, GameSetup};
use war::cards::{Deck, Rank};
use war::rules::{Collect, OutOfCards, Parameters};

const DELAHAYE: &str = "Delahaye, Mathieu, Pour la Science 567 (2025)";
const HIGHEST_FIRST: &str =
    "cristal-smac/bataille, all deals, won cards highest first, Delahaye and Mathieu (2025)";
const ODD: &str = "cristal-smac/bataille, odd decks, Delahaye and Mathieu (2025)";
const RECORDS: &str = "cristal-smac/bataille, all deals, Delahaye and Mathieu (2025)";

/// Every row, in the order in which they are shown.
#[must_use]
pub fn rows() -> Vec<Row> {
    let mut rows = enumerations();
    rows.extend(deals::rows());
    rows.push(spivey());
    rows.extend(simulators::rows());
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
    rows.extend(references::rows());
    rows
}

fn enumerations() -> Vec<Row> {
    let exact = |figure, published| Claim::new(figure, published, 0.0);
    let rounded = |figure, published| Claim::new(figure, published, 0.000_05);
    let two_places = |figure, published| Claim::new(figure, published, 0.005);
    let claims = [
        (
            DELAHAYE,
            "2x4",
            vec![
                exact(Figure::Deals, 38.0),
                exact(Figure::Cycles, 0.0),
                rounded(Figure::MeanPairs, 5.2632),
            ],
        ),
        (
            DELAHAYE,
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
            DELAHAYE,
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
        (RECORDS, "8x1", vec![two_places(Figure::MeanTurns, 10.53)]),
        (
            RECORDS,
            "10x1",
            vec![
                exact(Figure::Cycles, 197_970.0),
                exact(Figure::Period, 60.0),
                two_places(Figure::MeanTurns, 14.47),
            ],
        ),
        (ODD, "5x1", vec![exact(Figure::Cycles, 30.0)]),
        (ODD, "7x1", vec![exact(Figure::Cycles, 2_304.0)]),
        (ODD, "9x1", vec![exact(Figure::Cycles, 218_680.0)]),
    ];
    let highest_first = [
        (ODD, "3x3", vec![exact(Figure::Cycles, 594.0)]),
        (
            HIGHEST_FIRST,
            "3x4",
            vec![
                two_places(Figure::MeanPairs, 12.07),
                exact(Figure::Longest, 34.0),
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
        move |(source, deck, claims)| Row {
            source,
            games: Games::Enumerated(
                Parameters {
                    collect,
                    ..Parameters::BATAILLE
                },
                shaped(deck),
            ),
            is_ours: false,
            published_games: None,
            claims,
        }
    };
    let claims = claims.into_iter().map(row(Collect::Bataille));
    let highest_first = highest_first.into_iter().map(row(Collect::HighestFirst));
    claims.chain(highest_first).collect()
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

use super::claim::{Claim, Figure, Games, Row};
use crate::cards::{Deck, Rank};
use crate::engine::Seat;
use crate::rules::{CLASSIC, Collect, Draw, OutOfCards, Parameters, Repeated};
use crate::simulate::setup::{Dealing, GameSetup};

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

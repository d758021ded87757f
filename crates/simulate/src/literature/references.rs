//! Figures that this project has published itself.

use super::claim::{Claim, Figure, Games, Row};
use super::setups::{parameters, shaped, two_players};
use crate::setup::{Dealing, GameSetup};
use war::cards::Deck;
use war::rules::{CLASSIC, Collect, OutOfCards, Parameters};

const OURS: &str = "reference of this project, 400,000 games";
const CLASSIC_OURS: &str = "reference of this project, classic edition dealt";
const SQUARES: &str =
    "Bhatia, Chin, Mani, Mossel (arXiv 2302.03535): of order N²; factors of this project";

/// The rows.
pub(super) fn rows() -> impl Iterator<Item = Row> {
    let rows = means().into_iter().chain(endless_shares());
    rows.chain(squares())
}

fn means() -> Vec<Row> {
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
        (Deck::Small, [53.0, 42.0, 40.0, 39.0], 0.5),
        (Deck::Large, [82.5, 71.1, 72.1, 70.5], 0.1),
    ];
    let rows = shares.into_iter().flat_map(|(deck, shares, margin)| {
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
            claims: vec![Claim::new(Figure::Endless, published, margin)],
        })
    });
    rows.collect()
}

/// The mean number of turns with one suit: is it an eighth of the square of the number of cards?
fn squares() -> impl Iterator<Item = Row> {
    let factors = [
        (8, 0.164, 0.000_5),
        (16, 0.138, 0.000_5),
        (24, 0.129, 0.000_5),
        (32, 0.127, 0.000_5),
        (48, 0.125, 0.000_5),
        (64, 0.124_5, 0.000_05),
    ];
    factors.into_iter().map(|(cards, factor, margin)| Row {
        source: SQUARES,
        games: Games::Simulated(two_players(
            shaped(&format!("{cards}x1")),
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

//! A row for each game, as comma-separated values.

use super::game::{Conclusion, Played};
use std::fmt::Write;
use war::cards::Rank;

/// The first columns of a file with a row for each game, and the only ones unless more are asked
/// for.
const ROWS: &str = "game,verdict,winner,turns,wars,period";

/// What a row says of the hands that were dealt, in a column for each seat.
///
/// # Examples
///
/// ```
/// use war_simulate::{Column, heading};
///
/// let columns = [Column::Aces, Column::Strength];
/// assert_eq!(
///     heading(&columns, 2),
///     "game,verdict,winner,turns,wars,period,aces1,aces2,strength1,strength2\n"
/// );
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    /// The cards of the highest rank in the game.
    Aces,
    /// The cards of the rank below.
    Kings,
    /// The sum of the ranks of all cards.
    Strength,
}

impl Column {
    /// Every column.
    pub const ALL: [Self; 3] = [Self::Aces, Self::Kings, Self::Strength];

    /// The name, as typed.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Aces => "aces",
            Self::Kings => "kings",
            Self::Strength => "strength",
        }
    }

    /// What it says of a hand in a game whose highest ranks are these.
    fn of(self, hand: &[Rank], highest: [Option<Rank>; 2]) -> usize {
        let [ace, king] = highest;
        let count = |rank| hand.iter().filter(|&&card| Some(card) == rank).count();
        match self {
            Self::Aces => count(ace),
            Self::Kings => count(king),
            Self::Strength => hand.iter().map(|card| usize::from(card.get())).sum(),
        }
    }
}

/// The first row of a file with a row for each game of so many players, with these columns more.
#[must_use]
pub fn heading(columns: &[Column], players: u8) -> String {
    let names = columns.iter().map(|column| column.name());
    let seats = names.flat_map(|name| (1..=players).map(move |seat| format!(",{name}{seat}")));
    format!("{ROWS}{}\n", seats.collect::<String>())
}

/// Appends the row of a game, with the columns that say something of these hands.
pub(super) fn append(
    out: &mut String,
    (game, played): (u64, &Played),
    columns: &[Column],
    hands: &[Vec<Rank>],
) {
    let (turns, wars) = (played.turns, played.wars);
    let written = match played.verdict {
        Conclusion::Won(seat) => write!(out, "{game},won,{seat},{turns},{wars},"),
        Conclusion::Drawn => write!(out, "{game},drawn,,{turns},{wars},"),
        Conclusion::Endless { period } => write!(out, "{game},endless,,{turns},{wars},{period}"),
        Conclusion::Undecided => write!(out, "{game},undecided,,{turns},{wars},"),
    };
    written.expect("memory takes every byte");
    let highest = hands.iter().flatten().copied().max();
    let lower = hands
        .iter()
        .flatten()
        .copied()
        .filter(|&card| Some(card) < highest);
    let highest = [highest, lower.max()];
    for column in columns {
        for hand in hands {
            write!(out, ",{}", column.of(hand, highest)).expect("memory takes every byte");
        }
    }
    out.push('\n');
}

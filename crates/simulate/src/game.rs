//! Results of simulated games, and their CSV rows.

use std::fmt::Write;
use war::cards::Rank;
use war::engine::Seat;

/// Result of a simulated game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameResult {
    /// End of the game.
    pub conclusion: Conclusion,
    /// Number of turns; for an endless game, up to the first repetition.
    pub turns: u32,
    /// Number of turns whose highest card was shared.
    pub wars: u32,
    /// Ties for the highest card; none unless the game finished.
    pub ties: Ties,
}

/// Number of ties for the highest card in a finished game; a war within a war counts again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ties {
    /// All ties.
    pub all: u32,
    /// Ties after which at least two players had further face-up cards, which were compared.
    pub played_on: u32,
}

impl Ties {
    /// Returns the counts for `all` ties, after `last` of which at most one player could go on.
    #[must_use]
    pub(super) fn new(all: u64, last: u64) -> Self {
        let counted = |ties| u32::try_from(ties).unwrap_or(u32::MAX);
        Self {
            all: counted(all),
            played_on: counted(all.saturating_sub(last)),
        }
    }
}

/// End of a simulated game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conclusion {
    /// Win of the player in this seat.
    Won(Seat),
    /// Draw, since all players ran out of cards at once.
    Drawn,
    /// Endless game, whose hands were repeated.
    Endless {
        /// Number of turns from one repetition to the next.
        period: u32,
    },
    /// Game that reached the limit of turns without a winner.
    Undecided,
}

/// Number of wars by depth, which is the number of consecutive ties for the highest card.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WarDepthCounts(Vec<u64>);

impl WarDepthCounts {
    /// Counts a war of this depth; depth 0 is ignored.
    #[inline]
    pub fn count(&mut self, depth: usize) {
        self.count_many(depth, 1);
    }

    /// Counts `wars` wars of this depth; depth 0 is ignored.
    #[inline]
    pub fn count_many(&mut self, depth: usize, wars: u64) {
        if depth == 0 || wars == 0 {
            return;
        }
        if self.0.len() < depth {
            self.0.resize(depth, 0);
        }
        self.0[depth - 1] += wars;
    }

    /// Adds the wars of other games.
    pub fn add(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (sum, count) in self.0.iter_mut().zip(&other.0) {
            *sum += count;
        }
    }

    /// Returns the number of ties for the highest card: the sum of the depths.
    #[must_use]
    pub fn ties(&self) -> u64 {
        let depths = (1..).zip(&self.0);
        depths.map(|(depth, wars): (u64, _)| depth * wars).sum()
    }

    /// Returns the number of wars of each depth, starting with depth 1.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.0
    }
}

/// Columns of every CSV row, before any extra columns.
const BASE_COLUMNS: &str = "game,verdict,winner,turns,wars,period";

/// Extra CSV column about the dealt hands, one for each seat.
///
/// # Examples
///
/// ```
/// use war_simulate::{HandColumn, csv_header};
///
/// let columns = [HandColumn::Aces, HandColumn::Strength];
/// assert_eq!(
///     csv_header(&columns, 2),
///     "game,verdict,winner,turns,wars,period,aces1,aces2,strength1,strength2\n"
/// );
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HandColumn {
    /// Number of cards of the highest rank in the game.
    Aces,
    /// Number of cards of the next lower rank.
    Kings,
    /// Sum of the ranks of all cards.
    Strength,
}

impl HandColumn {
    /// All extra columns.
    pub const ALL: [Self; 3] = [Self::Aces, Self::Kings, Self::Strength];

    /// Returns the name, as typed on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Aces => "aces",
            Self::Kings => "kings",
            Self::Strength => "strength",
        }
    }

    /// Returns the value for a hand in a game with these two highest ranks.
    fn value(self, hand: &[Rank], highest: [Option<Rank>; 2]) -> usize {
        let [ace, king] = highest;
        let count = |rank| hand.iter().filter(|&&card| Some(card) == rank).count();
        match self {
            Self::Aces => count(ace),
            Self::Kings => count(king),
            Self::Strength => hand.iter().map(|card| usize::from(card.get())).sum(),
        }
    }
}

/// Returns the CSV header for games with this many players and these extra columns.
#[must_use]
pub fn csv_header(columns: &[HandColumn], players: u8) -> String {
    let names = columns.iter().map(|column| column.name());
    let seats = names.flat_map(|name| (1..=players).map(move |seat| format!(",{name}{seat}")));
    format!("{BASE_COLUMNS}{}\n", seats.collect::<String>())
}

/// Appends the row of a game, with these extra columns about its hands.
pub(super) fn append_row(
    out: &mut String,
    (game, played): (u64, &GameResult),
    columns: &[HandColumn],
    hands: &[Vec<Rank>],
) {
    let (turns, wars) = (played.turns, played.wars);
    let written = match played.conclusion {
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
            write!(out, ",{}", column.value(hand, highest)).expect("memory takes every byte");
        }
    }
    out.push('\n');
}

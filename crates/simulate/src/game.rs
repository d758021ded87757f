//! How a simulated game went, and its row among comma-separated values.

use std::fmt::Write;
use war::cards::Rank;
use war::engine::Seat;

/// How a simulated game went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Played {
    /// How it ended.
    pub verdict: Conclusion,
    /// The number of turns; of an endless game, up to the first repetition.
    pub turns: u32,
    /// The number of turns whose highest card was shared.
    pub wars: u32,
    /// How often the highest card was shared; none of games that did not finish.
    pub ties: Ties,
}

/// How often the highest card of a finished game was shared: a war in a war counts again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ties {
    /// All of them.
    pub all: u32,
    /// Those after which the next cards face up were compared, as two players or more had some.
    pub played_on: u32,
}

impl Ties {
    /// So many, after some of which nobody could go on, or one player alone.
    #[must_use]
    pub(super) fn but(all: u64, last: u64) -> Self {
        let counted = |ties| u32::try_from(ties).unwrap_or(u32::MAX);
        Self {
            all: counted(all),
            played_on: counted(all.saturating_sub(last)),
        }
    }
}

/// How a simulated game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conclusion {
    /// One player holds all the cards.
    Won(Seat),
    /// All ran out of cards at once.
    Drawn,
    /// The hands came back.
    Endless {
        /// After how many turns.
        period: u32,
    },
    /// The game lasted as many turns as it may.
    Undecided,
}

/// How many wars were how deep: how often in a row the highest card was shared.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Depths(Vec<u64>);

impl Depths {
    /// Counts a war of this depth; there is none of depth 0.
    #[inline]
    pub fn count(&mut self, depth: usize) {
        self.count_many(depth, 1);
    }

    /// Counts this many wars of a depth; there are none of depth 0.
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

    /// Adds the wars of others.
    pub fn add(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (sum, count) in self.0.iter_mut().zip(&other.0) {
            *sum += count;
        }
    }

    /// How often the highest card was shared: as often as the wars are deep.
    #[must_use]
    pub fn ties(&self) -> u64 {
        let depths = (1..).zip(&self.0);
        depths.map(|(depth, wars): (u64, _)| depth * wars).sum()
    }

    /// The number of wars of each depth, those of depth 1 first.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.0
    }
}

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

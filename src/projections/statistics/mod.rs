//! Statistics: what a game came to, in numbers, and how many cards everybody held on the way.

mod course;
mod tokens;
mod war;

pub use course::Course;
pub use tokens::{TokenPlayer, TokenStatistics};
pub use war::{LargestPile, LongestWar, WarPlayer, WarStatistics};

use crate::engine::{Event, Projection, Table};
use crate::tokens::{TokenEvent, TokenGame};

/// The statistics of a game of either kind.
///
/// # Examples
///
/// ```
/// use war::projections::statistics::Statistics;
/// use war::replay::Replay;
///
/// let journal = std::fs::read("journals/classic_dealt_won.json").unwrap();
/// let mut statistics = Statistics::default();
/// let replay = Replay::open(&journal[..], None).unwrap();
/// let judgement = replay.verify(&mut statistics).unwrap();
/// assert!(judgement.fault().is_none());
/// assert_eq!((statistics.war.turns(), statistics.war.wars()), (19, 4));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Those of a game of War.
    pub war: WarStatistics,
    /// Those of a token game.
    pub tokens: TokenStatistics,
}

impl Projection<Table> for Statistics {
    fn project(&mut self, event: &Event, table: &Table, out: &mut String) {
        self.war.project(event, table, out);
    }
}

impl Projection<TokenGame> for Statistics {
    fn project(&mut self, event: &TokenEvent, game: &TokenGame, out: &mut String) {
        self.tokens.project(event, game, out);
    }
}

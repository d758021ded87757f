use super::header::{Header, RecordedRules};
use crate::engine::Seat;
use crate::support::hex::Hex;
use crate::tokens::{Seats, SeedStatus};

/// Facts about a game that its journal must have.
///
/// A valid journal may still be of a game other than the one you played. Only facts that you noted
/// yourself can show the difference.
///
/// # Examples
///
/// ```
/// use war::journal::{ExpectedGame, GameMismatch};
/// use war::replay::Replay;
///
/// let journal = std::fs::read("journals/single_card_2_showdown.json").unwrap();
/// let replay = Replay::open(&journal[..], None).unwrap();
/// let mut expected = ExpectedGame { game: Some(7), ..ExpectedGame::default() };
/// assert_eq!(expected.check(replay.header(), replay.seats()), Ok(()));
/// expected.game = Some(8);
/// let other = GameMismatch::Game { expected: 8, found: 7 };
/// assert_eq!(expected.check(replay.header(), replay.seats()), Err(other));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExpectedGame {
    /// The final digest of the journal.
    pub digest: Option<Hex<16>>,
    /// The commitment that the card table showed at the start of the token game.
    pub commitment: Option<Hex<32>>,
    /// The number of the token game at its table.
    pub game: Option<u64>,
    /// Seeds of players in the token game, each with its player's seat.
    pub seeds: Vec<(Seat, Hex<32>)>,
}

/// Difference between a journal and the token game that was expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum GameMismatch {
    /// Journal of a game of War, not of a token game.
    #[error("this is not a token game")]
    War,
    /// Commitment other than the expected one: the card table was committed to another seed.
    #[error("the commitment is {found}, expected {expected}")]
    Commitment {
        /// The expected commitment.
        expected: Hex<32>,
        /// The commitment in the journal.
        found: Hex<32>,
    },
    /// Game number other than the expected one.
    #[error("this is game {found}, expected game {expected}")]
    Game {
        /// The expected number of the game.
        expected: u64,
        /// The number of the game in the journal.
        found: u64,
    },
    /// Opened seed other than the expected one.
    #[error("the seed opened at seat {seat} is {found}, expected {expected}")]
    Seed {
        /// The player's seat.
        seat: Seat,
        /// The expected seed.
        expected: Hex<32>,
        /// The seed in the journal.
        found: Hex<32>,
    },
    /// Missing seed of a player.
    #[error("no seed was opened at seat {seat}, expected {expected}")]
    NoSeed {
        /// The player's seat.
        seat: Seat,
        /// The expected seed.
        expected: Hex<32>,
    },
    /// Game by version 1 of the rules, in which players add texts instead of committing to seeds.
    #[error("by these rules, players add texts instead of seeds of 64 digits")]
    Texts,
}

impl ExpectedGame {
    /// Checks a verified game with this header against everything expected except the digest.
    /// `seats` are the players of a token game.
    ///
    /// # Errors
    ///
    /// [`GameMismatch`] at the first difference.
    pub fn check(&self, header: &Header, seats: Option<&Seats>) -> Result<(), GameMismatch> {
        if self.commitment.is_none() && self.game.is_none() && self.seeds.is_empty() {
            return Ok(());
        }
        let RecordedRules::Tokens(played) = &header.rules else {
            return Err(GameMismatch::War);
        };
        if let Some(expected) = self.game.filter(|game| *game != played.game) {
            let found = played.game;
            return Err(GameMismatch::Game { expected, found });
        }
        let commitment = self.commitment;
        if let Some(expected) = commitment.filter(|expected| *expected != played.commitment) {
            let found = played.commitment;
            return Err(GameMismatch::Commitment { expected, found });
        }
        let mut seeds = self.seeds.iter();
        seeds.try_for_each(|&(seat, expected)| check_seed(seats, seat, expected))
    }
}

fn check_seed(seats: Option<&Seats>, seat: Seat, expected: Hex<32>) -> Result<(), GameMismatch> {
    let status = match seats {
        Some(Seats::OptionalSeeds { .. }) => return Err(GameMismatch::Texts),
        Some(Seats::CommittedSeeds { seeds, .. }) => seeds.get(seat.index()),
        Some(Seats::TableSeed) | None => None,
    };
    match status {
        Some(SeedStatus::Opened(found)) if *found == expected => Ok(()),
        Some(&SeedStatus::Opened(found)) => Err(GameMismatch::Seed {
            seat,
            expected,
            found,
        }),
        Some(SeedStatus::Awaited | SeedStatus::Forfeited) | None => {
            Err(GameMismatch::NoSeed { seat, expected })
        }
    }
}

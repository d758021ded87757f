use super::{ClientSeed, Name};
use crate::engine::Seat;
use crate::support::hex::Hex;

/// Who plays a token game, and what they add to its chance, by seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Seats {
    /// Of version 1: known by name, with the seeds that they gave.
    Added {
        /// Their names.
        names: [Name; 2],
        /// Their seeds, if they gave any.
        seeds: [Option<ClientSeed>; 2],
    },
    /// Of version 2: known by their public numbers, with the seeds that they committed to.
    Committed {
        /// Their public numbers.
        players: [u64; 2],
        /// The SHA-256 of each seed.
        seed_hashes: [Hex<32>; 2],
        /// What became of each seed.
        seeds: [Opening; 2],
    },
}

/// What became of the seed that a player committed to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opening {
    /// It is awaited.
    Awaited,
    /// It was opened.
    Opened(Hex<32>),
    /// It was not opened in time: the player folds.
    Forfeited,
}

impl Seats {
    /// The highest public number of a player: every program can read numbers up to there from
    /// JSON.
    pub const HIGHEST_NUMBER: u64 = (1 << 53) - 1;

    /// Whether these can be the public numbers of two players: they count from 1, and nobody
    /// plays against themselves.
    #[must_use]
    pub fn are_numbers(players: [u64; 2]) -> bool {
        let [one, two] = players;
        one != two
            && players
                .iter()
                .all(|number| (1..=Self::HIGHEST_NUMBER).contains(number))
    }

    /// The seeds as they stand in the message that a deal is derived from: hexadecimal digits,
    /// none for a seed that is not there.
    #[must_use]
    pub fn seed_digits(&self) -> [String; 2] {
        match self {
            Self::Added { seeds, .. } => seeds
                .each_ref()
                .map(|seed| seed.as_ref().map(ClientSeed::digits).unwrap_or_default()),
            Self::Committed { seeds, .. } => seeds.map(|seed| match seed {
                Opening::Opened(seed) => seed.to_string(),
                Opening::Awaited | Opening::Forfeited => String::new(),
            }),
        }
    }

    /// Whose seed may still come, as long as no cards are dealt.
    #[must_use]
    pub fn awaited(&self) -> [bool; 2] {
        match self {
            Self::Added { seeds, .. } => seeds.each_ref().map(Option::is_none),
            Self::Committed { seeds, .. } => seeds.map(|seed| seed == Opening::Awaited),
        }
    }

    /// Who did not open their seed in time.
    #[must_use]
    pub fn forfeited(&self) -> [bool; 2] {
        match self {
            Self::Added { .. } => [false; 2],
            Self::Committed { seeds, .. } => seeds.map(|seed| seed == Opening::Forfeited),
        }
    }

    /// Takes what became of a player's seed; `None` where this is not that kind of game.
    pub(super) fn set(&mut self, seat: Seat, opening: Opening) -> Option<()> {
        let Self::Committed { seeds, .. } = self else {
            return None;
        };
        *seeds.get_mut(seat.index())? = opening;
        Some(())
    }
}

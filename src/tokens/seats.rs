use crate::engine::Seat;
use crate::support::hex::Hex;
use crate::support::sanitize::is_unprintable;
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// The players of a token game and their seeds, by seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Seats {
    /// Version 1: players known by name, with the seeds that they gave.
    OptionalSeeds {
        /// Names of the players.
        names: [Name; 2],
        /// Seeds of the players, `None` for a player who gave none.
        seeds: [Option<ClientSeed>; 2],
    },
    /// Version 2: players known by their public numbers, with the seeds that they committed to.
    CommittedSeeds {
        /// Public numbers of the players.
        players: [u64; 2],
        /// SHA-256 hash of each seed.
        seed_hashes: [Hex<32>; 2],
        /// Status of each seed.
        seeds: [SeedStatus; 2],
    },
    /// Daily duel: anybody in seat 1 and the house in seat 2, without seeds.
    TableSeed,
}

/// Status of a seed that a player committed to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeedStatus {
    /// Seed that is still to be opened.
    Awaited,
    /// Seed that was opened.
    Opened(Hex<32>),
    /// Seed that was not opened in time: its player folds.
    Forfeited,
}

impl Seats {
    /// Highest public number of a player: every program can read numbers up to this one from JSON.
    pub const HIGHEST_NUMBER: u64 = (1 << 53) - 1;

    /// Returns `true` for two different numbers from 1 to [`Seats::HIGHEST_NUMBER`].
    #[must_use]
    pub fn are_valid_numbers(players: [u64; 2]) -> bool {
        let [one, two] = players;
        one != two
            && players
                .iter()
                .all(|number| (1..=Self::HIGHEST_NUMBER).contains(number))
    }

    /// Converts the seeds to hexadecimal for [`format_deal_message`](super::format_deal_message);
    /// empty for a missing seed.
    #[must_use]
    pub fn seeds_to_hex(&self) -> [String; 2] {
        match self {
            Self::OptionalSeeds { seeds, .. } => seeds
                .each_ref()
                .map(|seed| seed.as_ref().map(ClientSeed::to_hex).unwrap_or_default()),
            Self::CommittedSeeds { seeds, .. } => seeds.map(|seed| match seed {
                SeedStatus::Opened(seed) => seed.to_string(),
                SeedStatus::Awaited | SeedStatus::Forfeited => String::new(),
            }),
            Self::TableSeed => [const { String::new() }; 2],
        }
    }

    /// Returns `true` for each player whose seed is still missing; only meaningful before the first
    /// deal.
    #[must_use]
    pub fn awaits_seeds(&self) -> [bool; 2] {
        match self {
            Self::OptionalSeeds { seeds, .. } => seeds.each_ref().map(Option::is_none),
            Self::CommittedSeeds { seeds, .. } => seeds.map(|seed| seed == SeedStatus::Awaited),
            Self::TableSeed => [false; 2],
        }
    }

    /// Returns `true` for each player who did not open their seed in time.
    #[must_use]
    pub fn have_forfeited(&self) -> [bool; 2] {
        match self {
            Self::OptionalSeeds { .. } | Self::TableSeed => [false; 2],
            Self::CommittedSeeds { seeds, .. } => seeds.map(|seed| seed == SeedStatus::Forfeited),
        }
    }

    /// Sets the status of a player's seed; `None` except in version 2, and for seats other than the
    /// two of the game.
    pub(super) fn set_status(&mut self, seat: Seat, status: SeedStatus) -> Option<()> {
        let Self::CommittedSeeds { seeds, .. } = self else {
            return None;
        };
        *seeds.get_mut(seat.index())? = status;
        Some(())
    }
}

/// Display name of a player: 1 to 32 visible characters.
///
/// # Examples
///
/// ```
/// use war::tokens::Name;
///
/// assert_eq!(Name::new(" Ann ").unwrap().as_str(), "Ann");
/// assert!(Name::new("").is_err());
/// assert!(Name::new("An\nn").is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Name(String);

/// A player's contribution to the randomness of the deals, in version 1 of the token rules: up to
/// 64 bytes of visible text.
///
/// # Examples
///
/// ```
/// use war::tokens::ClientSeed;
///
/// assert_eq!(ClientSeed::new("heads").unwrap().as_str(), "heads");
/// assert!(ClientSeed::new(&"x".repeat(65)).is_err());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ClientSeed(String);

/// Error for a text that is too long or too short, or contains invisible characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    /// Text that is not a valid name.
    #[error("a name of 1 to {} visible characters", Name::MAX_CHARS)]
    Name,
    /// Text that is not a valid seed of a player.
    #[error("a seed of up to {} bytes of visible text", ClientSeed::MAX_BYTES)]
    ClientSeed,
}

impl Name {
    /// Maximum number of characters in a name.
    pub const MAX_CHARS: usize = 32;

    /// Validates a name, and trims the spaces around it.
    ///
    /// # Errors
    ///
    /// [`TextError`] if the name is empty, is too long, or contains invisible characters.
    pub fn new(text: &str) -> Result<Self, TextError> {
        let text = text.trim();
        // A variation selector is invisible without a character before it.
        let shown = text.trim_matches(|c: char| matches!(c, '\u{fe00}'..='\u{fe0f}'));
        if shown.is_empty() || text.chars().count() > Self::MAX_CHARS || !is_visible(text) {
            return Err(TextError::Name);
        }
        Ok(Self(text.to_owned()))
    }

    /// Text of the name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl ClientSeed {
    /// Maximum number of bytes in a seed.
    pub const MAX_BYTES: usize = 64;

    /// Validates a seed.
    ///
    /// # Errors
    ///
    /// [`TextError`] if the seed is too long, or contains invisible characters.
    pub fn new(text: &str) -> Result<Self, TextError> {
        if text.len() > Self::MAX_BYTES || !is_visible(text) {
            return Err(TextError::ClientSeed);
        }
        Ok(Self(text.to_owned()))
    }

    /// Text of the seed.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Bytes of the seed in hexadecimal digits.
    #[must_use]
    pub fn to_hex(&self) -> String {
        self.0.bytes().fold(String::new(), |mut digits, byte| {
            // Writing to a string never fails.
            let _ = write!(digits, "{byte:02x}");
            digits
        })
    }
}

/// Returns `true` if a text has no control characters, and none that change the writing direction
/// or are invisible: in a log or on a screen they would make one text look like another.
fn is_visible(text: &str) -> bool {
    !text.chars().any(|c| {
        is_unprintable(c)
            || matches!(c, '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}')
            || matches!(c, '\u{180b}'..='\u{180f}' | '\u{2800}' | '\u{3164}' | '\u{ffa0}')
            || matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{fff0}'..='\u{fffb}' | '\u{fffe}'..='\u{ffff}')
            || matches!(c, '\u{e0000}'..='\u{10ffff}')
    })
}

impl TryFrom<String> for Name {
    type Error = TextError;

    /// Accepts a name only in the trimmed form of [`Name::new`].
    fn try_from(text: String) -> Result<Self, TextError> {
        Self::new(&text)
            .ok()
            .filter(|name| name.0 == text)
            .ok_or(TextError::Name)
    }
}

impl TryFrom<String> for ClientSeed {
    type Error = TextError;

    fn try_from(text: String) -> Result<Self, TextError> {
        Self::new(&text)
    }
}

impl From<Name> for String {
    fn from(name: Name) -> Self {
        name.0
    }
}

impl From<ClientSeed> for String {
    fn from(seed: ClientSeed) -> Self {
        seed.0
    }
}

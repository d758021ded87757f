use crate::engine::Seat;
use crate::support::hex::Hex;
use crate::support::visible::steers;
use serde::{Deserialize, Serialize};
use std::fmt::Write;

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

/// The name that a player is shown by: 1 to 32 visible characters.
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

/// What a player adds to the chance of the deals: up to 64 bytes of visible text.
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

/// A text that is too long or too short, or holds what can't be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    /// No name.
    #[error("a name of 1 to {} visible characters", Name::LONGEST)]
    Name,
    /// No seed of a player.
    #[error("a seed of up to {} bytes of visible text", ClientSeed::LONGEST)]
    ClientSeed,
}

impl Name {
    /// The most characters.
    pub const LONGEST: usize = 32;

    /// The name, without the spaces around it.
    ///
    /// # Errors
    ///
    /// [`TextError`] where it is empty, too long, or holds characters that can't be seen.
    pub fn new(text: &str) -> Result<Self, TextError> {
        let text = text.trim();
        // A selector of variants does not count as a character without one before it.
        let shown = text.trim_matches(|c: char| matches!(c, '\u{fe00}'..='\u{fe0f}'));
        if shown.is_empty() || text.chars().count() > Self::LONGEST || !can_be_seen(text) {
            return Err(TextError::Name);
        }
        Ok(Self(text.to_owned()))
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl ClientSeed {
    /// The most bytes.
    pub const LONGEST: usize = 64;

    /// The seed.
    ///
    /// # Errors
    ///
    /// [`TextError`] where it is too long, or holds characters that can't be seen.
    pub fn new(text: &str) -> Result<Self, TextError> {
        if text.len() > Self::LONGEST || !can_be_seen(text) {
            return Err(TextError::ClientSeed);
        }
        Ok(Self(text.to_owned()))
    }

    /// The seed as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The bytes of the seed in hexadecimal digits.
    #[must_use]
    pub fn digits(&self) -> String {
        self.0.bytes().fold(String::new(), |mut digits, byte| {
            // Writing to a string never fails.
            let _ = write!(digits, "{byte:02x}");
            digits
        })
    }
}

/// Whether a text holds neither control characters nor any that steer the direction of
/// writing or have no shape of their own: in a log or on a screen they would make one text
/// look like another.
fn can_be_seen(text: &str) -> bool {
    !text.chars().any(|c| {
        steers(c)
            || matches!(c, '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}')
            || matches!(c, '\u{180b}'..='\u{180f}' | '\u{2800}' | '\u{3164}' | '\u{ffa0}')
            || matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{fff0}'..='\u{fffb}' | '\u{fffe}'..='\u{ffff}')
            || matches!(c, '\u{e0000}'..='\u{10ffff}')
    })
}

impl TryFrom<String> for Name {
    type Error = TextError;

    /// Takes a name only as [`Name::new`] leaves it.
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

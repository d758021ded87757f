use crate::cards::{Deck, Generator, Rank};
use crate::engine::Seat;
use crate::lang::Lang;
use crate::rules::{Ruleset, ScreenStyle};
use crate::setup::Correction;
use crate::support::hex::Hex;
use crate::tokens::{Seats, Secret, TokenRules};
use serde::Serialize;
use std::collections::BTreeMap;

/// Description of a game that a journal holds before the first event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The program that recorded the game, with its version.
    pub engine: String,
    /// The rules of the game, and the source of its cards.
    pub rules: RecordedRules,
    /// The number of players dealt in.
    pub players: u8,
    /// The deck that the game is played with.
    pub deck: Deck,
    /// The version of the screens that printed the game.
    pub renderer: u32,
    /// The language of the screens.
    pub lang: Lang,
    /// Corrections that were printed before the game.
    pub corrections: Vec<Correction>,
    /// The version of the format, with its options.
    pub format: JournalFormat,
}

impl Header {
    /// The proof of the cards that the journal gives if it verifies.
    #[must_use]
    pub const fn proof(&self) -> Proof {
        match &self.rules {
            RecordedRules::Tokens(_) => Proof::Commitment,
            RecordedRules::War { deal, .. } => match deal {
                Deal::Shuffled { generator } | Deal::Fixed { generator, .. } => {
                    Proof::Seed(*generator)
                }
                Deal::Imported | Deal::Scenario { .. } => Proof::Journal,
            },
        }
    }
}

/// The rules of a recorded game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordedRules {
    /// Rules of a game of War.
    War {
        /// The rules of the game.
        rules: Ruleset,
        /// The source of the cards.
        deal: Deal,
    },
    /// A token game of the card table.
    Tokens(CommittedGame),
}

impl RecordedRules {
    /// The name and version of the rules.
    #[must_use]
    pub fn id(&self) -> &str {
        match self {
            Self::War { rules, .. } => rules.id(),
            Self::Tokens(committed) => committed.rules.id(),
        }
    }

    /// Returns true if games by these rules print screens.
    #[must_use]
    pub const fn has_screens(&self) -> bool {
        match self {
            Self::War {
                rules: Ruleset::Program(rules),
                ..
            } => rules.screens.is_some(),
            Self::War { .. } | Self::Tokens(_) => true,
        }
    }

    /// The smallest and the largest number of players.
    #[must_use]
    pub const fn player_range(&self) -> (u8, u8) {
        match self {
            Self::War { rules, .. } => rules.player_range(),
            Self::Tokens(_) => (2, 2),
        }
    }
}

/// A token game, with the commitment made before it and the secret revealed after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommittedGame {
    /// The rules of the game.
    pub rules: TokenRules,
    /// The number of the game at its table.
    pub game: u64,
    /// The commitment that the players saw before the deal.
    pub commitment: Hex<32>,
    /// The secret revealed after the game.
    pub secret: Secret,
}

/// The source of the cards in a game of War.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deal {
    /// The deck, shuffled by a generator whose stream also decides all later chance.
    Shuffled {
        /// The generator, with its seed.
        generator: Generator,
    },
    /// The deck, with the cards of one player's hand chosen but not their order; see
    /// [`deal_with_fixed_hand`](crate::cards::deal_with_fixed_hand).
    Fixed {
        /// The generator, with its seed.
        generator: Generator,
        /// The seat of that player.
        seat: Seat,
        /// The cards of the hand.
        cards: Vec<Rank>,
    },
    /// A game printed elsewhere.
    Imported,
    /// The hands of a scenario.
    Scenario {
        /// The name of the scenario, as in its file name.
        name: String,
    },
}

/// Name or number under which a player is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum PlayerLabel {
    /// The name that the player chose, or X or Y.
    Name(String),
    /// The number of the seat or, at the card table, the player's public number.
    Number(u64),
}

impl Header {
    /// The labels of the players, seat 1 first. `seats` are the players of a token game, as its
    /// events name them.
    #[must_use]
    pub fn player_labels(&self, seats: Option<&Seats>) -> Vec<PlayerLabel> {
        match (&self.rules, seats) {
            (_, Some(Seats::OptionalSeeds { names, .. })) => {
                let names = names.iter().map(|name| name.as_str().to_owned());
                names.map(PlayerLabel::Name).collect()
            }
            (_, Some(Seats::CommittedSeeds { players, .. })) => {
                players.map(PlayerLabel::Number).into()
            }
            (
                RecordedRules::War {
                    rules: Ruleset::Edition(variant),
                    ..
                },
                None,
            ) if variant.screens == ScreenStyle::Rows => ["X", "Y"]
                .map(|name| PlayerLabel::Name(name.to_owned()))
                .into(),
            _ => (1..=u64::from(self.players))
                .map(PlayerLabel::Number)
                .collect(),
        }
    }
}

/// Proof of the cards that a verified journal gives.
///
/// Every verified journal also proves that the game was played by the rules.
///
/// # Examples
///
/// ```
/// use war::cards::Generator;
/// use war::journal::{Proof, Reader};
///
/// let journal = std::fs::read("journals/classic_dealt_won.json").unwrap();
/// let reader = Reader::open(&journal[..]).unwrap();
/// let generator = Generator::ChaCha8 { seed: 1 };
/// assert_eq!(reader.header().proof(), Proof::Seed(generator));
/// assert_eq!(reader.header().proof().name(), "seed");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// Seed from which the generator deals these cards and decides all later chance.
    Seed(Generator),
    /// Commitment made before the game, from which the cards follow.
    Commitment,
    /// No proof beyond the journal itself, as in a scenario or an import.
    Journal,
}

impl Proof {
    /// The name of the proof, the same in every language.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Seed(_) => "seed",
            Self::Commitment => "commitment",
            Self::Journal => "journal",
        }
    }
}

/// Renderer of a game that printed nothing.
pub const NO_RENDERER: u32 = 0;
/// Renderer of this library's screens.
pub const SCREEN_RENDERER: u32 = 1;

/// Returns true if a replay can reproduce the output of this renderer, to compare it with the
/// journal's digest. [`NO_RENDERER`] counts too: its output is empty.
pub(super) const fn is_known_renderer(renderer: u32) -> bool {
    matches!(renderer, NO_RENDERER | SCREEN_RENDERER)
}

/// Version of the journal format, with the options of that version.
///
/// # Examples
///
/// ```
/// use war::journal::{JournalFormat, Meta};
///
/// assert_eq!(JournalFormat::default().version(), 1);
/// let format = JournalFormat::V2 { compact: true, meta: Meta::default(), upgraded_from: None };
/// assert_eq!(format.version(), 2);
/// assert!(format.is_compact());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum JournalFormat {
    /// Version 1: one JSON document.
    #[default]
    V1,
    /// Version 2: JSON Lines.
    V2 {
        /// True if number, turn, state and link of each event are left out.
        compact: bool,
        /// The recorder's notes.
        meta: Meta,
        /// The final digest of the version 1 journal that this one was upgraded from.
        upgraded_from: Option<Hex<16>>,
    },
}

impl JournalFormat {
    /// The number of the version.
    #[must_use]
    pub const fn version(&self) -> u32 {
        match self {
            Self::V1 => 1,
            Self::V2 { .. } => 2,
        }
    }

    /// Returns true if number, turn, state and link of each event are left out, because they follow
    /// from the events.
    #[must_use]
    pub const fn is_compact(&self) -> bool {
        matches!(self, Self::V2 { compact: true, .. })
    }

    /// The recorder's notes; `None` in version 1.
    #[must_use]
    pub const fn meta(&self) -> Option<&Meta> {
        match self {
            Self::V1 => None,
            Self::V2 { meta, .. } => Some(meta),
        }
    }

    /// Marks the journal as upgraded from the version 1 journal with this final digest; no effect
    /// on version 1.
    #[must_use]
    pub fn with_upgraded_from(mut self, digest: Hex<16>) -> Self {
        if let Self::V2 { upgraded_from, .. } = &mut self {
            *upgraded_from = Some(digest);
        }
        self
    }

    /// Removes the mark of an upgrade.
    #[must_use]
    pub fn without_upgraded_from(mut self) -> Self {
        if let Self::V2 { upgraded_from, .. } = &mut self {
            *upgraded_from = None;
        }
        self
    }

    /// The final digest of the version 1 journal that this one was upgraded from, if it was.
    #[must_use]
    pub const fn upgraded_from(&self) -> Option<Hex<16>> {
        match self {
            Self::V1 => None,
            Self::V2 { upgraded_from, .. } => *upgraded_from,
        }
    }
}

/// Notes of the recorder in a journal of version 2: keys with texts, sorted by key.
///
/// The hash chain covers the notes, and no rule depends on them.
///
/// # Examples
///
/// ```
/// use war::journal::{Meta, MetaError};
///
/// let mut meta = Meta::default();
/// meta.insert("table", "7").unwrap();
/// assert_eq!(meta.iter().next(), Some(("table", "7")));
/// assert_eq!(meta.insert("table", "8"), Err(MetaError::Duplicate("table".to_owned())));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Meta(BTreeMap<String, String>);

/// Reason to reject an entry of a journal's notes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MetaError {
    /// Empty key.
    #[error("a key is empty")]
    EmptyKey,
    /// Second entry with this key.
    #[error("the key `{0}` is duplicated")]
    Duplicate(String),
    /// Key that sorts before the key of the previous entry.
    #[error("the key `{0}` is not in order")]
    Unordered(String),
    /// More than [`Meta::MAX_ENTRIES`] entries.
    #[error("there are more than {} entries", Meta::MAX_ENTRIES)]
    TooMany,
    /// Entries longer than [`Meta::MAX_BYTES`] in total.
    #[error("the entries are longer than {} bytes of JSON", Meta::MAX_BYTES)]
    TooLong,
}

impl Meta {
    /// Maximum number of entries in a journal's notes.
    pub const MAX_ENTRIES: usize = 64;

    /// Maximum length of all entries as compact JSON with its braces, in bytes.
    pub const MAX_BYTES: usize = 8192;

    /// Adds an entry.
    ///
    /// # Errors
    ///
    /// [`MetaError`] if the key is empty or already present, or if there would be too many entries
    /// or bytes. Nothing is added then.
    pub fn insert(
        &mut self,
        key: impl Into<String>,
        value: impl Into<String>,
    ) -> Result<(), MetaError> {
        let (key, value) = (key.into(), value.into());
        if key.is_empty() {
            return Err(MetaError::EmptyKey);
        }
        if self.0.contains_key(&key) {
            return Err(MetaError::Duplicate(key));
        }
        if self.0.len() == Self::MAX_ENTRIES {
            return Err(MetaError::TooMany);
        }
        self.0.insert(key.clone(), value);
        if json_length(&self.0) > Self::MAX_BYTES {
            self.0.remove(&key);
            return Err(MetaError::TooLong);
        }
        Ok(())
    }

    /// The keys with their texts, sorted by the bytes of the keys.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let entries = self.0.iter();
        entries.map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// Returns true if there are no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Collects the entries of a file, which must be sorted by key.
    pub(super) fn from_sorted(entries: Vec<(String, String)>) -> Result<Self, MetaError> {
        let mut meta = Self::default();
        for (key, value) in entries {
            match meta.0.last_key_value() {
                Some((last, _)) if *last > key => return Err(MetaError::Unordered(key)),
                _ => meta.insert(key, value)?,
            }
        }
        Ok(meta)
    }

    pub(super) const fn entries(&self) -> &BTreeMap<String, String> {
        &self.0
    }
}

fn json_length(entries: &BTreeMap<String, String>) -> usize {
    serde_json::to_vec(entries).map_or(usize::MAX, |json| json.len())
}

use crate::cards::{Deck, Generator, Rank};
use crate::engine::Seat;
use crate::lang::Lang;
use crate::rules::{Ruleset, ScreenStyle};
use crate::setup::Correction;
use crate::support::hex::Hex;
use crate::tokens::{Seats, Secret, TokenRules};
use serde::Serialize;
use std::collections::BTreeMap;

/// What a journal says of its game before the first event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The program that recorded the game, with its version.
    pub engine: String,
    /// The rules of the game, and where its cards come from.
    pub rules: RecordedRules,
    /// The number of players dealt in.
    pub players: u8,
    /// The deck.
    pub deck: Deck,
    /// The version of the screens that printed the game.
    pub renderer: u32,
    /// The language it was printed in.
    pub lang: Lang,
    /// The corrections that were printed before the game.
    pub corrections: Vec<Correction>,
    /// How the journal is written.
    pub format: Format,
}

impl Header {
    /// What the journal proves of its cards where it verifies.
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
    /// Rules of War.
    War {
        /// The rules.
        rules: Ruleset,
        /// Where the cards come from.
        deal: Deal,
    },
    /// A token game of the card table.
    Tokens(Committed),
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

    /// Whether games by these rules print anything.
    #[must_use]
    pub const fn prints(&self) -> bool {
        match self {
            Self::War {
                rules: Ruleset::Own(rules),
                ..
            } => rules.screens.is_some(),
            Self::War { .. } | Self::Tokens(_) => true,
        }
    }

    /// The fewest and the most who can play.
    #[must_use]
    pub const fn players(&self) -> (u8, u8) {
        match self {
            Self::War { rules, .. } => rules.players(),
            Self::Tokens(_) => (2, 2),
        }
    }
}

/// A token game, with what was announced before it and after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Committed {
    /// Its rules.
    pub rules: TokenRules,
    /// Its number at the table.
    pub game: u64,
    /// What the players learned before the deal.
    pub commitment: Hex<32>,
    /// What was revealed after the game.
    pub secret: Secret,
}

/// Where the cards of a game of War come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deal {
    /// From the deck, shuffled by this generator; what the rules leave to chance follows
    /// from the same stream.
    Shuffled {
        /// The generator, with its seed.
        generator: Generator,
    },
    /// From the deck, where one player's hand is fixed but for its order; see
    /// [`deal_fixed`](crate::cards::deal_fixed).
    Fixed {
        /// The generator, with its seed.
        generator: Generator,
        /// Whose hand it is.
        seat: Seat,
        /// The cards of the hand.
        cards: Vec<Rank>,
    },
    /// From a game printed elsewhere.
    Imported,
    /// From a scenario of this name.
    Scenario {
        /// The name as in the file's name.
        name: String,
    },
}

/// What a player is called: by name, or by number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Called {
    /// A name that they gave, or X and Y.
    Name(String),
    /// The number of their seat, or at the card table their public number.
    Number(u64),
}

impl Header {
    /// What the players of the game are called, seat 1 first; `seats` are what its events told of
    /// those who play a token game.
    #[must_use]
    pub fn called(&self, seats: Option<&Seats>) -> Vec<Called> {
        match (&self.rules, seats) {
            (_, Some(Seats::Added { names, .. })) => {
                let names = names.iter().map(|name| name.as_str().to_owned());
                names.map(Called::Name).collect()
            }
            (_, Some(Seats::Committed { players, .. })) => players.map(Called::Number).into(),
            (
                RecordedRules::War {
                    rules: Ruleset::Edition(variant),
                    ..
                },
                None,
            ) if variant.screens == ScreenStyle::Rows => {
                ["X", "Y"].map(|name| Called::Name(name.to_owned())).into()
            }
            _ => (1..=u64::from(self.players)).map(Called::Number).collect(),
        }
    }
}

/// What a journal that verifies proves of its cards.
///
/// That the game was played by the rules is proven in every case.
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
    /// This generator deals these cards from its seed, and gives all else that is left to chance.
    Seed(Generator),
    /// The cards are those that were committed to before the game.
    Commitment,
    /// Nothing: the cards are what the journal says, as those of a scenario or an import.
    Journal,
}

impl Proof {
    /// The word for it, the same in every language.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Seed(_) => "seed",
            Self::Commitment => "commitment",
            Self::Journal => "journal",
        }
    }
}

/// The renderer of a game that printed nothing.
pub const SILENT: u32 = 0;
/// The renderer of the screens that this library has.
pub const SCREENS: u32 = 1;

/// Whether a renderer of this number is known here: what others printed can't be compared.
pub(super) const fn is_known(renderer: u32) -> bool {
    matches!(renderer, SILENT | SCREENS)
}

/// How a journal is written: the version of the format, and what that version can add.
///
/// # Examples
///
/// ```
/// use war::journal::{Format, Meta};
///
/// assert_eq!(Format::default().version(), 1);
/// let format = Format::V2 { compact: true, meta: Meta::default(), upgraded_from: None };
/// assert_eq!(format.version(), 2);
/// assert!(format.is_compact());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Format {
    /// Version 1: one JSON document.
    #[default]
    V1,
    /// Version 2: JSON Lines.
    V2 {
        /// Whether events are written without what follows from them.
        compact: bool,
        /// The recorder's notes.
        meta: Meta,
        /// The final digest of the journal of version 1 that this one was made from.
        upgraded_from: Option<Hex<16>>,
    },
}

impl Format {
    /// The number of the version.
    #[must_use]
    pub const fn version(&self) -> u32 {
        match self {
            Self::V1 => 1,
            Self::V2 { .. } => 2,
        }
    }

    /// Whether events are written without number, turn, state and link, which follow from them.
    #[must_use]
    pub const fn is_compact(&self) -> bool {
        matches!(self, Self::V2 { compact: true, .. })
    }

    /// The recorder's notes, where the version has room for them.
    #[must_use]
    pub const fn meta(&self) -> Option<&Meta> {
        match self {
            Self::V1 => None,
            Self::V2 { meta, .. } => Some(meta),
        }
    }

    /// The same format, of a journal made from the one of version 1 that has this final digest;
    /// version 1 has no room for it.
    #[must_use]
    pub fn upgraded_of(mut self, digest: Hex<16>) -> Self {
        if let Self::V2 { upgraded_from, .. } = &mut self {
            *upgraded_from = Some(digest);
        }
        self
    }

    /// The same format, of a journal that was not made from another one.
    #[must_use]
    pub fn not_upgraded(mut self) -> Self {
        if let Self::V2 { upgraded_from, .. } = &mut self {
            *upgraded_from = None;
        }
        self
    }

    /// The final digest of the journal of version 1 that the journal was made from, where it
    /// was.
    #[must_use]
    pub const fn upgraded_from(&self) -> Option<Hex<16>> {
        match self {
            Self::V1 => None,
            Self::V2 { upgraded_from, .. } => *upgraded_from,
        }
    }
}

/// Notes that a recorder adds to a journal of version 2: names with texts, in the order of the
/// names.
///
/// They are part of the chain, and no rule looks at them.
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

/// Why an entry can't be added to a journal's notes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MetaError {
    /// The entry has no name.
    #[error("a key is empty")]
    EmptyKey,
    /// There is an entry of this name.
    #[error("the key `{0}` is duplicated")]
    Duplicate(String),
    /// The entry of this name stands behind one that comes after it.
    #[error("the key `{0}` is not in order")]
    Unordered(String),
    /// There are too many entries.
    #[error("there are more than {} entries", Meta::MOST)]
    TooMany,
    /// The entries are too long together.
    #[error("the entries are longer than {} bytes of JSON", Meta::LONGEST)]
    TooLong,
}

impl Meta {
    /// The most entries there can be.
    pub const MOST: usize = 64;

    /// The most bytes of all entries as compact JSON, with their braces.
    pub const LONGEST: usize = 8192;

    /// Adds an entry.
    ///
    /// # Errors
    ///
    /// [`MetaError`] where its name is empty or there already, or the entries become too many
    /// or too long: nothing is added then.
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
        if self.0.len() == Self::MOST {
            return Err(MetaError::TooMany);
        }
        self.0.insert(key.clone(), value);
        if json_length(&self.0) > Self::LONGEST {
            self.0.remove(&key);
            return Err(MetaError::TooLong);
        }
        Ok(())
    }

    /// The names with their texts, in the order of the names' bytes.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let entries = self.0.iter();
        entries.map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// Whether there are no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The entries as found in a file: each name behind the one before it.
    pub(super) fn in_order(entries: Vec<(String, String)>) -> Result<Self, MetaError> {
        let mut meta = Self::default();
        for (key, value) in entries {
            match meta.0.last_key_value() {
                Some((last, _)) if *last > key => return Err(MetaError::Unordered(key)),
                _ => meta.insert(key, value)?,
            }
        }
        Ok(meta)
    }

    /// The entries as they are written.
    pub(super) const fn entries(&self) -> &BTreeMap<String, String> {
        &self.0
    }
}

fn json_length(entries: &BTreeMap<String, String>) -> usize {
    serde_json::to_vec(entries).map_or(usize::MAX, |json| json.len())
}

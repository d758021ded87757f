use super::meta::Meta;
use crate::support::hex::Hex;

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

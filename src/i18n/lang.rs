use unic_langid::{LanguageIdentifier, langid};

/// A language that the program speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lang {
    /// English, the default.
    En,
    /// Polish.
    Pl,
}

impl Lang {
    /// All languages, the default first.
    pub const ALL: [Self; 2] = [Self::En, Self::Pl];

    /// The language of this code (`en` or `pl`).
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|lang| lang.code() == code)
    }

    /// The two-letter code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Pl => "pl",
        }
    }

    pub(super) const fn identifier(self) -> LanguageIdentifier {
        match self {
            Self::En => langid!("en"),
            Self::Pl => langid!("pl"),
        }
    }

    pub(super) const fn source(self) -> &'static str {
        match self {
            Self::En => include_str!("../../i18n/en.ftl"),
            Self::Pl => include_str!("../../i18n/pl.ftl"),
        }
    }
}

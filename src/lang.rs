//! Supported languages.

/// A supported language.
///
/// # Examples
///
/// ```
/// use war::lang::Lang;
///
/// assert_eq!(Lang::from_code("pl"), Some(Lang::Pl));
/// assert_eq!(Lang::from_code("PL"), None);
/// ```
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

    /// Language with this code (`en` or `pl`).
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|lang| lang.code() == code)
    }

    /// Language of a code or a locale in any letter case, such as `pl`, `PL` or `pl_PL.UTF-8`.
    ///
    /// The locales `C` and `POSIX` are English.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::lang::Lang;
    ///
    /// assert_eq!(Lang::from_locale("pl_PL.UTF-8"), Some(Lang::Pl));
    /// assert_eq!(Lang::from_locale("fr_FR"), None);
    /// ```
    #[must_use]
    pub fn from_locale(locale: &str) -> Option<Self> {
        let language = locale.split(['_', '-', '.', '@']).next()?;
        match language.to_ascii_lowercase().as_str() {
            "c" | "posix" => Some(Self::En),
            code => Self::from_code(code),
        }
    }

    /// Two-letter code of the language.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Pl => "pl",
        }
    }
}

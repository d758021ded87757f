/// Why a header that reads well cannot be understood.
pub(in crate::journal) enum HeaderError {
    /// These rules are not known here.
    UnknownRules(String),
    /// This generator is not known here.
    UnknownGenerator(String),
    /// The generator of this name has no such seed.
    BadSeed {
        /// Its name.
        generator: String,
        /// The seed.
        seed: String,
    },
    /// No scenario's file can have this name.
    BadName(String),
    /// This language is not known here.
    UnknownLanguage(String),
    /// These rules do not go with this deal.
    BadDeal,
    /// Corrections that were not needed, or that lead to another game.
    BadCorrection,
}

//! Games printed elsewhere: read from their text, and made into games that fit.

mod deduce;
mod table;

pub use deduce::{Imported, import_xy};

use crate::i18n::Text;

/// Why a text is no game that could have been played.
#[derive(Debug, Clone, PartialEq)]
pub struct Refused {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: Text,
}

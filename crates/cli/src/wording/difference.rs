//! Where two journals part, in words.

use war::i18n::{Text, text};
use war::journal::DifferencePlace;

/// What it is that differs.
pub(crate) fn difference_text(place: DifferencePlace) -> Text {
    match place {
        DifferencePlace::Header => text!(DiffHeader),
        DifferencePlace::Event { seq, turn } => {
            text!(DiffEvent, seq = seq.to_string(), turn = turn)
        }
        DifferencePlace::End => text!(DiffEnd),
    }
}

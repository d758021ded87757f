use crate::i18n::{Text, text};
use crate::import::LineError;

impl From<&LineError> for Text {
    fn from(error: &LineError) -> Self {
        match error {
            LineError::NoTable => text!(ImportEmpty),
            LineError::NoHeader { found } => text!(ImportNoHeader, found = found.as_str()),
            LineError::NoRow { found } => text!(ImportNoRow, found = found.as_str()),
            LineError::NoRound { found } => text!(ImportNoRound, found = found.as_str()),
            LineError::NoPair { found } => text!(ImportNoPair, found = found.as_str()),
            LineError::NoRank { found } => text!(ImportNoRank, found = found.as_str()),
            LineError::AfterEnd { found } => text!(ImportAfterEnd, found = found.as_str()),
            LineError::NoEnd => text!(ImportNoEnd),
            LineError::EndsEarly { found } => text!(ImportEndsEarly, found = found.as_str()),
            LineError::ImpossibleCard { player, card } => {
                text!(
                    ImportImpossibleCard,
                    player = *player,
                    card = card.to_string()
                )
            }
            LineError::OtherRow { expected, found } => text!(
                ImportOtherRow,
                expected = expected.as_str(),
                found = found.as_str()
            ),
        }
    }
}

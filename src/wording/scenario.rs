use crate::i18n::{Text, text};
use crate::scenario::{ContentError, Found, ScenarioError, SyntaxError};

impl From<&ScenarioError> for Text {
    fn from(error: &ScenarioError) -> Self {
        match error {
            ScenarioError::Syntax(error) => error.into(),
            ScenarioError::Content(error) => error.into(),
        }
    }
}

impl From<&SyntaxError> for Text {
    fn from(error: &SyntaxError) -> Self {
        match error {
            SyntaxError::Empty => text!(ScenarioEmpty),
            SyntaxError::ByteOrderMark => text!(ScenarioBom),
            SyntaxError::At {
                line,
                column,
                found,
            } => {
                let reason = match found {
                    Found::End => text!(SyntaxEnds),
                    Found::Character(found) => text!(SyntaxUnexpected, found = found.as_str()),
                    Found::NotUtf8 => text!(SyntaxUtf8),
                };
                text!(
                    ScenarioSyntax,
                    line = *line,
                    column = *column,
                    reason = reason
                )
            }
        }
    }
}

impl From<&ContentError> for Text {
    fn from(error: &ContentError) -> Self {
        match error {
            ContentError::NoRows { found } => text!(ScenarioNoRows, found = found.as_str()),
            ContentError::NoRow { row, found } => {
                text!(ScenarioNoRow, row = *row, found = found.as_str())
            }
            ContentError::NoNumber { row, found } => {
                text!(ScenarioNoNumber, row = *row, found = found.as_str())
            }
            ContentError::Value { row, lowest, found } => match lowest {
                1 => text!(ScenarioValueAny, row = *row, found = found.as_str()),
                _ => text!(ScenarioValue, row = *row, found = found.as_str()),
            },
            ContentError::Players {
                found,
                fewest,
                most,
            } => players(*found, *fewest, *most),
            ContentError::NoCard => text!(ScenarioNoCard),
            ContentError::Cards { found } => text!(ScenarioCardsAnyRank, found = *found),
            ContentError::TooManyCards { found } => text!(ScenarioTooManyAny, found = *found),
            ContentError::NoDeck { found } => match found {
                ..=23 => text!(ScenarioTooFew, found = *found),
                24..=51 => text!(ScenarioBetween, found = *found),
                _ => text!(ScenarioTooMany, found = *found),
            },
            ContentError::Values { found } => text!(ScenarioValuesMany, found = *found),
        }
    }
}

/// The advice depends on how many players the game is for.
fn players(found: usize, fewest: u8, most: u8) -> Text {
    match (fewest, most) {
        (2, 2) => text!(ScenarioPlayersTwo, found = found),
        (1, _) if found == 0 => text!(ScenarioNoPlayer),
        (1, _) => text!(ScenarioPlayers, found = found),
        _ if found < usize::from(fewest) => text!(ScenarioPlayersFew, found = found),
        _ => text!(ScenarioPlayersMany, found = found),
    }
}

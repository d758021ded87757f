//! Which message of the catalogues a client gets for what the room refuses.

use crate::room::{NameError, Refusal, RequestError};
use war::i18n::{Text, text};
use war::tokens::Name;

/// Why a message is not a request.
pub(super) fn bad_message_text(reason: &RequestError) -> Text {
    text!(RefusedBadMessage, reason = Text::from(reason))
}

/// Why a request is not granted.
pub(super) fn refusal_text(refusal: Refusal) -> Text {
    match refusal {
        Refusal::BadMessage => bad_message_text(&RequestError::NotObject),
        Refusal::OldProtocol => text!(RefusedOldProtocol),
        Refusal::HelloFirst => text!(RefusedHelloFirst),
        Refusal::HelloAgain => text!(RefusedHelloAgain),
        Refusal::IdReused => text!(RefusedIdReused),
        Refusal::Waiting => text!(RefusedWaiting),
        Refusal::Playing => text!(RefusedPlaying),
        Refusal::NotWaiting => text!(RefusedNotWaiting),
        Refusal::NotPlaying => text!(RefusedNotPlaying),
        Refusal::NotInvited => text!(RefusedNotInvited),
        Refusal::InviterAway => text!(RefusedInviterAway),
        Refusal::NoRematch => text!(RefusedNoRematch),
        Refusal::HouseClosed => text!(RefusedHouseClosed),
        Refusal::StaleSeed => text!(RefusedStaleSeed),
        Refusal::WrongSeed => text!(RefusedWrongSeed),
        Refusal::SeedsClosed => text!(RefusedSeedsClosed),
        Refusal::SeededAlready => text!(RefusedSeededAlready),
        Refusal::StaleDecision => text!(RefusedStaleDecision),
        Refusal::TooLate => text!(RefusedTooLate),
        Refusal::DecidedAlready => text!(RefusedDecidedAlready),
        Refusal::BadAfter => text!(RefusedBadAfter),
        Refusal::TooFast => text!(RefusedTooFast),
        Refusal::TooManyConnections => text!(RefusedTooManyConnections),
        Refusal::Banned => text!(RefusedBanned),
        Refusal::Draining => text!(RefusedDraining),
        Refusal::Unavailable => text!(RefusedUnavailable),
    }
}

impl From<&RequestError> for Text {
    fn from(error: &RequestError) -> Self {
        match error {
            RequestError::NotObject => text!(NoObject),
            RequestError::Syntax(reason) => text!(FieldOther, reason = reason.as_str()),
            RequestError::Field(error) => Self::from(error),
            RequestError::Name(error) => name_text(*error),
            RequestError::Protocol => text!(RefusedOldProtocol),
            RequestError::Id(_) => text!(NoRequestId),
        }
    }
}

/// Why a player can't be called this.
fn name_text(error: NameError) -> Text {
    match error {
        NameError::Length => text!(NameLength, longest = Name::LONGEST),
        NameError::Unseen => text!(NameUnseen),
        NameError::NotNfc => text!(NameNotNfc),
        NameError::NoLetter => text!(NameNoLetter),
        NameError::OfTheHouse => text!(NameOfTheHouse),
    }
}

//! Text of messages from the server.
//!
//! Names are added when a message is sent; stored messages contain none.

use crate::protocol::{
    BadRequest, Message, NameError, NumberedMessage, PlayerId, Refusal, RequestError, RequestId,
};
use serde::Deserialize;
use std::borrow::Cow;
use war::i18n::{Catalogue, Text, text};
use war::tokens::Name;

/// Answer to a refused request.
pub(super) fn refusal_message(catalogue: &Catalogue, refusal: Refusal, id: RequestId) -> Message {
    Message::Error {
        code: refusal,
        message: catalogue.format_text(&refusal_text(refusal)),
        in_reply_to: Some(id),
    }
}

/// Error that is not an answer to a request.
pub(super) fn error_message(catalogue: &Catalogue, code: Refusal) -> Message {
    Message::Error {
        code,
        message: catalogue.format_text(&refusal_text(code)),
        in_reply_to: None,
    }
}

/// Answer to a message that is not a valid request.
pub(super) fn bad_request_message(catalogue: &Catalogue, bad: BadRequest) -> Message {
    let (code, text) = match &bad.reason {
        RequestError::Protocol => (Refusal::OldProtocol, refusal_text(Refusal::OldProtocol)),
        reason => (Refusal::BadMessage, bad_message_text(reason)),
    };
    Message::Error {
        code,
        message: catalogue.format_text(&text),
        in_reply_to: bad.id,
    }
}

/// Serializes a numbered message as JSON.
pub(super) fn serialize_message(seq: u64, message: Message) -> String {
    serde_json::to_string(&NumberedMessage { seq, message }).expect("messages are plain values")
}

/// Type of a stored message, read before the rest.
#[derive(Deserialize)]
struct StoredType<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
}

/// Adds the opponent's name to a message; `name` looks it up.
pub(super) fn add_opponent_name<E>(
    message: &mut Message,
    name: impl FnOnce(PlayerId) -> Result<Name, E>,
) -> Result<(), E> {
    if let Message::Started { opponent, .. } = message {
        opponent.name = Some(name(opponent.player)?);
    }
    Ok(())
}

/// Completes a stored message for sending; `name` looks up the opponent's name.
pub(super) fn complete_stored_message<E>(
    stored: String,
    name: impl FnOnce(PlayerId) -> Result<Name, E>,
) -> Result<String, E> {
    let kind = serde_json::from_str(&stored).map(|StoredType { kind }| kind);
    if !kind.is_ok_and(|kind| kind == "started") {
        return Ok(stored);
    }
    let Ok(mut sent) = serde_json::from_str::<NumberedMessage>(&stored) else {
        // Messages of version 1 of the protocol contain the name already.
        return Ok(stored);
    };
    add_opponent_name(&mut sent.message, name)?;
    Ok(serialize_message(sent.seq, sent.message))
}

/// Reason why a message is not a valid request.
fn bad_message_text(reason: &RequestError) -> Text {
    text!(RefusedBadMessage, reason = Text::from(reason))
}

/// Reason for a refusal.
fn refusal_text(refusal: Refusal) -> Text {
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

/// Reason why a name is not allowed.
fn name_text(error: NameError) -> Text {
    match error {
        NameError::Length => text!(NameLength, longest = Name::MAX_CHARS),
        NameError::Unseen => text!(NameUnseen),
        NameError::NotNfc => text!(NameNotNfc),
        NameError::LeadingMark => text!(NameLeadingMark),
        NameError::NoLetter => text!(NameNoLetter),
        NameError::OfTheHouse => text!(NameOfTheHouse),
    }
}

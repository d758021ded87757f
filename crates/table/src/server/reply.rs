//! Text of messages from the server.
//!
//! Messages are stored, and travel between nodes, in version 2 of the protocol. Names are added when
//! a message is sent; stored messages contain none. The fields of later versions are added for
//! each client.

use super::store::{StoreSecret, StoredMessage};
use crate::protocol::{
    BadRequest, MAX_LINKS_PER_PLAYER, Message, NameError, NumberedMessage, OpponentFilter,
    PlayerId, ProtocolVersion, Refusal, RequestError, RequestId,
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
    mut stored: StoredMessage,
    name: impl FnOnce(PlayerId) -> Result<Name, E>,
) -> Result<StoredMessage, E> {
    if !is_of_type(&stored.body, &["started"]) {
        return Ok(stored);
    }
    // Messages of version 1 of the protocol can't be read, and contain the name already.
    if let Ok(mut sent) = serde_json::from_str::<NumberedMessage>(&stored.body) {
        add_opponent_name(&mut sent.message, name)?;
        stored.body = serialize_message(sent.seq, sent.message);
    }
    Ok(stored)
}

/// Returns true if a message is of one of these types.
pub(super) fn is_of_type(body: &str, types: &[&str]) -> bool {
    let kind = serde_json::from_str(body).map(|StoredType { kind }| kind);
    kind.is_ok_and(|kind| types.contains(&&*kind))
}

/// Renders a message of version 2 in a later version: adds the request that it answers, the version to
/// a `welcome`, and the address of the journal to a `result`.
pub(super) fn render_later_version(
    body: &str,
    in_reply_to: Option<RequestId>,
    secret: &StoreSecret,
    version: ProtocolVersion,
) -> Option<String> {
    if in_reply_to.is_none() && !is_of_type(body, &["welcome", "result"]) {
        return None;
    }
    let mut sent: NumberedMessage = serde_json::from_str(body).ok()?;
    match &mut sent.message {
        Message::Welcome { protocol, .. } => *protocol = version,
        Message::Waiting {
            in_reply_to: answered,
            ..
        }
        | Message::Started {
            in_reply_to: answered,
            ..
        }
        | Message::Cancelled {
            in_reply_to: answered,
            ..
        }
        | Message::Seeded {
            in_reply_to: answered,
            ..
        }
        | Message::Decided {
            in_reply_to: answered,
            ..
        } => *answered = in_reply_to,
        message => add_journals(message, secret),
    }
    Some(serialize_message(sent.seq, sent.message))
}

/// Adds the setting of the player to a `welcome`.
pub(super) fn add_watchable(body: &str, watchable: Option<bool>) -> Option<String> {
    let mut sent: NumberedMessage = serde_json::from_str(body).ok()?;
    if let Message::Welcome {
        watchable: known, ..
    } = &mut sent.message
    {
        *known = watchable;
    }
    Some(serialize_message(sent.seq, sent.message))
}

/// Renders the refusal of a forgotten player's token for a client of an earlier version, which knows
/// no such reason; `None` for any other message.
pub(super) fn render_forgotten_as_banned(body: &str) -> Option<String> {
    let mut sent: NumberedMessage = serde_json::from_str(body).ok()?;
    match &mut sent.message {
        Message::Error { code, .. } if *code == Refusal::Forgotten => *code = Refusal::Banned,
        _ => return None,
    }
    Some(serialize_message(sent.seq, sent.message))
}

/// Renders a wait for a friend for a client of an earlier version, which knows no friend links;
/// `None` for any other message.
pub(super) fn render_without_friend(body: &str) -> Option<String> {
    if !is_of_type(body, &["waiting"]) {
        return None;
    }
    let mut sent: NumberedMessage = serde_json::from_str(body).ok()?;
    match &mut sent.message {
        Message::Waiting { with, ready, .. } if matches!(with, Some(OpponentFilter::Friend(_))) => {
            (*with, *ready) = (None, None);
        }
        _ => return None,
    }
    Some(serialize_message(sent.seq, sent.message))
}

/// Adds the addresses of the journals of finished games to a message.
pub(super) fn add_journals(message: &mut Message, secret: &StoreSecret) {
    match message {
        Message::Result {
            game_id, journal, ..
        } => *journal = Some(secret.journal_address(*game_id)),
        Message::Games { games, .. } => {
            for game in games {
                game.journal = Some(secret.journal_address(game.game_id));
            }
        }
        Message::Watched { games, .. } => {
            for game in games.iter_mut().filter(|game| game.result.is_some()) {
                game.journal = Some(secret.journal_address(game.game_id));
            }
        }
        _ => {}
    }
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
        Refusal::NoLink => text!(RefusedNoLink),
        Refusal::TooManyLinks => text!(RefusedTooManyLinks, most = MAX_LINKS_PER_PLAYER),
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
        Refusal::Forgotten => text!(RefusedForgotten),
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

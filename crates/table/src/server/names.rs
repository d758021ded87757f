//! Names, which are added to messages as they are sent: what is stored names nobody.

use super::reply::json;
use crate::room::{Message, PlayerId, Sent};
use war::tokens::Name;

/// What every message has that may name somebody, as it is stored.
const STARTED: &str = r#""type":"started""#;

/// Says in a message what the opponent is called; `name` finds it.
pub(super) fn add_name<E>(
    message: &mut Message,
    name: impl FnOnce(PlayerId) -> Result<Name, E>,
) -> Result<(), E> {
    if let Message::Started { opponent, .. } = message {
        opponent.name = Some(name(opponent.player)?);
    }
    Ok(())
}

/// A stored message as it is sent; `name` finds what the opponent is called.
pub(super) fn with_name<E>(
    stored: String,
    name: impl FnOnce(PlayerId) -> Result<Name, E>,
) -> Result<String, E> {
    if !stored.contains(STARTED) {
        return Ok(stored);
    }
    let Ok(mut sent) = serde_json::from_str::<Sent>(&stored) else {
        // A message of the first version of the protocol, which held the name.
        return Ok(stored);
    };
    add_name(&mut sent.message, name)?;
    Ok(json(sent.seq, sent.message))
}

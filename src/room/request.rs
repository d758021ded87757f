use super::bad_request::{BadRequest, RequestError};
use super::request_id::RequestId;
use super::{AccessToken, described, naming, revealed};
use crate::fields::{FieldError, Tree};
use crate::tokens::{ClientSeed, Decision, Kind, Name};
use schemars::JsonSchema;
use serde::de::IntoDeserializer;
use serde::{Deserialize, Deserializer, Serialize};

/// A message of a client.
///
/// Each carries an `id` of the client's own. Sending a request again under its `id`
/// changes nothing, and brings the same answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// The first message of a connection: says who is there.
    Hello {
        /// The request's own name.
        id: RequestId,
        /// What the player is called.
        #[serde(deserialize_with = "naming::deserialize")]
        #[schemars(with = "described::TypedName")]
        name: Name,
        /// The token of an earlier `welcome`; without it the player is a new one.
        #[serde(
            default,
            with = "revealed::optional_access_token",
            skip_serializing_if = "Option::is_none"
        )]
        #[schemars(with = "described::Hex<32>")]
        token: Option<AccessToken>,
    },
    /// Asks for a game.
    Choose {
        /// The request's own name.
        id: RequestId,
        /// The game.
        #[serde(deserialize_with = "word")]
        #[schemars(with = "described::Kind")]
        game: Kind,
    },
    /// Takes the wish for a game back, while nobody else wanted to play it.
    Cancel {
        /// The request's own name.
        id: RequestId,
    },
    /// Adds chance of the player's own, after `started` and before `dealt`.
    Seed {
        /// The request's own name.
        id: RequestId,
        /// The seed.
        #[schemars(with = "described::ClientSeed")]
        value: ClientSeed,
    },
    /// Plays or folds the cards.
    Decide {
        /// The request's own name.
        id: RequestId,
        /// Which of them.
        #[serde(deserialize_with = "word")]
        #[schemars(with = "described::Decision")]
        decision: Decision,
    },
    /// Asks for all messages after this one, in order; the first is number 1.
    Resume {
        /// The request's own name.
        id: RequestId,
        /// The number of the last message that the client has; 0 where it has none.
        after: u64,
    },
}

impl Request {
    /// Reads a message, strictly: no field may be missing, unknown or twice there.
    ///
    /// # Errors
    ///
    /// [`BadRequest`] where it is not a request.
    pub fn parse(message: &str) -> Result<Self, BadRequest> {
        #[derive(Deserialize)]
        struct Named {
            id: RequestId,
        }
        if !message.trim_ascii_start().starts_with('{') {
            let reason = RequestError::NotObject;
            return Err(BadRequest { id: None, reason });
        }
        serde_json::from_str(message).map_err(|error| {
            let named: Result<Named, _> = serde_json::from_str(message);
            BadRequest {
                id: named.ok().map(|named| named.id),
                reason: why(message, error),
            }
        })
    }

    /// The request's own name.
    #[must_use]
    pub const fn id(&self) -> &RequestId {
        match self {
            Self::Hello { id, .. }
            | Self::Choose { id, .. }
            | Self::Cancel { id }
            | Self::Seed { id, .. }
            | Self::Decide { id, .. }
            | Self::Resume { id, .. } => id,
        }
    }
}

/// Why an object is not a request.
fn why(message: &str, error: serde_json::Error) -> RequestError {
    let tree: Tree = match serde_json::from_str(message) {
        Ok(tree) => tree,
        Err(broken) => return broken.into(),
    };
    match tree.check::<Request>() {
        Ok(()) => error.into(),
        Err(FieldError::Rule(rule)) => {
            let text = RequestError::of_text(&tree);
            text.unwrap_or_else(|| FieldError::Rule(rule).into())
        }
        Err(error) => error.into(),
    }
}

/// One of a list of words: it may not be an object with that word for a field.
fn word<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<T, D::Error> {
    let word = String::deserialize(deserializer)?;
    T::deserialize(word.into_deserializer())
}

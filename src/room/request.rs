use super::{AccessToken, described, revealed};
use crate::i18n::{Message, Text, serde_text};
use crate::tokens::{ClientSeed, Decision, Kind, Name, TextError};
use schemars::JsonSchema;
use serde::de::IntoDeserializer;
use serde::{Deserialize, Deserializer, Serialize};

const NO_ID: &str = "an id of 1 to 64 visible ASCII characters";

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
        #[schemars(with = "described::Name")]
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

/// The name that a client gives a request: 1 to 64 visible ASCII characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(extend("pattern" = "^[!-~]{1,64}$"))]
pub struct RequestId(String);

/// A message that is not a request.
#[derive(Debug, Clone, PartialEq)]
pub struct BadRequest {
    /// The `id`, where one could be read.
    pub id: Option<RequestId>,
    /// What is wrong with it.
    pub reason: Text,
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
            let reason = Text::new(Message::NO_OBJECT);
            return Err(BadRequest { id: None, reason });
        }
        serde_json::from_str(message).map_err(|error| {
            let named: Result<Named, _> = serde_json::from_str(message);
            let reason = error.to_string();
            let place = reason.rfind(" at line ").unwrap_or(reason.len());
            BadRequest {
                id: named.ok().map(|named| named.id),
                reason: told(&reason[..place]),
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

/// What serde says of a message, in any language.
fn told(reason: &str) -> Text {
    match reason {
        _ if reason == TextError::Name.to_string() => Text::new(Message::NO_NAME),
        _ if reason == TextError::ClientSeed.to_string() => Text::new(Message::NO_CLIENT_SEED),
        _ if reason == NO_ID => Text::new(Message::NO_REQUEST_ID),
        _ => serde_text(reason),
    }
}

/// One of a list of words: it may not be an object with that word for a field.
fn word<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<T, D::Error> {
    let word = String::deserialize(deserializer)?;
    T::deserialize(word.into_deserializer())
}

impl RequestId {
    /// The name, where it is one.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let fits =
            (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        fits.then(|| Self(text.to_owned()))
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for RequestId {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::new(&text).ok_or(NO_ID)
    }
}

impl From<RequestId> for String {
    fn from(id: RequestId) -> Self {
        id.0
    }
}

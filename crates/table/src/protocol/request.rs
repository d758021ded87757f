use super::naming::{self, NameError};
use super::number::{Protocol, limit, optional, whole};
use super::{AccessToken, Span, Whom, described};
use schemars::JsonSchema;
use serde::de::IntoDeserializer;
use serde::{Deserialize, Deserializer, Serialize};
use war::support::fields::{FieldError, Tree};
use war::support::hex::Hex;
use war::tokens::{Decision, Kind, Name};

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
        /// 32 random bytes that the client drew when the player first came, and keeps secret:
        /// who has them is this player.
        #[serde(with = "access_token")]
        #[schemars(with = "described::Hex<32>")]
        token: AccessToken,
        /// The version of the protocol that the client speaks.
        #[schemars(with = "described::Protocol")]
        protocol: Protocol,
        /// Whether others may watch the player's games; where it is missing, they may not. It holds
        /// until the player's next `hello`.
        #[serde(default, skip_serializing_if = "is_false")]
        watchable: bool,
    },
    /// Asks for a game.
    Choose {
        /// The request's own name.
        id: RequestId,
        /// The game.
        #[serde(deserialize_with = "word")]
        #[schemars(with = "described::Kind")]
        game: Kind,
        /// The SHA-256 of 32 random bytes, fresh for each game: the player's seed, which they
        /// open after `started`.
        #[schemars(with = "described::Hex<32>")]
        seed_hash: Hex<32>,
        /// Whom the player wants to play with; where it is missing, with anyone.
        #[serde(
            default,
            deserialize_with = "present",
            skip_serializing_if = "Option::is_none"
        )]
        #[schemars(with = "Whom")]
        with: Option<Whom>,
    },
    /// Takes the wish for a game back, while nobody else wanted to play it.
    Cancel {
        /// The request's own name.
        id: RequestId,
        /// The game.
        #[serde(deserialize_with = "word")]
        #[schemars(with = "described::Kind")]
        game: Kind,
    },
    /// Opens the player's seed, after `started`.
    Seed {
        /// The request's own name.
        id: RequestId,
        /// The number of the game.
        #[serde(deserialize_with = "whole")]
        #[schemars(with = "described::Whole")]
        game_id: u64,
        /// The seed: its SHA-256 is the `seed_hash` of `choose`.
        #[schemars(with = "described::Hex<32>")]
        value: Hex<32>,
    },
    /// Plays or folds the cards.
    Decide {
        /// The request's own name.
        id: RequestId,
        /// The number of the game.
        #[serde(deserialize_with = "whole")]
        #[schemars(with = "described::Whole")]
        game_id: u64,
        /// The number of the deal, as `dealt` or `redealt` has it.
        #[serde(deserialize_with = "whole")]
        #[schemars(with = "described::Deal")]
        deal: u32,
        /// Which of them.
        #[serde(deserialize_with = "word")]
        #[schemars(with = "described::Decision")]
        decision: Decision,
    },
    /// Asks how many people are at the table, and what they do. It changes nothing, and can be asked
    /// again under the same `id`.
    People {
        /// The request's own name.
        id: RequestId,
    },
    /// Asks for all messages after this one, in order; the first is number 1.
    Resume {
        /// The request's own name.
        id: RequestId,
        /// The number of the last message that the client has; 0 where it has none.
        #[serde(deserialize_with = "whole")]
        #[schemars(with = "described::Whole")]
        after: u64,
    },
    /// Asks for games of the player that are over, the last one first.
    Games {
        /// The request's own name.
        id: RequestId,
        /// Only games that ended before this one; missing for the last ones of all.
        #[serde(
            default,
            deserialize_with = "optional",
            skip_serializing_if = "Option::is_none"
        )]
        #[schemars(with = "described::Whole")]
        before: Option<u64>,
        /// How many at most.
        #[serde(deserialize_with = "limit")]
        #[schemars(with = "described::Limit")]
        limit: u32,
    },
    /// Asks what came of all games of the player that are over.
    Figures {
        /// The request's own name.
        id: RequestId,
    },
    /// Asks for the ladder, up to the last day that is over.
    Ladder {
        /// The request's own name.
        id: RequestId,
        /// Over how many days.
        #[serde(deserialize_with = "word")]
        span: Span,
    },
    /// Has the player forgotten, who is not in a game: their name and token go, and with them the way
    /// to their tokens. It can't be undone.
    Forget {
        /// The request's own name.
        id: RequestId,
    },
    /// Asks for games that others may watch: those whose players both allow it. The computer allows
    /// it always.
    Watch {
        /// The request's own name.
        id: RequestId,
        /// Only this game, which may be over; missing for all that run.
        #[serde(
            default,
            deserialize_with = "optional",
            skip_serializing_if = "Option::is_none"
        )]
        #[schemars(with = "described::Whole")]
        game_id: Option<u64>,
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
            | Self::Cancel { id, .. }
            | Self::Seed { id, .. }
            | Self::Decide { id, .. }
            | Self::People { id }
            | Self::Resume { id, .. }
            | Self::Games { id, .. }
            | Self::Figures { id }
            | Self::Ladder { id, .. }
            | Self::Forget { id }
            | Self::Watch { id, .. } => id,
        }
    }
}

/// Why an object is not a request.
fn why(message: &str, error: serde_json::Error) -> RequestError {
    let tree: Tree = match serde_json::from_str(message) {
        Ok(tree) => tree,
        Err(broken) => return broken.into(),
    };
    if is_foreign_hello(&tree) {
        return RequestError::Protocol;
    }
    match tree.check::<Request>() {
        Ok(()) => error.into(),
        Err(FieldError::Rule(rule)) => {
            let text = RequestError::of_text(&tree);
            text.unwrap_or_else(|| FieldError::Rule(rule).into())
        }
        Err(error) => error.into(),
    }
}

/// Whether this is the `hello` of a client that speaks another version of the protocol, whose
/// fields may be other ones.
fn is_foreign_hello(message: &Tree) -> bool {
    let says = message.field("type").and_then(Tree::text);
    let protocol = message.field("protocol");
    let speaks_this = protocol.is_some_and(|protocol| protocol.check::<Protocol>().is_ok());
    says == Some("hello") && !speaks_this
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes it so")]
const fn is_false(value: &bool) -> bool {
    !*value
}

/// A field that may be missing, but not null.
fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// One of a list of words: it may not be an object with that word for a field.
fn word<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<T, D::Error> {
    let word = String::deserialize(deserializer)?;
    T::deserialize(word.into_deserializer())
}

/// A message that is not a request.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invalid request: {reason}")]
pub struct BadRequest {
    /// The `id`, where one could be read.
    pub id: Option<RequestId>,
    /// What is wrong with it.
    #[source]
    pub reason: RequestError,
}

/// Why a message is not a request.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// It is not an object, or not sent as text.
    #[error("a message must be a JSON object, sent as text")]
    NotObject,
    /// It is not JSON, for this reason in English.
    #[error("invalid JSON: {0}")]
    Syntax(String),
    /// A field is not as it should be.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// A player can't be called this.
    #[error("expected {0}")]
    Name(#[from] NameError),
    /// It is the `hello` of a client that speaks another version of the protocol, or names none.
    #[error("expected a client of protocol {}", Protocol::VERSION)]
    Protocol,
    /// The `id` can't name a request.
    #[error("expected {0}")]
    Id(#[from] RequestIdError),
}

impl From<serde_json::Error> for RequestError {
    /// The reason without its place: a message is one short line.
    fn from(error: serde_json::Error) -> Self {
        let reason = error.to_string();
        let place = reason.rfind(" at line ").unwrap_or(reason.len());
        Self::Syntax(reason[..place].to_owned())
    }
}

impl RequestError {
    /// Why a text in this message is not the `id` or the name that it should be.
    fn of_text(message: &Tree) -> Option<Self> {
        let mut fields = message.fields().iter();
        fields.find_map(|(field, value)| {
            let text = value.text()?.to_owned();
            match field.as_str() {
                "id" => RequestId::try_from(text).err().map(Self::from),
                "name" => naming::typed(&text).err().map(Self::from),
                _ => None,
            }
        })
    }
}

/// The name that a client gives a request: 1 to 64 visible ASCII characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(extend("pattern" = "^[!-~]{1,64}$"))]
pub struct RequestId(String);

/// A text that can't name a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an id of 1 to 64 visible ASCII characters")]
pub struct RequestIdError;

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
    type Error = RequestIdError;

    fn try_from(text: String) -> Result<Self, RequestIdError> {
        Self::new(&text).ok_or(RequestIdError)
    }
}

impl From<RequestId> for String {
    fn from(id: RequestId) -> Self {
        id.0
    }
}

/// An access token in the message that shows who comes.
mod access_token {
    use crate::protocol::AccessToken;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use war::support::hex::Hex;

    pub(super) fn serialize<S: Serializer>(
        token: &AccessToken,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        token.reveal().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<AccessToken, D::Error> {
        Hex::deserialize(deserializer).map(AccessToken::new)
    }
}

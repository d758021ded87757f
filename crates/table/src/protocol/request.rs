use super::naming::{self, NameError};
use super::number::{
    ProtocolVersion, deserialize_game_limit, deserialize_integer, deserialize_optional_integer,
};
use super::{AccessToken, LadderPeriod, OpponentFilter, PlayerId, schema_types};
use schemars::JsonSchema;
use serde::de::IntoDeserializer;
use serde::{Deserialize, Deserializer, Serialize};
use war::support::fields::{DataTree, FieldError};
use war::support::hex::Hex;
use war::tokens::{Decision, Kind, Name};

/// A message from a client.
///
/// Each request carries an `id` chosen by the client. Repeating a request under the same `id`
/// changes nothing and returns the same answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// Identifies the player. The first message of every connection.
    Hello {
        /// The request's ID.
        id: RequestId,
        /// The name of a new player. A known player keeps theirs; see `settings`.
        #[serde(deserialize_with = "naming::deserialize")]
        #[schemars(with = "schema_types::TypedName")]
        name: Name,
        /// 32 random bytes that the client generated when the player first came, and keeps secret:
        /// they alone identify the player.
        #[serde(with = "access_token")]
        #[schemars(with = "schema_types::Hex<32>")]
        token: AccessToken,
        /// Protocol version of the client.
        #[schemars(with = "schema_types::VersionSchema")]
        protocol: ProtocolVersion,
        /// Lets others watch the games of a new player. False if missing. A known player keeps their
        /// setting; see `settings`.
        #[serde(default, skip_serializing_if = "is_false")]
        watchable: bool,
    },
    /// Changes the player's settings. Fields that are missing stay as they are.
    Settings {
        /// The request's ID.
        id: RequestId,
        /// The new name.
        #[serde(
            default,
            deserialize_with = "naming::deserialize_optional",
            skip_serializing_if = "Option::is_none"
        )]
        #[schemars(with = "schema_types::TypedName")]
        name: Option<Name>,
        /// True if others may watch the player's games.
        #[serde(
            default,
            deserialize_with = "present",
            skip_serializing_if = "Option::is_none"
        )]
        #[schemars(with = "bool")]
        watchable: Option<bool>,
    },
    /// Requests a game.
    Choose {
        /// The request's ID.
        id: RequestId,
        /// The kind of game.
        #[serde(deserialize_with = "word")]
        #[schemars(with = "schema_types::Kind")]
        game: Kind,
        /// The SHA-256 of the player's seed. The seed is 32 random bytes, fresh for each game,
        /// which the player opens after `started`. May be missing with a friend link: the player
        /// then waits, but is not ready to play.
        #[serde(
            default,
            deserialize_with = "present",
            skip_serializing_if = "Option::is_none"
        )]
        #[schemars(with = "schema_types::Hex<32>")]
        seed_hash: Option<Hex<32>>,
        /// The requested opponent; anyone if missing.
        #[serde(
            default,
            deserialize_with = "present",
            skip_serializing_if = "Option::is_none"
        )]
        #[schemars(with = "OpponentFilter")]
        with: Option<OpponentFilter>,
        /// The secret of the friend link. Missing if the player made the link.
        #[serde(
            default,
            deserialize_with = "present",
            skip_serializing_if = "Option::is_none"
        )]
        #[schemars(with = "schema_types::Hex<16>")]
        secret: Option<Hex<16>>,
    },
    /// Makes a friend link. A player may have up to 20.
    CreateLink {
        /// The request's ID.
        id: RequestId,
        /// The kind of game.
        #[serde(deserialize_with = "word")]
        #[schemars(with = "schema_types::Kind")]
        game: Kind,
        /// The SHA-256 of the link's secret: 16 random bytes, which the client keeps, and adds to
        /// the link's address as its fragment.
        #[schemars(with = "schema_types::Hex<32>")]
        secret_hash: Hex<32>,
    },
    /// Revokes a friend link of the player. Does nothing if there is no such link.
    RevokeLink {
        /// The request's ID.
        id: RequestId,
        /// The link's ID.
        #[schemars(with = "schema_types::Hex<8>")]
        link: Hex<8>,
    },
    /// Requests the player's friend links.
    Links {
        /// The request's ID.
        id: RequestId,
    },
    /// Withdraws the request for a game, as long as no opponent has been found.
    Cancel {
        /// The request's ID.
        id: RequestId,
        /// The kind of game.
        #[serde(deserialize_with = "word")]
        #[schemars(with = "schema_types::Kind")]
        game: Kind,
    },
    /// Opens the player's seed, after `started`.
    Seed {
        /// The request's ID.
        id: RequestId,
        /// The number of the game.
        #[serde(deserialize_with = "deserialize_integer")]
        #[schemars(with = "schema_types::Integer")]
        game_id: u64,
        /// The seed: its SHA-256 is the `seed_hash` of `choose`.
        #[schemars(with = "schema_types::Hex<32>")]
        value: Hex<32>,
    },
    /// Plays or folds the cards.
    Decide {
        /// The request's ID.
        id: RequestId,
        /// The number of the game.
        #[serde(deserialize_with = "deserialize_integer")]
        #[schemars(with = "schema_types::Integer")]
        game_id: u64,
        /// The number of the deal, as `dealt` or `redealt` has it.
        #[serde(deserialize_with = "deserialize_integer")]
        #[schemars(with = "schema_types::DealNumber")]
        deal: u32,
        /// The decision.
        #[serde(deserialize_with = "word")]
        #[schemars(with = "schema_types::Decision")]
        decision: Decision,
    },
    /// Requests the number of players at the table, by activity. The request changes nothing, and
    /// may be repeated under the same `id`.
    People {
        /// The request's ID.
        id: RequestId,
    },
    /// Requests all messages after number `after`, in order. Messages are numbered from 1.
    Resume {
        /// The request's ID.
        id: RequestId,
        /// Number of the last message that the client has; 0 if it has none.
        #[serde(deserialize_with = "deserialize_integer")]
        #[schemars(with = "schema_types::Integer")]
        after: u64,
    },
    /// Requests the player's finished games, latest first.
    Games {
        /// The request's ID.
        id: RequestId,
        /// Number of a game: only games that ended before this game are returned. Missing for the
        /// latest games.
        #[serde(
            default,
            deserialize_with = "deserialize_optional_integer",
            skip_serializing_if = "Option::is_none"
        )]
        #[schemars(with = "schema_types::Integer")]
        before: Option<u64>,
        /// Maximum number of games.
        #[serde(deserialize_with = "deserialize_game_limit")]
        #[schemars(with = "schema_types::GameLimit")]
        limit: u32,
    },
    /// Requests statistics over all of the player's finished games.
    Figures {
        /// The request's ID.
        id: RequestId,
    },
    /// Requests the score of the games between the player and an opponent.
    Score {
        /// The request's ID.
        id: RequestId,
        /// The opponent.
        #[serde(deserialize_with = "deserialize_player")]
        #[schemars(with = "schema_types::Integer")]
        opponent: PlayerId,
    },
    /// Requests the ladder up to the last full day.
    Ladder {
        /// The request's ID.
        id: RequestId,
        /// The period that the ladder covers.
        #[serde(deserialize_with = "word")]
        span: LadderPeriod,
    },
    /// Deletes the player's name and access token, after which nobody can use the player's balance,
    /// and the token is refused. Refused during a game. Can't be undone.
    Forget {
        /// The request's ID.
        id: RequestId,
    },
    /// Requests games open to watchers: games whose players both allow watching. House players
    /// always allow it.
    Watch {
        /// The request's ID.
        id: RequestId,
        /// Number of the only game to return, even if the game is over; missing for all running
        /// games.
        #[serde(
            default,
            deserialize_with = "deserialize_optional_integer",
            skip_serializing_if = "Option::is_none"
        )]
        #[schemars(with = "schema_types::Integer")]
        game_id: Option<u64>,
    },
}

impl Request {
    /// Parses a message strictly: no field may be missing, unknown or repeated.
    ///
    /// # Errors
    ///
    /// [`BadRequest`] if the message is not a request.
    pub fn parse(message: &str) -> Result<Self, BadRequest> {
        #[derive(Deserialize)]
        struct Identified {
            id: RequestId,
        }
        if !message.trim_ascii_start().starts_with('{') {
            let reason = RequestError::NotObject;
            return Err(BadRequest { id: None, reason });
        }
        serde_json::from_str(message).map_err(|error| {
            let identified: Result<Identified, _> = serde_json::from_str(message);
            BadRequest {
                id: identified.ok().map(|identified| identified.id),
                reason: find_error(message, error),
            }
        })
    }

    /// Returns the first version of the protocol that has this request.
    #[must_use]
    pub const fn version(&self) -> ProtocolVersion {
        match self {
            Self::Settings { .. }
            | Self::CreateLink { .. }
            | Self::RevokeLink { .. }
            | Self::Links { .. }
            | Self::Score { .. }
            | Self::Choose {
                seed_hash: None, ..
            }
            | Self::Choose {
                with: Some(OpponentFilter::Friend(_)),
                ..
            }
            | Self::Choose {
                secret: Some(_), ..
            } => ProtocolVersion::V4,
            _ => ProtocolVersion::V2,
        }
    }

    /// The request's ID.
    #[must_use]
    pub const fn id(&self) -> &RequestId {
        match self {
            Self::Hello { id, .. }
            | Self::Settings { id, .. }
            | Self::Choose { id, .. }
            | Self::CreateLink { id, .. }
            | Self::RevokeLink { id, .. }
            | Self::Links { id }
            | Self::Cancel { id, .. }
            | Self::Seed { id, .. }
            | Self::Decide { id, .. }
            | Self::People { id }
            | Self::Resume { id, .. }
            | Self::Games { id, .. }
            | Self::Figures { id }
            | Self::Score { id, .. }
            | Self::Ladder { id, .. }
            | Self::Forget { id }
            | Self::Watch { id, .. } => id,
        }
    }
}

/// Explains why an object is not a request.
fn find_error(message: &str, error: serde_json::Error) -> RequestError {
    let tree: DataTree = match serde_json::from_str(message) {
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

/// Returns true for the `hello` of a client with another protocol version, whose fields may differ.
fn is_foreign_hello(message: &DataTree) -> bool {
    let kind = message.field("type").and_then(DataTree::text);
    let protocol = message.field("protocol");
    let speaks_this = protocol.is_some_and(|protocol| protocol.check::<ProtocolVersion>().is_ok());
    kind == Some("hello") && !speaks_this
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes it so")]
const fn is_false(value: &bool) -> bool {
    !*value
}

/// Reads a field that may be missing, but not null.
fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// Reads the number of a player.
fn deserialize_player<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PlayerId, D::Error> {
    deserialize_integer(deserializer).map(PlayerId)
}

/// Reads an enum written as a word, and rejects an object with that word as its field.
fn word<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<T, D::Error> {
    let word = String::deserialize(deserializer)?;
    T::deserialize(word.into_deserializer())
}

/// A message that is not a request.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invalid request: {reason}")]
pub struct BadRequest {
    /// The `id` of the message, if one could be read.
    pub id: Option<RequestId>,
    /// The reason why the message is not a request.
    #[source]
    pub reason: RequestError,
}

/// Reason why a message is not a request.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// Message that is not an object, or is not sent as text.
    #[error("a message must be a JSON object, sent as text")]
    NotObject,
    /// Message that is not JSON, with the parser's error in English.
    #[error("invalid JSON: {0}")]
    Syntax(String),
    /// Field with an invalid value.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// Name that is not allowed.
    #[error("expected {0}")]
    Name(#[from] NameError),
    /// `hello` with another protocol version, or without a version.
    #[error("expected a client of protocol 2, 3 or 4")]
    Protocol,
    /// Invalid `id`.
    #[error("expected {0}")]
    Id(#[from] RequestIdError),
}

impl From<serde_json::Error> for RequestError {
    /// Drops the position from the parser's message: a request is one short line.
    fn from(error: serde_json::Error) -> Self {
        let reason = error.to_string();
        let position = reason.rfind(" at line ").unwrap_or(reason.len());
        Self::Syntax(reason[..position].to_owned())
    }
}

impl RequestError {
    /// Finds an invalid `id` or name among the string fields of a message.
    fn of_text(message: &DataTree) -> Option<Self> {
        let mut fields = message.fields().iter();
        fields.find_map(|(field, value)| {
            let text = value.text()?.to_owned();
            match field.as_str() {
                "id" => RequestId::try_from(text).err().map(Self::from),
                "name" => naming::parse_typed_name(&text).err().map(Self::from),
                _ => None,
            }
        })
    }
}

/// A client's name for a request: 1 to 64 visible ASCII characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(extend("pattern" = "^[!-~]{1,64}$"))]
pub struct RequestId(String);

/// Error for a text that is not a request ID.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an id of 1 to 64 visible ASCII characters")]
pub struct RequestIdError;

impl RequestId {
    /// Returns the text as an ID, or `None` if the text is not a valid ID.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let fits =
            (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        fits.then(|| Self(text.to_owned()))
    }

    /// The ID as text.
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

/// Serde form of the access token in a `hello`, the only message that reveals the token.
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

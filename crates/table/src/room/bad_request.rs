use super::naming::{self, NameError};
use super::number::Protocol;
use super::request_id::{RequestId, RequestIdError};
use war::support::fields::{FieldError, Tree};

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
    pub(super) fn of_text(message: &Tree) -> Option<Self> {
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

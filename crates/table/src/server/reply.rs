//! What the server answers, as text.

use crate::room::{BadRequest, Message, Refusal, RequestError, RequestId, Sent};
use crate::server::messages::{bad_message_text, refusal_text};
use war::i18n::Catalogue;

/// The answer to a request that is not granted.
pub(super) fn refused(catalogue: &Catalogue, refusal: Refusal, id: RequestId) -> Message {
    Message::Error {
        code: refusal,
        message: catalogue.text(&refusal_text(refusal)),
        in_reply_to: Some(id),
    }
}

/// What a client hears without having asked.
pub(super) fn told(catalogue: &Catalogue, code: Refusal) -> Message {
    Message::Error {
        code,
        message: catalogue.text(&refusal_text(code)),
        in_reply_to: None,
    }
}

/// The answer to a message that is not a request.
pub(super) fn not_a_request(catalogue: &Catalogue, bad: BadRequest) -> Message {
    let (code, text) = match &bad.reason {
        RequestError::Protocol => (Refusal::OldProtocol, refusal_text(Refusal::OldProtocol)),
        reason => (Refusal::BadMessage, bad_message_text(reason)),
    };
    Message::Error {
        code,
        message: catalogue.text(&text),
        in_reply_to: bad.id,
    }
}

/// A message as it is sent.
pub(super) fn json(seq: u64, message: Message) -> String {
    serde_json::to_string(&Sent { seq, message }).expect("messages are plain values")
}

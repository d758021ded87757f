//! What the server answers, as text.

use crate::i18n::Catalogue;
use crate::room::{Message, Refusal, RequestError, RequestId, Sent};
use crate::server::messages::refusal_text;

/// The answer to a request that is not granted.
///
/// `reason` says what is wrong with a message that is not a request.
pub(super) fn refused(
    catalogue: &Catalogue,
    refusal: Refusal,
    id: Option<RequestId>,
    reason: Option<&RequestError>,
) -> Message {
    Message::Error {
        code: refusal,
        message: catalogue.text(&refusal_text(refusal, reason)),
        in_reply_to: id,
    }
}

/// A message as it is sent.
pub(super) fn json(seq: u64, message: Message) -> String {
    serde_json::to_string(&Sent { seq, message }).expect("messages are plain values")
}

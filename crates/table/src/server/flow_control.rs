//! How much may be on its way between the writer and a client.
//!
//! Pushed messages that don't fit are read from the store later, but an answer to one
//! connection exists only once: so there is always room for every answer that may come.

/// How many requests of a client may be on their way to be answered.
pub(super) const REQUESTS_IN_FLIGHT: usize = 16;
/// A client is read from while fewer deliveries than this wait for it.
pub(super) const READ_BELOW: usize = 16;
/// The most messages that one request brings to its player.
pub(super) const ANSWERS_TO_A_REQUEST: usize = 2;
/// How many deliveries may wait for a client.
pub(super) const MAILBOX: usize = 128;
/// How much of a mailbox is kept for answers; messages that are pushed may use the rest.
pub(super) const ROOM_FOR_ANSWERS: usize = MAILBOX / 2;
/// The most answers that may wait: those that came while the client was still read from,
/// those to all requests on their way, and the one to a `hello`.
pub(super) const MOST_ANSWERS: usize = READ_BELOW + REQUESTS_IN_FLIGHT * ANSWERS_TO_A_REQUEST + 1;

const _: () = assert!(
    MOST_ANSWERS <= ROOM_FOR_ANSWERS,
    "an answer might not fit into a mailbox"
);

//! HTTP server: the page, the WebSocket, the log and journals for players; requests, health and
//! metrics for the operator.

mod assets;
mod daily;
mod document;
mod friend_page;
mod games;
mod hand_values;
mod listen;
mod metrics_format;
mod operator;
mod orders;
mod page;
mod routes;

pub(super) use listen::serve;
pub(super) use operator::new_challenge;
pub use orders::{ORDER_TIMEOUT, OrderContext, RoomRedirect, carry_out_request};

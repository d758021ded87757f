//! The HTTP side: the page, the WebSocket and journals for everybody; health and metrics for
//! the operator.

mod inbox;
mod listen;
mod operator;
mod orders;
mod page;
mod routes;

pub(super) use inbox::serve_inbox;
pub(super) use listen::listen;
pub(super) use operator::draw;

//! The HTTP side: the page, the WebSocket and journals for everybody; health and metrics for
//! the operator.

mod admin;
mod file;
mod games;
mod guard;
mod inbox;
mod listen;
mod listener;
mod log;
mod operator;
mod orders;
mod page;
mod refused;
mod routes;
mod said;
mod shipped;
mod upgrade;

pub(super) use inbox::serve_inbox;
pub(super) use listen::listen;
pub(super) use operator::draw;

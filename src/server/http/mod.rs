//! The HTTP side: the page, the WebSocket and journals for everybody; health and metrics for
//! the operator.

mod admin;
mod guard;
mod listen;
mod listener;
mod log;
mod page;
mod refused;
mod routes;
mod said;
mod upgrade;

pub(super) use listen::listen;

//! The HTTP side: the page, the WebSocket and journals for everybody; health and metrics for
//! the operator.

mod listen;
mod operator;
mod orders;
mod page;
mod routes;

pub(super) use listen::listen;
pub(super) use operator::draw;
pub use orders::{Elsewhere, Office, PATIENCE, carry_out};

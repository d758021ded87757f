//! The HTTP side: the page, the WebSocket, journals, health and metrics.

mod journal;
mod listener;
mod page;
mod routes;

pub(super) use listener::listen;

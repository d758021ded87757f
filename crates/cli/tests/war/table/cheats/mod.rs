//! A cheating server: a proxy in front of the real server, which changes messages, signs them
//! itself and keeps its own log. The example client, the load driver and the page detect every
//! cheat.

mod cheat;
mod cheater;
mod clients;
mod hidden;
mod ledger;
mod proxy;

use super::raw_client::RawClient;
use super::{Server, client_requests};
pub(crate) use cheat::Cheat;
pub(crate) use proxy::Proxy;

/// Waiting player who will not open their seed.
pub(crate) fn silent(server: &Server) -> RawClient {
    let mut client = server.player("Silent").0;
    client.send(client_requests::single("c"));
    client.receive_until("waiting");
    client
}

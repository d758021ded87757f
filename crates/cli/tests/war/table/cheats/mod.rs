//! A server that cheats: a proxy before the real one that changes messages, signs them itself and
//! keeps a log of its own. The example client, the load driver and the page find out each time.

mod cheater;
mod clients;
mod hidden;
mod ledger;
mod proxy;
mod ways;

use super::line::Line;
use super::{Server, said};
pub(crate) use proxy::Proxy;
pub(crate) use ways::Way;

/// Somebody who waits for a game of one card, and will not open their seed.
pub(crate) fn silent(server: &Server) -> Line {
    let mut line = server.player("Silent").0;
    line.say(said::single("c"));
    line.until("waiting");
    line
}

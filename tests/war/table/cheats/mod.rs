//! A server that cheats: a proxy before the real one that changes messages, signs them itself and
//! keeps a log of its own. The example client and the load driver find out each time.

mod cheater;
mod clients;
mod ledger;
mod proxy;
mod ways;

//! Load test of a card table: many players at once over the network, who check every message.
//!
//! [`run()`] opens the connections, plays, and reconnects every player to compare balances. It
//! returns its [`Findings`].

mod findings;
mod player;
mod run;

pub use findings::{Findings, PATIENCE, Trouble};
pub use run::{Phase, Plan, Sources, run};

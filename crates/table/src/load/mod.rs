//! Load for a card table: many players at once over the network, who believe nothing and
//! check every message.
//!
//! [`run()`] opens the connections, plays, and comes back as every player to compare balances;
//! what it saw is in its [`Findings`].

mod findings;
mod player;
mod run;

pub use findings::{Findings, PATIENCE, Trouble};
pub use run::{Phase, Plan, Sources, run};

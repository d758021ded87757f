//! Load for a card table: many players at once over the network, who believe nothing and
//! check every message.
//!
//! [`run()`] opens the connections, plays, and comes back as every player to compare balances;
//! what it saw is in its [`Findings`].

mod findings;
mod log;
mod player;
mod run;
mod trouble;

pub use findings::Findings;
pub use log::Sources;
pub use run::{Phase, Plan, run};
pub use trouble::{PATIENCE, Trouble};

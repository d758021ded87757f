//! Load test of a card table: many players at once over the network, who check every message.
//!
//! [`run_test`] opens the connections, plays, reconnects every player to compare balances, and
//! returns a [`LoadReport`].

mod player;
mod report;
mod run;

pub use report::{ANSWER_TIMEOUT, LoadFailure, LoadReport};
pub use run::{LoadPhase, LoadPlan, LoadSources, run_test};

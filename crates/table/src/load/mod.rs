//! Load test of a card table: many players at once over the network, who check every message.
//!
//! [`run_test`] asks for the limits of the table, opens the connections, plays, reconnects every
//! player to compare balances, and returns a [`LoadReport`]. A player who could not finish is left
//! out of the comparisons, and the table is accused only with the messages that show why.

mod pace;
mod player;
mod report;
mod results;
mod run;

pub use report::{ANSWER_TIMEOUT, LoadFailure, LoadReport, Occurrences};
pub use run::{LoadPhase, LoadPlan, LoadSources, TooManyPlayers, run_test};

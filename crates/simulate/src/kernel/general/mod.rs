//! The kernel for every rule, in portable code: rings of cards, and Brent's cycle check.

mod collect;
mod ending;
mod hand;
mod kernel;
mod search;
mod state;
mod turn;
mod war;

pub use kernel::{Counted, General};
pub use state::MOST_PLAYERS;

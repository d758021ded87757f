//! The kernel for every rule, in portable code: rings of cards, and Brent's cycle check.

mod kernel;
mod state;
mod turns;

pub use kernel::{Counted, General};
pub use state::MOST_PLAYERS;

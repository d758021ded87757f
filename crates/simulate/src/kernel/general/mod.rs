//! The kernel for every rule, in portable code: hands as rings of cards, and Brent's cycle
//! detection.

mod kernel;
mod state;
mod turns;

pub use kernel::{DetailedResult, GeneralKernel};
pub use state::MAX_PLAYERS;

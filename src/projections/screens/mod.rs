//! The console screens, one file an edition.

mod classic;
mod duels;
mod seats;
mod style;
mod tokens;
mod xy;

pub use seats::{CardSource, SEPARATOR, Start, correction_text};
pub use style::{screens, token_screens};
pub use xy::XyRow;

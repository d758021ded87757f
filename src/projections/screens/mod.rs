//! The console screens, one file an edition.

mod classic;
mod duels;
mod layout;
mod leader;
mod seats;
mod standing;
mod start;
mod style;
mod tokens;
mod xy;

pub use layout::SEPARATOR;
pub use seats::correction_text;
pub use start::{CardSource, Start};
pub use style::{screens, token_screens};
pub use xy::XyRow;

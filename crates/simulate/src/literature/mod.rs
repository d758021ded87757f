//! What others have published about War, and what makes the same games here.

mod claim;
mod deals;
mod playing;
mod sources;

pub use claim::{Claim, Figure, Games, Row};
pub use playing::{Figures, Playing, play_java_seeds, play_rounds, share_of_sweeps};
pub use sources::rows;

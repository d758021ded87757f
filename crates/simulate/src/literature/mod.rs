//! Published figures about War, and the games that reproduce them.

mod claim;
mod deals;
mod playing;
mod sources;

pub use claim::{Claim, Figure, SourceGames, SourceRow};
pub use playing::{FigureLookup, PlaySettings, play_java_seeds, play_rounds, share_of_sweeps};
pub use sources::rows;

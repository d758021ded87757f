//! Published figures about War, and the games that reproduce them.

mod claim;
mod deals;
mod play;
mod sources;

pub use claim::{Claim, Figure, SourceGames, SourceRow};
pub use play::{
    FigureLookup, PlaySettings, play_counting_rounds, play_java_seeds, share_of_sweeps,
};
pub use sources::source_rows;

//! Published figures about War, and the games that reproduce them.
//!
//! The figures are in `literature.tsv`, beside this module: a new one is a line.

mod claim;
mod command;
mod play;
mod table;

pub use claim::{Claim, Figure, SourceGames, SourceRow};
pub use command::CommandError;
pub use play::{
    FigureLookup, PlaySettings, play_counting_rounds, play_java_seeds, share_of_sweeps,
};
pub use table::{LineError, TableError, parse_table, source_rows};

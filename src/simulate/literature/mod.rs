//! What others have published about War, and what makes the same games here.

mod claim;
mod java;
mod sources;

pub use claim::{Claim, Figure, Games, Row};
pub use java::play_java_seeds;
pub use sources::rows;

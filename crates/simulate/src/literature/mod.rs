//! What others have published about War, and what makes the same games here.

mod claim;
mod counting;
mod deals;
mod java;
mod playing;
mod references;
mod rounds;
mod setups;
mod simulators;
mod sources;
mod sweep;

pub use claim::{Claim, Figure, Games, Row};
pub use java::play_java_seeds;
pub use playing::{Figures, Playing};
pub use rounds::play_rounds;
pub use sources::rows;
pub use sweep::share_of_sweeps;

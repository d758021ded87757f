//! The ladder of the card table: players by their results, not by their tokens.
//!
//! It knows no store and no clock: results of finished days go in, ratings come out. Games are
//! rated by [Glicko-2](https://www.glicko.net/glicko/glicko2.pdf), all those of a day at once from the
//! ratings at its start.
//!
//! # Examples
//!
//! ```
//! use war_table::ladder::{Game, Standings};
//! use war_table::room::PlayerId;
//! use war::tokens::Kind;
//!
//! let won = |number| Game {
//!     number,
//!     kind: Kind::Single,
//!     players: [PlayerId(2), PlayerId(3)],
//!     tokens: [10, -10],
//! };
//! let mut ladder = Standings::default();
//! ladder.rate(19_000, (1..=20).map(won).collect());
//! let [winner, loser] = [2, 3].map(|id| ladder.of(PlayerId(id)).unwrap());
//! assert!(winner.rating() > 1500.0 && loser.rating() < 1500.0);
//! // Only five games a day count between the same two.
//! assert_eq!(winner.games, 5);
//! ```

mod day;
mod rated;
mod standing;
mod standings;

pub use crate::room::Span;
pub use day::{Game, HOUSE, MOST_A_DAY, day_of, first_moment};
pub use rated::Rated;
pub use standing::Standing;
pub use standings::{LEAST_GAMES, Standings};

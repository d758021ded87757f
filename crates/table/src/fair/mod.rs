//! What a player of the card table can check alone: that the table plays fair.
//!
//! A [`Checks`] holds what the player knows without the table, above all the seeds that they drew.
//! It hears each message that comes, and finds the first that contradicts what was said before,
//! or what the seeds and the rules make of it. A [`LogChecks`] holds the games that were begun
//! against the table's log: that they are in it, and that the log never becomes another one.
//! Neither has a clock, a file or a network.
//!
//! A client calls [`Checks::chose`], [`Checks::opens`] and [`Checks::decides`] with what it
//! sends, and [`Checks::heard`] with what it gets, before it acts on it.
//!
//! # Examples
//!
//! ```
//! use war_table::fair::{Checks, Unfair};
//! use war::support::hex::Hex;
//! use war::tokens::Kind;
//!
//! let mut checks = Checks::new();
//! let hears = |checks: &mut Checks, message: &str| {
//!     checks.heard(&serde_json::from_str(message).unwrap())
//! };
//! hears(&mut checks, r#"{"seq": 0, "type": "welcome", "player": 7, "balance": 1000, "now_ms": 0,
//!     "protocol": 2, "in_reply_to": "1"}"#)?;
//!
//! checks.chose(Kind::Single, Hex::new([1; 32]));
//! hears(&mut checks, r#"{"seq": 1, "type": "waiting", "game": "single-card-game"}"#)?;
//! let other = hears(&mut checks, r#"{"seq": 2, "type": "waiting", "game": "double-card-game"}"#);
//! assert_eq!(other, Err(Unfair::NotChosen));
//! # Ok::<(), Unfair>(())
//! ```

mod checks;
mod game;
mod logged;
mod unfair;

pub use checks::Checks;
pub use game::{Finished, Signed};
pub use logged::LogChecks;
pub use unfair::{Unfair, Unlogged};

//! Fairness checks that a player of the card table can make without trusting the table.
//!
//! A [`Checks`] records what the player knows independently, above all the seeds that they drew.
//! It checks every incoming message, and finds the first that contradicts earlier messages, the
//! seeds or the rules. A [`LogChecks`] checks that the player's games are in the table's log, and
//! that the log is never rewritten. Neither has a clock, a file or a network.
//!
//! A client calls [`Checks::chose`], [`Checks::opens`] and [`Checks::decides`] with what it sends,
//! and [`Checks::heard`] with every message that it receives, before acting on it.
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

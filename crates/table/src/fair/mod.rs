//! Fairness checks that a player of the card table can make without trusting the table.
//!
//! A [`FairnessChecks`] records what the player knows independently, above all the seeds that they
//! generated. It checks every incoming message, and reports the first that contradicts earlier
//! messages, the seeds or the rules. A [`LogChecks`] checks that the player's games are in the
//! table's log, and that the log is never rewritten. Neither uses a clock, files or the network.
//!
//! A client calls [`FairnessChecks::record_choice`], [`FairnessChecks::record_seed`] and
//! [`FairnessChecks::record_decision`] with what it sends, and [`FairnessChecks::receive`] with
//! every message that it gets, before acting on it.
//!
//! # Examples
//!
//! ```
//! use war_table::fair::{FairnessChecks, FairnessViolation};
//! use war::support::hex::Hex;
//! use war::tokens::Kind;
//!
//! let mut checks = FairnessChecks::new();
//! let receive = |checks: &mut FairnessChecks, message: &str| {
//!     checks.receive(&serde_json::from_str(message).unwrap())
//! };
//! receive(&mut checks, r#"{"seq": 0, "type": "welcome", "player": 7, "balance": 1000, "now_ms": 0,
//!     "protocol": 2, "in_reply_to": "1"}"#)?;
//!
//! checks.record_choice(Kind::Single, Hex::new([1; 32]));
//! receive(&mut checks, r#"{"seq": 1, "type": "waiting", "game": "single-card-game"}"#)?;
//! let other = receive(&mut checks, r#"{"seq": 2, "type": "waiting", "game": "double-card-game"}"#);
//! assert_eq!(other, Err(FairnessViolation::NotChosen));
//! # Ok::<(), FairnessViolation>(())
//! ```

mod checks;
mod game;
mod log_checks;
mod violation;

pub use checks::FairnessChecks;
pub use game::{SettledGame, StartSignature};
pub use log_checks::LogChecks;
pub use violation::{FairnessViolation, LogViolation};

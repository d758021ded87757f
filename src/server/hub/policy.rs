//! How long the hub waits for what, in milliseconds, and how much it allows.

/// How long a player who waits for an opponent may be gone before waiting no longer.
pub const GRACE: u64 = 15_000;
/// How long a player waits for an opponent until the house steps in.
pub const HOUSE_PATIENCE: u64 = 1_500;
/// How long an answer is kept at least.
pub const ANSWERS_KEPT: u64 = 3_600_000;
/// How often answers that are too old are forgotten.
pub const SWEEP_INTERVAL: u64 = 1_000;
/// How far a deadline that players were told may be off the wall clock until they are told
/// anew.
pub const CLOCKS_PART: u64 = 500;
/// The most requests of a player that are kept in an hour: each `id` once.
pub const MOST_REQUESTS: u32 = 1_000;
/// How many connections a player may have: each gets all messages.
pub const MOST_CONNECTIONS_A_PLAYER: usize = 16;

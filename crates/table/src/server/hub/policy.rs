//! How long the hub waits for what, in milliseconds, and how much it allows.

/// How long a player who waits for an opponent may be gone before waiting no longer.
pub const GRACE: u64 = 15_000;
/// The same of one who invited somebody: they may send the link by another app, which takes the
/// connection away on some phones.
pub const INVITED: u64 = 600_000;
/// How long a player waits for an opponent until the house steps in, unless an operator chooses
/// otherwise.
pub const HOUSE_AFTER: u64 = 5_000;
/// How long nobody folds, once time is up, at a table that nodes share: what players did in time may
/// be on its way from another node.
pub const ON_ITS_WAY: u64 = 1_000;
/// How much a room does before those who want to play may be sent on to another one.
pub const FULL: Load = Load {
    games: 256,
    asked: 512,
};
/// How long a player waits alone in a room that was opened under load until they are sent on to
/// where all meet.
pub const ALONE: u64 = 1_000;
/// How often it is looked for players who were sent on.
pub const ARRIVALS: u64 = 250;
/// How long the clients of a player who was sent on may take to follow until the player counts as
/// gone.
pub const FOLLOWED: u64 = 1_000;
/// How long an answer is kept at least.
pub const ANSWERS_KEPT: u64 = 3_600_000;
/// How often answers that are too old are forgotten.
pub const SWEEP_INTERVAL: u64 = 1_000;
/// How far a deadline that players were told may be off the wall clock until they are told
/// anew.
pub const CLOCKS_PART: u64 = 500;
/// The most requests of a player that are kept in an hour: each `id` once.
pub const MOST_REQUESTS: u32 = 1_000;
/// The most rematches that a player may want and then not want any more, in an hour.
pub const MOST_WITHDRAWN: u32 = 20;
/// How many connections a player may have: each gets all messages.
pub const MOST_CONNECTIONS_A_PLAYER: usize = 16;

/// How much a room does at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Load {
    /// How many games run in it.
    pub games: usize,
    /// How much it is asked for at once, too: a batch that is larger costs no less for each
    /// request, and takes longer.
    pub asked: usize,
}

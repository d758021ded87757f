use std::fmt;

/// A bug that is built in on purpose, around the server: a world without a law that finds it
/// proves little.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Bug {
    /// A commit that failed counts as done, and is published.
    AnswerBeforeCommit,
    /// The number of a player's last message is kept one too low at times.
    SequenceReused,
    /// The hub goes on in memory after a commit that may have failed.
    ReloadSkipped,
    /// The wall clock is taken for the monotonic one.
    WallClock,
    /// Time goes on while the store is busy.
    BusyTime,
    /// Answers are forgotten after a second.
    AnswerForgotten,
    /// A balance is not written at times.
    LostEntry,
    /// Games that are over are not kept for their players.
    GameLost,
    /// The token of those who are forgotten stays theirs.
    TokenKept,
    /// Whom those who wait want to play with is not kept.
    MeetingForgotten,
    /// The fence of a shared store is left out: a node that owned a room once goes on.
    FenceLeftOut,
    /// So is the second one.
    FencesLeftOut,
    /// After a commit in doubt the owner loads its room again, and goes on in the same epoch.
    ReloadInEpoch,
    /// Leases are timed by the wall clock.
    WallLease,
    /// A room is taken however it has changed since it was seen.
    TakeBlind,
    /// Time goes on while nobody owns the room.
    OwnerlessTime,
    /// A room writes of players whom it has not claimed.
    ClaimLeftOut,
    /// What was answered is not looked up: a request that comes again is done again.
    AnswerIgnored,
    /// Where a player is instead of here is not heeded.
    ElsewhereIgnored,
    /// Who owns which room is looked up once, and never again.
    StaleDirectory,
    /// Players are not let go.
    ReleaseForgotten,
    /// A room is handed over, and its owner goes on.
    HandOverUnclosed,
}

impl fmt::Display for Bug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = clap::ValueEnum::to_possible_value(self);
        let value = value.as_ref().map_or("", |value| value.get_name());
        f.write_str(value)
    }
}

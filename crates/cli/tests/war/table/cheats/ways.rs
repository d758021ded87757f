//! How a table can cheat.

/// What a table does that it must not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// Nothing.
    Honest,
    /// Commits the player to another seed than theirs, and says so.
    SwapsHash,
    /// The same, and says so only in the end.
    SwapsSeed,
    /// The same, and never says so: the result shows the player's own seed again.
    EchoesSeed,
    /// Leaves the player's seed out of the result.
    DropsSeed,
    /// Deals before the player has opened their seed.
    DealsEarly,
    /// Picks its own seed when it knows the others, so that the player loses.
    GrindsSeed,
    /// Deals the player another card than the seeds do.
    DealsOthers,
    /// Deals anew where the game is decided.
    Redeals,
    /// Names the loser as the winner.
    TurnsResult,
    /// Pays another stake.
    PaysWrong,
    /// Keeps a token of the balance.
    WrongBalance,
    /// Shows another card of the opponent than they had.
    ShowsOthers,
    /// Takes another decision than the player's.
    ChangesDecision,
    /// Says that a decision came too late.
    ClaimsLate,
    /// Says that the player forfeited the game.
    ClaimsForfeit,
    /// Hides that the opponent forfeited the game.
    HidesForfeit,
    /// Begins with a commitment whose seed is known.
    OldCommitment,
    /// Gives a game the number of one before.
    OldGame,
    /// Begins with another hash of the opponent's seed than they were committed to.
    OtherHash,
    /// Has no key, and signs nothing.
    NoKey,
    /// Does not sign the start.
    Unsigned,
    /// Signs another start.
    OtherSignature,
    /// Signs with another key than its own.
    OtherKey,
    /// Leaves games out of the log.
    HidesGame,
    /// Logs another start than the player was told.
    OtherStart,
    /// Logs another end than that of the journal.
    OtherEnd,
    /// Does not say when a game ended, so that nobody looks for its end in the log.
    NoEnd,
    /// Changes the journal of a game that is over.
    OtherJournal,
    /// Changes the journal, and logs the end of what it became.
    ChangesEnd,
}

impl Way {
    /// The ways that messages alone show, each with what every client has to say of it
    /// (one of these, where chance decides).
    pub(super) const TOLD: [(Self, &str); 26] = [
        (
            Self::SwapsHash,
            "with a hash that is not that of the player's",
        ),
        (Self::SwapsSeed, "seed was swapped for another one"),
        (
            Self::EchoesSeed,
            "cards don't follow from the seeds|journal of game",
        ),
        (Self::DropsSeed, "seed was left out"),
        (Self::DealsEarly, "cards were dealt without the player's"),
        (
            Self::GrindsSeed,
            "the table's seed doesn't match its commitment",
        ),
        (Self::DealsOthers, "cards don't follow from the seeds"),
        (Self::Redeals, "new cards were dealt without a tie"),
        (Self::TurnsResult, "names the wrong winner"),
        (Self::PaysWrong, "pays something other than the stakes"),
        (Self::WrongBalance, "a balance doesn't match the results"),
        (Self::ShowsOthers, "shows cards that were not dealt"),
        (Self::ChangesDecision, "decision was changed"),
        (Self::ClaimsLate, "a decision that was sent in time"),
        (Self::ClaimsForfeit, "in time"),
        (Self::OldCommitment, "commitment"),
        (Self::OldGame, "number"),
        (
            Self::OtherHash,
            "the opponent's seed doesn't match its hash|journal of game",
        ),
        (Self::NoKey, "signed"),
        (Self::Unsigned, "signed"),
        (Self::OtherSignature, "signature"),
        (Self::OtherKey, "signature"),
        (Self::NoEnd, "how the game's journal ends"),
        (Self::OtherJournal, "journal of game"),
        (Self::ChangesEnd, "journal of game"),
        (Self::OtherStart, "has a different beginning of game"),
    ];
}

//! Ways to cheat.

/// Cheat that a table commits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cheat {
    /// Does not cheat.
    Honest,
    /// Commits the player to another seed than theirs, and says so.
    SwapsHash,
    /// Like `SwapsHash`, but says so only at the end.
    SwapsSeed,
    /// Like `SwapsHash`, but never says so: the result shows the player's own seed again.
    EchoesSeed,
    /// Leaves the player's seed out of the result.
    DropsSeed,
    /// Deals before the player has opened their seed.
    DealsEarly,
    /// Picks its own seed once it knows the others, so that the player loses.
    GrindsSeed,
    /// Deals the player another card than the seeds do.
    DealsOthers,
    /// Deals again at the decision of the game.
    Redeals,
    /// Names the loser as the winner.
    TurnsResult,
    /// Pays another stake.
    PaysWrong,
    /// Keeps a token of the balance.
    WrongBalance,
    /// Shows another card of the opponent than they had.
    ShowsOthers,
    /// Replaces the player's decision.
    ChangesDecision,
    /// Claims that a decision came too late.
    ClaimsLate,
    /// Claims that the player forfeited the game.
    ClaimsForfeit,
    /// Hides that the opponent forfeited the game.
    HidesForfeit,
    /// Begins with a commitment whose seed is already known.
    OldCommitment,
    /// Reuses the number of an earlier game.
    OldGame,
    /// Begins with another hash than the opponent committed to.
    OtherHash,
    /// Has no key, and signs nothing.
    NoKey,
    /// Does not sign the start.
    Unsigned,
    /// Signs a different start.
    OtherSignature,
    /// Signs with a different key.
    OtherKey,
    /// Leaves games out of the log.
    HidesGame,
    /// Logs a different start than it sent to the player.
    OtherStart,
    /// Logs a different end than that of the journal.
    OtherEnd,
    /// Omits the end time of a game, so that nobody looks for its end in the log.
    NoEnd,
    /// Changes the journal of a finished game.
    OtherJournal,
    /// Changes the journal, and logs the end of the changed one.
    ChangesEnd,
}

impl Cheat {
    /// Cheats visible in messages alone, each with the reports (one of these, if chance decides)
    /// that every client must give.
    pub(super) const REVEALED: [(Self, &str); 26] = [
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

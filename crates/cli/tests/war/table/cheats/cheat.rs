//! Ways to cheat.

/// Cheat that a table commits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cheat {
    /// Does not cheat.
    Honest,
    /// Commits the player to a seed that is not theirs, and shows its hash in the start.
    SwapsHash,
    /// Commits the player to another seed, as `SwapsHash` does, but shows the player's own hash in
    /// the start: only the result has the other seed.
    SwapsSeed,
    /// Like `SwapsHash`, but start and result show the player's own hash and seed.
    EchoesSeed,
    /// Leaves the player's seed out of the result.
    DropsSeed,
    /// Leaves the player's hash out of the start.
    DropsHash,
    /// Leaves its own seed out of the result.
    WithholdsSeed,
    /// Commits the player to another seed, and claims that the game was begun on another device.
    FeignsDevice,
    /// Commits the player to another seed, and acts as if the account had been moved: the messages
    /// before the game are gone.
    FeignsMove,
    /// Deals before the player has opened their seed.
    DealsEarly,
    /// Picks its own seed once it knows those of the players, so that the player loses.
    GrindsSeed,
    /// Deals the player a card that doesn't follow from the seeds.
    DealsOthers,
    /// Deals again, without a tie, in place of sending the result.
    Redeals,
    /// Names the loser as the winner.
    TurnsResult,
    /// Pays an amount that is not the stake.
    PaysWrong,
    /// Reports a balance that is one token too low.
    WrongBalance,
    /// Shows a card that the opponent did not have.
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
    /// Begins with a hash other than the one that the opponent committed to.
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
    /// Logs a start other than the one sent to the player.
    OtherStart,
    /// Logs a game's end that doesn't match the journal.
    OtherEnd,
    /// Omits the end time of a game, so that nobody looks for its end in the log.
    NoEnd,
    /// Changes the journal of a finished game.
    OtherJournal,
    /// Changes the journal, and logs the end of the changed journal.
    ChangesEnd,
}

impl Cheat {
    /// Cheats that the example client and the load driver detect, each with a text that both must
    /// report. `|` separates alternatives between which chance decides.
    pub(super) const REVEALED: [(Self, &str); 28] = [
        (
            Self::SwapsHash,
            "with a hash that is not that of the player's",
        ),
        // A new player has no other device.
        (
            Self::FeignsDevice,
            "with a hash that is not that of the player's",
        ),
        (
            Self::FeignsMove,
            // If the player has to wait, the messages before the game are gone.
            "with a hash that is not that of the player's|or came twice",
        ),
        (Self::SwapsSeed, "seed was swapped for another one"),
        (
            Self::EchoesSeed,
            // One deal in 52 gives the player the same card, and only what follows differs.
            "cards don't follow from the seeds|shows cards that were not dealt|dealt without a tie\
             |journal of game",
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

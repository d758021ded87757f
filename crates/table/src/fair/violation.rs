use crate::log::{Leaf, LogFault};

/// Evidence that a table does not play fair, or that its messages were altered in transit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum FairnessViolation {
    /// A message is missing or came twice.
    #[error("a message is missing or came twice")]
    Sequence,
    /// The player's token was answered with another player's number.
    #[error("the table takes the player for another one")]
    Player,
    /// The table has a different ID than before.
    #[error("this is not the same table as before")]
    Table,
    /// The table has a different key than before, or than the player expects.
    #[error("the table's key is not the one from before")]
    Key,
    /// The player chose a different game, or none.
    #[error("the player didn't choose this game")]
    NotChosen,
    /// The game began with a hash of the player's seed that the player did not send.
    #[error("the game began with a hash that is not that of the player's seed")]
    OwnHash,
    /// The number of the game has been used before.
    #[error("the number of the game was used before")]
    OldGame,
    /// The table's commitment has been used before, so that the table's seed is known.
    #[error("the table's commitment was used before")]
    OldCommitment,
    /// The start of the game is not signed.
    #[error("the start of the game isn't signed")]
    Unsigned,
    /// The start of the game is not signed with the table's key.
    #[error("the signature of the game's start doesn't match")]
    Signature,
    /// A message is about a game that the player is not in.
    #[error("a message is about another game")]
    OtherGame,
    /// Cards were dealt before the player opened their seed.
    #[error("the cards were dealt without the player's seed")]
    WithoutSeed,
    /// A deal is out of sequence, or has the wrong number of cards.
    #[error("a deal is not one of this game")]
    UnexpectedDeal,
    /// The accepted decision is not the one that the player sent.
    #[error("the player's decision was changed")]
    Decision,
    /// A decision that was sent in time counts as too late.
    #[error("a decision that was sent in time counts as too late")]
    TimedOut,
    /// The table's seed does not hash to its commitment.
    #[error("the table's seed doesn't match its commitment")]
    Commitment,
    /// The result leaves out a seed that the player opened.
    #[error("the player's seed was left out")]
    SeedDropped,
    /// The result has a different seed for the player.
    #[error("the player's seed was swapped for another one")]
    SeedSwapped,
    /// The opponent's seed does not match the hash from the start of the game.
    #[error("the opponent's seed doesn't match its hash")]
    OpponentSeed,
    /// The result has different seed hashes than the start.
    #[error("the seed hashes in the result differ from those at the start")]
    SeedHashes,
    /// A player who opened their seed in time is said to have forfeited the game.
    #[error("a seed that was opened in time counts as not opened")]
    FalseForfeit,
    /// The forfeits do not match the seeds and the cards.
    #[error("the result says that somebody forfeited, and its seeds or cards say otherwise")]
    ForfeitMismatch,
    /// The player was dealt cards more or fewer times than the result says.
    #[error("cards were dealt more or fewer times than the result says")]
    DealCount,
    /// The player's cards do not follow from the seeds.
    #[error("the cards don't follow from the seeds")]
    Cards,
    /// New cards were dealt although the game was decided.
    #[error("new cards were dealt without a tie")]
    RedealWithoutTie,
    /// A tie was settled although new cards were due.
    #[error("a tie was settled without new cards")]
    SettledTie,
    /// The hands in the result do not follow from the seeds, or are missing.
    #[error("the result shows cards that were not dealt")]
    WrongHands,
    /// The winner does not follow from cards and decisions.
    #[error("the result names the wrong winner")]
    Outcome,
    /// The tokens paid do not match the stakes.
    #[error("the result pays something other than the stakes")]
    Stakes,
    /// A result lacks the final digest of the game's journal, or its time.
    #[error("a result doesn't say how the game's journal ends")]
    NoDigest,
    /// A balance does not follow from the results.
    #[error("a balance doesn't match the results")]
    Balance,
}

impl FairnessViolation {
    /// All violations.
    pub const ALL: [Self; 31] = [
        Self::Sequence,
        Self::Player,
        Self::Table,
        Self::Key,
        Self::NotChosen,
        Self::OwnHash,
        Self::OldGame,
        Self::OldCommitment,
        Self::Unsigned,
        Self::Signature,
        Self::OtherGame,
        Self::WithoutSeed,
        Self::UnexpectedDeal,
        Self::Decision,
        Self::TimedOut,
        Self::Commitment,
        Self::SeedDropped,
        Self::SeedSwapped,
        Self::OpponentSeed,
        Self::SeedHashes,
        Self::FalseForfeit,
        Self::ForfeitMismatch,
        Self::DealCount,
        Self::Cards,
        Self::RedealWithoutTie,
        Self::SettledTie,
        Self::WrongHands,
        Self::Outcome,
        Self::Stakes,
        Self::NoDigest,
        Self::Balance,
    ];

    /// Returns this violation as an error unless the condition holds.
    pub(super) const fn unless(self, holds: bool) -> Result<(), Self> {
        if holds { Ok(()) } else { Err(self) }
    }
}

/// Evidence in a table's log that something was hidden or changed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum LogViolation {
    /// The log itself is faulty.
    #[error(transparent)]
    Log(#[from] LogFault),
    /// The log lacks the start of the game.
    #[error("the log doesn't have the beginning of game {game}")]
    StartMissing {
        /// The game.
        game: u64,
    },
    /// The log lacks the end of the game.
    #[error("the log doesn't have the end of game {game}")]
    EndMissing {
        /// The game.
        game: u64,
    },
    /// The log has a different start of the game than its player saw, or two starts.
    #[error("the log has a different beginning of game {game}")]
    OtherStart {
        /// The game.
        game: u64,
    },
    /// The log has a different end of the game than its player saw, or two ends.
    #[error("the log has a different end of game {game}")]
    OtherEnd {
        /// The game.
        game: u64,
    },
    /// The journal of the game is not intact, or differs from what its player saw.
    #[error("the journal of game {game} is not that of the game that was played")]
    Journal {
        /// The game.
        game: u64,
    },
}

impl LogViolation {
    /// The violation if this leaf is missing.
    pub(super) const fn missing(leaf: &Leaf) -> Self {
        let game = leaf.game();
        match leaf {
            Leaf::Start(_) => Self::StartMissing { game },
            Leaf::End(_) | Leaf::Restored(_) => Self::EndMissing { game },
        }
    }

    /// The violation if the log has this leaf instead of the expected one.
    pub(super) const fn other(leaf: &Leaf) -> Self {
        let game = leaf.game();
        match leaf {
            Leaf::Start(_) => Self::OtherStart { game },
            Leaf::End(_) | Leaf::Restored(_) => Self::OtherEnd { game },
        }
    }
}

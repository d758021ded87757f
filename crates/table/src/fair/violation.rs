use crate::log::{Leaf, LogFault};

/// Evidence that a table does not play fair, or that its messages were altered in transit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum FairnessViolation {
    /// Missing or repeated message.
    #[error("a message is missing or came twice")]
    Sequence,
    /// Player number that differs from the earlier one for the same token.
    #[error("the table takes the player for another one")]
    Player,
    /// Table ID that differs from the earlier one.
    #[error("this is not the same table as before")]
    Table,
    /// Table key that differs from the earlier one, or from the one that the player expects.
    #[error("the table's key is not the one from before")]
    Key,
    /// Game or opponent that the player did not choose.
    #[error("the player didn't choose this game")]
    NotChosen,
    /// Player's seed hash that differs from the one that the player sent.
    #[error("the game began with a hash that is not that of the player's seed")]
    OwnHash,
    /// Game number that has been used before.
    #[error("the number of the game was used before")]
    OldGame,
    /// Table commitment that has been used before: the table's seed is already known.
    #[error("the table's commitment was used before")]
    OldCommitment,
    /// Game start without a signature.
    #[error("the start of the game isn't signed")]
    Unsigned,
    /// Game start that is not signed with the table's key.
    #[error("the signature of the game's start doesn't match")]
    Signature,
    /// Message about a game that the player is not in.
    #[error("a message is about another game")]
    OtherGame,
    /// Cards dealt, or a seed accepted, before the player opened their seed.
    #[error("the cards were dealt without the player's seed")]
    WithoutSeed,
    /// Deal out of sequence, or with the wrong number of cards.
    #[error("a deal is not one of this game")]
    UnexpectedDeal,
    /// Accepted decision that is not the one that the player sent.
    #[error("the player's decision was changed")]
    Decision,
    /// Decision that was sent in time but counts as too late.
    #[error("a decision that was sent in time counts as too late")]
    TimedOut,
    /// Table seed that does not match the table's commitment.
    #[error("the table's seed doesn't match its commitment")]
    Commitment,
    /// Result without the seed that the player opened.
    #[error("the player's seed was left out")]
    SeedDropped,
    /// Result with a seed other than the one that the player opened.
    #[error("the player's seed was swapped for another one")]
    SeedSwapped,
    /// Opponent's seed that does not match the hash from the start of the game.
    #[error("the opponent's seed doesn't match its hash")]
    OpponentSeed,
    /// Seed hashes in the result that differ from those at the start of the game.
    #[error("the seed hashes in the result differ from those at the start")]
    SeedHashes,
    /// Forfeit by a player who opened their seed in time.
    #[error("a seed that was opened in time counts as not opened")]
    FalseForfeit,
    /// Forfeits in a result that do not match its seeds and cards.
    #[error("the result says that somebody forfeited, and its seeds or cards say otherwise")]
    ForfeitMismatch,
    /// Number of deals in the result that is not the number that the player saw.
    #[error("cards were dealt more or fewer times than the result says")]
    DealCount,
    /// Player's cards that do not follow from the seeds.
    #[error("the cards don't follow from the seeds")]
    Cards,
    /// New cards dealt although the game was decided.
    #[error("new cards were dealt without a tie")]
    RedealWithoutTie,
    /// Tie settled although new cards were due.
    #[error("a tie was settled without new cards")]
    SettledTie,
    /// Hands in the result that are missing, unexpected, or do not follow from the seeds.
    #[error("the result shows cards that were not dealt")]
    WrongHands,
    /// Winner that does not follow from the cards and the decisions.
    #[error("the result names the wrong winner")]
    Outcome,
    /// Payment that does not match the stakes.
    #[error("the result pays something other than the stakes")]
    Stakes,
    /// Result without the end time of the game, or without the final digest of its journal.
    #[error("a result doesn't say how the game's journal ends")]
    NoDigest,
    /// Balance that does not follow from the results.
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
    pub(super) const fn fail_unless(self, holds: bool) -> Result<(), Self> {
        if holds { Ok(()) } else { Err(self) }
    }
}

/// Evidence in a table's log that something was hidden or changed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum LogViolation {
    /// Fault in the log itself.
    #[error(transparent)]
    Log(#[from] LogFault),
    /// Missing start of a game.
    #[error("the log doesn't have the beginning of game {game}")]
    StartMissing {
        /// Number of the game.
        game: u64,
    },
    /// Missing end of a game.
    #[error("the log doesn't have the end of game {game}")]
    EndMissing {
        /// Number of the game.
        game: u64,
    },
    /// Game start that differs from the one that the player saw, or a second start of the same
    /// game.
    #[error("the log has a different beginning of game {game}")]
    OtherStart {
        /// Number of the game.
        game: u64,
    },
    /// Game end that differs from the one that the player saw, or a second end of the same game.
    #[error("the log has a different end of game {game}")]
    OtherEnd {
        /// Number of the game.
        game: u64,
    },
    /// Game journal that is not intact, or differs from the game that the player saw.
    #[error("the journal of game {game} is not that of the game that was played")]
    Journal {
        /// Number of the game.
        game: u64,
    },
}

impl LogViolation {
    /// Creates the violation for a missing leaf.
    pub(super) const fn from_missing_leaf(leaf: &Leaf) -> Self {
        let game = leaf.game();
        match leaf {
            Leaf::Start(_) => Self::StartMissing { game },
            Leaf::End(_) | Leaf::Restored(_) | Leaf::Day(_) => Self::EndMissing { game },
        }
    }

    /// Creates the violation for a leaf that is in the log in place of the expected one.
    pub(super) const fn from_other_leaf(leaf: &Leaf) -> Self {
        let game = leaf.game();
        match leaf {
            Leaf::Start(_) => Self::OtherStart { game },
            Leaf::End(_) | Leaf::Restored(_) | Leaf::Day(_) => Self::OtherEnd { game },
        }
    }
}

use crate::log::{Leaf, LogFault};

/// How a table shows that it doesn't play fair, or that its messages were changed on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Unfair {
    /// A message is missing or came twice.
    #[error("a message is missing or came twice")]
    Sequence,
    /// The player's token brought another player's number.
    #[error("the table takes the player for another one")]
    Player,
    /// The table has another name than before.
    #[error("this is another table than before")]
    Table,
    /// The table has another key than before, or than the player expects.
    #[error("the table has another key than before")]
    Key,
    /// The player chose no game, or another one.
    #[error("the player didn't choose this game")]
    NotChosen,
    /// The hash of the player's seed is not the one that they sent.
    #[error("the game began with another hash than that of the player's seed")]
    OwnHash,
    /// The number of the game is the one of a game before.
    #[error("the number of the game was used before")]
    OldGame,
    /// The table's commitment is the one of a game before, whose seed is known.
    #[error("the table's commitment was used before")]
    OldCommitment,
    /// The start of the game is not signed.
    #[error("the start of the game isn't signed")]
    Unsigned,
    /// The table's key did not sign this start of a game.
    #[error("the signature of the game's start doesn't match")]
    Signature,
    /// A message is about another game than the one that the player is in.
    #[error("a message is about another game")]
    OtherGame,
    /// Cards were dealt before the player opened their seed.
    #[error("the cards were dealt without the player's seed")]
    WithoutSeed,
    /// A deal has another number than the next one, or another number of cards, or some twice.
    #[error("a deal is not one of this game")]
    Deal,
    /// The decision is not the one that the player sent.
    #[error("the player's decision was changed")]
    Decision,
    /// A decision that was sent in time counts as too late.
    #[error("a decision that was sent in time counts as too late")]
    TimedOut,
    /// The table's seed does not hash to its commitment.
    #[error("the table's seed doesn't match its commitment")]
    Commitment,
    /// The player opened their seed, and the result leaves it out.
    #[error("the player's seed was left out")]
    SeedDropped,
    /// The result has another seed of the player's.
    #[error("the player's seed was swapped for another one")]
    SeedSwapped,
    /// The opponent's seed does not hash to the hash that the game began with.
    #[error("the opponent's seed doesn't match its hash")]
    OpponentSeed,
    /// The result has other hashes of the seeds than the start.
    #[error("the hashes of the seeds aren't those of the start")]
    Hashes,
    /// The player opened their seed in time, and is said to have forfeited the game.
    #[error("a seed that was opened in time counts as not opened")]
    Forfeit,
    /// Who forfeited does not match the seeds and the cards.
    #[error("who forfeited doesn't match the seeds that were opened")]
    Forfeits,
    /// Cards were dealt to the player more or fewer times than the result says.
    #[error("cards were dealt more or fewer times than the result says")]
    Deals,
    /// The player's cards are not what the seeds make them.
    #[error("the cards don't follow from the seeds")]
    Cards,
    /// New cards were dealt where the game was decided.
    #[error("new cards were dealt without a tie")]
    NoTie,
    /// The game was settled where new cards were due.
    #[error("a tie was settled without new cards")]
    Tie,
    /// The cards of both in the result are not what the seeds make them, or are missing.
    #[error("the result shows other cards than were dealt")]
    Shown,
    /// The result names another winner than cards and decisions do.
    #[error("the result names the wrong winner")]
    Outcome,
    /// The tokens are not the stakes.
    #[error("the result pays other tokens than the stakes")]
    Stakes,
    /// A result does not say with which digest the game's journal ends, or when.
    #[error("a result doesn't say how the game's journal ends")]
    Unended,
    /// A balance is not what the results before make it.
    #[error("a balance doesn't match the results")]
    Balance,
}

impl Unfair {
    /// All of them.
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
        Self::Deal,
        Self::Decision,
        Self::TimedOut,
        Self::Commitment,
        Self::SeedDropped,
        Self::SeedSwapped,
        Self::OpponentSeed,
        Self::Hashes,
        Self::Forfeit,
        Self::Forfeits,
        Self::Deals,
        Self::Cards,
        Self::NoTie,
        Self::Tie,
        Self::Shown,
        Self::Outcome,
        Self::Stakes,
        Self::Unended,
        Self::Balance,
    ];

    /// This, unless something holds.
    pub(super) const fn unless(self, holds: bool) -> Result<(), Self> {
        if holds { Ok(()) } else { Err(self) }
    }
}

/// How a table's log shows that something was hidden or changed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Unlogged {
    /// The log itself is not what it must be.
    #[error(transparent)]
    Log(#[from] LogFault),
    /// The game began, and the log does not say so.
    #[error("the log doesn't have the beginning of game {game}")]
    StartMissing {
        /// The game.
        game: u64,
    },
    /// The game ended, and the log does not say so.
    #[error("the log doesn't have the end of game {game}")]
    EndMissing {
        /// The game.
        game: u64,
    },
    /// The log has another beginning of the game than its player saw, or two.
    #[error("the log has another beginning of game {game}")]
    OtherStart {
        /// The game.
        game: u64,
    },
    /// The log has another end of the game than its player saw, or two.
    #[error("the log has another end of game {game}")]
    OtherEnd {
        /// The game.
        game: u64,
    },
    /// The journal of the game is not intact, or says something else than its player saw.
    #[error("the journal of game {game} is not that of the game that was played")]
    Journal {
        /// The game.
        game: u64,
    },
}

impl Unlogged {
    /// What it is that this leaf is missing.
    pub(super) const fn missing(leaf: &Leaf) -> Self {
        let game = leaf.game();
        match leaf {
            Leaf::Start(_) => Self::StartMissing { game },
            Leaf::End(_) | Leaf::Restored(_) => Self::EndMissing { game },
        }
    }

    /// What it is that the log has this leaf.
    pub(super) const fn other(leaf: &Leaf) -> Self {
        let game = leaf.game();
        match leaf {
            Leaf::Start(_) => Self::OtherStart { game },
            Leaf::End(_) | Leaf::Restored(_) => Self::OtherEnd { game },
        }
    }
}

use crate::log::{Leaf, LogFault};

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

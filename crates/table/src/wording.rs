//! Texts for errors of the card table, from the message catalogues.

use crate::fair::{Unfair, Unlogged};
use crate::log::LogFault;
use war::i18n::{Count, Text, text};

impl From<Unfair> for Text {
    fn from(unfair: Unfair) -> Self {
        match unfair {
            Unfair::Sequence => text!(UnfairSequence),
            Unfair::Player => text!(UnfairPlayer),
            Unfair::Table => text!(UnfairTable),
            Unfair::Key => text!(UnfairKey),
            Unfair::NotChosen => text!(UnfairNotChosen),
            Unfair::OwnHash => text!(UnfairOwnHash),
            Unfair::OldGame => text!(UnfairOldGame),
            Unfair::OldCommitment => text!(UnfairOldCommitment),
            Unfair::Unsigned => text!(UnfairUnsigned),
            Unfair::Signature => text!(UnfairSignature),
            Unfair::OtherGame => text!(UnfairOtherGame),
            Unfair::WithoutSeed => text!(UnfairWithoutSeed),
            Unfair::Deal => text!(UnfairDeal),
            Unfair::Decision => text!(UnfairDecision),
            Unfair::TimedOut => text!(UnfairTimedOut),
            Unfair::Commitment => text!(UnfairCommitment),
            Unfair::SeedDropped => text!(UnfairSeedDropped),
            Unfair::SeedSwapped => text!(UnfairSeedSwapped),
            Unfair::OpponentSeed => text!(UnfairOpponentSeed),
            Unfair::Hashes => text!(UnfairHashes),
            Unfair::Forfeit => text!(UnfairForfeit),
            Unfair::Forfeits => text!(UnfairForfeits),
            Unfair::Deals => text!(UnfairDeals),
            Unfair::Cards => text!(UnfairCards),
            Unfair::NoTie => text!(UnfairNoTie),
            Unfair::Tie => text!(UnfairTie),
            Unfair::Shown => text!(UnfairShown),
            Unfair::Outcome => text!(UnfairOutcome),
            Unfair::Stakes => text!(UnfairStakes),
            Unfair::Unended => text!(UnfairUnended),
            Unfair::Balance => text!(UnfairBalance),
        }
    }
}

impl From<&Unlogged> for Text {
    fn from(unlogged: &Unlogged) -> Self {
        match unlogged {
            Unlogged::Log(fault) => fault.into(),
            Unlogged::StartMissing { game } => text!(UnloggedStart, game = game.to_string()),
            Unlogged::EndMissing { game } => text!(UnloggedEnd, game = game.to_string()),
            Unlogged::OtherStart { game } => {
                text!(UnloggedOtherStart, game = game.to_string())
            }
            Unlogged::OtherEnd { game } => text!(UnloggedOtherEnd, game = game.to_string()),
            Unlogged::Journal { game } => text!(UnloggedJournal, game = game.to_string()),
        }
    }
}

impl From<&LogFault> for Text {
    fn from(fault: &LogFault) -> Self {
        let number = |number: &u64| number.to_string();
        match fault {
            LogFault::Checkpoint => text!(LogCheckpoint),
            LogFault::OtherKey => text!(LogOtherKey),
            LogFault::Signature => text!(LogSignature),
            LogFault::OtherTable { earlier, found } => text!(
                LogOtherTable,
                earlier = earlier.as_str(),
                found = found.as_str()
            ),
            LogFault::Shorter { earlier, found } => {
                text!(LogShorter, earlier = Count(*earlier), found = Count(*found))
            }
            LogFault::Forked { earlier } => text!(LogForked, earlier = Count(*earlier)),
            LogFault::Missing(path) => text!(LogMissing, path = path.as_str()),
            LogFault::Length(path) => text!(LogLength, path = path.as_str()),
            LogFault::LeafHash(leaf) => text!(LogLeafHash, leaf = number(leaf)),
            LogFault::Tile(path) => text!(LogTile, path = path.as_str()),
            LogFault::Root { size } => text!(LogRoot, size = Count(*size)),
            LogFault::Leaf(leaf) => text!(LogLeaf, leaf = number(leaf)),
            LogFault::UnknownLeaf { leaf, first_line } => text!(
                LogUnknownLeaf,
                leaf = number(leaf),
                line = first_line.as_str()
            ),
            LogFault::StartedTwice { game, leaf, before } => text!(
                LogStartedTwice,
                game = number(game),
                leaf = number(leaf),
                before = number(before)
            ),
            LogFault::EndedTwice { game, leaf, before } => text!(
                LogEndedTwice,
                game = number(game),
                leaf = number(leaf),
                before = number(before)
            ),
            LogFault::NoStart { game, leaf } => {
                text!(LogNoStart, game = number(game), leaf = number(leaf))
            }
            LogFault::NoEnd { game, leaf, hours } => text!(
                LogNoEnd,
                game = number(game),
                leaf = number(leaf),
                hours = Count(*hours)
            ),
        }
    }
}

//! How a table shows that it doesn't play fair.

use crate::fair::{Unfair, Unlogged};
use war::i18n::{Text, text};

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

//! Texts for errors of the card table, from the message catalogues.

use crate::fair::{FairnessViolation, LogViolation};
use crate::log::LogFault;
use war::i18n::{Count, Text, text};

impl From<FairnessViolation> for Text {
    fn from(unfair: FairnessViolation) -> Self {
        match unfair {
            FairnessViolation::Sequence => text!(UnfairSequence),
            FairnessViolation::Player => text!(UnfairPlayer),
            FairnessViolation::Table => text!(UnfairTable),
            FairnessViolation::Key => text!(UnfairKey),
            FairnessViolation::NotChosen => text!(UnfairNotChosen),
            FairnessViolation::OwnHash => text!(UnfairOwnHash),
            FairnessViolation::OldGame => text!(UnfairOldGame),
            FairnessViolation::OldCommitment => text!(UnfairOldCommitment),
            FairnessViolation::Unsigned => text!(UnfairUnsigned),
            FairnessViolation::Signature => text!(UnfairSignature),
            FairnessViolation::OtherGame => text!(UnfairOtherGame),
            FairnessViolation::WithoutSeed => text!(UnfairWithoutSeed),
            FairnessViolation::UnexpectedDeal => text!(UnfairDeal),
            FairnessViolation::Decision => text!(UnfairDecision),
            FairnessViolation::TimedOut => text!(UnfairTimedOut),
            FairnessViolation::Commitment => text!(UnfairCommitment),
            FairnessViolation::SeedDropped => text!(UnfairSeedDropped),
            FairnessViolation::SeedSwapped => text!(UnfairSeedSwapped),
            FairnessViolation::OpponentSeed => text!(UnfairOpponentSeed),
            FairnessViolation::SeedHashes => text!(UnfairHashes),
            FairnessViolation::FalseForfeit => text!(UnfairForfeit),
            FairnessViolation::ForfeitMismatch => text!(UnfairForfeits),
            FairnessViolation::DealCount => text!(UnfairDeals),
            FairnessViolation::Cards => text!(UnfairCards),
            FairnessViolation::RedealWithoutTie => text!(UnfairNoTie),
            FairnessViolation::SettledTie => text!(UnfairTie),
            FairnessViolation::WrongHands => text!(UnfairShown),
            FairnessViolation::Outcome => text!(UnfairOutcome),
            FairnessViolation::Stakes => text!(UnfairStakes),
            FairnessViolation::NoDigest => text!(UnfairUnended),
            FairnessViolation::Balance => text!(UnfairBalance),
        }
    }
}

impl From<&LogViolation> for Text {
    fn from(unlogged: &LogViolation) -> Self {
        match unlogged {
            LogViolation::Log(fault) => fault.into(),
            LogViolation::StartMissing { game } => text!(UnloggedStart, game = game.to_string()),
            LogViolation::EndMissing { game } => text!(UnloggedEnd, game = game.to_string()),
            LogViolation::OtherStart { game } => {
                text!(UnloggedOtherStart, game = game.to_string())
            }
            LogViolation::OtherEnd { game } => text!(UnloggedOtherEnd, game = game.to_string()),
            LogViolation::Journal { game } => text!(UnloggedJournal, game = game.to_string()),
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
            LogFault::LateDay { day, leaf } => {
                text!(LogLateDay, day = day.to_string(), leaf = number(leaf))
            }
            LogFault::OtherDay { day, leaf, before } => text!(
                LogOtherDay,
                day = day.to_string(),
                leaf = number(leaf),
                before = number(before)
            ),
            LogFault::NoEnd { game, leaf, hours } => text!(
                LogNoEnd,
                game = number(game),
                leaf = number(leaf),
                hours = Count(*hours)
            ),
        }
    }
}

//! The codes under which the book lists the problems of a journal.

use super::code::Code;
use super::problem::{GameError, HeaderError, RecordError};

impl HeaderError {
    pub(super) const fn code(&self) -> Code {
        match self {
            Self::Version { .. }
            | Self::UnknownRules(_)
            | Self::OwnRules(_)
            | Self::UnknownGenerator(_)
            | Self::UnknownLanguage(_)
            | Self::UnknownRenderer(_) => Code::Version,
            Self::BadSeed { .. }
            | Self::BadName(_)
            | Self::BadDeal
            | Self::BadCorrection
            | Self::Meta(_) => Code::Field,
            Self::CutOff => Code::CutOff,
        }
    }
}

impl RecordError {
    pub(super) const fn code(&self) -> Code {
        match self {
            Self::Syntax => Code::NotJson,
            Self::Newer(_) => Code::Version,
            Self::Field(_)
            | Self::NotCanonical
            | Self::Text(_)
            | Self::Numbers
            | Self::Shape
            | Self::Unfit
            | Self::Line
            | Self::Form
            | Self::TooLong
            | Self::HeaderTooLong
            | Self::TooDeep => Code::Field,
            Self::CutOff { .. } => Code::CutOff,
            Self::NoEnd { .. } => Code::NoEnd,
            Self::Sequence { .. } => Code::Sequence,
            Self::Chain { .. } | Self::HeaderChain | Self::EndChain | Self::CompactChain => {
                Code::Chain
            }
            Self::Digest { .. } => Code::Digest,
            Self::OtherKey(_) | Self::Signature => Code::Signature,
            Self::EndWinner | Self::UpgradedFrom { .. } | Self::DataAfterEnd => Code::End,
        }
    }
}

impl GameError {
    pub(super) const fn code(&self) -> Code {
        match self {
            Self::Event { .. } | Self::Turn { .. } => Code::Event,
            Self::State { .. } => Code::State,
            Self::End { .. } => Code::End,
            Self::Console { .. } => Code::Console,
            Self::NotDealt
            | Self::NotStarted
            | Self::Players { .. }
            | Self::PlayersOfRules { .. }
            | Self::NoDeck
            | Self::Generator
            | Self::Chance
            | Self::Impossible { .. }
            | Self::Commitment
            | Self::OpenedSeed(_) => Code::Deal,
        }
    }
}

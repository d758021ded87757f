//! Errors of the log in words.

use crate::log::LogFault;
use war::i18n::{Count, Text, text};

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

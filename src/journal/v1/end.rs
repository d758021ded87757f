use super::event::{PlayerRecord, deserialize_required};
use crate::journal::digest::ConsoleDigest;
use crate::journal::judgement::{End, GameEndReason};
use crate::support::hex::Hex;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::journal) struct EndRecord {
    pub(in crate::journal) reason: EndReason,
    #[serde(deserialize_with = "deserialize_required")]
    pub(in crate::journal) winner: Option<PlayerRecord>,
    pub(in crate::journal) turns: u32,
    pub(in crate::journal) events: u64,
    pub(in crate::journal) console: ConsoleRecord,
    #[serde(skip_serializing)]
    pub(in crate::journal) chain: Hex<16>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::journal) struct ConsoleRecord {
    bytes: u64,
    blake3: Hex<32>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::journal) enum EndReason {
    Won,
    Endless,
    Drawn,
    Stopped,
    Folded,
    CutOff,
}

impl EndRecord {
    pub(in crate::journal) fn new(
        reason: GameEndReason,
        turns: u32,
        events: u64,
        console: ConsoleDigest,
    ) -> Self {
        let (reason, winner) = match reason {
            GameEndReason::Won(seat) => (EndReason::Won, Some(PlayerRecord(seat))),
            GameEndReason::Endless => (EndReason::Endless, None),
            GameEndReason::Drawn => (EndReason::Drawn, None),
            GameEndReason::Stopped(winner) => (EndReason::Stopped, winner.map(PlayerRecord)),
            GameEndReason::Folded => (EndReason::Folded, None),
            GameEndReason::CutOff => (EndReason::CutOff, None),
        };
        Self {
            reason,
            winner,
            turns,
            events,
            console: ConsoleRecord {
                bytes: console.bytes,
                blake3: console.blake3,
            },
            chain: Hex::ZERO,
        }
    }

    /// Converts the record; `None` if its reason and its winner contradict each other.
    pub(in crate::journal) fn into_domain(self) -> Option<End> {
        let reason = match (self.reason, self.winner) {
            (EndReason::Won, Some(winner)) => GameEndReason::Won(winner.0),
            (EndReason::Endless, None) => GameEndReason::Endless,
            (EndReason::Drawn, None) => GameEndReason::Drawn,
            (EndReason::Stopped, winner) => GameEndReason::Stopped(winner.map(|winner| winner.0)),
            (EndReason::Folded, None) => GameEndReason::Folded,
            (EndReason::CutOff, None) => GameEndReason::CutOff,
            _ => return None,
        };
        Some(End {
            reason,
            turns: self.turns,
            events: self.events,
            console: ConsoleDigest {
                bytes: self.console.bytes,
                blake3: self.console.blake3,
            },
            digest: self.chain,
        })
    }
}

use crate::journal::end::End;
use crate::journal::v1::{self, Console, EndReason, Player, required};
use crate::support::hex::Hex;
use serde::{Deserialize, Serialize};

/// The last line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::journal) struct EndRecord {
    end: EndFields,
    #[serde(skip_serializing)]
    pub(in crate::journal) chain: Hex<16>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EndFields {
    reason: EndReason,
    #[serde(deserialize_with = "required")]
    winner: Option<Player>,
    turns: u32,
    events: u64,
    console: Console,
}

impl EndRecord {
    /// The end of the same game as version 1 has it, without its link.
    pub(in crate::journal) fn new(end: v1::EndRecord) -> Self {
        Self {
            end: EndFields {
                reason: end.reason,
                winner: end.winner,
                turns: end.turns,
                events: end.events,
                console: end.console,
            },
            chain: Hex::ZERO,
        }
    }

    /// The end, or `None` where reason and winner do not go together.
    pub(in crate::journal) fn into_domain(self) -> Option<End> {
        let record = v1::EndRecord {
            reason: self.end.reason,
            winner: self.end.winner,
            turns: self.end.turns,
            events: self.end.events,
            console: self.end.console,
            chain: self.chain,
        };
        record.into_domain()
    }
}

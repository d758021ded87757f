use crate::broken::{Lawful, law};
use std::collections::VecDeque;
use war::recording::Settlement;
use war::support::hex::Hex;
use war::tokens::TokenEvent;
use war_table::log::{End, Leaf, Start};
use war_table::room::{Parties, RoomEvent};

/// The leaves that are due, in order: beginnings and ends of games.
#[derive(Default)]
pub(super) struct Leaves {
    due: VecDeque<Leaf>,
}

impl Leaves {
    pub(super) fn happened(&mut self, time_ms: u64, event: &RoomEvent) {
        match event {
            RoomEvent::Matched(matched) => {
                let Parties::Committed { seed_hashes } = matched.parties else {
                    return;
                };
                self.due.push_back(Leaf::Start(Start {
                    game: matched.game,
                    rules: matched.rules().id().to_owned(),
                    players: matched.seats.map(|player| player.0),
                    commitment: matched.secret.commitment(),
                    seed_hashes,
                    time_ms,
                }));
            }
            RoomEvent::Played {
                game,
                event: TokenEvent::Settled { .. },
                ..
            } => self.due.push_back(Leaf::End(End {
                game: *game,
                digest: Hex::new([0; 16]),
                time_ms,
            })),
            _ => {}
        }
    }

    /// What a journal's digest is, its leaf has to say.
    pub(super) fn settled(&mut self, number: u64, settlement: &Settlement) {
        for leaf in &mut self.due {
            if let Leaf::End(end) = leaf
                && end.game == number
            {
                end.digest = settlement.digest;
            }
        }
    }

    pub(super) fn appended(&mut self, leaf: &Leaf) -> Lawful {
        let due = self.due.pop_front();
        law(
            "the log is what happened",
            due.as_ref() == Some(leaf),
            || format!("{leaf:?} instead of {due:?}"),
        )
    }

    pub(super) fn all_written(&self) -> Lawful {
        law("the log has all that happened", self.due.is_empty(), || {
            format!("{:?}", self.due)
        })
    }
}

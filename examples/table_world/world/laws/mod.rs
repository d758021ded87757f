//! The laws of the table, checked with every commit by what it wrote.
//!
//! Nothing here asks the server: all is counted anew from the writes of the store.

mod answers;
mod epochs;
mod games;
mod journal;
mod leaves;
mod ledger;
mod messages;
mod pace;
mod running;
mod waiting;

use super::broken::Lawful;
use super::chance::Chance;
use super::node::Taken;
use answers::Answers;
use epochs::Epochs;
use games::Games;
use leaves::Leaves;
use ledger::Ledger;
pub(crate) use messages::Messages;
use pace::Pace;
use running::Wish;
use waiting::Waiting;
use war::room::{PlayerId, RoomEvent};
use war::server::hub::Outbound;
use war::server::store::Write;

/// When something was committed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct When {
    /// The world's time.
    pub(crate) now: u64,
    /// The world's time when the first command of the batch arrived, or now.
    pub(crate) from: u64,
    /// For how long the table has served by now, as the world counts it.
    pub(crate) served: u64,
    /// How often it began to serve.
    pub(crate) starts: u64,
}

/// All that must hold.
pub(crate) struct Laws {
    pub(crate) ledger: Ledger,
    pub(crate) messages: Messages,
    answers: Answers,
    pub(crate) games: Games,
    leaves: Leaves,
    pub(crate) waiting: Waiting,
    pace: Pace,
    epochs: Epochs,
    /// Games that are over since this was asked last.
    over: Vec<u64>,
}

impl Laws {
    /// The laws of an empty table; this share of the journals is replayed.
    pub(crate) fn new(replayed: f64, chance: Chance, house: bool) -> Self {
        Self {
            ledger: Ledger::default(),
            messages: Messages::default(),
            answers: Answers::default(),
            games: Games::new(replayed, chance),
            leaves: Leaves::default(),
            waiting: Waiting::new(house),
            pace: Pace::default(),
            epochs: Epochs::default(),
            over: Vec::new(),
        }
    }

    /// A server begins to serve, or tries to, at this time of the world.
    pub(crate) fn begins(&mut self, now: u64) {
        self.pace.begins(now);
        self.waiting.everybody_goes();
    }

    /// Checks what was committed.
    pub(crate) fn committed(&mut self, writes: &[Write], taken: &[Taken], when: When) -> Lawful {
        for write in writes {
            self.written(write, when)?;
        }
        let wish = |taken: &Taken| {
            let (player, request) = taken.asked.as_ref()?;
            // One that was not kept was not granted for other reasons than time.
            let kept = self.answers.has(*player, request.id());
            Some((Wish::of(*player, request).filter(|_| kept)?, taken.at))
        };
        let wishes: Vec<_> = taken.iter().filter_map(wish).collect();
        let is_house = |player| self.messages.is_of_the_house(player);
        self.games.judge(&wishes, is_house)?;
        self.leaves.all_written()?;
        self.waiting.one_each()
    }

    fn written(&mut self, write: &Write, when: When) -> Lawful {
        match write {
            Write::Register(id, player, _) => {
                self.ledger.joined(*id, player)?;
                self.messages.joined(*id, player.house)
            }
            Write::Record(at, event) => {
                self.leaves.happened(*at, event);
                self.waiting.happened(event)?;
                if let RoomEvent::Played {
                    seats,
                    event: war::tokens::TokenEvent::Settled { deltas },
                    ..
                } = event
                {
                    self.ledger.settled(*seats, *deltas);
                }
                self.games.happened(event, when)
            }
            Write::Append(leaf) => self.leaves.appended(leaf),
            Write::Settle(game, settlement) => {
                self.leaves.settled(*game, settlement);
                self.over.push(*game);
                self.games.settled(*game, settlement)
            }
            Write::Post(player, seq, body) => {
                self.games.told_to(*player, body)?;
                self.messages.posted(*player, *seq, body, when.from)
            }
            Write::Answer(player, id, answer, at) => {
                let known = self.messages.last(*player);
                self.answers.kept(*player, id, answer, *at, known)
            }
            Write::Persist(id, player) => {
                self.ledger.persisted(*id, player)?;
                self.messages.persisted(*id, player)
            }
            Write::Forget(_) => Ok(()),
            Write::Take(epoch) => self.epochs.taken(*epoch, when.now),
            Write::Batch(epoch, seq) => self.epochs.committed(*epoch, *seq, when.now),
            Write::HandOver(_) => {
                self.epochs.handed_over();
                Ok(())
            }
            Write::Time(now) => {
                self.answers.forget(*now);
                self.pace.stored(*now, when)
            }
        }
    }

    /// Checks that what is published to a player was committed.
    pub(crate) fn published(&self, player: Option<PlayerId>, outbound: &Outbound) -> Lawful {
        self.messages.published(player, outbound)
    }

    /// The table's time at the last commit.
    pub(crate) const fn time(&self) -> u64 {
        self.pace.now()
    }

    /// The games that are over since the last call.
    pub(crate) fn take_over(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.over)
    }
}

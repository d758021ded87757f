//! All laws together, checked with every commit by what it wrote.

use super::games::{Games, Leaves, Wish};
use super::law::{Lawful, When, law};
use super::players::{Answers, KeptGames, Ledger, Messages};
use super::rooms::{Epochs, Pace, Places};
use super::waiting::Waiting;
use crate::node::Taken;
use crate::schedule::Chance;
use crate::store::Write;
use war_table::protocol::PlayerId;
use war_table::room::RoomEvent;
use war_table::server::hub::Outbound;
use war_table::server::rooms::{RoomNumber, Rooms};

/// All that must hold.
pub(crate) struct Laws {
    pub(crate) ledger: Ledger,
    kept: KeptGames,
    pub(crate) messages: Messages,
    answers: Answers,
    pub(crate) games: Games,
    leaves: Leaves,
    pub(crate) waiting: Waiting,
    /// What holds of each room.
    paces: Vec<Pace>,
    epochs: Vec<Epochs>,
    /// Who is where, where nodes share the table.
    places: Option<Places>,
    /// Games that are over since this was asked last.
    over: Vec<u64>,
}

impl Laws {
    /// The laws of an empty table of so many rooms; this share of the journals is replayed.
    pub(crate) fn new(replayed: f64, chance: Chance, house: bool, rooms: Rooms) -> Self {
        Self {
            ledger: Ledger::default(),
            kept: KeptGames::default(),
            messages: Messages::default(),
            answers: Answers::default(),
            games: Games::new(replayed, chance),
            leaves: Leaves::default(),
            waiting: Waiting::new(house, rooms),
            paces: rooms.all().map(|_| Pace::default()).collect(),
            epochs: rooms.all().map(|_| Epochs::default()).collect(),
            places: None,
            over: Vec::new(),
        }
    }

    /// Nodes share the table: who is in a room belongs to it.
    pub(crate) fn shared(mut self) -> Self {
        self.places = Some(Places::default());
        self
    }

    /// A server begins to serve a room, or tries to, at this time of the world.
    pub(crate) fn begins(&mut self, room: RoomNumber, now: u64) {
        self.paces[usize::from(room.0)].begins(now);
        self.waiting.everybody_goes(room);
    }

    /// Checks what was committed.
    pub(crate) fn committed(&mut self, writes: &[Write], taken: &[Taken], when: When) -> Lawful {
        for write in writes {
            self.written(write, when)?;
        }
        let wish = |taken: &Taken| {
            let (player, request) = taken.asked.as_ref()?;
            // One that was not kept was not granted for other reasons than time; and one that was
            // answered before, perhaps in another deal, asks for nothing new.
            let kept = self.answers.is_answer(*player, request.id(), taken.at);
            Some((Wish::of(*player, request).filter(|_| kept)?, taken.at))
        };
        let wishes: Vec<_> = taken.iter().filter_map(wish).collect();
        let is_house = |player| self.messages.is_of_the_house(player);
        self.games.judge(&wishes, is_house)?;
        self.leaves.all_written()?;
        self.kept.all_kept()?;
        if let Some(places) = &mut self.places {
            places.all_free()?;
        }
        self.waiting.one_each()
    }

    fn written(&mut self, write: &Write, when: When) -> Lawful {
        let of_room = usize::from(when.room.0);
        if let Some(places) = &mut self.places {
            places.written(when.room, write)?;
        }
        match write {
            Write::Register(id, player, _) => {
                self.ledger.joined(*id, player)?;
                self.messages.joined(*id, player.house)
            }
            Write::Record(at, event) => {
                self.leaves.happened(*at, event);
                self.waiting.happened(when.room, event)?;
                if let RoomEvent::Played {
                    game,
                    seats,
                    event: war::tokens::TokenEvent::Settled { deltas },
                    ..
                } = event
                {
                    self.ledger.settled(*seats, *deltas);
                    let is_house = |player| self.messages.is_of_the_house(player);
                    self.kept.settled(*game, *seats, *deltas, is_house);
                }
                self.games.happened(event, when)
            }
            Write::Append(leaf) => self.leaves.appended(leaf),
            Write::Settle(game, settlement) => {
                self.leaves.settled(*game, settlement);
                self.over.push(*game);
                self.games.settled(*game, settlement)
            }
            Write::Finish(game) => self.kept.kept(game, self.ledger.balance(game.player)),
            Write::Post(player, seq, body) => {
                self.games.told_to(*player, body)?;
                self.messages.posted(*player, *seq, body, when.from)
            }
            Write::Answer(player, id, answer, at) => {
                let known = self.messages.last(*player);
                self.answers
                    .kept(*player, id, answer, (when.room, *at), when.now, known)
            }
            Write::Persist(id, player) => {
                self.ledger.persisted(*id, player)?;
                self.messages.persisted(*id, player)
            }
            // Nobody here is an operator, who alone does some of these.
            Write::Rate(_)
            | Write::Forget(_)
            | Write::Claim(_)
            | Write::Release(_)
            | Write::SendOn(..)
            | Write::Unknow(..)
            | Write::Retain(_) => Ok(()),
            Write::Take(_, epoch) => {
                // Also where who took it fails to open it.
                self.paces[of_room].begins(when.now);
                self.epochs[of_room].taken(*epoch, when.now)
            }
            Write::Batch(room, epoch, seq) => {
                law("each room commits for itself", *room == when.room, || {
                    format!("{room} instead of {}", when.room)
                })?;
                self.epochs[of_room].committed(*epoch, *seq, when.now)
            }
            Write::HandOver(..) => {
                self.epochs[of_room].handed_over();
                Ok(())
            }
            Write::Time(now) => {
                self.answers.forget(when.room, *now);
                self.paces[of_room].stored(*now, when)
            }
        }
    }

    /// Checks that what is published to a player was committed.
    pub(crate) fn published(&self, player: Option<PlayerId>, outbound: &Outbound) -> Lawful {
        self.messages.published(player, outbound)
    }

    /// The time of a room at its last commit.
    pub(crate) fn time(&self, room: RoomNumber) -> u64 {
        self.paces[usize::from(room.0)].now()
    }

    /// The games that are over since the last call.
    pub(crate) fn take_over(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.over)
    }
}

//! Checker of all laws, fed with the writes of every commit.

use super::games::{GameLaws, LogLaws, PlayerMove};
use super::law::{LawResult, Moment, ensure};
use super::matchmaking::MatchmakingLaws;
use super::players::{AnswerLaws, HistoryLaws, LedgerLaws, MessageLaws};
use super::rooms::{ClaimLaws, EpochLaws, TimeLaws};
use crate::node::ReceivedCommand;
use crate::schedule::Rng;
use crate::schedule::WorldTime;
use crate::store::StoreWrite;
use war_table::protocol::PlayerId;
use war_table::room::RoomEvent;
use war_table::server::hub::HubDelivery;
use war_table::server::rooms::{RoomCount, RoomNumber};
use war_table::server::store::StoredMessage;
use war_table::time::TableTime;

/// All laws, with the state that they need.
pub(crate) struct Laws {
    pub(crate) ledger: LedgerLaws,
    history: HistoryLaws,
    pub(crate) messages: MessageLaws,
    answers: AnswerLaws,
    pub(crate) games: GameLaws,
    log: LogLaws,
    pub(crate) matchmaking: MatchmakingLaws,
    /// Laws of time, one item for each room.
    times: Vec<TimeLaws>,
    epochs: Vec<EpochLaws>,
    /// Claims on players, if nodes share the table.
    claims: Option<ClaimLaws>,
    /// Games settled since the last call of [`take_settled_games`](Self::take_settled_games).
    settled: Vec<u64>,
}

impl Laws {
    /// Creates the laws of an empty table. `replayed` is the share of journals to replay.
    pub(crate) fn new(replayed: f64, rng: Rng, house: bool, rooms: RoomCount) -> Self {
        Self {
            ledger: LedgerLaws::default(),
            history: HistoryLaws::default(),
            messages: MessageLaws::default(),
            answers: AnswerLaws::default(),
            games: GameLaws::new(replayed, rng),
            log: LogLaws::default(),
            matchmaking: MatchmakingLaws::new(house, rooms),
            times: rooms.room_numbers().map(|_| TimeLaws::default()).collect(),
            epochs: rooms.room_numbers().map(|_| EpochLaws::default()).collect(),
            claims: None,
            settled: Vec::new(),
        }
    }

    /// Adds the laws of claims on players, for a table that nodes share.
    pub(crate) fn with_claims(mut self) -> Self {
        self.claims = Some(ClaimLaws::default());
        self
    }

    /// Resets the state of a room when a server begins to serve the room, even if that fails.
    pub(crate) fn reset_room(&mut self, room: RoomNumber, now: WorldTime) {
        self.times[usize::from(room.0)].record_start(now);
        self.matchmaking.clear_room(room);
    }

    /// Checks a commit, given its writes and the commands of its batch.
    pub(crate) fn check_commit(
        &mut self,
        writes: &[StoreWrite],
        commands: &[ReceivedCommand],
        moment: Moment,
    ) -> LawResult {
        for write in writes {
            self.check_write(write, moment)?;
        }
        let wish = |command: &ReceivedCommand| {
            let (player, request) = command.request.as_ref()?;
            // Only requests that have been answered since they arrived count as moves. A request
            // without a stored answer was refused for a reason other than lateness, and a request
            // answered earlier, perhaps in another deal, asks for nothing new.
            let is_answered = self
                .answers
                .is_answered_since(*player, request.id(), command.at);
            Some((
                PlayerMove::from_request(*player, request).filter(|_| is_answered)?,
                command.at,
            ))
        };
        let wishes: Vec<_> = commands.iter().filter_map(wish).collect();
        let is_house = |player| self.messages.is_house_player(player);
        self.games.check_moves(&wishes, is_house)?;
        self.log.check_complete()?;
        self.history.check_complete()?;
        if let Some(claims) = &mut self.claims {
            claims.check_touched_players()?;
        }
        self.matchmaking.check_pairs()
    }

    fn check_write(&mut self, write: &StoreWrite, moment: Moment) -> LawResult {
        let index = usize::from(moment.room.0);
        if let Some(claims) = &mut self.claims {
            claims.check_write(moment.room, write)?;
        }
        match write {
            StoreWrite::Register(id, player, _) => {
                self.ledger.register(*id, player)?;
                self.messages.register(*id, player.house)
            }
            StoreWrite::Record(at, event) => {
                self.log.apply(*at, event);
                self.matchmaking.apply(moment.room, event)?;
                if let RoomEvent::Played {
                    game,
                    seats,
                    event: war::tokens::TokenEvent::Settled { deltas },
                    ..
                } = event
                {
                    self.ledger.settle(*seats, *deltas);
                    let is_house = |player| self.messages.is_house_player(player);
                    self.history
                        .expect_entries(*game, *seats, *deltas, is_house);
                }
                self.games.apply(event, moment)
            }
            StoreWrite::Append(leaf) => self.log.check_leaf(leaf),
            StoreWrite::SaveSettlement(game, settlement) => {
                self.log.set_end_digest(*game, settlement);
                self.settled.push(*game);
                self.games.settle(*game, settlement)
            }
            StoreWrite::SaveGame(game) => self
                .history
                .check_entry(game, self.ledger.balance(game.player)),
            StoreWrite::SaveMessage(player, StoredMessage { seq, body, .. }) => {
                self.games.check_message(*player, body)?;
                self.messages
                    .record_message(*player, *seq, body, moment.first_arrival)
            }
            StoreWrite::SaveAnswer(player, id, answer, at) => {
                let known = self.messages.last_seq(*player);
                self.answers.check_answer(
                    *player,
                    id,
                    answer,
                    (moment.room, *at),
                    moment.now,
                    known,
                )
            }
            StoreWrite::SavePlayer(id, player) => {
                self.ledger.check_player(*id, player)?;
                self.messages.check_player(*id, player)
            }
            // Claims are checked above, and no law concerns the other writes.
            StoreWrite::SaveLadder(_)
            | StoreWrite::SaveLink(_)
            | StoreWrite::RemoveLink(..)
            | StoreWrite::DropAnswers(_)
            | StoreWrite::Claim(_)
            | StoreWrite::Release(_)
            | StoreWrite::Forward(..)
            | StoreWrite::ForgetPlayer(..)
            | StoreWrite::DropMessages(_) => Ok(()),
            StoreWrite::Take(_, epoch) => {
                // Service of the room starts anew even if the node then fails to open the room.
                self.times[index].record_start(moment.now);
                self.epochs[index].record_take(*epoch, moment.now)
            }
            StoreWrite::BeginBatch(room, epoch, seq) => {
                ensure("each room commits for itself", *room == moment.room, || {
                    format!("{room} instead of {}", moment.room)
                })?;
                self.epochs[index].record_commit(*epoch, *seq, moment.now)
            }
            StoreWrite::HandOver(..) => {
                self.epochs[index].record_hand_over();
                Ok(())
            }
            StoreWrite::SaveTime(now) => {
                self.answers.drop_expired(moment.room, *now);
                self.times[index].check_time(*now, moment)
            }
        }
    }

    /// Checks that a message published to a player was committed before.
    pub(crate) fn check_published_message(
        &self,
        player: Option<PlayerId>,
        outbound: &HubDelivery,
    ) -> LawResult {
        self.messages.check_published_message(player, outbound)
    }

    /// Returns the time of a room at its last commit.
    pub(crate) fn time(&self, room: RoomNumber) -> TableTime {
        self.times[usize::from(room.0)].last_time()
    }

    /// Takes the games settled since the last call.
    pub(crate) fn take_settled_games(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.settled)
    }
}

use super::state::Hub;
use super::{HubDelivery, UnitOfWork};
use crate::daily::{Day, DayCommitment};
use crate::log::{GameEnd, GameStart, Leaf};
use crate::protocol::{Message, NumberedMessage, PlayerId, RequestId};
use crate::room::{Effects, Match, Parties, PlayerGameRecord, RoomEvent};
use crate::server::completed_game::CompletedGame;
use crate::server::reply::{add_opponent_name, serialize_message};
use crate::server::store::{Damage, LeafPosition, StoreError, StoredMessage};
use crate::time::WallTime;
use slog::{debug, info};
use std::sync::Arc;
use war::support::hex::Hex;
use war::tokens::{Name, TokenEvent};

impl Hub {
    /// Persists the effects of a step of the room, and lets the house respond. `request` is the
    /// player's request that caused the effects, if there is one.
    pub(super) fn persist(
        &mut self,
        effects: &Effects,
        mut request: Option<(PlayerId, &RequestId)>,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        let mut logged = Vec::new();
        for event in &effects.events {
            self.record_event(event, unit)?;
            logged.extend(self.append_leaf(event, unit)?);
        }
        for (to, sent) in &effects.messages {
            let answered = request.take_if(|(player, _)| player == to && sent.message.is_answer());
            let message = self.complete(sent, &logged, unit);
            self.store_and_publish(*to, message, answered.map(|(_, id)| id), unit)?;
        }
        for event in &effects.events {
            if let RoomEvent::Played {
                game, seats, event, ..
            } = event
            {
                self.decide_for_house(*game, *seats, event, unit)?;
            }
        }
        Ok(())
    }

    /// Appends an event to the store and logs it.
    pub(super) fn record_event(
        &self,
        event: &RoomEvent,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        let at = unit.wall_time_at(unit.now());
        unit.transaction_mut().record(event, at)?;
        self.log_event(event);
        Ok(())
    }

    /// Completes a message of the room with the facts that the room does not know.
    fn complete(
        &self,
        sent: &NumberedMessage,
        logged: &[LeafFacts],
        unit: &UnitOfWork<'_>,
    ) -> NumberedMessage {
        let NumberedMessage { seq, mut message } = sent.clone();
        message.convert_deadlines(|due| unit.wall_time_at(due));
        self.add_leaf_facts(logged, &mut message);
        NumberedMessage { seq, message }
    }

    /// Stores a message, and publishes it to all clients of its player.
    fn store_and_publish(
        &self,
        to: PlayerId,
        NumberedMessage { seq, mut message }: NumberedMessage,
        in_reply_to: Option<&RequestId>,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        unit.touch(to);
        // Messages to house players are neither stored nor published, as nobody reads them.
        if self.is_house_player(to) {
            return Ok(());
        }
        let stored = StoredMessage {
            seq,
            body: serialize_message(seq, message.clone()),
            in_reply_to: in_reply_to.cloned(),
        };
        unit.transaction_mut().save_message(to, &stored)?;
        add_opponent_name(&mut message, |id| self.read_name(id, unit))?;
        let body: Arc<str> = serialize_message(seq, message).into();
        for client in self.connections.clients_of(to) {
            let push = HubDelivery::Push {
                seq,
                body: Arc::clone(&body),
                in_reply_to: in_reply_to.cloned(),
            };
            unit.publish(*client, push);
        }
        Ok(())
    }

    /// Reads the current name of a player.
    pub(super) fn read_name(
        &self,
        player: PlayerId,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<Name, StoreError> {
        match self.room.player(player) {
            Some(known) => Ok(known.name.clone()),
            None => Ok(unit.transaction_mut().player(player)?.name),
        }
    }

    /// Persists the name, balance and last message of each changed player, and releases those who
    /// need not stay in the room.
    pub(super) fn persist_touched_players(
        &mut self,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        for id in unit.take_touched_players() {
            if let Some(player) = self.room.player(id) {
                unit.transaction_mut().save_player(id, player)?;
            }
            self.release_if_free(id, unit)?;
        }
        Ok(())
    }

    /// Logs new players and the start and end of games; never a secret, a token or a card.
    fn log_event(&self, event: &RoomEvent) {
        match event {
            RoomEvent::Joined { player, house, .. } => {
                info!(self.log, "joined"; "player" => player.0, "house" => house);
            }
            RoomEvent::Matched(Match {
                game, kind, seats, ..
            }) => debug!(self.log, "started";
                "game" => game, "kind" => kind.name(),
                "player1" => seats[0].0, "player2" => seats[1].0),
            RoomEvent::Played {
                game,
                event: TokenEvent::Settled { deltas },
                ..
            } => debug!(self.log, "settled";
                "game" => game, "player1" => deltas[0], "player2" => deltas[1]),
            RoomEvent::Adjusted { player, tokens, .. } => {
                info!(self.log, "adjusted"; "player" => player.0, "tokens" => tokens);
            }
            RoomEvent::Banned { player } => info!(self.log, "banned"; "player" => player.0),
            RoomEvent::Readmitted { player } => info!(self.log, "readmitted"; "player" => player.0),
            RoomEvent::Forgotten { player } => info!(self.log, "forgotten"; "player" => player.0),
            _ => {}
        }
    }
}

/// Facts about a leaf of the log that are added to messages to the players of its game.
enum LeafFacts {
    /// Start of the game.
    Started {
        game: u64,
        at: WallTime,
        signature: Option<Hex<64>>,
    },
    /// End of the game.
    Ended {
        game: u64,
        digest: Hex<16>,
        /// Time of the game's last leaf; `None` if the game began before there was a log.
        at: Option<WallTime>,
        /// Numbers of both leaves, once known.
        leaves: Option<[u64; 2]>,
    },
}

impl Hub {
    /// Appends the leaf of an event to the log, if the event has one, and keeps the settlement of a
    /// finished game.
    fn append_leaf(
        &self,
        event: &RoomEvent,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<Option<LeafFacts>, StoreError> {
        let at = unit.wall_time_at(unit.now());
        match event {
            RoomEvent::Matched(matched) => self.append_start_leaf(matched, at, unit),
            RoomEvent::Played {
                game,
                event: TokenEvent::Settled { .. },
                ..
            } => self.append_end_leaf(*game, at, unit).map(Some),
            _ => Ok(None),
        }
    }

    /// Commits to the seed of a day's duel with a leaf of the log, before the day begins.
    pub(super) fn commit_day(
        &mut self,
        day: Day,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        let committed = DayCommitment {
            day,
            commitment: self.identity.secret.daily_duel(day).seed.commitment(),
            time_ms: unit.wall_time_at(unit.now()).as_millis(),
        };
        // The next search for a day without a leaf may come before readers see this one.
        let is_new = self.committed_day.is_none_or(|last| last != day);
        if is_new && committed.is_in_time() && unit.transaction_mut().is_upgraded()? {
            unit.transaction_mut().append(&Leaf::Day(committed))?;
            self.committed_day = Some(day);
        }
        Ok(())
    }

    fn append_start_leaf(
        &self,
        matched: &Match,
        at: WallTime,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<Option<LeafFacts>, StoreError> {
        let Parties::Committed { seed_hashes } = matched.parties else {
            return Ok(None);
        };
        let start = GameStart {
            game: matched.game,
            rules: matched.rules().id().to_owned(),
            players: matched.seats.map(|player| player.0),
            commitment: matched.secret.commitment(),
            seed_hashes,
            time_ms: at.as_millis(),
        };
        let signature = self.identity.sign_start(&start);
        unit.transaction_mut().append(&Leaf::Start(start))?;
        Ok(Some(LeafFacts::Started {
            game: matched.game,
            at,
            signature,
        }))
    }

    fn append_end_leaf(
        &self,
        game: u64,
        at: WallTime,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<LeafFacts, StoreError> {
        let events = unit.transaction_mut().game_events(game)?;
        let settled = CompletedGame::from_events(&events)
            .and_then(|game| game.compute_settlement(self.identity.engine));
        let settled = settled.ok_or(Damage::Event)?;
        unit.transaction_mut().save_settlement(game, &settled)?;
        self.save_game(&events, at, unit)?;
        let digest = settled.digest;
        // In the log, an end without a start would be a fault.
        let Some(first) = unit.transaction_mut().first_leaf(game)? else {
            let (at, leaves) = (None, None);
            return Ok(LeafFacts::Ended {
                game,
                digest,
                at,
                leaves,
            });
        };
        let end = GameEnd {
            game,
            digest,
            time_ms: at.as_millis(),
        };
        let leaves = match (first, unit.transaction_mut().append(&Leaf::End(end))?) {
            (LeafPosition::Assigned(first), LeafPosition::Assigned(last)) => Some([first, last]),
            _ => None,
        };
        Ok(LeafFacts::Ended {
            game,
            digest,
            at: Some(at),
            leaves,
        })
    }

    /// Keeps a finished game in the history of its players, except house players.
    fn save_game(
        &self,
        events: &[RoomEvent],
        at: WallTime,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        let games = PlayerGameRecord::from_events(events, at).ok_or(Damage::Event)?;
        for mut game in games {
            let player = self.room.player(game.player).ok_or(Damage::Player)?;
            game.balance = player.balance;
            if !player.house {
                unit.transaction_mut().save_game(&game)?;
            }
        }
        Ok(())
    }

    /// Adds facts about leaves of the log to a message about the same game.
    fn add_leaf_facts(&self, logged: &[LeafFacts], message: &mut Message) {
        for logged in logged {
            match (logged, &mut *message) {
                (
                    LeafFacts::Started {
                        game,
                        at,
                        signature: start_signature,
                    },
                    Message::Started {
                        game_id,
                        time_ms,
                        table,
                        signature,
                        ..
                    },
                ) if game == game_id => {
                    *time_ms = Some(at.as_millis());
                    *table = Some(self.identity.table);
                    *signature = *start_signature;
                }
                (
                    LeafFacts::Ended {
                        game,
                        digest: end,
                        at,
                        leaves: places,
                    },
                    Message::Result {
                        game_id,
                        digest,
                        time_ms,
                        leaves,
                        ..
                    },
                ) if game == game_id => {
                    *digest = Some(*end);
                    (*time_ms, *leaves) = (at.map(WallTime::as_millis), *places);
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::protocol::PlayerId;
    use crate::room::Timeouts;
    use crate::server::hub::{
        CurrentTime, DEFAULT_FULL_LOAD, DEFAULT_HOUSE_DELAY, Hub, HubSettings, UnitOfWork,
    };
    use crate::server::identity::Identity;
    use crate::server::store::{SqliteStore, Store};
    use crate::server::{Metrics, SeededRandomness};
    use crate::time::{TableTime, WallTime};
    use std::sync::Arc;
    use std::time::Duration;
    use war::tokens::Name;

    const NOW: CurrentTime = CurrentTime {
        table: TableTime::ZERO,
        wall: WallTime::ZERO,
    };

    fn open(store: &SqliteStore, house_players: usize) -> Hub {
        let timeouts = Timeouts {
            decide: Duration::from_secs(30),
            seeds: Duration::from_secs(1),
        };
        let settings = HubSettings {
            timeouts,
            house_players,
            house_delay: DEFAULT_HOUSE_DELAY,
            new_players: 60,
            full_load: DEFAULT_FULL_LOAD,
        };
        let randomness = Box::new(SeededRandomness::new(1));
        let log = slog::Logger::root(slog::Discard, slog::o!());
        let hub = Hub::open(
            store,
            settings,
            randomness,
            Identity::for_tests(),
            Arc::new(Metrics::new()),
            log,
            NOW,
        );
        hub.expect("a store that works")
    }

    fn present(hub: &Hub) -> Vec<PlayerId> {
        hub.room.players().map(|(id, _)| id).collect()
    }

    #[test]
    fn only_the_house_stays_in_the_room_when_nobody_is_connected() {
        let place = tempfile::tempdir().expect("a directory");
        let store = SqliteStore::open(&place.path().join("table.db")).expect("a store");
        let mut hub = open(&store, 1);
        let transaction = store.begin().expect("a store").expect("nobody else");
        let mut unit = UnitOfWork::new(transaction, NOW);
        let name = Name::new("Ann").expect("a name");
        let token = hub.randomness.access_token();
        let ann = hub.join(name, false, &token, &mut unit).expect("a store");
        unit.touch(ann);
        assert_eq!(present(&hub), [PlayerId(1), ann]);
        hub.persist_touched_players(&mut unit).expect("a store");
        assert_eq!(present(&hub), [PlayerId(1)], "the house waits for visitors");
        unit.commit().expect("a store");
        let hub = open(&store, 0);
        assert_eq!(present(&hub), [], "the house is closed");
    }
}

use super::UnitOfWork;
use super::state::Hub;
use crate::log::{End, Leaf, Start};
use crate::room::{FinishedGame, Match, Message, Parties, RoomEvent};
use crate::server::played::Played;
use crate::server::store::{Damage, LeafPlace, StoreError};
use war::support::hex::Hex;
use war::tokens::TokenEvent;

/// What the players of a game learn of its log.
pub(super) enum Logged {
    /// The game began.
    Started {
        game: u64,
        time_ms: u64,
        signature: Option<Hex<64>>,
    },
    /// The game is over.
    Ended {
        game: u64,
        digest: Hex<16>,
        /// When its last leaf was written; `None` where it is not in the log, since it began
        /// before there was one.
        time_ms: Option<u64>,
        /// Where both leaves are, where that is known by now.
        leaves: Option<[u64; 2]>,
    },
}

impl Hub {
    /// Writes the leaf of an event into the log, if it has one, and what the journal says of a
    /// game that is over.
    pub(super) fn write_log(
        &self,
        event: &RoomEvent,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<Option<Logged>, StoreError> {
        let time_ms = unit.wall_at(unit.now());
        match event {
            RoomEvent::Matched(matched) => self.log_start(matched, time_ms, unit),
            RoomEvent::Played {
                game,
                event: TokenEvent::Settled { .. },
                ..
            } => self.log_end(*game, time_ms, unit).map(Some),
            _ => Ok(None),
        }
    }

    fn log_start(
        &self,
        matched: &Match,
        time_ms: u64,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<Option<Logged>, StoreError> {
        let Parties::Committed { seed_hashes } = matched.parties else {
            return Ok(None);
        };
        let start = Start {
            game: matched.game,
            rules: matched.rules().id().to_owned(),
            players: matched.seats.map(|player| player.0),
            commitment: matched.secret.commitment(),
            seed_hashes,
            time_ms,
        };
        let signature = self.identity.sign(&start);
        unit.store().append(&Leaf::Start(start))?;
        Ok(Some(Logged::Started {
            game: matched.game,
            time_ms,
            signature,
        }))
    }

    fn log_end(
        &self,
        game: u64,
        time_ms: u64,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<Logged, StoreError> {
        let events = unit.store().game(game)?;
        let settled = Played::of(&events).and_then(|game| game.settlement(self.identity.engine));
        let settled = settled.ok_or(Damage::Event)?;
        unit.store().keep_settlement(game, &settled)?;
        self.keep_game(&events, time_ms, unit)?;
        let digest = settled.digest;
        // An end without a beginning would be a fault.
        let Some(first) = unit.store().first_leaf(game)? else {
            let (time_ms, leaves) = (None, None);
            return Ok(Logged::Ended {
                game,
                digest,
                time_ms,
                leaves,
            });
        };
        let end = End {
            game,
            digest,
            time_ms,
        };
        let leaves = match (first, unit.store().append(&Leaf::End(end))?) {
            (LeafPlace::At(first), LeafPlace::At(last)) => Some([first, last]),
            _ => None,
        };
        Ok(Logged::Ended {
            game,
            digest,
            time_ms: Some(time_ms),
            leaves,
        })
    }

    /// Keeps a game that is over for its players, as they are now; the house looks back on none.
    fn keep_game(
        &self,
        events: &[RoomEvent],
        at: u64,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        let games = FinishedGame::of(events, at).ok_or(Damage::Event)?;
        for mut game in games {
            let player = self.room.player(game.player).ok_or(Damage::Player)?;
            game.balance = player.balance;
            if !player.house {
                unit.store().keep_game(&game)?;
            }
        }
        Ok(())
    }

    /// Adds what was logged to a message about the same.
    pub(super) fn add_logged(&self, logged: &[Logged], message: &mut Message) {
        for logged in logged {
            match (logged, &mut *message) {
                (
                    Logged::Started {
                        game,
                        time_ms: at,
                        signature: signed,
                    },
                    Message::Started {
                        game_id,
                        time_ms,
                        table,
                        signature,
                        ..
                    },
                ) if game == game_id => {
                    *time_ms = Some(*at);
                    *table = Some(self.identity.table);
                    *signature = *signed;
                }
                (
                    Logged::Ended {
                        game,
                        digest: end,
                        time_ms: at,
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
                    (*time_ms, *leaves) = (*at, *places);
                }
                _ => {}
            }
        }
    }
}

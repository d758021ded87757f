use super::state::Hub;
use super::{ClientId, Outbound, UnitOfWork};
use crate::hex::Hex;
use crate::room::{Command, PlayerId, Refusal, Request, RequestId};
use crate::server::names::with_name;
use crate::server::reply::{json, refused};
use crate::server::store::{Answer, KeptAnswer, MessageRange, StoreError};
use slog::debug;

impl Hub {
    /// Does what a player asks for, once: asked again, it is answered again.
    pub(super) fn handle_request(
        &mut self,
        client: ClientId,
        request: &Request,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        self.metrics.request();
        let id = request.id();
        let Some(player) = self.clients.get(&client).and_then(|client| client.player) else {
            self.refuse(client, 0, Refusal::HelloFirst, id.clone(), unit);
            return Ok(());
        };
        let before = self.last_message(player);
        let digest = digest(request);
        if let Some(answer) = unit.store().answer(player, id)? {
            if answer.digest != digest {
                self.refuse(client, before, Refusal::IdReused, id.clone(), unit);
                return Ok(());
            }
            return self.answer_again(client, player, (id, answer), unit);
        }
        if !self.allowances.has_room(player, unit.now()) {
            self.refuse(client, before, Refusal::TooFast, id.clone(), unit);
            return Ok(());
        }
        let Some(command) = self.command(player, request) else {
            return Ok(());
        };
        if let Command::Choose { kind, .. } = command {
            self.make_way(kind, unit)?;
        }
        let done = self.room.step(&command, unit.now());
        let refusal = done.as_ref().err().copied();
        if refusal.is_none_or(Refusal::is_kept) {
            let messages = MessageRange::after(before, self.last_message(player));
            let answer = Answer {
                digest,
                messages,
                refusal,
            };
            self.keep_answer(player, id, answer, unit)?;
        }
        match done {
            Ok(effects) => self.persist(&effects, unit),
            Err(refusal) => {
                self.refuse(client, before, refusal, id.clone(), unit);
                Ok(())
            }
        }
    }

    /// Answers a request as it was answered before.
    fn answer_again(
        &self,
        client: ClientId,
        player: PlayerId,
        (id, answer): (&RequestId, Answer),
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        if let Some(refusal) = answer.refusal {
            self.refuse(client, self.last_message(player), refusal, id.clone(), unit);
            return Ok(());
        }
        for (_, body) in unit.store().messages(player, answer.messages)? {
            let body = with_name(body, |opponent| self.name(opponent, unit))?;
            unit.publish(client, Outbound::Answer(body));
        }
        Ok(())
    }

    fn keep_answer(
        &mut self,
        player: PlayerId,
        request: &RequestId,
        answer: Answer,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        let at = unit.now();
        self.allowances.count(player, at);
        unit.store().keep_answer(&KeptAnswer {
            player,
            request,
            answer,
            at,
        })
    }

    /// What a request asks of the room, if it concerns the room.
    fn command(&mut self, player: PlayerId, request: &Request) -> Option<Command> {
        Some(match *request {
            Request::Choose {
                game, seed_hash, ..
            } => Command::Choose {
                player,
                kind: game,
                seed_hash,
                secret: self.randomness.secret(),
            },
            Request::Cancel { game, .. } => Command::Cancel { player, kind: game },
            Request::Seed { game_id, value, .. } => Command::Seed {
                player,
                game: game_id,
                value,
            },
            Request::Decide {
                game_id,
                deal,
                decision,
                ..
            } => Command::Decide {
                player,
                game: game_id,
                deal,
                decision,
            },
            // The client's session answers these.
            Request::Hello { .. } | Request::Resume { .. } => return None,
        })
    }

    /// Answers that a request is not granted.
    pub(super) fn refuse(
        &self,
        client: ClientId,
        seq: u64,
        refusal: Refusal,
        id: RequestId,
        unit: &mut UnitOfWork<'_>,
    ) {
        self.metrics.refusal(refusal);
        debug!(self.log, "refused"; "connection" => client.0, "code" => %refusal);
        if let Some(known) = self.clients.get(&client) {
            let message = refused(known.catalogue, refusal, id);
            unit.publish(client, Outbound::Answer(json(seq, message)));
        }
    }
}

/// What tells a request from others of the same `id`.
fn digest(request: &Request) -> Hex<16> {
    let body = serde_json::to_vec(request).expect("requests are plain values");
    Hex::truncated(&blake3::hash(&body))
}

use super::state::Hub;
use super::{ClientId, Outbound, UnitOfWork};
use crate::hex::Hex;
use crate::room::{Command, PlayerId, Refusal, Request, RequestId};
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
            for (_, body) in unit.store().messages(player, answer.messages)? {
                unit.publish(client, Outbound::Answer(body));
            }
            return Ok(());
        }
        let Some(command) = self.command(player, request) else {
            return Ok(());
        };
        match self.room.step(&command, unit.now()) {
            Ok(effects) => {
                let messages = MessageRange::after(before, self.last_message(player));
                let kept = KeptAnswer {
                    player,
                    request: id,
                    answer: Answer { digest, messages },
                    at: unit.now(),
                };
                unit.store().keep_answer(&kept)?;
                self.persist(&effects, unit)
            }
            Err(refusal) => {
                self.refuse(client, before, refusal, id.clone(), unit);
                Ok(())
            }
        }
    }

    /// What a request asks of the room, if it concerns the room.
    fn command(&mut self, player: PlayerId, request: &Request) -> Option<Command> {
        Some(match request {
            Request::Choose { game, .. } => Command::Choose {
                player,
                kind: *game,
                secret: self.randomness.secret(),
            },
            Request::Cancel { .. } => Command::Cancel { player },
            Request::Seed { value, .. } => Command::Seed {
                player,
                value: value.clone(),
            },
            Request::Decide { decision, .. } => Command::Decide {
                player,
                decision: *decision,
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

use super::Floor;
use crate::hex::Hex;
use crate::room::{
    AccessToken, Command, Message, PlayerId, Refusal, Request, RequestId, RoomEvent, Sent,
};
use crate::server::store::{Answer, Batch, Store, StoreError};
use crate::server::writer::{Delivery, Line};
use crate::tokens::{Name, Secret};
use slog::debug;

/// How many connections a player may have: each is told all that he is told.
const MOST_LINES: usize = 16;

impl Floor {
    #[expect(
        clippy::too_many_arguments,
        reason = "the parts of a `hello`, and where it goes"
    )]
    pub(super) fn arrive(
        &mut self,
        line: &Line,
        id: RequestId,
        name: Name,
        token: Option<AccessToken>,
        store: &Store,
        batch: &Batch<'_>,
        now: u64,
    ) -> Result<(), StoreError> {
        let returns = token.is_some();
        let (player, token) = match token {
            None => {
                let token = AccessToken::new(rand::random());
                (self.join(name, false, &token, batch, now)?, token)
            }
            Some(token) => {
                let Some(player) = store.admit_by_token(&mut self.room, &token)? else {
                    self.refuse(line, 0, Refusal::UnknownToken, Some(id));
                    return Ok(());
                };
                if self
                    .lines
                    .get(&player)
                    .is_some_and(|lines| lines.len() >= MOST_LINES)
                {
                    let seq = self.room.player(player).map_or(0, |player| player.seq);
                    self.refuse(line, seq, Refusal::TooManyConnections, Some(id));
                    return Ok(());
                }
                let renamed = self.room.step(&Command::Rename { player, name }, now);
                self.keep(
                    &renamed.expect("whoever is there may be renamed"),
                    batch,
                    now,
                )?;
                (player, token)
            }
        };
        self.gone.remove(&player);
        self.lines.entry(player).or_default().push(line.clone());
        self.players.insert(line.number, player);
        let known = self.room.player(player).expect("the player was admitted");
        let message = Message::Welcome {
            player,
            token,
            balance: known.balance,
            now_ms: now,
            in_reply_to: id,
        };
        let seq = known.seq;
        let delivery = Delivery::Welcome {
            player,
            seq,
            returns,
            body: json(seq, message),
        };
        self.outgoing.push((line.clone(), delivery));
        Ok(())
    }

    pub(super) fn join(
        &mut self,
        name: Name,
        house: bool,
        token: &AccessToken,
        batch: &Batch<'_>,
        now: u64,
    ) -> Result<PlayerId, StoreError> {
        let step = self.room.step(&Command::Join { name, house }, now);
        let step = step.expect("anybody may join");
        let [event @ RoomEvent::Joined { player, .. }] = &step.events[..] else {
            unreachable!("to join is one event");
        };
        batch.record(event, now, Some(token))?;
        self.log_event(event);
        Ok(*player)
    }

    /// Does what a player asks for, once: asked again, it is answered again.
    pub(super) fn grant(
        &mut self,
        line: &Line,
        player: PlayerId,
        request: &Request,
        store: &Store,
        batch: &Batch<'_>,
        now: u64,
    ) -> Result<(), StoreError> {
        self.metrics.request();
        let id = request.id();
        let seq = self.room.player(player).map_or(0, |player| player.seq);
        let body = serde_json::to_vec(request).expect("requests are plain values");
        let digest = Hex::truncated(&blake3::hash(&body));
        if let Some(answer) = store.answer(player, id)? {
            if answer.digest == digest {
                for (_, body) in store.messages(player, answer.messages)? {
                    self.outgoing.push((line.clone(), Delivery::Answer(body)));
                }
            } else {
                self.refuse(line, seq, Refusal::IdReused, Some(id.clone()));
            }
            return Ok(());
        }
        let command = match request {
            Request::Choose { game, .. } => Command::Choose {
                player,
                kind: *game,
                secret: Secret::new(Hex::new(rand::random())),
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
            // The connection knows what it said, and what it has.
            Request::Hello { .. } | Request::Resume { .. } => return Ok(()),
        };
        let step = match self.room.step(&command, now) {
            Ok(step) => step,
            Err(refusal) => {
                self.refuse(line, seq, refusal, Some(id.clone()));
                return Ok(());
            }
        };
        let own = step.notices.iter().filter(|notice| notice.to == player);
        let own: Vec<_> = own.map(|notice| notice.sent.seq).collect();
        let messages = (own[0], own[own.len() - 1]);
        batch.answered(player, id, now, &Answer { digest, messages })?;
        self.keep(&step, batch, now)
    }

    pub(super) fn refuse(
        &mut self,
        line: &Line,
        seq: u64,
        refusal: Refusal,
        id: Option<RequestId>,
    ) {
        self.metrics.refusal();
        debug!(self.log, "refused"; "connection" => line.number, "code" => %refusal);
        let message = refused(line, refusal, id, "");
        let answer = Delivery::Answer(json(seq, message));
        self.outgoing.push((line.clone(), answer));
    }
}

/// The answer to a request that is not granted.
///
/// `reason` says what is wrong with a message that is no request.
pub(in crate::server) fn refused(
    line: &Line,
    refusal: Refusal,
    id: Option<RequestId>,
    reason: &str,
) -> Message {
    let text = refusal.text().with("reason", reason);
    Message::Error {
        code: refusal,
        message: line.catalogue.text(&text),
        in_reply_to: id,
    }
}

/// A message as it is sent.
pub(in crate::server) fn json(seq: u64, message: Message) -> String {
    serde_json::to_string(&Sent { seq, message }).expect("messages are plain values")
}

use super::answers::DeferredRequest;
use super::state::Hub;
use super::{ClientId, Outbound, UnitOfWork};
use crate::protocol::{PlayerId, Refusal, Request, RequestId, Whom};
use crate::room::{Command, Meeting};
use crate::server::reply::{json, refused, with_name};
use crate::server::store::{Answer, MessageRange, StoreError};
use slog::debug;
use war::support::hex::Hex;

impl Hub {
    /// Does what a player asks for, once: asked again, it is answered again.
    pub(super) fn handle_request(
        &mut self,
        client: ClientId,
        request: &Request,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        self.metrics.request();
        let player = self.connections.player_of(client);
        if player.is_none() && self.is_shared {
            // It was let go in the meantime, and was handed that.
            return Ok(());
        }
        if let Some(player) = player
            && let Some(room) = self.other_room(player, request)
        {
            self.redirect(client, room, unit);
            return Ok(());
        }
        if let Some(player) = player
            && let Some(room) = self.admit(player, unit)?
        {
            self.redirect(client, room, unit);
            return Ok(());
        }
        if let Some(player) = player
            && self.is_forgotten(player)
        {
            // Another room has forgotten them while this was on its way.
            self.expel(player, None, unit);
            return Ok(());
        }
        if let Some(player) = player
            && let Some(refusal) = self.is_late(player, request, unit)?
        {
            self.defer(client, request, refusal, unit);
            return Ok(());
        }
        if let (Some(player), Request::Forget { id }) = (player, request)
            && !self.is_playing(player)
            && unit.store().answer(player, id)?.is_none()
        {
            return self.forget_at_own_wish(client, player, id, unit);
        }
        self.do_and_answer(client, request, None, unit)
    }

    /// Does what a player asks for, which is refused so if it came too late, and answers it.
    fn do_and_answer(
        &mut self,
        client: ClientId,
        request: &Request,
        late: Option<Refusal>,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        let refused = self.do_once(client, request, late, unit)?;
        if let Some(refusal) = refused {
            let player = self.connections.player_of(client);
            let seq = player.map_or(0, |player| self.last_message(player));
            self.refuse(client, seq, refusal, request.id().clone(), unit);
        }
        if let Request::Resume { after, .. } = request {
            let granted = refused.is_none().then_some(*after);
            unit.publish(client, Outbound::Resumed(granted));
        }
        self.is_done(client, unit);
        Ok(())
    }

    /// Does what a player asks for, unless it was done before; the result is why it is not
    /// granted.
    fn do_once(
        &mut self,
        client: ClientId,
        request: &Request,
        late: Option<Refusal>,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<Option<Refusal>, StoreError> {
        let id = request.id();
        let Some(player) = self.connections.player_of(client) else {
            return Ok(Some(Refusal::HelloFirst));
        };
        let before = self.last_message(player);
        let digest = digest(request);
        if let Some(answer) = unit.store().answer(player, id)? {
            return match answer.refusal {
                _ if answer.digest != digest => Ok(Some(Refusal::IdReused)),
                None => self.answer_again(client, player, answer, unit),
                refused => Ok(refused),
            };
        }
        if matches!(request, Request::Resume { after, .. } if *after <= before) {
            // It brings the same however often it is asked for.
            return Ok(None);
        }
        if !self.answers.quota.allows_request(player, unit.now()) {
            return Ok(Some(Refusal::TooFast));
        }
        let asked = match late {
            Some(late) => Err(late),
            None => self.asked_for(player, request, unit)?,
        };
        let done = asked.and_then(|command| self.room.step(&command, unit.now()));
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
        if let Ok(effects) = done {
            self.persist(&effects, unit)?;
            if let Request::Choose { game, with, .. } = *request
                && with == Some(Whom::House)
            {
                self.step_in(game, Meeting::House, unit)?;
            }
        }
        Ok(refusal)
    }

    /// What a request asks of the room, or why that is not granted.
    fn asked_for(
        &mut self,
        player: PlayerId,
        request: &Request,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<Result<Command, Refusal>, StoreError> {
        match *request {
            Request::Choose {
                game,
                seed_hash,
                with,
                ..
            } => return self.choice(player, game, seed_hash, with, unit),
            Request::Cancel { .. } => self.admit_opponent_of(player, unit)?,
            // Who is not in one was forgotten.
            Request::Forget { .. } => return Ok(Err(Refusal::Playing)),
            _ => {}
        }
        Ok(command(player, request).ok_or(Refusal::BadAfter))
    }

    /// Sends what was sent when the request was granted.
    fn answer_again(
        &self,
        client: ClientId,
        player: PlayerId,
        answer: Answer,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<Option<Refusal>, StoreError> {
        for (_, body) in unit.store().messages(player, answer.messages)? {
            let body = with_name(body, |opponent| self.name(opponent, unit))?;
            unit.publish(client, Outbound::Answer(body));
        }
        Ok(None)
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
        if let Some(known) = self.connections.client(client) {
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

/// What a request asks of the room, if it is about a game that a player has chosen.
fn command(player: PlayerId, request: &Request) -> Option<Command> {
    Some(match *request {
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
        // One chooses, one leaves for good, and the others ask nothing of the room: all but `resume` are
        // for the client's session.
        Request::Hello { .. }
        | Request::People { .. }
        | Request::Choose { .. }
        | Request::Resume { .. }
        | Request::Games { .. }
        | Request::Figures { .. }
        | Request::Ladder { .. }
        | Request::Watch { .. }
        | Request::Forget { .. } => return None,
    })
}

// What comes when time is up, while the same may be on its way that was asked for in time: over
// another connection, or before the room got its owner.
impl Hub {
    /// Why a request is not granted, if it came too late and time has not decided yet; what was
    /// answered before is not late.
    fn is_late(
        &mut self,
        player: PlayerId,
        request: &Request,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<Option<Refusal>, StoreError> {
        let refusal = self.lateness(player, request, unit.asked());
        if refusal.is_some() && unit.store().answer(player, request.id())?.is_some() {
            return Ok(None);
        }
        Ok(refusal)
    }

    /// Why what a player asked for at this time is too late, until time has decided.
    fn lateness(&self, player: PlayerId, request: &Request, asked: u64) -> Option<Refusal> {
        if !matches!(request, Request::Seed { .. } | Request::Decide { .. }) {
            return None;
        }
        let command = command(player, request)?;
        self.room.too_late(&command, asked)
    }

    /// Answers a request later that came too late.
    fn defer(
        &mut self,
        client: ClientId,
        request: &Request,
        refusal: Refusal,
        unit: &UnitOfWork<'_>,
    ) {
        self.answers.deferred.push(DeferredRequest {
            client,
            request: request.clone(),
            refusal,
            asked: unit.asked(),
        });
    }

    /// Answers what came too late, where that can't be granted any more: by what came in time, or
    /// by a refusal.
    pub(super) fn answer_deferred(&mut self, unit: &mut UnitOfWork<'_>) -> Result<(), StoreError> {
        for deferred in std::mem::take(&mut self.answers.deferred) {
            // A client that left sends the request again, if at all.
            let Some(player) = self.connections.player_of(deferred.client) else {
                continue;
            };
            if self
                .lateness(player, &deferred.request, deferred.asked)
                .is_some()
            {
                self.answers.deferred.push(deferred);
            } else {
                self.do_and_answer(
                    deferred.client,
                    &deferred.request,
                    Some(deferred.refusal),
                    unit,
                )?;
            }
        }
        Ok(())
    }
}

use super::answers::DeferredRequest;
use super::opponents::GameChoice;
use super::state::Hub;
use super::{ClientId, HubDelivery, UnitOfWork};
use crate::protocol::{Message, OpponentFilter, PlayerId, Refusal, Request, RequestId};
use crate::room::{Command, OpponentChoice};
use crate::server::reply::{complete_stored_message, refusal_message};
use crate::server::store::{Answer, MessageRange, StoreError, StoredMessage};
use crate::time::TableTime;
use slog::debug;
use war::support::hex::Hex;

impl Hub {
    /// Carries out a request once; a repeated request gets the stored answer.
    pub(super) fn handle_request(
        &mut self,
        client: ClientId,
        request: &Request,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        self.metrics.count_request();
        let player = self.connections.player_of(client);
        if player.is_none() && self.is_shared {
            // The client was released in the meantime, and has been redirected.
            return Ok(());
        }
        if let Some(player) = player
            && let Some(room) = self.find_other_room(player, request)
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
            // Another room forgot the player while the request was on its way.
            self.expel(player, None, unit);
            return Ok(());
        }
        if let Some(player) = player
            && let Some(refusal) = self.unanswered_late_refusal(player, request, unit)?
        {
            self.defer(client, request, refusal, unit);
            return Ok(());
        }
        if let (Some(player), Request::Forget { id }) = (player, request)
            && !self.is_playing(player)
            && unit.transaction_mut().answer(player, id)?.is_none()
        {
            return self.forget_at_own_request(client, player, id, unit);
        }
        self.do_and_answer(client, request, None, unit)
    }

    /// Carries out and answers a request. With `late`, a request without a stored answer is refused
    /// for this reason.
    fn do_and_answer(
        &mut self,
        client: ClientId,
        request: &Request,
        late: Option<Refusal>,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        let refused = self.do_once(client, request, late, unit)?;
        let player = self.connections.player_of(client);
        match (request, refused, player) {
            (Request::Settings { id, .. }, None, Some(player)) => {
                self.publish_settings(player, client, Some(id.clone()), unit);
            }
            (
                Request::CreateLink { id, .. }
                | Request::RevokeLink { id, .. }
                | Request::Links { id },
                None,
                Some(player),
            ) => self.publish_links(player, client, id, unit)?,
            _ => {}
        }
        if let Some(refusal) = refused {
            let seq = player.map_or(0, |player| self.last_seq(player));
            self.refuse(client, seq, refusal, request.id().clone(), unit);
        }
        if let Request::Resume { after, .. } = request {
            let granted = refused.is_none().then_some(*after);
            unit.publish(client, HubDelivery::Resumed(granted));
        }
        self.publish_done(client, unit);
        Ok(())
    }

    /// Carries out a request unless it has been carried out before. Returns the reason for a
    /// refusal.
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
        let before = self.last_seq(player);
        let digest = digest(request);
        if let Some(answer) = unit.transaction_mut().answer(player, id)? {
            return match answer.refusal {
                _ if answer.digest != digest => Ok(Some(Refusal::IdReused)),
                None => self.answer_again(client, player, answer, unit),
                refused => Ok(refused),
            };
        }
        if matches!(request, Request::Resume { after, .. } if *after <= before) {
            // A `resume` is idempotent: no answer has to be kept.
            return Ok(None);
        }
        if !self.answers.quota.has_request_left(player, unit.now()) {
            return Ok(Some(Refusal::TooFast));
        }
        if let Request::Settings { .. }
        | Request::CreateLink { .. }
        | Request::RevokeLink { .. }
        | Request::Links { .. } = request
        {
            return self.change_player(client, player, request, unit);
        }
        let asked = match late {
            Some(late) => Err(late),
            None => self.room_command(player, request, unit)?,
        };
        let done = asked.and_then(|command| self.room.step(&command, unit.now()));
        let refusal = done.as_ref().err().copied();
        if refusal.is_none_or(Refusal::is_stored) {
            let messages = MessageRange::new_after(before, self.last_seq(player));
            let answer = Answer {
                digest,
                messages,
                refusal,
            };
            self.answers.save(player, id, answer, unit)?;
        }
        if let Ok(effects) = done {
            self.persist(&effects, Some((player, id)), unit)?;
            if let Request::Choose { game, with, .. } = *request
                && with == Some(OpponentFilter::House)
            {
                self.match_with_house(game, OpponentChoice::House, unit)?;
            }
        }
        Ok(refusal)
    }

    /// Carries out a request about the player themself, whose answer is not a numbered message.
    /// Returns the reason for a refusal.
    fn change_player(
        &mut self,
        client: ClientId,
        player: PlayerId,
        request: &Request,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<Option<Refusal>, StoreError> {
        let refusal = self.change_links(player, request, unit)?.err();
        if refusal.is_none_or(Refusal::is_stored) && !matches!(request, Request::Links { .. }) {
            let seq = self.last_seq(player);
            let answer = Answer {
                digest: digest(request),
                messages: MessageRange::new_after(seq, seq),
                refusal,
            };
            self.answers.save(player, request.id(), answer, unit)?;
        }
        if let Request::Settings {
            name, watchable, ..
        } = request
            && self.apply_settings(player, name.clone(), *watchable, unit)
        {
            for other in self.connections.clients_of(player).to_vec() {
                if other != client {
                    self.publish_settings(player, other, None, unit);
                }
            }
        }
        Ok(refusal)
    }

    /// Command for a request, or the reason for a refusal.
    fn room_command(
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
                secret,
                ..
            } => {
                let choice = GameChoice {
                    kind: game,
                    seed_hash,
                    with,
                    secret,
                };
                self.build_choose_command(player, choice, unit)
            }
            Request::Cancel { game, .. } => {
                self.prepare_rematch_withdrawal(player, unit)?;
                Ok(Ok(Command::Cancel { player, kind: game }))
            }
            Request::Seed { .. } | Request::Decide { .. } => {
                Ok(move_command(player, request).ok_or(Refusal::BadAfter))
            }
            // These have been carried out at this point.
            Request::Settings { .. }
            | Request::CreateLink { .. }
            | Request::RevokeLink { .. }
            | Request::Links { .. } => Ok(Err(Refusal::BadMessage)),
            // A player who is not in a game has already been forgotten at this point.
            Request::Forget { .. } => Ok(Err(Refusal::Playing)),
            // The session answers the other requests, except a `resume` after a message that has
            // not been sent yet.
            Request::Hello { .. }
            | Request::People { .. }
            | Request::Resume { .. }
            | Request::Games { .. }
            | Request::Figures { .. }
            | Request::Score { .. }
            | Request::Ladder { .. }
            | Request::Watch { .. } => Ok(Err(Refusal::BadAfter)),
        }
    }

    /// Tells a client the settings of its player; `id` is that of the client's request, if it made
    /// one.
    fn publish_settings(
        &self,
        player: PlayerId,
        client: ClientId,
        id: Option<RequestId>,
        unit: &mut UnitOfWork<'_>,
    ) {
        if let Some(known) = self.room.player(player) {
            let settings = Message::Settings {
                name: known.name.clone(),
                watchable: known.watchable,
                in_reply_to: id,
            };
            unit.publish(client, HubDelivery::new_answer(known.seq, settings));
        }
    }

    /// Sends once more the messages that answered the request when it was granted.
    fn answer_again(
        &self,
        client: ClientId,
        player: PlayerId,
        answer: Answer,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<Option<Refusal>, StoreError> {
        for message in unit.transaction_mut().messages(player, answer.messages)? {
            let StoredMessage {
                body, in_reply_to, ..
            } = complete_stored_message(message, |opponent| self.read_name(opponent, unit))?;
            unit.publish(client, HubDelivery::Answer { body, in_reply_to });
        }
        Ok(None)
    }

    /// Answers a request with a refusal.
    pub(super) fn refuse(
        &self,
        client: ClientId,
        seq: u64,
        refusal: Refusal,
        id: RequestId,
        unit: &mut UnitOfWork<'_>,
    ) {
        self.metrics.count_refusal(refusal);
        debug!(self.log, "refused"; "connection" => client.0, "code" => %refusal);
        if let Some(known) = self.connections.client(client) {
            let message = refusal_message(known.catalogue, refusal, id);
            unit.publish(client, HubDelivery::new_answer(seq, message));
        }
    }
}

/// Digest that distinguishes requests with the same `id`.
fn digest(request: &Request) -> Hex<16> {
    let body = serde_json::to_vec(request).expect("requests are plain values");
    Hex::from_hash(&blake3::hash(&body))
}

/// Room command for a `seed` or `decide` request; `None` for all others.
fn move_command(player: PlayerId, request: &Request) -> Option<Command> {
    Some(match *request {
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
        _ => return None,
    })
}

// Requests after their deadline. A copy of a late request may have been sent in time and may still
// be on its way, over another connection or from the room's previous owner.
impl Hub {
    /// Reason to refuse a late request whose timeout has not been applied yet. A request that was
    /// answered before is not late.
    fn unanswered_late_refusal(
        &mut self,
        player: PlayerId,
        request: &Request,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<Option<Refusal>, StoreError> {
        let refusal = self.late_refusal(player, request, unit.arrival_time());
        if refusal.is_some()
            && unit
                .transaction_mut()
                .answer(player, request.id())?
                .is_some()
        {
            return Ok(None);
        }
        Ok(refusal)
    }

    /// Refusal of a request that was `asked` after its deadline, as long as the timeout has not
    /// been applied yet.
    fn late_refusal(
        &self,
        player: PlayerId,
        request: &Request,
        asked: TableTime,
    ) -> Option<Refusal> {
        let command = move_command(player, request)?;
        self.room.refusal_of_late_move(&command, asked)
    }

    /// Defers the answer to a late request.
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
            arrived: unit.arrival_time(),
        });
    }

    /// Answers deferred requests whose timeout has been applied: with the answer to a copy of the
    /// request that came in time, or with a refusal.
    pub(super) fn answer_deferred_requests(
        &mut self,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        for deferred in std::mem::take(&mut self.answers.deferred) {
            // A client that disconnected can resend the request when it reconnects.
            let Some(player) = self.connections.player_of(deferred.client) else {
                continue;
            };
            if self
                .late_refusal(player, &deferred.request, deferred.arrived)
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

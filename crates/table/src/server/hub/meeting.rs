//! Who wants to play with somebody in particular, and whom that concerns.

use super::UnitOfWork;
use super::state::Hub;
use crate::protocol::{PlayerId, Refusal, Request, Whom};
use crate::room::{Activity, Command, Match, Meeting, RoomEvent, Standing};
use crate::server::rooms::RoomNumber;
use crate::server::store::{Claim, StoreError};
use std::collections::BTreeSet;
use war::support::hex::Hex;
use war::tokens::{Kind, TokenEvent};

impl Hub {
    /// Where a player has to ask for a game instead of here, if they do.
    ///
    /// Those who want anyone may be sent on under load. Those who want somebody in particular meet
    /// in one room, whatever room they were in when they asked.
    pub(super) fn elsewhere(&mut self, player: PlayerId, request: &Request) -> Option<RoomNumber> {
        let Request::Choose { game, with, .. } = request else {
            return None;
        };
        let activity = self.room.player(player).map(|known| known.activity);
        let Some(whom) = with else {
            return self.overflow(*game).filter(|_| activity.is_none());
        };
        let place = self.location.rooms.private(*whom)?;
        let free = activity.is_none_or(|activity| activity == Activity::Free);
        (free && place != self.location.room).then_some(place)
    }

    /// What a player asks of the room who chooses a game, or why that is not granted.
    pub(super) fn choice(
        &mut self,
        player: PlayerId,
        kind: Kind,
        seed_hash: Hex<32>,
        with: Option<Whom>,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<Result<Command, Refusal>, StoreError> {
        let meeting = match with {
            None => Meeting::Anyone,
            Some(Whom::House) if !self.house_is_open => return Ok(Err(Refusal::HouseClosed)),
            Some(Whom::House) => Meeting::House,
            Some(Whom::Invitation(code)) => Meeting::Invitation(code),
            Some(Whom::Accept(code)) => {
                let meeting = Meeting::Invitation(code);
                match self.room.would_meet(player, kind, meeting) {
                    None => return Ok(Err(Refusal::NotInvited)),
                    // One who is gone for a while finds the invitation as it was.
                    Some(other) if self.is_gone(other, unit.now()) => {
                        return Ok(Err(Refusal::InviterAway));
                    }
                    Some(_) => meeting,
                }
            }
            Some(Whom::Rematch(_)) if !self.allowances.has_wish(player, unit.now()) => {
                return Ok(Err(Refusal::TooFast));
            }
            Some(Whom::Rematch(game)) => match self.opponent_in(player, game, kind, unit)? {
                Some(opponent) => {
                    self.bring(opponent, unit)?;
                    Meeting::Rematch { game, opponent }
                }
                None => return Ok(Err(Refusal::NoRematch)),
            },
        };
        self.make_way(player, kind, meeting, unit)?;
        Ok(Ok(Command::Choose {
            player,
            kind,
            meeting,
            seed_hash,
            secret: self.randomness.secret(),
        }))
    }

    /// Who played this game against a player to its end and may play once more: a person who is
    /// still welcome.
    fn opponent_in(
        &self,
        player: PlayerId,
        game: u64,
        kind: Kind,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<Option<PlayerId>, StoreError> {
        let events = unit.store().game(game)?;
        let Some(RoomEvent::Matched(Match { seats, .. })) =
            events.first().filter(|event| is_of(event, kind))
        else {
            return Ok(None);
        };
        let opponent = match *seats {
            [one, other] if one == player => other,
            [one, other] if other == player => one,
            _ => return Ok(None),
        };
        let is_over = events.last().is_some_and(is_settled);
        let known = match self.room.player(opponent) {
            Some(known) => known.clone(),
            None => unit.store().player(opponent)?,
        };
        let may_play = !known.house && known.standing == Standing::Welcome;
        Ok((is_over && may_play).then_some(opponent))
    }

    /// Brings the opponent here whom it concerns that a player waits no longer.
    pub(super) fn bring_opponent_of(
        &mut self,
        player: PlayerId,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        match self.room.player(player).map(|known| known.activity) {
            Some(Activity::Waiting(_, Meeting::Rematch { opponent, .. })) => {
                self.allowances.withdraw(player, unit.now());
                self.bring(opponent, unit)
            }
            _ => Ok(()),
        }
    }

    /// Brings a player here to whom something will be said, if they are in no other room.
    fn bring(&mut self, player: PlayerId, unit: &mut UnitOfWork<'_>) -> Result<(), StoreError> {
        if self.room.player(player).is_some() {
            return Ok(());
        }
        let claimed = unit.store().claim(&BTreeSet::from([player]))?;
        if let Some((_, Claim::Ours(known))) = claimed.into_iter().next() {
            self.room.admit(player, known);
            unit.touch(player);
        }
        Ok(())
    }
}

/// Whether it is the beginning of a game of this kind.
fn is_of(event: &RoomEvent, kind: Kind) -> bool {
    matches!(event, RoomEvent::Matched(matched) if matched.kind == kind)
}

/// Whether it is the end of a game.
const fn is_settled(event: &RoomEvent) -> bool {
    let RoomEvent::Played { event, .. } = event else {
        return false;
    };
    matches!(event, TokenEvent::Settled { .. })
}

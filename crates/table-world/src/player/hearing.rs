use super::{Player, Stage, remember, unnamed};
use crate::broken::{Lawful, law};
use crate::laws::Messages;
use war_table::fair::Unfair;
use war_table::room::{Message, Refusal, Request, RequestId, Sent};

/// What a player does with what they heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Heard {
    /// Nothing yet.
    Nothing,
    /// They may have something to do.
    Turn,
    /// What they asked for can't be done now.
    Again,
    /// They are known on this connection, and ask for what they missed.
    Resume,
    /// This connection is of no use.
    Leave,
    /// A game is over.
    Over,
}

impl Player {
    /// Takes a message of a connection; deadlines count from when it was written first, which
    /// only the world knows.
    pub(crate) fn hear(&mut self, line: u64, text: &str, written: &Messages) -> Lawful<Heard> {
        let sent: Result<Sent, _> = serde_json::from_str(text);
        let Ok(sent) = sent else {
            law("messages can be read", false, || text.to_owned())?;
            return Ok(Heard::Nothing);
        };
        match &sent.message {
            Message::Welcome { player, .. } => {
                if self.before.contains(player) {
                    let is_old = !self.floors.contains_key(&line);
                    law("who was forgotten is somebody new", is_old, || {
                        text.to_owned()
                    })?;
                    return Ok(Heard::Leave);
                }
                if self.may_be_forgotten() && self.id != Some(*player) {
                    // That it was done was said over a connection that was lost.
                    self.is_forgotten();
                }
                let known = self.id.is_none_or(|id| id == *player);
                law("a token is one player", known, || text.to_owned())?;
                self.id = Some(*player);
                self.welcome(line, &sent)
            }
            Message::Forgotten { .. } => {
                let asked = self.may_be_forgotten();
                law("who did not ask is not forgotten", asked, || {
                    text.to_owned()
                })?;
                self.is_forgotten();
                Ok(Heard::Leave)
            }
            Message::Error {
                code, in_reply_to, ..
            } => self.refused(*code, in_reply_to.as_ref()),
            _ => self.numbered(line, &sent, written),
        }
    }

    fn welcome(&mut self, line: u64, sent: &Sent) -> Lawful<Heard> {
        let floor = self.floors.get(&line).copied().unwrap_or_default();
        law("nothing that was heard is lost", sent.seq >= floor, || {
            format!("{} after {floor}", sent.seq)
        })?;
        if sent.seq < self.checks.seq() {
            // They heard more over another one since it was opened.
            return Ok(Heard::Leave);
        }
        let returns = self.checks.table().is_some();
        fair(self.checks.heard(sent))?;
        self.lines.insert(line, Some(self.checks.seq()));
        Ok(if returns { Heard::Resume } else { Heard::Turn })
    }

    /// Takes a message of the sequence, which may have come before.
    fn numbered(&mut self, line: u64, sent: &Sent, written: &Messages) -> Lawful<Heard> {
        let seq = sent.seq;
        let Some(Some(cursor)) = self.lines.get_mut(&line) else {
            return Ok(Heard::Nothing);
        };
        law("messages come without gap", seq <= *cursor + 1, || {
            format!("{seq} after {cursor} to {:?}", self.id)
        })?;
        *cursor = (*cursor).max(seq);
        let sent = unnamed(sent);
        if seq <= self.checks.seq() {
            let before = self.heard.iter().find(|heard| heard.seq == seq);
            let same = before.is_none_or(|heard| *heard == sent);
            law("the same number is the same message", same, || {
                format!("{sent:?} was {before:?}")
            })?;
            return Ok(Heard::Turn);
        }
        self.ahead.insert(seq, sent);
        let mut heard = Heard::Nothing;
        while let Some(next) = self.ahead.remove(&(self.checks.seq() + 1)) {
            fair(self.checks.heard(&next))?;
            self.answered(&next.message);
            let at = self.id.and_then(|id| written.at(id, next.seq));
            self.enter(&next.message, at.unwrap_or_default());
            heard = match next.message {
                Message::Result { .. } => Heard::Over,
                _ => Heard::Turn,
            };
            remember(&mut self.heard, next);
        }
        Ok(heard)
    }

    /// Goes to where a message leads.
    fn enter(&mut self, message: &Message, at: u64) {
        match message {
            Message::Result { game_id, .. } => {
                (self.last, self.wanted) = (Some((*game_id, self.kind)), false);
            }
            Message::RematchWanted { game_id } | Message::RematchWithdrawn { game_id } => {
                let is_last = self.last.is_some_and(|(last, _)| last == *game_id);
                let wanted = matches!(message, Message::RematchWanted { .. });
                self.wanted = is_last && wanted;
            }
            _ => {}
        }
        self.stage = match *message {
            Message::Waiting { .. } => Stage::Waiting,
            Message::Cancelled { .. } | Message::Draining { .. } | Message::Result { .. } => {
                Stage::Free
            }
            Message::Started {
                game_id, left_ms, ..
            } => Stage::Started(game_id, at + left_ms),
            Message::Seeded { .. } => Stage::Seeded,
            Message::Dealt {
                game_id,
                deal,
                left_ms,
                ..
            }
            | Message::Redealt {
                game_id,
                deal,
                left_ms,
                ..
            } => Stage::Dealt(game_id, deal, at + left_ms),
            Message::Decided { .. } => Stage::Decided,
            Message::Clock { left_ms, .. } => match self.stage {
                Stage::Started(game, _) => Stage::Started(game, at + left_ms),
                Stage::Dealt(game, deal, _) => Stage::Dealt(game, deal, at + left_ms),
                other => other,
            },
            _ => self.stage,
        };
    }

    /// Waits no longer for an answer that a message is.
    fn answered(&mut self, message: &Message) {
        let Some(asked) = &self.asked else {
            return;
        };
        let is_it = match (&asked.request, message) {
            (Request::Choose { .. }, Message::Waiting { .. } | Message::Started { .. })
            | (Request::Cancel { .. }, Message::Cancelled { .. } | Message::Draining { .. }) => {
                true
            }
            (Request::Seed { game_id, .. }, Message::Seeded { game_id: game }) => game_id == game,
            (
                Request::Decide { game_id, deal, .. },
                Message::Decided {
                    game_id: game,
                    deal: dealt,
                    ..
                },
            ) => (game_id, deal) == (game, dealt),
            _ => false,
        };
        if is_it {
            self.asked = None;
        }
    }

    /// Takes that a request is not granted: the same one is always refused for the same reason.
    fn refused(&mut self, code: Refusal, id: Option<&RequestId>) -> Lawful<Heard> {
        let Some(id) = id else {
            law("requests can be read", false, || code.to_string())?;
            return Ok(Heard::Nothing);
        };
        if code == Refusal::Unavailable {
            return Ok(self.waits_longer(id));
        }
        let known = self.refused.iter().find(|(known, _)| known == id);
        let same = known.is_none_or(|(_, before)| *before == code || !code.is_kept());
        law("a request is always answered the same", same, || {
            format!("{id:?} {code} was {known:?}")
        })?;
        if code.is_kept() {
            if known.is_none() {
                remember(&mut self.refused, (id.clone(), code));
            }
        } else {
            // Asked again it would be a new request.
            let name = format!("\"{}\"", id.as_str());
            self.recent.retain(|text| !text.contains(&name));
        }
        let asked = self.asked.take_if(|asked| asked.request.id() == id);
        if asked.is_none() && code == Refusal::TooManyConnections {
            return Ok(Heard::Leave);
        }
        Ok(Heard::Turn)
    }

    /// What was asked for can't be done now: it is asked for again, by the same name; who they are
    /// and what they have, over another connection.
    fn waits_longer(&mut self, id: &RequestId) -> Heard {
        let name = format!("\"{}\"", id.as_str());
        match &mut self.asked {
            Some(asked) if asked.request.id() == id => {
                asked.at = 0;
                Heard::Again
            }
            _ if self.recent.iter().any(|text| text.contains(&name)) => Heard::Nothing,
            _ => Heard::Leave,
        }
    }

    /// Learns that a connection is gone.
    pub(crate) fn loses(&mut self, line: u64) {
        self.lines.remove(&line);
        self.floors.remove(&line);
        // Over another one they may come twice, and must come once.
        if self.lines.is_empty() {
            self.ahead.clear();
        }
    }
}

/// What players check on their own.
fn fair(checked: Result<(), Unfair>) -> Lawful {
    let unfair = checked.err();
    law("the table plays fair", unfair.is_none(), || {
        unfair.map(|unfair| unfair.to_string()).unwrap_or_default()
    })
}

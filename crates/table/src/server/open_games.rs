//! The games that others may watch, which are looked up once a second however many ask.

use super::looks::{Look, Sight};
use crate::room::{Message, WatchedGame};
use std::sync::{Mutex, PoisonError};

/// For how long what was looked up is shown, in milliseconds.
const SHOWN: u64 = 1_000;

/// What was looked up last, and when.
#[derive(Default)]
pub(super) struct OpenGames(Mutex<Option<(u64, Vec<WatchedGame>)>>);

impl OpenGames {
    /// The answer to somebody who asks which games they may watch, if that is known at this time.
    pub(super) fn answer(&self, look: &Look, now: u64) -> Option<Message> {
        if look.at != (Sight::Watch { game: None }) {
            return None;
        }
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, games) = kept.as_ref().filter(|(at, _)| now < at + SHOWN)?;
        Some(Message::Watched {
            games: games.clone(),
            in_reply_to: look.id.clone(),
        })
    }

    /// Keeps what was looked up at this time, where it is that.
    pub(super) fn keep(&self, at: &Sight, answer: &Message, now: u64) {
        if let (Sight::Watch { game: None }, Message::Watched { games, .. }) = (at, answer) {
            let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            *kept = Some((now, games.clone()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::OpenGames;
    use crate::room::{Message, PlayerId, RequestId};
    use crate::server::looks::{Look, Sight};

    #[test]
    fn what_was_looked_up_is_shown_for_a_second() {
        let open = OpenGames::default();
        let look = |id: &str, game| Look {
            player: PlayerId(1),
            id: RequestId::new(id).expect("a name"),
            at: Sight::Watch { game },
        };
        let answer = |id: &str| Message::Watched {
            games: Vec::new(),
            in_reply_to: RequestId::new(id).expect("a name"),
        };
        let all = look("b", None);
        assert_eq!(open.answer(&all, 5_000), None);
        // One game says nothing of all.
        open.keep(&Sight::Watch { game: Some(7) }, &answer("a"), 5_000);
        assert_eq!(open.answer(&all, 5_000), None);
        open.keep(&all.at, &answer("a"), 5_000);
        assert_eq!(open.answer(&all, 5_999), Some(answer("b")));
        assert_eq!(open.answer(&look("b", Some(7)), 5_999), None);
        assert_eq!(open.answer(&all, 6_000), None);
    }
}

//! Games as the store holds them, and their journals.

use crate::room::RoomEvent;
use war::i18n::Lang;
use war::journal::CommittedGame;
use war::recording::{Settlement, write_token_journal};
use war::tokens::TokenEvent;

/// The language of the journals: a digest is over one, and every reader shows them in others.
const LANG: Lang = Lang::En;

/// A game that is over.
pub(super) struct Played {
    committed: CommittedGame,
    events: Vec<TokenEvent>,
}

impl Played {
    /// The game of these events, where they are those of a game that is over.
    pub(super) fn of(stored: &[RoomEvent]) -> Option<Self> {
        let (first, played) = stored.split_first()?;
        let RoomEvent::Matched(matched) = first else {
            return None;
        };
        let mut events = vec![matched.opening()];
        events.extend(played.iter().filter_map(|event| match event {
            RoomEvent::Played { event, .. } => Some(event.clone()),
            _ => None,
        }));
        let committed = CommittedGame {
            rules: matched.rules(),
            game: matched.game,
            commitment: matched.secret.commitment(),
            secret: matched.secret,
        };
        let over = matches!(events.last(), Some(TokenEvent::Settled { .. }));
        over.then_some(Self { committed, events })
    }

    /// What this program says in the game's journal; `None` where the events don't fit together.
    pub(super) fn settlement(&self, engine: &str) -> Option<Settlement> {
        Settlement::of(engine, self.committed, LANG, &self.events).ok()
    }

    /// The game's journal, with what was said in it when the game was over.
    ///
    /// Where that was not kept, since an earlier program played the game, it is what this program says of
    /// it in a language.
    pub(super) fn journal(
        &self,
        kept: Option<&Settlement>,
        engine: &str,
        lang: Lang,
    ) -> Option<Vec<u8>> {
        let journal = match kept {
            Some(kept) => kept.journal(self.committed, &self.events),
            None => write_token_journal(engine, self.committed, lang, &self.events),
        };
        journal.ok()
    }
}

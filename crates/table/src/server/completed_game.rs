//! Finished games from the store, and their journals.

use crate::room::RoomEvent;
use war::i18n::Lang;
use war::journal::CommittedGame;
use war::recording::{RecordingMetadata, write_token_journal};
use war::tokens::TokenEvent;

/// Language of the journals. A digest covers one language; readers can show the game in any.
const LANG: Lang = Lang::En;

/// Finished game, built from its events.
pub(super) struct CompletedGame {
    committed: CommittedGame,
    events: Vec<TokenEvent>,
}

impl CompletedGame {
    /// Creates the game from its stored events; `None` if the game is not finished.
    pub(super) fn from_events(stored: &[RoomEvent]) -> Option<Self> {
        let (first, played) = stored.split_first()?;
        let RoomEvent::Matched(matched) = first else {
            return None;
        };
        let mut events = vec![matched.first_event()];
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

    /// Computes the settlement of the journal; `None` if the events are inconsistent.
    pub(super) fn compute_settlement(&self, engine: &str) -> Option<RecordingMetadata> {
        RecordingMetadata::from_events(engine, self.committed, LANG, &self.events).ok()
    }

    /// Writes the journal with the settlement stored when the game ended.
    ///
    /// Early versions of the program stored no settlement. For their games, the settlement is
    /// computed for `lang`.
    pub(super) fn write_journal(
        &self,
        kept: Option<&RecordingMetadata>,
        engine: &str,
        lang: Lang,
    ) -> Option<Vec<u8>> {
        let journal = match kept {
            Some(kept) => kept.write_journal(self.committed, &self.events),
            None => write_token_journal(engine, self.committed, lang, &self.events),
        };
        journal.ok()
    }
}

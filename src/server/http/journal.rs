use crate::i18n::Lang;
use crate::journal::Committed;
use crate::recording::token_journal;
use crate::room::RoomEvent;
use crate::tokens::TokenEvent;

/// The journal of these events, where they are those of a game that is over.
pub(super) fn recorded(engine: &str, stored: &[RoomEvent], lang: Lang) -> Option<Vec<u8>> {
    let (first, played) = stored.split_first()?;
    let RoomEvent::Matched(matched) = first else {
        return None;
    };
    let mut events = vec![matched.opening()];
    events.extend(played.iter().filter_map(|event| match event {
        RoomEvent::Played { event, .. } => Some(event.clone()),
        _ => None,
    }));
    let committed = Committed {
        rules: matched.rules(),
        game: matched.game,
        commitment: matched.secret.commitment(),
        secret: matched.secret,
    };
    let over = matches!(events.last(), Some(TokenEvent::Settled { .. }));
    let journal = over.then(|| token_journal(engine, committed, lang, &events))?;
    journal.ok()
}

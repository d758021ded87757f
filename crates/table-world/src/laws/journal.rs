use crate::broken::{Lawful, law};
use war::journal::{Committed, Verdict};
use war::recording::Settlement;
use war::replay::verify;
use war::tokens::TokenEvent;
use war_table::room::Match;

/// Replays the journal of a game that is over: it is intact, and has the digest that was told.
pub(super) fn replays(matched: &Match, events: &[TokenEvent], settlement: &Settlement) -> Lawful {
    let committed = Committed {
        rules: matched.rules(),
        game: matched.game,
        commitment: matched.secret.commitment(),
        secret: matched.secret,
    };
    let journal = settlement.journal(committed, events).unwrap_or_default();
    let judgement = verify(&journal[..]).ok();
    let digest = judgement
        .as_ref()
        .filter(|judgement| judgement.verdict() == Verdict::Verified)
        .and_then(|judgement| judgement.end())
        .map(|end| end.chain);
    law("journals verify", digest == Some(settlement.digest), || {
        format!("game {}: {judgement:?}", matched.game)
    })
}

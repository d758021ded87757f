use crate::ladder::{Game, HOUSE};
use crate::room::FinishedGame;

/// How many players of the ladder are shown.
pub(super) const SHOWN: u32 = 100;

/// A game as the ladder takes it, from the row of one of its players; nothing where it comes from
/// the row of the other one as well.
pub(super) fn ladder_game(game: &FinishedGame, opponent_is_house: bool) -> Option<Game> {
    if !opponent_is_house && game.opponent < game.player {
        return None;
    }
    let both_fold = game.yours.is_fold() && game.theirs.is_fold();
    let theirs = if both_fold {
        game.tokens
    } else {
        game.tokens.saturating_neg()
    };
    let opponent = if opponent_is_house {
        HOUSE
    } else {
        game.opponent
    };
    Some(Game {
        number: game.game,
        kind: game.kind,
        players: [game.player, opponent],
        tokens: [game.tokens, theirs],
    })
}

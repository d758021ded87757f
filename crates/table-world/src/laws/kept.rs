use crate::broken::{Lawful, law};
use std::collections::BTreeMap;
use war_table::room::{FinishedGame, PlayerId};

/// Which games are to be kept for whom, and the tokens that they moved.
#[derive(Default)]
pub(crate) struct KeptGames {
    due: BTreeMap<(u64, PlayerId), i64>,
}

impl KeptGames {
    /// A game was settled: it is kept for each of its players but the house.
    pub(super) fn settled(
        &mut self,
        game: u64,
        seats: [PlayerId; 2],
        deltas: [i64; 2],
        is_house: impl Fn(PlayerId) -> bool,
    ) {
        let players = seats.into_iter().zip(deltas);
        let players = players.filter(|(player, _)| !is_house(*player));
        self.due
            .extend(players.map(|(player, delta)| ((game, player), delta)));
    }

    /// A game is kept for a player who has so many tokens then.
    pub(super) fn kept(&mut self, game: &FinishedGame, balance: Option<i64>) -> Lawful {
        let due = self.due.remove(&(game.game, game.player));
        let fits = due == Some(game.tokens) && balance == Some(game.balance);
        law("a game is kept as it was", fits, || {
            format!("{game:?} moved {due:?} and left {balance:?}")
        })
    }

    /// A batch ends.
    pub(super) fn all_kept(&self) -> Lawful {
        law(
            "every game is kept for its players",
            self.due.is_empty(),
            || format!("{:?}", self.due),
        )
    }
}

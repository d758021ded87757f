//! Whether what is kept of a player's games fits together.

use crate::room::{FinishedGame, HandTally, Player, Tally};
use crate::tokens::Kind;
use std::collections::BTreeMap;

/// What is found of the games of one player, in the order in which they ended.
pub(super) struct Record {
    /// What operators gave in the order in which they did; negative for what they took.
    adjustments: Vec<i64>,
    /// How many of them were given before the last game that was added.
    adjusted: usize,
    /// What the player has after that game.
    balance: i64,
    is_sound: bool,
    figures: BTreeMap<(Kind, String), Tally>,
}

impl Record {
    pub(super) const fn new(adjustments: Vec<i64>) -> Self {
        Self {
            adjustments,
            adjusted: 0,
            balance: Player::OPENING_BALANCE,
            is_sound: true,
            figures: BTreeMap::new(),
        }
    }

    /// Adds the next game.
    pub(super) fn add(&mut self, game: &FinishedGame) {
        self.balance = self.balance.wrapping_add(game.tokens);
        while self.balance != game.balance
            && let Some(tokens) = self.adjustments.get(self.adjusted)
        {
            self.balance = self.balance.wrapping_add(*tokens);
            self.adjusted += 1;
        }
        self.is_sound &= self.balance == game.balance;
        let tally = self.figures.entry((game.kind, game.held())).or_default();
        *tally += Tally::of(game);
    }

    /// Whether each game left as many tokens as it must, and these are the figures of all of them.
    pub(super) fn is_sound(&self, figures: &[HandTally]) -> bool {
        let kept = figures.iter();
        let kept = kept.map(|hand| ((hand.game, hand.hand.clone()), hand.tally));
        self.is_sound && kept.collect::<BTreeMap<_, _>>() == self.figures
    }
}

/// A game whose events there are, and what is kept of it for its players.
pub struct PlayedGame {
    /// Its number.
    pub game: u64,
    /// What should be kept for each of its players, but for the balance: nothing while it runs.
    pub played: Vec<FinishedGame>,
    /// What is kept.
    pub kept: Vec<FinishedGame>,
}

impl PlayedGame {
    /// Whether the game is kept as it was played.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let same = |(played, kept): (&FinishedGame, &FinishedGame)| {
            let balance = kept.balance;
            *kept
                == FinishedGame {
                    balance,
                    ..played.clone()
                }
        };
        let mut pairs = self.played.iter().zip(&self.kept);
        self.played.len() == self.kept.len() && pairs.all(same)
    }
}

#[cfg(test)]
mod tests {
    use super::Record;
    use crate::room::{Deed, FinishedGame, PlayerId};
    use crate::tokens::Kind;

    fn game(tokens: i64, balance: i64) -> FinishedGame {
        FinishedGame {
            player: PlayerId(2),
            game: 1,
            at: 1,
            kind: Kind::Single,
            opponent: PlayerId(3),
            yours: Deed::Open,
            theirs: Deed::Forfeit,
            cards: None,
            their_cards: None,
            tokens,
            balance,
            is_public: true,
        }
    }

    fn is_sound(adjustments: &[i64], games: &[(i64, i64)]) -> bool {
        let mut record = Record::new(adjustments.to_vec());
        for (tokens, balance) in games {
            record.add(&game(*tokens, *balance));
        }
        record.is_sound
    }

    #[test]
    fn a_balance_follows_from_the_games_and_from_what_operators_gave() {
        assert!(is_sound(&[], &[(3, 1_003), (-10, 993)]));
        assert!(!is_sound(&[], &[(3, 1_004), (-10, 993)]));
        // Two adjustments between two games, and one that is still to come.
        let given = [5, -20, 100];
        assert!(is_sound(&given, &[(3, 1_003), (-10, 978)]));
        assert!(is_sound(&given, &[(3, 1_008), (-10, 978)]));
        assert!(!is_sound(&given, &[(3, 1_008), (-10, 999)]));
    }
}

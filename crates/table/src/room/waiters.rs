use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ops::Add;

/// How many players wait for anyone in each game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Waiters {
    /// In the game of a card each.
    pub single_card_game: u64,
    /// In the game of two cards each.
    pub double_card_game: u64,
}

impl Add for Waiters {
    type Output = Self;

    fn add(self, more: Self) -> Self {
        let [single, more_single] = [self, more].map(|waiters| waiters.single_card_game);
        let [double, more_double] = [self, more].map(|waiters| waiters.double_card_game);
        Self {
            single_card_game: single.saturating_add(more_single),
            double_card_game: double.saturating_add(more_double),
        }
    }
}

use super::header::{Header, RecordedRules};
use crate::rules::{Ruleset, ScreenStyle};
use crate::tokens::Seats;
use serde::Serialize;

/// What a player is called: by name, or by number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Called {
    /// A name that they gave, or X and Y.
    Name(String),
    /// The number of their seat, or at the card table their public number.
    Number(u64),
}

impl Header {
    /// What the players of the game are called, seat 1 first; `seats` are what its events told of
    /// those who play a token game.
    #[must_use]
    pub fn called(&self, seats: Option<&Seats>) -> Vec<Called> {
        match (&self.rules, seats) {
            (_, Some(Seats::Added { names, .. })) => {
                let names = names.iter().map(|name| name.as_str().to_owned());
                names.map(Called::Name).collect()
            }
            (_, Some(Seats::Committed { players, .. })) => players.map(Called::Number).into(),
            (
                RecordedRules::War {
                    rules: Ruleset::Edition(variant),
                    ..
                },
                None,
            ) if variant.screens == ScreenStyle::Rows => {
                ["X", "Y"].map(|name| Called::Name(name.to_owned())).into()
            }
            _ => (1..=u64::from(self.players)).map(Called::Number).collect(),
        }
    }
}

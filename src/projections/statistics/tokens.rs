use crate::engine::Projection;
use crate::tokens::{Decision, TokenEvent, TokenGame};

/// The numbers of a token game.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TokenStatistics {
    deals: u32,
    ties: u32,
    players: [TokenPlayer; 2],
}

/// The numbers of a player in a token game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TokenPlayer {
    /// The hands they played.
    pub played: u32,
    /// The hands they folded, those among them that time folded.
    pub folded: u32,
    /// The hands that time folded for them.
    pub timed_out: u32,
    /// What they won, negative for what they lost; `None` before the end.
    pub tokens: Option<i64>,
}

impl TokenStatistics {
    /// How often both were dealt a hand.
    #[must_use]
    pub const fn deals(&self) -> u32 {
        self.deals
    }

    /// How often both played equal hands.
    #[must_use]
    pub const fn ties(&self) -> u32 {
        self.ties
    }

    /// Both players, seat 1 first.
    #[must_use]
    pub const fn players(&self) -> &[TokenPlayer; 2] {
        &self.players
    }
}

impl Projection<TokenGame> for TokenStatistics {
    fn project(&mut self, event: &TokenEvent, game: &TokenGame, _: &mut String) {
        self.deals = game.deals();
        match event {
            TokenEvent::Tied => self.ties += 1,
            TokenEvent::Decided {
                seat,
                decision,
                timed_out,
            } => {
                if let Some(player) = self.players.get_mut(seat.index()) {
                    match decision {
                        Decision::Play => player.played += 1,
                        Decision::Fold => player.folded += 1,
                    }
                    player.timed_out += u32::from(*timed_out);
                }
            }
            TokenEvent::Settled { deltas } => {
                for (player, delta) in self.players.iter_mut().zip(deltas) {
                    player.tokens = Some(*delta);
                }
            }
            _ => {}
        }
    }
}

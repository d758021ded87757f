use super::trouble::Trouble;
use crate::cards::Card;
use crate::hex::Hex;
use crate::room::{Opponent, Reveal};
use crate::tokens::{Kind, Secret, TokenRules, commitment};

/// A game as one of its players sees it.
pub(super) struct SeenGame {
    pub(super) number: u64,
    pub(super) kind: Kind,
    /// The player's seat, counted from 0.
    pub(super) seat: usize,
    pub(super) commitment: Hex<32>,
    pub(super) seed_hashes: [Hex<32>; 2],
    pub(super) opponent: Opponent,
    /// The seed that the player is committed to.
    pub(super) seed: Hex<32>,
    pub(super) hands: Vec<Vec<Card>>,
}

impl SeenGame {
    /// Checks that the game starts with the seed that the player is committed to.
    pub(super) fn check_start(&self) -> Result<(), Trouble> {
        match self.seed_hashes.get(self.seat) {
            Some(hash) if *hash == commitment(&self.seed) => Ok(()),
            _ => Err(Trouble::Seed),
        }
    }

    /// Checks that the cards are what the seeds make them, and that these are the ones that all
    /// were committed to.
    pub(super) fn check(&self, reveal: &Reveal) -> Result<(), Trouble> {
        let secret = Secret::new(reveal.seed);
        if secret.commitment() != self.commitment {
            return Err(Trouble::Commitment);
        }
        if reveal.client_seeds[self.seat] != Some(self.seed) {
            return Err(Trouble::Seed);
        }
        for (seed, hash) in reveal.client_seeds.iter().zip(self.seed_hashes) {
            if seed.is_some_and(|seed| commitment(&seed) != hash) {
                return Err(Trouble::Seed);
            }
        }
        if reveal.deals as usize != self.hands.len() {
            return Err(Trouble::Cards);
        }
        let digits = reveal
            .client_seeds
            .map(|seed| seed.map(|seed| seed.to_string()).unwrap_or_default());
        let seeds = digits.each_ref().map(String::as_str);
        for (deal, hand) in (1..).zip(&self.hands) {
            let dealt = secret.hands(TokenRules::of(self.kind), self.number, seeds, deal);
            if dealt[self.seat] != *hand {
                return Err(Trouble::Cards);
            }
        }
        Ok(())
    }
}

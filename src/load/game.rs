use super::trouble::Trouble;
use crate::cards::Card;
use crate::hex::Hex;
use crate::room::Reveal;
use crate::tokens::{ClientSeed, Fairness, Kind, Name, Secret, TokenRules};

/// A game as one of its players sees it.
pub(super) struct SeenGame {
    pub(super) number: u64,
    pub(super) kind: Kind,
    /// The player's seat, 1 or 2.
    pub(super) seat: u8,
    pub(super) commitment: Hex<32>,
    pub(super) opponent: Name,
    /// The seed that the player gave.
    pub(super) seed: ClientSeed,
    pub(super) hands: Vec<Vec<Card>>,
}

impl SeenGame {
    /// Checks that the cards are what the seeds make them.
    pub(super) fn check(&self, reveal: &Reveal) -> Result<(), Trouble> {
        let secret = Secret::new(reveal.seed);
        if secret.commitment() != self.commitment {
            return Err(Trouble::Commitment);
        }
        let own = usize::from(self.seat == 2);
        if reveal.client_seeds[own] != self.seed {
            return Err(Trouble::Seed);
        }
        if reveal.deals as usize != self.hands.len() {
            return Err(Trouble::Cards);
        }
        let digits = reveal.client_seeds.each_ref().map(ClientSeed::digits);
        let seeds = digits.each_ref().map(String::as_str);
        for (deal, hand) in (1..).zip(&self.hands) {
            let rules = TokenRules::by(self.kind, Fairness::Added);
            let dealt = secret.hands(rules, self.number, seeds, deal);
            if dealt[own] != *hand {
                return Err(Trouble::Cards);
            }
        }
        Ok(())
    }
}

use super::finished::Finished;
use super::game::Game;
use super::unfair::Unfair;
use crate::room::{Cards, Decisions, Message, Outcome, Reveal};
use std::cmp::Ordering;
use war::tokens::{Decision, Hand, Opening, Secret, Settlement, TokenRules, commitment, compare};

impl Game {
    /// Checks that a result is what the seeds, the decisions and the stakes make it.
    pub(super) fn settled(&self, result: &Message) -> Result<Finished, Unfair> {
        let Message::Result {
            outcome,
            delta,
            decisions,
            forfeited,
            cards,
            reveal,
            digest,
            time_ms,
            ..
        } = result
        else {
            return Err(Unfair::Outcome);
        };
        let secret = Secret::new(reveal.seed);
        Unfair::Commitment.unless(secret.commitment() == self.start.commitment)?;
        let forfeits = self.forfeits(forfeited, reveal)?;
        let (decided, hands) = if forfeits.contains(&true) {
            let without_cards = self.hands.is_empty() && reveal.deals == 0;
            let undecided = decisions.is_none() && cards.is_none();
            Unfair::Forfeits.unless(without_cards && undecided)?;
            (forfeits.map(of_forfeit), [Hand::new(), Hand::new()])
        } else {
            let hands = self.last_hands(&secret, reveal)?;
            let decided = self.by_seat(decisions.as_ref())?;
            self.check_shown(cards.as_ref(), decided, &hands)?;
            (decided, hands)
        };
        let Settlement::Deltas(deltas) = Settlement::of(self.kind, decided, &hands) else {
            return Err(Unfair::Tie);
        };
        let won = match *outcome {
            Outcome::Won => deltas[self.seat] > 0,
            Outcome::Lost => deltas[1 - self.seat] > 0,
            Outcome::BothFolded => decided == [Decision::Fold; 2],
        };
        Unfair::Outcome.unless(won)?;
        Unfair::Stakes.unless(*delta == deltas[self.seat])?;
        let opening = |seed: Option<_>| seed.map_or(Opening::Forfeited, Opening::Opened);
        let dealt = reveal.deals > 0;
        Ok(Finished {
            start: self.start.clone(),
            signed: self.signed,
            seeds: reveal.client_seeds.map(opening),
            deals: reveal.deals,
            decisions: decided.map(|decision| Some(decision).filter(|_| dealt)),
            deltas,
            told: digest.zip(*time_ms).ok_or(Unfair::Unended)?,
        })
    }

    /// Who forfeited the game, by seat: that fits the seeds, and those fit their hashes.
    fn forfeits(&self, seats: &[u8], reveal: &Reveal) -> Result<[bool; 2], Unfair> {
        Unfair::Hashes.unless(reveal.seed_hashes == Some(self.start.seed_hashes))?;
        let known = seats.iter().all(|seat| [1, 2].contains(seat));
        Unfair::Forfeits.unless(known)?;
        let forfeits = [1, 2].map(|seat| seats.contains(&seat));
        match reveal.client_seeds[self.seat] {
            Some(seed) => Unfair::SeedSwapped.unless(seed == self.seed)?,
            None if forfeits[self.seat] => Unfair::Forfeit.unless(!self.has_opened())?,
            None => return Err(Unfair::SeedDropped),
        }
        if let Some(seed) = reveal.client_seeds[1 - self.seat] {
            let promised = self.start.seed_hashes[1 - self.seat];
            Unfair::OpponentSeed.unless(commitment(&seed) == promised)?;
        }
        let unopened = reveal.client_seeds.map(|seed| seed.is_none());
        Unfair::Forfeits.unless(forfeits == unopened)?;
        Ok(forfeits)
    }

    /// The hands of the last deal, by seat: all deals follow from the seeds, and all but the last
    /// one are ties.
    fn last_hands(&self, secret: &Secret, reveal: &Reveal) -> Result<[Hand; 2], Unfair> {
        Unfair::Deals.unless(reveal.deals as usize == self.hands.len())?;
        let digits = reveal
            .client_seeds
            .map(|seed| seed.map(|seed| seed.to_string()).unwrap_or_default());
        let seeds = digits.each_ref().map(String::as_str);
        let rules = TokenRules::of(self.kind);
        let mut last: Option<[Hand; 2]> = None;
        for (deal, own) in (1..).zip(&self.hands) {
            if let Some([one, other]) = &last {
                Unfair::NoTie.unless(compare(one, other) == Ordering::Equal)?;
            }
            let hands = secret.hands(rules, self.start.game, seeds, deal);
            Unfair::Cards.unless(hands[self.seat] == *own)?;
            last = Some(hands);
        }
        last.ok_or(Unfair::Deals)
    }

    /// What both decided in the end, by seat: the player as they did.
    fn by_seat(&self, decisions: Option<&Decisions>) -> Result<[Decision; 2], Unfair> {
        let decisions = decisions.ok_or(Unfair::Decision)?;
        Unfair::Decision.unless(self.decided == Some(decisions.yours))?;
        let mut by_seat = [decisions.theirs; 2];
        by_seat[self.seat] = decisions.yours;
        Ok(by_seat)
    }

    /// Checks that the cards are shown where both played, and are those that were dealt.
    fn check_shown(
        &self,
        shown: Option<&Cards>,
        decided: [Decision; 2],
        hands: &[Hand; 2],
    ) -> Result<(), Unfair> {
        let due = decided == [Decision::Play; 2];
        let fits = shown.map_or(!due, |cards| {
            let theirs = &hands[1 - self.seat];
            due && cards.yours == hands[self.seat] && cards.theirs == *theirs
        });
        Unfair::Shown.unless(fits)
    }
}

/// What a player decided by opening their seed, or not.
const fn of_forfeit(forfeited: bool) -> Decision {
    if forfeited {
        Decision::Fold
    } else {
        Decision::Play
    }
}

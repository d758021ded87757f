use crate::cards::{Chance, Rank, reorder, sorted};
use crate::engine::Event;

/// Chance as a journal recorded it: whatever an event says came of it.
///
/// The rules ask for an order of cards or for a card of a hand, and get the one of the
/// event where it fits; otherwise the cards stay as they are or the top card is drawn, and
/// the rules decide another event than the one recorded.
pub(super) struct Recorded<'a> {
    event: &'a Event,
    /// How many orders were given out.
    orders: usize,
    /// How many cards of hands were named.
    draws: usize,
}

impl<'a> Recorded<'a> {
    /// What chance brought in this event.
    pub(super) const fn of(event: &'a Event) -> Self {
        Self {
            event,
            orders: 0,
            draws: 0,
        }
    }

    fn order(&self, number: usize) -> Option<&'a [Rank]> {
        match self.event {
            Event::Collected { cards, .. } if number == 0 => Some(cards),
            Event::Drawn { takes } => takes.get(number).map(|take| &take.cards[..]),
            Event::Reshuffled { hands } => hands.get(number).map(|hand| &hand[..]),
            _ => None,
        }
    }

    /// Whether what chance brought is some order of these cards, one after the other.
    pub(super) fn has_order_of<'b>(&self, cards: impl IntoIterator<Item = &'b [Rank]>) -> bool {
        let orders = (0..).map_while(|number| self.order(number));
        orders.map(sorted).eq(cards.into_iter().map(sorted))
    }
}

impl Chance for Recorded<'_> {
    fn below(&mut self, bound: u32) -> u32 {
        let play = match self.event {
            Event::Clash { plays } | Event::FaceDown { plays } | Event::WarRound { plays, .. } => {
                plays.get(self.draws)
            }
            _ => None,
        };
        self.draws += 1;
        let index = play.map(|play| u32::from(play.index));
        index.filter(|&index| index < bound).unwrap_or(0)
    }

    fn shuffle(&mut self, cards: &mut [Rank]) {
        if let Some(order) = self.order(self.orders)
            && reorder(cards, order)
        {
            self.orders += 1;
        }
    }

    fn either(&mut self, first: Vec<Rank>, second: Vec<Rank>) -> Vec<Rank> {
        let is_second = self.order(self.orders) == Some(&second);
        if is_second { second } else { first }
    }

    fn leave(&mut self) {
        self.orders += 1;
    }
}

/// A source of chance that knows whether it was asked.
pub(super) struct Watched<'a> {
    chance: &'a mut dyn Chance,
    asked: bool,
}

impl<'a> Watched<'a> {
    pub(super) const fn new(chance: &'a mut dyn Chance) -> Self {
        let asked = false;
        Self { chance, asked }
    }

    pub(super) const fn was_asked(&self) -> bool {
        self.asked
    }
}

impl Chance for Watched<'_> {
    fn below(&mut self, bound: u32) -> u32 {
        self.asked = true;
        self.chance.below(bound)
    }

    fn shuffle(&mut self, cards: &mut [Rank]) {
        self.asked = true;
        self.chance.shuffle(cards);
    }

    fn either(&mut self, first: Vec<Rank>, second: Vec<Rank>) -> Vec<Rank> {
        self.asked = true;
        self.chance.either(first, second)
    }

    fn leave(&mut self) {
        self.chance.leave();
    }
}

#[cfg(test)]
mod tests {
    use super::Recorded;
    use crate::cards::{Chance, Rank};
    use crate::engine::{Event, Play, Seat};

    #[test]
    fn a_card_that_no_hand_holds_is_the_top_one() {
        let play = |index| Play {
            seat: Seat::FIRST,
            card: Rank::ACE,
            index,
        };
        let plays = vec![play(3), play(4)];
        let event = Event::Clash { plays };
        let mut chance = Recorded::of(&event);
        let drawn = [4, 4, 4].map(|bound| chance.below(bound));
        assert_eq!(drawn, [3, 0, 0]);
    }
}

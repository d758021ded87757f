use crate::cards::{Chance, Rank};
use crate::engine::Event;
use std::collections::VecDeque;

/// Chance as a journal recorded it: whatever an event says came of it.
///
/// The rules ask for an order of cards, and get the one of the event if it is an order of
/// these cards; otherwise they stay as they are, and the rules decide another event than
/// the one recorded.
pub(super) struct Recorded<'a> {
    orders: VecDeque<&'a [Rank]>,
}

impl<'a> Recorded<'a> {
    /// What chance brought in this event.
    pub(super) fn of(event: &'a Event) -> Self {
        let orders = match event {
            Event::Collected { cards, .. } => VecDeque::from([&cards[..]]),
            Event::Drawn { takes } => takes.iter().map(|take| &take.cards[..]).collect(),
            _ => VecDeque::new(),
        };
        Self { orders }
    }

    /// Whether what chance brought is some order of these cards, one after the other.
    pub(super) fn has_order_of<'b>(&self, cards: impl IntoIterator<Item = &'b [Rank]>) -> bool {
        let orders = self.orders.iter().map(|order| sorted(order));
        orders.eq(cards.into_iter().map(sorted))
    }
}

fn sorted(cards: &[Rank]) -> Vec<Rank> {
    let mut cards = cards.to_vec();
    cards.sort_unstable();
    cards
}

impl Chance for Recorded<'_> {
    fn below(&mut self, _bound: u32) -> u32 {
        0
    }

    fn shuffle(&mut self, cards: &mut [Rank]) {
        if let Some(order) = self.orders.front()
            && sorted(order) == sorted(cards)
        {
            cards.copy_from_slice(order);
            self.orders.pop_front();
        }
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
}

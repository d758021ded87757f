use crate::cards::{Chance, Rank};
use crate::engine::Event;
use std::collections::VecDeque;

/// Chance as a journal recorded it: whatever an event says came of it.
///
/// The rules ask for an order of cards or for a card of a hand, and get the one of the
/// event where it fits; otherwise the cards stay as they are or the top card is drawn, and
/// the rules decide another event than the one recorded.
pub(super) struct Recorded<'a> {
    orders: VecDeque<&'a [Rank]>,
    /// Where in the hands the cards put were.
    indexes: VecDeque<usize>,
}

impl<'a> Recorded<'a> {
    /// What chance brought in this event.
    pub(super) fn of(event: &'a Event) -> Self {
        let orders = match event {
            Event::Collected { cards, .. } => VecDeque::from([&cards[..]]),
            Event::Drawn { takes } => takes.iter().map(|take| &take.cards[..]).collect(),
            Event::Reshuffled { hands } => hands.iter().map(|hand| &hand[..]).collect(),
            _ => VecDeque::new(),
        };
        let plays = match event {
            Event::Clash { plays } | Event::FaceDown { plays } => &plays[..],
            Event::WarRound { plays, .. } => plays,
            _ => &[],
        };
        let indexes = plays.iter().map(|play| play.index).collect();
        Self { orders, indexes }
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
    fn below(&mut self, bound: u32) -> u32 {
        let index = self
            .indexes
            .pop_front()
            .and_then(|index| u32::try_from(index).ok());
        index.filter(|&index| index < bound).unwrap_or(0)
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

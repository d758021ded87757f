use super::parameters::Piles;
use crate::engine::{Event, Place, Table};
use hashbrown::HashTable;
use std::hash::{DefaultHasher, Hasher};

/// The memory of a game's turns: tells when all hands come back.
///
/// Of each turn only a hash of the hands is kept, some 30 bytes however many cards are played.
/// Equal hashes prove nothing, so the game is played again up to the earlier turn, from the last
/// hands before it that chance made, and the hands themselves are compared. With two piles, hands
/// are as they were only if as many of their cards are won ones.
#[derive(Debug)]
pub(super) struct Repetition {
    /// The turns by the hash of their hands: a look-up, never a walk.
    turns: HashTable<Remembered>,
    /// The tables whose hands chance made, in order.
    made: Vec<Table>,
    /// Room for the hands of one turn as bytes, kept from turn to turn.
    room: Vec<u8>,
    piles: Piles,
}

#[derive(Debug, Clone, Copy)]
struct Remembered {
    hash: u64,
    /// How many turns were played before.
    turn: u32,
}

impl Repetition {
    /// No memory yet, of a game with these piles.
    pub(super) fn new(piles: Piles) -> Self {
        Self {
            turns: HashTable::new(),
            made: Vec::new(),
            room: Vec::new(),
            piles,
        }
    }

    /// Looks at the hands at the start of a turn, and remembers them.
    ///
    /// To be called at the start of each turn, with no card on the table. `replay` plays this
    /// many turns from a table, by rules alone, and returns the table after them. The result
    /// is the number of turns that were played before the earlier turn that started with the
    /// same hands in the same order; nothing is remembered then.
    pub(super) fn visit(
        &mut self,
        table: &Table,
        replay: impl Fn(Table, u32) -> Table,
    ) -> Option<u32> {
        // Fewer turns than were played already: another game.
        if self
            .made
            .last()
            .is_none_or(|made| made.turn() > table.turn())
        {
            *self = Self::new(self.piles);
            self.made.push(table.clone());
        }
        let hash = self.hash(table);
        let same = |seen: &Remembered| {
            if seen.hash != hash {
                return false;
            }
            let made_before = |made: &Table| made.turn() <= seen.turn;
            let made = &self.made[self.made.partition_point(made_before) - 1];
            let replayed = replay(made.clone(), seen.turn - made.turn());
            self.has_same_hands(&replayed, table)
        };
        let found = self.turns.find(hash, same).map(|seen| seen.turn);
        if found.is_none() {
            let turn = table.turn();
            let remembered = Remembered { hash, turn };
            self.turns.insert_unique(hash, remembered, |seen| seen.hash);
        }
        found
    }

    /// Notes that chance made the hands that this event makes of those on this table, for the next
    /// turn.
    pub(super) fn made(&mut self, table: &Table, event: &Event) {
        let mut made = table.clone();
        // Play goes on from the same hands as it would have gone on without.
        if made.apply(event).is_ok() && !self.has_same_hands(&made, table) {
            self.made.push(made);
        }
    }

    fn has_same_hands(&self, table: &Table, other: &Table) -> bool {
        let same = |(place, other): (&Place, &Place)| {
            let counts = self.piles == Piles::One || place.won() == other.won();
            counts && place.hand() == other.hand()
        };
        let (places, others) = (table.places(), other.places());
        places.len() == others.len() && places.iter().zip(others).all(same)
    }

    fn hash(&mut self, table: &Table) -> u64 {
        self.room.clear();
        for place in table.places() {
            let cards = place.hand().iter().map(|card| card.get());
            self.room.extend(cards.chain([0]));
            if self.piles != Piles::One {
                self.room.extend(place.won().to_le_bytes());
            }
        }
        let mut hasher = DefaultHasher::new();
        hasher.write(&self.room);
        hasher.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::{Piles, Repetition};
    use crate::cards::Rank;
    use crate::engine::{Event, Place, Play, Seat, Table};

    fn hands(values: [[u8; 2]; 2]) -> Vec<Vec<Rank>> {
        let card = |value| Rank::new(value).expect("a rank");
        values.map(|hand| hand.map(card).to_vec()).to_vec()
    }

    fn dealt(values: [[u8; 2]; 2]) -> Table {
        let mut table = Table::default();
        let deal = Event::Dealt {
            hands: hands(values),
        };
        table.apply(&deal).expect("a deal");
        table
    }

    /// The table after both put their top cards, and player 1 took them.
    fn taken(mut table: Table) -> Table {
        let play = |(seat, place): (Seat, &Place)| Play {
            seat,
            card: place.hand()[0],
            index: 0,
        };
        let plays: Vec<_> = table.seated().map(play).collect();
        let cards = plays.iter().map(|play| play.card).collect();
        let seat = Seat::FIRST;
        for event in [Event::Clash { plays }, Event::Collected { seat, cards }] {
            table.apply(&event).expect("a turn");
        }
        table
    }

    const DEALT: [[u8; 2]; 2] = [[9, 9], [10, 10]];
    const OTHER: [[u8; 2]; 2] = [[10, 9], [9, 10]];

    #[test]
    fn equal_hashes_are_no_proof() {
        let table = dealt(DEALT);
        let mut repetition = Repetition::new(Piles::One);
        let others = |_, _| dealt(OTHER);
        assert_eq!(repetition.visit(&table, others), None);
        assert_eq!(repetition.visit(&table, others), None);
        assert_eq!(repetition.visit(&table, |from, _| from), Some(0));
    }

    #[test]
    fn a_turn_is_replayed_from_the_last_hands_that_chance_made() {
        let first = dealt([[9, 10], [9, 10]]);
        let mut repetition = Repetition::new(Piles::One);
        repetition.visit(&first, |_, _| Table::default());
        let hands = hands(OTHER);
        repetition.made(&first, &Event::Reshuffled { hands });
        let second = dealt(OTHER);
        repetition.visit(&second, |_, _| Table::default());
        let replayed = std::cell::RefCell::default();
        repetition.visit(&second, |from, turns| {
            *replayed.borrow_mut() = (from.clone(), turns);
            from
        });
        assert_eq!(replayed.into_inner(), (second, 0));
    }

    #[test]
    fn the_hands_of_another_game_are_not_remembered() {
        let table = dealt(DEALT);
        let later = taken(table.clone());
        let mut repetition = Repetition::new(Piles::One);
        let replay = |from, _| from;
        assert_eq!(repetition.visit(&later, replay), None);
        assert_eq!(repetition.visit(&table, replay), None);
        assert_eq!(repetition.visit(&table, replay), Some(0));
    }

    #[test]
    fn hands_with_other_numbers_of_won_cards_differ_with_two_piles() {
        let before = dealt([[9, 9], [9, 9]]);
        let after = taken(before.clone());
        let mut like_after = Table::default();
        let hands = { after.places().iter() }.map(|place| place.hand().iter().copied().collect());
        let hands = hands.collect();
        like_after.apply(&Event::Dealt { hands }).expect("a deal");
        for (piles, same) in [(Piles::One, true), (Piles::Two, false)] {
            let repetition = Repetition::new(piles);
            assert_eq!(
                repetition.has_same_hands(&after, &like_after),
                same,
                "{piles:?}"
            );
        }
    }
}

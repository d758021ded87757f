use super::parameters::Piles;
use crate::engine::{Event, Place, Table};
use hashbrown::HashTable;
use std::hash::{DefaultHasher, Hasher};

/// Detects turns that start with the hands of an earlier turn.
///
/// Only a hash of each turn's hands is kept, some 30 bytes regardless of the number of cards.
/// Since equal hashes prove nothing, a match of hashes leads to a replay up to the earlier turn,
/// from the last hands before that turn that resulted from chance, and the hands themselves are
/// compared. With two piles, hands are equal only if they have the same number of won cards.
#[derive(Debug)]
pub(super) struct RepetitionDetector {
    /// Turns by the hash of their hands.
    turns: HashTable<TurnHash>,
    /// Tables to replay turns from: the first one visited, and those after shuffles, oldest first.
    origins: Vec<Table>,
    /// Buffer for the hands of one turn as bytes.
    buffer: Vec<u8>,
    piles: Piles,
}

#[derive(Debug, Clone, Copy)]
struct TurnHash {
    hash: u64,
    /// Number of turns played before this one.
    turn: u32,
}

impl RepetitionDetector {
    /// An empty detector, for a game with these piles.
    pub(super) fn new(piles: Piles) -> Self {
        Self {
            turns: HashTable::new(),
            origins: Vec::new(),
            buffer: Vec::new(),
            piles,
        }
    }

    /// Looks up the hands at the start of a turn, and remembers new ones.
    ///
    /// Must be called at the start of each turn, with no cards on the table. `replay` plays a
    /// number of turns from a table without chance, and returns the table after them. Returns the
    /// number of turns played before the earlier turn that started with the same hands, if there
    /// was one.
    pub(super) fn find_or_record(
        &mut self,
        table: &Table,
        replay: impl Fn(Table, u32) -> Table,
    ) -> Option<u32> {
        // A lower turn number means a new game, as the turn number of one game never decreases.
        if self
            .origins
            .last()
            .is_none_or(|origin| origin.turn() > table.turn())
        {
            *self = Self::new(self.piles);
            self.origins.push(table.clone());
        }
        let hash = self.hash(table);
        let same = |seen: &TurnHash| {
            if seen.hash != hash {
                return false;
            }
            let is_before = |origin: &Table| origin.turn() <= seen.turn;
            let origin = &self.origins[self.origins.partition_point(is_before) - 1];
            let replayed = replay(origin.clone(), seen.turn - origin.turn());
            self.has_same_hands(&replayed, table)
        };
        let found = self.turns.find(hash, same).map(|seen| seen.turn);
        if found.is_none() {
            let turn = table.turn();
            let remembered = TurnHash { hash, turn };
            self.turns.insert_unique(hash, remembered, |seen| seen.hash);
        }
        found
    }

    /// Remembers that this event, which shuffles the hands by chance, starts a new sequence of
    /// turns.
    pub(super) fn add_origin(&mut self, table: &Table, event: &Event) {
        let mut origin = table.clone();
        // A shuffle that changes nothing leaves the old sequence valid.
        if origin.apply(event).is_ok() && !self.has_same_hands(&origin, table) {
            self.origins.push(origin);
        }
    }

    fn has_same_hands(&self, table: &Table, other: &Table) -> bool {
        let same = |(place, other): (&Place, &Place)| {
            let counts = self.piles == Piles::One || place.won_count() == other.won_count();
            counts && place.hand() == other.hand()
        };
        let (places, others) = (table.places(), other.places());
        places.len() == others.len() && places.iter().zip(others).all(same)
    }

    fn hash(&mut self, table: &Table) -> u64 {
        self.buffer.clear();
        for place in table.places() {
            let cards = place.hand().iter().map(|card| card.get());
            self.buffer.extend(cards.chain([0]));
            if self.piles != Piles::One {
                self.buffer.extend(place.won_count().to_le_bytes());
            }
        }
        let mut hasher = DefaultHasher::new();
        hasher.write(&self.buffer);
        hasher.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::{Piles, RepetitionDetector};
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

    /// Plays a turn in which both put their top cards and player 1 takes them.
    fn play_turn(mut table: Table) -> Table {
        let play = |(seat, place): (Seat, &Place)| Play {
            seat,
            card: place.hand()[0],
            index: 0,
        };
        let plays: Vec<_> = table.places_by_seat().map(play).collect();
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
    fn equal_hashes_prove_nothing() {
        let table = dealt(DEALT);
        let mut repetition = RepetitionDetector::new(Piles::One);
        let others = |_, _| dealt(OTHER);
        assert_eq!(repetition.find_or_record(&table, others), None);
        assert_eq!(repetition.find_or_record(&table, others), None);
        assert_eq!(repetition.find_or_record(&table, |from, _| from), Some(0));
    }

    #[test]
    fn a_turn_is_replayed_from_the_last_hands_that_chance_made() {
        let first = dealt([[9, 10], [9, 10]]);
        let mut repetition = RepetitionDetector::new(Piles::One);
        repetition.find_or_record(&first, |_, _| Table::default());
        let hands = hands(OTHER);
        repetition.add_origin(&first, &Event::Reshuffled { hands });
        let second = dealt(OTHER);
        repetition.find_or_record(&second, |_, _| Table::default());
        let replayed = std::cell::RefCell::default();
        repetition.find_or_record(&second, |from, turns| {
            *replayed.borrow_mut() = (from.clone(), turns);
            from
        });
        assert_eq!(replayed.into_inner(), (second, 0));
    }

    #[test]
    fn the_hands_of_another_game_are_not_remembered() {
        let table = dealt(DEALT);
        let later = play_turn(table.clone());
        let mut repetition = RepetitionDetector::new(Piles::One);
        let replay = |from, _| from;
        assert_eq!(repetition.find_or_record(&later, replay), None);
        assert_eq!(repetition.find_or_record(&table, replay), None);
        assert_eq!(repetition.find_or_record(&table, replay), Some(0));
    }

    #[test]
    fn hands_with_different_numbers_of_won_cards_differ_with_two_piles() {
        let before = dealt([[9, 9], [9, 9]]);
        let after = play_turn(before.clone());
        let mut like_after = Table::default();
        let hands = { after.places().iter() }.map(|place| place.hand().iter().copied().collect());
        let hands = hands.collect();
        like_after.apply(&Event::Dealt { hands }).expect("a deal");
        for (piles, same) in [(Piles::One, true), (Piles::Two, false)] {
            let repetition = RepetitionDetector::new(piles);
            assert_eq!(
                repetition.has_same_hands(&after, &like_after),
                same,
                "{piles:?}"
            );
        }
    }
}

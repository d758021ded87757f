use crate::cards::Rank;
use crate::engine::{Place, Table};
use hashbrown::HashTable;
use std::hash::{DefaultHasher, Hasher};

/// The memory of a game's turns: tells when all hands come back.
///
/// Of each turn only a hash of the hands is kept, some 30 bytes however many cards are played.
/// Equal hashes prove nothing, so the game is played again up to the earlier turn, from the last
/// hands before it that chance made, and the hands themselves are compared.
#[derive(Debug, Default)]
pub(super) struct Repetition {
    /// The turns by the hash of their hands: a look-up, never a walk.
    turns: HashTable<Remembered>,
    /// Hands that chance made, each with the number of turns played before them, in order.
    made: Vec<(u32, Hands)>,
    /// Room for the hands of one turn as bytes, kept from turn to turn.
    room: Vec<u8>,
}

#[derive(Debug, Clone, Copy)]
struct Remembered {
    hash: u64,
    /// How many turns were played before.
    turn: u32,
}

/// All hands in the order of the seats, each from its top card.
pub(super) type Hands = Vec<Vec<Rank>>;

impl Repetition {
    /// Looks at the hands at the start of a turn, and remembers them.
    ///
    /// To be called at the start of each turn, with no card on the table. `replay` plays this
    /// many turns from these hands, by rules alone, and returns the table after them. The result
    /// is the number of turns that were played before the earlier turn that started with the
    /// same hands in the same order; nothing is remembered then.
    pub(super) fn visit(
        &mut self,
        table: &Table,
        replay: impl Fn(Hands, u32) -> Table,
    ) -> Option<u32> {
        // Fewer turns than were played already: another game.
        if self
            .made
            .last()
            .is_none_or(|(turn, _)| *turn > table.turn())
        {
            *self = Self::default();
            self.made.push((table.turn(), hands(table)));
        }
        let hash = hash(table, &mut self.room);
        let same = |seen: &Remembered| {
            if seen.hash != hash {
                return false;
            }
            let before = self.made.partition_point(|(turn, _)| *turn <= seen.turn);
            let (from, made) = &self.made[before - 1];
            hands(&replay(made.clone(), seen.turn - from)) == hands(table)
        };
        let found = self.turns.find(hash, same).map(|seen| seen.turn);
        if found.is_none() {
            let turn = table.turn();
            let remembered = Remembered { hash, turn };
            self.turns.insert_unique(hash, remembered, |seen| seen.hash);
        }
        found
    }

    /// Notes that chance made these hands, for the turn after those played on this table.
    pub(super) fn made(&mut self, table: &Table, made: &Hands) {
        // Play goes on from the same hands as it would have gone on without.
        if *made != hands(table) {
            self.made.push((table.turn(), made.clone()));
        }
    }
}

fn hands(table: &Table) -> Hands {
    let hands = table.places().iter().map(Place::hand);
    hands.map(|hand| hand.iter().copied().collect()).collect()
}

fn hash(table: &Table, room: &mut Vec<u8>) -> u64 {
    room.clear();
    for place in table.places() {
        let cards = place.hand().iter().map(|card| card.get());
        room.extend(cards.chain([0]));
    }
    let mut hasher = DefaultHasher::new();
    hasher.write(room);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::{Hands, Repetition};
    use crate::cards::Rank;
    use crate::engine::{Event, Play, Table};

    fn dealt(hands: Hands) -> Table {
        let mut table = Table::default();
        let deal = Event::Dealt { hands };
        table.apply(&deal).expect("a deal");
        table
    }

    fn hands(values: [u8; 2]) -> Hands {
        let hand = |value| vec![Rank::new(value).expect("a rank")];
        values.map(hand).to_vec()
    }

    #[test]
    fn equal_hashes_are_no_proof() {
        let table = dealt(hands([9, 10]));
        let mut repetition = Repetition::default();
        let others = |_, _| dealt(hands([10, 9]));
        assert_eq!(repetition.visit(&table, others), None);
        assert_eq!(repetition.visit(&table, others), None);
        assert_eq!(repetition.visit(&table, |from, _| dealt(from)), Some(0));
    }

    #[test]
    fn a_turn_is_replayed_from_the_last_hands_that_chance_made() {
        let first = dealt(hands([9, 10]));
        let mut repetition = Repetition::default();
        repetition.visit(&first, |_, _| Table::default());
        let made = hands([10, 9]);
        repetition.made(&first, &made);
        let second = dealt(made.clone());
        repetition.visit(&second, |_, _| Table::default());
        let replayed = std::cell::RefCell::default();
        repetition.visit(&second, |from, turns| {
            *replayed.borrow_mut() = (from.clone(), turns);
            dealt(from)
        });
        assert_eq!(replayed.into_inner(), (made, 0));
    }

    #[test]
    fn the_hands_of_another_game_are_not_remembered() {
        let table = dealt(hands([9, 10]));
        let mut later = table.clone();
        let plays = later.seated().map(|(seat, place)| Play {
            seat,
            card: place.hand()[0],
            index: 0,
        });
        let plays = plays.collect();
        later.apply(&Event::Clash { plays }).expect("a turn");
        let mut repetition = Repetition::default();
        let replay = |from, _| dealt(from);
        assert_eq!(repetition.visit(&later, replay), None);
        assert_eq!(repetition.visit(&table, replay), None);
        assert_eq!(repetition.visit(&table, replay), Some(0));
    }
}

use super::Table;
use hashbrown::HashTable;
use std::hash::{DefaultHasher, Hasher};

/// The memory of a game's turns: tells when all hands come back.
///
/// Every state is kept whole, so a hit is a proof and the first repetition is found
/// when it happens. One turn takes a byte a card and a seat, and about ten bytes of
/// index: some 70 bytes for five players with 52 cards.
#[derive(Debug, Default)]
pub struct Repetition {
    /// The states one after the other, all of the same length.
    states: Vec<u8>,
    /// The numbers of the states, by hash: a look-up, never a walk.
    index: HashTable<u32>,
}

impl Repetition {
    /// Looks at the hands at the start of a turn, and remembers them.
    ///
    /// To be called at the start of each turn, with no card on the table. The result
    /// is the earlier turn, counted from 1, that started with the same hands in the
    /// same order; nothing is remembered then.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::cards::Rank;
    /// use war::engine::{Event, Repetition, Table};
    ///
    /// let mut table = Table::default();
    /// table.apply(&Event::Dealt { hands: vec![vec![Rank::ACE]; 2] }).unwrap();
    /// let mut memory = Repetition::default();
    /// assert_eq!(memory.visit(&table), None);
    /// assert_eq!(memory.visit(&table), Some(1));
    /// ```
    ///
    /// # Panics
    ///
    /// After 2³² - 1 turns.
    pub fn visit(&mut self, table: &Table) -> Option<u32> {
        let start = self.states.len();
        for place in table.places() {
            let cards = place.hand().iter().map(|card| card.get());
            self.states.extend(cards.chain([0]));
        }
        let (earlier, state) = self.states.split_at(start);
        let length = state.len();
        let number = |start: usize| u32::try_from(start / length).expect("fewer than 2^32 turns");
        let stored = |number: u32| &earlier[number as usize * length..][..length];

        let found = self.index.find(hash(state), |&seen| stored(seen) == state);
        if let Some(&seen) = found {
            self.states.truncate(start);
            return Some(seen + 1);
        }
        let rehash = |&seen: &u32| {
            hash(if seen == number(start) {
                state
            } else {
                stored(seen)
            })
        };
        self.index.insert_unique(hash(state), number(start), rehash);
        None
    }
}

fn hash(state: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(state);
    hasher.finish()
}

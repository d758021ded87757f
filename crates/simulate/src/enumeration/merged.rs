//! All deals of a deck, merged: many deals are one game after the first pass over both hands.
//!
//! Every pair of the first pass is put before any card comes back. What is left of it is each
//! player's sequence of won blocks (a war and what it took, or one pair) and the pot of a war
//! that is still open. In which order the blocks of one player were won between those of the
//! other is lost: `a` and `b` blocks came about in `a + b` over `a` ways. So such a state
//! is played once, and counts that often. Where there is one card of each rank, two neighbouring
//! ranks are twins until they meet.

#[cfg(target_arch = "x86_64")]
use super::avx2::Avx2;
#[cfg(target_arch = "x86_64")]
use super::avx512::Avx512;
use super::batch::Batch;
use super::exact::Exact;
use super::state::Layout;
use super::sum::Sum;
use super::walk::{Walk, beginnings, longer};
use war::cards::Deck;
use war::rules::{Collect, OutOfCards, Parameters, Piles, Repeated};

/// How many parts there are at least, where the deck has so many.
const PARTS: usize = 1_500;
/// How many are enough where each has no more deals than this.
const FEW_PARTS: usize = 16;
const FEW_DEALS: u64 = 2_000_000;

/// How many pairs are left open in a sample.
const SAMPLED: u32 = 4;

/// All deals of a deck by rules that let them be merged.
#[derive(Debug, Clone)]
pub(super) struct Merged {
    layout: Layout,
    parts: Vec<Vec<u8>>,
    #[cfg(target_arch = "x86_64")]
    vectors: Option<Vectors>,
}

/// Code for this processor.
#[cfg(target_arch = "x86_64")]
#[derive(Debug, Clone, Copy)]
enum Vectors {
    Avx512(Avx512),
    Avx2(Avx2),
}

impl Merged {
    /// The deals of a deck by these rules, if they can be merged.
    ///
    /// Nothing may lie face down, wars are taken as in bataille, and a player without a card
    /// loses: short of cards, each puts the last one.
    pub(super) fn new(parameters: &Parameters, deck: Deck, deals: u64) -> Option<Self> {
        let rules = parameters.face_down == 0
            && parameters.collect == Collect::Bataille
            && parameters.piles == Piles::One
            && parameters.repetition == Repeated::Ends
            && parameters.limit.is_none();
        let out = matches!(
            parameters.out_of_cards,
            OutOfCards::Loses | OutOfCards::LastCard
        );
        let even = deck.size().is_multiple_of(2);
        let layout = Layout::new(deck).filter(|_| rules && out && even)?;
        let is_enough = |parts: &Vec<_>| {
            let are_small = deals / parts.len() as u64 <= FEW_DEALS;
            parts.len() >= PARTS || are_small && parts.len() >= FEW_PARTS
        };
        let mut parts = (0..layout.pairs()).map(|pairs| beginnings(layout, pairs));
        let all = || beginnings(layout, layout.pairs());
        Some(Self {
            layout,
            parts: parts.find(is_enough).unwrap_or_else(all),
            #[cfg(target_arch = "x86_64")]
            vectors: Avx512::new(layout)
                .map(Vectors::Avx512)
                .or_else(|| Avx2::new(layout).map(Vectors::Avx2)),
        })
    }

    /// The same, played by this method or by the next slower one that can; nothing for single
    /// deals.
    pub(super) fn by(self, method: Method) -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        let vectors = match method {
            Method::Avx512 => self.vectors,
            Method::Avx2 => Avx2::new(self.layout).map(Vectors::Avx2),
            Method::Portable | Method::Single => None,
        };
        let merged = Self {
            #[cfg(target_arch = "x86_64")]
            vectors,
            ..self
        };
        (method != Method::Single).then_some(merged)
    }

    /// How the deals are played.
    pub(super) const fn method(&self) -> Method {
        #[cfg(target_arch = "x86_64")]
        match self.vectors {
            Some(Vectors::Avx512(_)) => return Method::Avx512,
            Some(Vectors::Avx2(_)) => return Method::Avx2,
            None => {}
        }
        Method::Portable
    }

    /// The number of parts that the work falls apart into.
    pub(super) fn parts(&self) -> usize {
        self.parts.len()
    }

    /// Plays the deals of a part, if there is such a one, unless it is stopped on the way.
    pub(super) fn play(&self, part: usize, goes_on: &dyn Fn() -> bool) -> Option<Exact> {
        self.play_from(self.parts.get(part)?, goes_on)
    }

    /// Plays a few deals here and there, others for each number.
    pub(super) fn play_sample(&self, number: usize) -> Exact {
        let mut beginning = self.parts[spread(number, self.parts.len())].clone();
        let sampled = 2 * self.layout.pairs().saturating_sub(SAMPLED) as usize;
        while beginning.len() < sampled {
            let mut longer = longer(&beginning, self.layout);
            let chosen = spread(number + beginning.len(), longer.len());
            beginning = longer.swap_remove(chosen);
        }
        self.play_from(&beginning, &|| true).unwrap_or_default()
    }

    /// Plays the deals that lead to states which begin with these pairs.
    fn play_from(&self, beginning: &[u8], goes_on: &dyn Fn() -> bool) -> Option<Exact> {
        let mut sum = Sum::new(self.layout);
        let mut play = |batch: &Batch| {
            self.play_batch(batch, &mut sum);
            goes_on()
        };
        let whole = Walk::new(self.layout, &mut play).from(beginning);
        whole.then(|| sum.exact())
    }

    fn play_batch(&self, batch: &Batch, sum: &mut Sum) {
        #[cfg(target_arch = "x86_64")]
        match self.vectors {
            Some(Vectors::Avx512(code)) => return code.play(batch, sum),
            Some(Vectors::Avx2(code)) => return code.play(batch, sum),
            None => {}
        }
        for at in 0..batch.states {
            sum.play(batch.state(at));
        }
    }
}

/// How all deals are played. The figures are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// One by one.
    Single,
    /// Merged, in portable code.
    Portable,
    /// Merged, with AVX2.
    Avx2,
    /// Merged, with AVX-512.
    Avx512,
}

/// A number below the end, which must not be 0, that looks as if drawn.
pub(super) const fn spread(number: usize, end: usize) -> usize {
    // A step of the golden ratio of all numbers, whose high half is scattered best.
    let scattered = (number as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
    scattered as usize % end
}

#[cfg(test)]
mod tests {
    //! Merged deals against the same deals, played one by one by the kernel for every rule.

    use crate::enumeration::batch::Batch;
    use crate::enumeration::state::{Layout, State};
    use crate::enumeration::sum::{self, End};
    use crate::enumeration::walk::{Walk, beginnings};
    use crate::game::{Conclusion, Depths};
    use crate::kernel::General;
    use std::collections::BTreeMap;
    use war::cards::{Deck, Rank};
    use war::rules::Parameters;

    /// How many deals end in which way.
    type Ends = BTreeMap<(u64, u64, bool, u32), u64>;

    /// Adds the deals of a state to those that end like it; nothing is added where twins meet.
    fn add(ends: &mut Ends, state: State, end: End) {
        let end = match end {
            End::Endless { period } => (0, 0, false, period),
            End::Over {
                turns,
                pairs,
                drawn,
            } => (turns, pairs, drawn, 0),
            End::Twins(_) => return,
        };
        *ends.entry(end).or_default() += state.deals;
    }

    /// How a state ends, in every way where twins meet.
    fn ends(state: State, layout: Layout) -> Ends {
        let mut ends = Ends::new();
        let mut open = vec![state];
        while let Some(state) = open.pop() {
            let end = sum::play(state, layout);
            add(&mut ends, state, end);
            if let End::Twins(state) = end {
                open.extend(state.after_twins_met());
            }
        }
        ends
    }

    /// Plays every deal that leads to a state, and compares how it ends; the result is their number.
    fn compare(state: State, layout: Layout, general: &mut General) -> u64 {
        let mut apart = Ends::new();
        let mut deals = 0;
        for state in state.told_apart(layout) {
            let end = sum::play(state, layout);
            add(&mut apart, state, end);
            deals += compare_apart(state, end, layout, general);
        }
        assert_eq!(ends(state, layout), apart, "{state:?}");
        assert_eq!(deals, state.deals, "{state:?}");
        deals
    }

    /// The same for a state without twins, which ends like this.
    fn compare_apart(state: State, merged: End, layout: Layout, general: &mut General) -> u64 {
        let ranks = |hand: Vec<u8>| -> Vec<Rank> {
            let ranks = hand.iter().map(|card| Rank::new(card + layout.lowest));
            ranks.map(|rank| rank.expect("a rank")).collect()
        };
        let mut deals = 0;
        for deal in state.deals(layout) {
            let hands = deal.map(ranks);
            let counted = general.play(&hands, &mut (), &mut Depths::default());
            let counted = counted.expect("two hands");
            let single = match counted.played.verdict {
                Conclusion::Endless { period } => End::Endless { period },
                verdict => End::Over {
                    turns: counted.played.turns.into(),
                    pairs: counted.rounds,
                    drawn: verdict == Conclusion::Drawn,
                },
            };
            assert_eq!(single, merged, "{hands:?} {state:?}");
            deals += 1;
        }
        assert_eq!(deals, state.deals, "{state:?}");
        deals
    }

    /// Compares the deals that begin in these ways.
    fn compare_all<'a>(shape: &str, beginnings: impl Iterator<Item = &'a [u8]>) -> u64 {
        let layout = layout(shape);
        let mut general = General::new(Parameters::BATAILLE);
        let mut deals = 0;
        for beginning in beginnings {
            let mut play = |batch: &Batch| {
                let states = (0..batch.states).map(|at| batch.state(at));
                let compared = states.map(|state| compare(state, layout, &mut general));
                deals += compared.sum::<u64>();
                true
            };
            assert!(Walk::new(layout, &mut play).from(beginning));
        }
        deals
    }

    fn layout(shape: &str) -> Layout {
        Layout::new(Deck::shaped(shape).expect(shape)).expect(shape)
    }

    /// Compares the deals of every so manyth beginning of so many pairs.
    fn compare_each(shape: &str, pairs: u32, every: usize) -> u64 {
        let beginnings = beginnings(layout(shape), pairs);
        let some = beginnings.iter().skip(every / 2).step_by(every);
        compare_all(shape, some.map(Vec::as_slice))
    }

    #[test]
    fn every_deal_ends_as_the_state_that_it_leads_to() {
        assert_eq!(compare_each("2x4", 0, 1), 38);
        assert_eq!(compare_each("3x4", 0, 1), 17_370);
        assert_eq!(compare_each("8x1", 0, 1), 20_160);
        assert_eq!(compare_each("5x2", 0, 1), 56_760);
    }

    #[test]
    fn some_deals_of_large_decks_end_as_the_states_that_they_lead_to() {
        // Words of 60, 48, 56 and 64 bits, and the largest decks that are played one by one as a whole.
        assert!(compare_each("5x4", 5, 300_000) > 10_000);
        assert!(compare_each("12x1", 4, 15_000) > 5_000);
        assert!(compare_each("7x2", 4, 20_000) > 5_000);
        assert!(compare_each("8x2", 4, 1_000_000) > 1_000);
        assert!(compare_each("14x1", 4, 200_000) > 10_000);
        let beginning = [[7, 1], [4, 2], [6, 0], [5, 3], [5, 3]].concat();
        assert!(compare_all("16x1", [&beginning[..]].into_iter()) > 10_000);
    }

    #[test]
    #[ignore = "plays millions of games one by one"]
    fn a_part_of_five_ranks_in_four_suits_ends_as_merged() {
        let every = std::env::var("FIVE_RANKS_EVERY").map_or(100_000, |every| {
            every.parse().expect("how many beginnings for each one")
        });
        let deals = compare_each("5x4", 5, every);
        println!("{deals} deals");
        // A thousandth are 150 million.
        assert!(deals > 100_000_000_000 / every as u64);
    }
}

//! All deals of a deck, merged: many deals are the same game after the first pass over both hands.
//!
//! The first pass puts every pair before any won card is put again. What remains is each player's
//! sequence of won blocks (a war with the cards it took, or a single pair) and the pot of a war
//! that is still open. The order in which both players won their blocks is lost: `a` and `b` blocks
//! can alternate in `a + b` choose `a` ways. So such a state is played once, and counted that many
//! times. In decks with one card of each rank, two neighbouring ranks are twins, which count as the
//! same rank until they meet (see `state`).

#[cfg(target_arch = "x86_64")]
use super::avx2::Avx2Code;
#[cfg(target_arch = "x86_64")]
use super::avx512::Avx512Code;
use super::batch::Batch;
use super::exact::ExactFigures;
use super::state::CardLayout;
use super::state_tally::StateTally;
use super::walk::{StateWalk, extend_beginning, state_beginnings};
use war::cards::Deck;
use war::rules::{CollectOrder, OutOfCards, Parameters, Piles, RepetitionRule};

/// Minimum number of parts, if the deck has that many.
const MIN_PARTS: usize = 1_500;
/// Number of parts that is enough if each has at most `MAX_SMALL_PART_DEALS` deals.
const MIN_SMALL_PARTS: usize = 16;
const MAX_SMALL_PART_DEALS: u64 = 2_000_000;

/// Number of pairs of a sample that are chosen in every way; the other pairs are fixed.
const SAMPLE_OPEN_PAIRS: u32 = 4;

/// All deals of a deck with rules that allow merging.
#[derive(Debug, Clone)]
pub(super) struct MergedDeals {
    layout: CardLayout,
    parts: Vec<Vec<u8>>,
    #[cfg(target_arch = "x86_64")]
    vectors: Option<VectorCode>,
}

/// Vector code for this processor.
#[cfg(target_arch = "x86_64")]
#[derive(Debug, Clone, Copy)]
enum VectorCode {
    Avx512(Avx512Code),
    Avx2(Avx2Code),
}

impl MergedDeals {
    /// Returns the deals of a deck with these rules, if they can be merged.
    ///
    /// No cards may be put face down, wars must be collected as in bataille, and a player without a
    /// card must lose; a player who is short of cards may put the last card.
    pub(super) fn new(parameters: &Parameters, deck: Deck, deals: u64) -> Option<Self> {
        let rules = parameters.face_down == 0
            && parameters.collect == CollectOrder::Bataille
            && parameters.piles == Piles::One
            && parameters.repetition == RepetitionRule::Ends
            && parameters.limit.is_none();
        let out = matches!(
            parameters.out_of_cards,
            OutOfCards::Loses | OutOfCards::LastCard
        );
        let even = deck.size().is_multiple_of(2);
        let layout = CardLayout::new(deck).filter(|_| rules && out && even)?;
        let is_enough = |parts: &Vec<_>| {
            let are_small = deals / parts.len() as u64 <= MAX_SMALL_PART_DEALS;
            parts.len() >= MIN_PARTS || are_small && parts.len() >= MIN_SMALL_PARTS
        };
        let mut parts = (0..layout.pairs()).map(|pairs| state_beginnings(layout, pairs));
        let all = || state_beginnings(layout, layout.pairs());
        Some(Self {
            layout,
            parts: parts.find(is_enough).unwrap_or_else(all),
            #[cfg(target_arch = "x86_64")]
            vectors: Avx512Code::new(layout)
                .map(VectorCode::Avx512)
                .or_else(|| Avx2Code::new(layout).map(VectorCode::Avx2)),
        })
    }

    /// Returns the same deals, played by this method or the next slower one that supports them;
    /// `None` for [`EnumerationMethod::OneByOne`].
    pub(super) fn with_method(self, method: EnumerationMethod) -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        let vectors = match method {
            EnumerationMethod::Avx512 => self.vectors,
            EnumerationMethod::Avx2 => Avx2Code::new(self.layout).map(VectorCode::Avx2),
            EnumerationMethod::Portable | EnumerationMethod::OneByOne => None,
        };
        let merged = Self {
            #[cfg(target_arch = "x86_64")]
            vectors,
            ..self
        };
        (method != EnumerationMethod::OneByOne).then_some(merged)
    }

    /// Returns the method that plays the deals.
    pub(super) const fn method(&self) -> EnumerationMethod {
        #[cfg(target_arch = "x86_64")]
        match self.vectors {
            Some(VectorCode::Avx512(_)) => return EnumerationMethod::Avx512,
            Some(VectorCode::Avx2(_)) => return EnumerationMethod::Avx2,
            None => {}
        }
        EnumerationMethod::Portable
    }

    /// Returns the number of parts that the work is split into.
    pub(super) fn parts(&self) -> usize {
        self.parts.len()
    }

    /// Plays the deals of a part. Returns `None` if there is no such part, or if the run is
    /// stopped.
    pub(super) fn play(
        &self,
        part: usize,
        should_continue: &dyn Fn() -> bool,
    ) -> Option<ExactFigures> {
        self.play_from(self.parts.get(part)?, should_continue)
    }

    /// Plays a few scattered deals, different ones for each number.
    pub(super) fn play_sample(&self, number: usize) -> ExactFigures {
        let mut beginning = self.parts[scatter(number, self.parts.len())].clone();
        let sampled = 2 * self.layout.pairs().saturating_sub(SAMPLE_OPEN_PAIRS) as usize;
        while beginning.len() < sampled {
            let mut longer = extend_beginning(&beginning, self.layout);
            let chosen = scatter(number + beginning.len(), longer.len());
            beginning = longer.swap_remove(chosen);
        }
        self.play_from(&beginning, &|| true).unwrap_or_default()
    }

    /// Plays the deals that lead to states beginning with these pairs.
    fn play_from(
        &self,
        beginning: &[u8],
        should_continue: &dyn Fn() -> bool,
    ) -> Option<ExactFigures> {
        let mut sum = StateTally::new(self.layout);
        let mut play = |batch: &Batch| {
            self.play_batch(batch, &mut sum);
            should_continue()
        };
        let whole = StateWalk::new(self.layout, &mut play).run(beginning);
        whole.then(|| sum.into_figures())
    }

    fn play_batch(&self, batch: &Batch, sum: &mut StateTally) {
        #[cfg(target_arch = "x86_64")]
        match self.vectors {
            Some(VectorCode::Avx512(code)) => return code.play(batch, sum),
            Some(VectorCode::Avx2(code)) => return code.play(batch, sum),
            None => {}
        }
        for at in 0..batch.states {
            sum.play(batch.state(at));
        }
    }
}

/// Method of playing all deals. All methods give the same figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EnumerationMethod {
    /// Deals played one by one.
    OneByOne,
    /// Merged deals, played in portable code.
    Portable,
    /// Merged deals, played with AVX2.
    Avx2,
    /// Merged deals, played with AVX-512.
    Avx512,
}

/// Returns a scattered number below `end`, which must not be 0.
pub(super) const fn scatter(number: usize, end: usize) -> usize {
    // Multiplication by the golden ratio scatters the high half best.
    let scattered = (number as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
    scattered as usize % end
}

#[cfg(test)]
mod tests {
    //! Merged deals compared with the same deals, played one by one by the general kernel.

    use crate::enumeration::batch::Batch;
    use crate::enumeration::state::{CardLayout, State};
    use crate::enumeration::state_tally::{self, StateOutcome};
    use crate::enumeration::walk::{StateWalk, state_beginnings};
    use crate::game::{Conclusion, WarDepthCounts};
    use crate::kernel::GeneralKernel;
    use std::collections::BTreeMap;
    use war::cards::{Deck, Rank};
    use war::rules::Parameters;

    /// Number of deals by outcome: turns, pairs, whether the game was drawn, and the period of an
    /// endless game.
    type OutcomeCounts = BTreeMap<(u64, u64, bool, u32), u64>;

    /// Adds the deals of a state to those with the same outcome, unless twins meet.
    fn add(outcomes: &mut OutcomeCounts, state: State, end: StateOutcome) {
        let end = match end {
            StateOutcome::Endless { period } => (0, 0, false, period),
            StateOutcome::Finished {
                turns,
                pairs,
                drawn,
            } => (turns, pairs, drawn, 0),
            StateOutcome::TwinsMeet(_) => return,
        };
        *outcomes.entry(end).or_default() += state.deals;
    }

    /// Returns the outcomes of a state, which is played in both ways wherever twins meet.
    fn outcomes(state: State, layout: CardLayout) -> OutcomeCounts {
        let mut outcomes = OutcomeCounts::new();
        let mut open = vec![state];
        while let Some(state) = open.pop() {
            let end = state_tally::play(state, layout);
            add(&mut outcomes, state, end);
            if let StateOutcome::TwinsMeet(state) = end {
                open.extend(state.split_twins());
            }
        }
        outcomes
    }

    /// Checks that all deals that lead to a state have the same outcomes as the state, and returns
    /// the number of deals.
    fn compare(state: State, layout: CardLayout, general: &mut GeneralKernel) -> u64 {
        let mut apart = OutcomeCounts::new();
        let mut deals = 0;
        for state in state.split_all_twins(layout) {
            let end = state_tally::play(state, layout);
            add(&mut apart, state, end);
            deals += compare_without_twins(state, end, layout, general);
        }
        assert_eq!(outcomes(state, layout), apart, "{state:?}");
        assert_eq!(deals, state.deals, "{state:?}");
        deals
    }

    /// Checks that all deals of a state without twins have the outcome `merged`, and returns the
    /// number of deals.
    fn compare_without_twins(
        state: State,
        merged: StateOutcome,
        layout: CardLayout,
        general: &mut GeneralKernel,
    ) -> u64 {
        let ranks = |hand: Vec<u8>| -> Vec<Rank> {
            let ranks = hand.iter().map(|card| Rank::new(card + layout.lowest));
            ranks.map(|rank| rank.expect("a rank")).collect()
        };
        let mut deals = 0;
        for deal in state.source_deals(layout) {
            let hands = deal.map(ranks);
            let counted = general.play(&hands, &mut (), &mut WarDepthCounts::default());
            let counted = counted.expect("two hands");
            let single = match counted.result.conclusion {
                Conclusion::Endless { period } => StateOutcome::Endless { period },
                verdict => StateOutcome::Finished {
                    turns: counted.result.turns.into(),
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

    /// Checks all deals that lead to states with these beginnings, and returns the number of deals.
    fn compare_all<'a>(shape: &str, beginnings: impl Iterator<Item = &'a [u8]>) -> u64 {
        let layout = layout(shape);
        let mut general = GeneralKernel::new(Parameters::BATAILLE);
        let mut deals = 0;
        for beginning in beginnings {
            let mut play = |batch: &Batch| {
                let states = (0..batch.states).map(|at| batch.state(at));
                let compared = states.map(|state| compare(state, layout, &mut general));
                deals += compared.sum::<u64>();
                true
            };
            assert!(StateWalk::new(layout, &mut play).run(beginning));
        }
        deals
    }

    fn layout(shape: &str) -> CardLayout {
        CardLayout::new(Deck::from_shape(shape).expect(shape)).expect(shape)
    }

    /// Checks the deals of one in `every` beginnings of `pairs` pairs, and returns the number of
    /// deals.
    fn compare_sampled(shape: &str, pairs: u32, every: usize) -> u64 {
        let beginnings = state_beginnings(layout(shape), pairs);
        let some = beginnings.iter().skip(every / 2).step_by(every);
        compare_all(shape, some.map(Vec::as_slice))
    }

    #[test]
    fn every_deal_ends_like_the_state_it_leads_to() {
        assert_eq!(compare_sampled("2x4", 0, 1), 38);
        assert_eq!(compare_sampled("3x4", 0, 1), 17_370);
        assert_eq!(compare_sampled("8x1", 0, 1), 20_160);
        assert_eq!(compare_sampled("5x2", 0, 1), 56_760);
    }

    #[test]
    fn some_deals_of_large_decks_end_like_the_states_they_lead_to() {
        // Decks whose cards fill 60, 48, 56 and 64 bits of a word (5x4, 8x2, 14x1 and 16x1), and
        // the largest decks that are played one by one in full (12x1 and 7x2).
        assert!(compare_sampled("5x4", 5, 300_000) > 10_000);
        assert!(compare_sampled("12x1", 4, 15_000) > 5_000);
        assert!(compare_sampled("7x2", 4, 20_000) > 5_000);
        assert!(compare_sampled("8x2", 4, 1_000_000) > 1_000);
        assert!(compare_sampled("14x1", 4, 200_000) > 10_000);
        let beginning = [[7, 1], [4, 2], [6, 0], [5, 3], [5, 3]].concat();
        assert!(compare_all("16x1", [&beginning[..]].into_iter()) > 10_000);
    }

    #[test]
    #[ignore = "plays millions of games one by one"]
    fn some_deals_of_five_ranks_in_four_suits_end_like_merged_deals() {
        let every = std::env::var("FIVE_RANKS_EVERY").map_or(100_000, |every| {
            every.parse().expect("how many beginnings for each one")
        });
        let deals = compare_sampled("5x4", 5, every);
        println!("{deals} deals");
        // The deck has about 150 billion deals, so a fair sample contains more than 100 billion
        // divided by `every`.
        assert!(deals > 100_000_000_000 / every as u64);
    }
}

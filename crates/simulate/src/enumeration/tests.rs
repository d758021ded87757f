//! Merged deals against the same deals, played one by one by the kernel for every rule.

use super::batch::Batch;
use super::layout::Layout;
use super::scalar::{self, End};
use super::state::State;
use super::walk::{Walk, beginnings};
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
        let end = scalar::play(state, layout);
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
        let end = scalar::play(state, layout);
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

//! Scenario files: the hands read from them match the JSON and can be played.

use super::reader;
use war::cards::{ChaCha8, Rank};
use war::engine::{Event, Projection, Table};
use war::journal::GameEndReason;
use war::lang::Lang;
use war::recording::{NewGame, Recorder};
use war::rules::{ScenarioLimits, VARIANTS, Variant};
use war::scenario::{Scenario, parse_scenario};

/// Maximum number of events played per game; some games are long.
const MAX_EVENTS: usize = 500;

/// Reads a scenario by the rules of each variant, and plays it.
///
/// Every file must lead to hands that can be played, or to an error with a message.
pub fn check(bytes: &[u8]) {
    for variant in VARIANTS {
        match parse_scenario(bytes, variant) {
            Ok(hands) => {
                check_cards(bytes, &hands, variant);
                // The X/Y edition has no scenarios.
                if variant.allows_deck(hands.deck) {
                    play(hands, variant);
                }
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

/// Checks the cards against the numbers in the file: their values, or only their order if any
/// number may be a card.
fn check_cards(bytes: &[u8], hands: &Scenario, variant: &Variant) {
    // A scenario may contain numbers of any length, which can't all be compared here.
    let Ok(rows) = serde_json::from_slice::<Vec<Vec<i64>>>(bytes) else {
        assert_eq!(variant.scenario_limits, ScenarioLimits::AnyRank);
        return;
    };
    let sizes = |rows: &[Vec<i64>]| rows.iter().map(Vec::len).collect::<Vec<_>>();
    let cards: Vec<Vec<_>> = hands.hands.iter().map(|hand| values(hand)).collect();
    assert_eq!(sizes(&cards), sizes(&rows));
    if variant.scenario_limits != ScenarioLimits::AnyRank {
        assert_eq!(cards, rows);
    }
    let mut pairs: Vec<_> = rows.iter().flatten().zip(cards.iter().flatten()).collect();
    pairs.sort_unstable();
    for pair in pairs.windows(2) {
        assert_eq!(pair[0].0.cmp(pair[1].0), pair[0].1.cmp(pair[1].1));
    }
}

fn values(hand: &[Rank]) -> Vec<i64> {
    hand.iter().map(|card| card.get().into()).collect()
}

/// Records a game, or its beginning, and replays it. No card may get lost.
fn play(hands: Scenario, variant: &Variant) {
    let cards = hands.hands.iter().map(Vec::len).sum();
    let opening = NewGame::from_scenario(*variant, "fuzz", hands.hands, Box::new(ChaCha8::new(1)));
    let opening = opening.expect("these hands can be played");
    let (mut journal, mut is_over) = (Vec::new(), false);
    let recorder = Recorder::new("fuzz", opening, Lang::En)
        .write_to(&mut journal)
        .with_projection(CardCheck {
            cards,
            is_over: &mut is_over,
        });
    let mut events = 0..MAX_EVENTS;
    let end = recorder.play_while(|| events.next().is_some());
    let end = end.expect("memory takes every byte");
    let read = reader::verify_journal(&journal[..]).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(end, read);
    assert_eq!(read.reason == GameEndReason::CutOff, !is_over);
}

/// Projection that checks that no card gets lost, and notes the end of the game.
struct CardCheck<'a> {
    cards: usize,
    is_over: &'a mut bool,
}

impl Projection<Table> for CardCheck<'_> {
    fn project(&mut self, event: &Event, table: &Table) {
        assert_eq!(table.card_count(), self.cards, "{event:?}");
        *self.is_over = table.outcome().is_some();
    }
}

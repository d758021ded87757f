//! Properties of every game, with any players, deck and cards.

use crate::shared::{record, record_by, replayed};
use proptest::prelude::*;
use std::collections::BTreeSet;
use war::cards::{Deck, Generator, Rank, deal};
use war::engine::{Event, Game, Place, Table};
use war::journal::Deal;
use war::replay::verify;
use war::rules::{CLASSIC, StandardRules, VARIANTS};

/// Hands dealt from a deck in any order, or from cards where half of the clashes are wars.
fn any_hands() -> impl Strategy<Value = (Deck, Vec<Vec<Rank>>)> {
    let deck = prop_oneof![Just(Deck::Small), Just(Deck::Large)];
    (deck, 1..=5_usize, any::<bool>()).prop_flat_map(|(deck, players, wars)| {
        let mut cards = deck.cards();
        if wars {
            for card in &mut cards {
                *card = few_ranks(*card);
            }
        }
        let shuffled = Just(cards).prop_shuffle();
        shuffled.prop_map(move |cards| (deck, deal(&cards, players)))
    })
}

/// Maps a rank to one of three ranks.
fn few_ranks(card: Rank) -> Rank {
    Rank::new(12 + card.get() % 3).expect("12 to 14")
}

/// Plays a game. Returns its journal and its screens.
fn recorded(deck: Deck, hands: Vec<Vec<Rank>>) -> (Vec<u8>, String) {
    let name = "any".to_owned();
    let (mut journal, mut printed) = (Vec::new(), String::new());
    let result = record(
        &mut journal,
        deck,
        hands,
        Deal::Scenario { name },
        &mut printed,
    );
    result.expect("memory takes all");
    (journal, printed)
}

/// All cards of the table, in hands and in the pot, sorted.
fn all_cards(table: &Table) -> Vec<Rank> {
    let hands = table.places().iter().flat_map(Place::hand);
    let mut cards: Vec<_> = hands.copied().chain(table.pot()).collect();
    cards.sort();
    cards
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(96) })]

    #[test]
    fn cards_are_conserved_at_every_event((_, hands) in any_hands()) {
        let mut dealt: Vec<_> = hands.iter().flatten().copied().collect();
        dealt.sort();
        let mut game = Game::new(Box::new(StandardRules::classic()), hands).expect("a deal");
        while game.next().is_some() {
            prop_assert_eq!(all_cards(game.table()), &dealt[..]);
        }
    }

    #[test]
    fn a_game_ends_with_exactly_one_final_event((_, hands) in any_hands()) {
        let players = hands.iter().filter(|hand| !hand.is_empty()).count();
        let events: Vec<_> = Game::new(Box::new(StandardRules::classic()), hands).expect("a deal").collect();
        let is_final = |event: &&Event| matches!(event, Event::Won { .. } | Event::Endless { .. });
        prop_assert_eq!(events.iter().filter(is_final).count(), 1);
        let last = events.last().expect("an event");
        prop_assert!(is_final(&last));
        let out = events.iter().filter(|event| matches!(event, Event::EndOfCards { .. })).count();
        let left = if matches!(last, Event::Won { .. }) { 1..=1 } else { 2..=players };
        prop_assert!(left.contains(&(players - out)), "{} of {} are out", out, players);
    }

    #[test]
    fn refolding_the_events_gives_the_live_table((_, hands) in any_hands()) {
        let mut game = Game::new(Box::new(StandardRules::classic()), hands).expect("a deal");
        let mut refolded = Table::default();
        while let Some(event) = game.next() {
            refolded.apply(&event).expect("it happened");
            prop_assert_eq!(&refolded, game.table());
        }
    }

    #[test]
    fn an_endless_game_repeats_exactly((_, hands) in any_hands()) {
        let events: Vec<_> = Game::new(Box::new(StandardRules::classic()), hands).expect("a deal").collect();
        let Some(Event::Endless { from, to }) = events.last() else { return Ok(()) };
        let mut table = Table::default();
        let mut starts = Vec::new();
        for event in &events {
            if matches!(event, Event::Clash { .. } | Event::Endless { .. }) {
                starts.push(table.places().iter().map(|place| place.hand().clone()).collect::<Vec<_>>());
            }
            table.apply(event).expect("it happened");
        }
        let (last, earlier) = starts.split_last().expect("a turn");
        prop_assert_eq!(starts.len(), *to as usize + 1);
        prop_assert_eq!(earlier.iter().position(|start| start == last), Some(*from as usize - 1));
        let different: BTreeSet<_> = earlier.iter().collect();
        prop_assert_eq!(different.len(), earlier.len(), "an earlier turn came back before");
    }

    #[test]
    fn a_journal_replays_to_the_same_bytes((deck, hands) in any_hands()) {
        let (journal, printed) = recorded(deck, hands.clone());
        prop_assert_eq!(recorded(deck, hands).0, &journal[..], "the same game, another journal");
        let (fault, text) = replayed(&journal[..]);
        prop_assert_eq!(fault, None);
        prop_assert_eq!(text, printed);
    }

    #[test]
    fn a_changed_journal_is_never_verified(
        (deck, hands) in any_hands(),
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        let (mut journal, printed) = recorded(deck, hands);
        let at = at.index(journal.len());
        prop_assume!(journal[at] != byte);
        let white = |byte: u8| byte.is_ascii_whitespace() && byte != b'\x0c';
        prop_assume!(!(white(journal[at]) && white(byte)));
        journal[at] = byte;
        let (fault, text) = replayed(&journal[..]);
        prop_assert!(fault.is_some());
        prop_assert!(printed.starts_with(&text), "the output is not a prefix");
    }

    #[test]
    fn reading_anything_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let judgement = verify(&bytes[..]).expect("memory is read without errors");
        prop_assert!(judgement.fault().is_some());
        let _ = war::scenario::parse_scenario(&bytes, &CLASSIC);
    }

    #[test]
    fn every_edition_records_replays_and_ends(
        variant in prop::sample::select(VARIANTS.to_vec()),
        players in 1..=5_u8,
        large in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let (fewest, most) = variant.players;
        let players = usize::from(players.clamp(fewest, most));
        let deck = variant.decks[usize::from(large) % variant.decks.len()];
        // Each edition is dealt by its own generator.
        let generator = match variant.id {
            "xy/1" => Generator::JavaRandom { seed: seed.cast_signed() },
            _ => Generator::ChaCha8 { seed },
        };
        let dealt = || {
            let (mut cards, mut chance) = (deck.cards(), generator.start());
            chance.shuffle(&mut cards);
            (deal(&cards, players), chance)
        };

        let (hands, chance) = dealt();
        let mut cards: Vec<_> = hands.iter().flatten().copied().collect();
        cards.sort();
        let rules = Box::new(StandardRules::new(variant.parameters));
        let mut game = Game::new(rules, hands).expect("a deal").with_chance(chance);
        let mut last = None;
        while let Some(event) = game.next() {
            prop_assert_eq!(all_cards(game.table()), &cards[..]);
            prop_assert!(!last.as_ref().is_some_and(is_final), "an event after the end");
            last = Some(event);
        }
        prop_assert!(last.as_ref().is_some_and(is_final), "no end");

        let (hands, chance) = dealt();
        let (mut journal, mut printed) = (Vec::new(), String::new());
        let game = (deck, hands, Deal::Shuffled { generator });
        let recorded = record_by(variant, &mut journal, game, chance, &mut printed);
        recorded.expect("memory takes all");
        let (fault, text) = replayed(&journal[..]);
        prop_assert_eq!(fault, None);
        prop_assert_eq!(text, printed);
    }
}

/// Returns true for a final event, which no other event may follow.
fn is_final(event: &Event) -> bool {
    matches!(
        event,
        Event::Won { .. } | Event::Endless { .. } | Event::Stopped { .. }
    )
}

//! All deals of small decks: merged and one by one, in parts and at once.

use std::num::NonZero;
use war::cards::Deck;
use war::rules::{CollectOrder, OutOfCards, Parameters};
use war_simulate::{
    Enumeration, EnumerationError, EnumerationMethod, EnumerationRun, ExactFigures, JoinError,
};

const ONE: NonZero<usize> = NonZero::<usize>::MIN;

fn bataille(shape: &str) -> Enumeration {
    let deck = Deck::from_shape(shape).expect(shape);
    Enumeration::new(Parameters::BATAILLE, deck).expect(shape)
}

/// Returns the shapes of decks with an even number of cards, at most 14, whose number of deals is
/// in this range.
fn shapes(deals: std::ops::Range<u64>) -> Vec<String> {
    let mut shapes = Vec::new();
    for ranks in 1..=14 {
        for suits in 1..=14 / ranks {
            let shape = format!("{ranks}x{suits}");
            let is_even = ranks * suits % 2 == 0;
            if is_even && deals.contains(&bataille(&shape).deals()) {
                shapes.push(shape);
            }
        }
    }
    shapes
}

/// Plays all deals by every method, which must give the same figures.
fn compare(shape: &str, out_of_cards: OutOfCards) -> ExactFigures {
    let rules = Parameters {
        out_of_cards,
        ..Parameters::BATAILLE
    };
    let deck = Deck::from_shape(shape).expect(shape);
    let all = Enumeration::new(rules, deck).expect(shape);
    assert!(all.is_merged(), "{shape}");
    let by = |method| all.clone().with_method(method).play_all(ONE, &());
    let single = by(EnumerationMethod::OneByOne);
    assert_eq!(single.deals, all.deals(), "{shape}");
    for method in [
        EnumerationMethod::Portable,
        EnumerationMethod::Avx2,
        EnumerationMethod::Avx512,
    ] {
        assert_eq!(by(method), single, "{shape} {method:?}");
    }
    single
}

#[test]
fn merged_deals_give_the_same_figures_as_single_deals() {
    let shapes = shapes(1..200_000);
    assert!(shapes.len() > 15, "{shapes:?} are few");
    for shape in shapes {
        for out_of_cards in [OutOfCards::Loses, OutOfCards::LastCard] {
            compare(&shape, out_of_cards);
        }
    }
}

// `MERGED_DEALS` limits the deals of a deck. `.ci/deep` sets 1,000,000,000, which includes 12x1 and
// 7x2: their 600 million deals take minutes one by one, even in optimised code. 14x1 has too many.
#[test]
#[ignore = "plays millions of games one by one"]
fn many_merged_deals_give_the_same_figures_as_single_deals() {
    let most = std::env::var("MERGED_DEALS").map_or(10_000_000, |most| {
        most.parse().expect("how many deals a deck has at most")
    });
    let shapes = shapes(200_000..most);
    assert!(shapes.len() >= 2, "{shapes:?} are few");
    for shape in shapes {
        compare(&shape, OutOfCards::Loses);
    }
}

#[test]
fn merged_deals_reproduce_the_published_figures() {
    for (shape, deals, endless, period) in [
        ("2x4", 38, 0, None),
        ("3x4", 17_370, 360, Some(19)),
        ("10x1", 1_814_400, 197_970, Some(60)),
    ] {
        let exact = bataille(shape).play_all(ONE, &());
        assert_eq!((exact.deals, exact.endless), (deals, endless), "{shape}");
        let periods = exact.periods.iter().map(|(period, _)| period);
        assert_eq!(periods.collect::<Vec<_>>(), Vec::from_iter(period));
    }
}

#[test]
#[ignore = "plays a hundred million games in code that is not optimised"]
fn many_merged_deals_reproduce_the_published_figures() {
    // The longest game of this deck is in the table of `war literature`.
    let exact = bataille("12x1").play_all(ONE, &());
    assert_eq!((exact.deals, exact.endless), (239_500_800, 0));
    assert_eq!(exact.most_turns.map(|game| game.turns), Some(74));
    let exact = bataille("4x4").play_all(ONE, &());
    assert_eq!((exact.deals, exact.endless), (31_532_760, 8_545));
    assert_eq!(exact.periods.iter().collect::<Vec<_>>(), [(24, 8_545)]);
    assert_eq!(exact.most_turns.map(|game| game.turns), Some(145));
    assert_eq!(exact.most_pairs.map(|game| game.pairs), Some(192));
}

// The figures were published by cristal-smac/bataille, except for those of 3x3: an independent
// program (`tests/foreign/simulate.py`) finds the same number of endless games, whichever player
// has the extra card.
#[test]
fn odd_decks_reproduce_the_published_figures() {
    for (shape, deals, endless) in [
        ("3x1", 6, 0),
        ("5x1", 120, 30),
        ("7x1", 5_040, 2_304),
        ("3x3", 1_680, 629),
    ] {
        let all = bataille(shape);
        assert!(!all.is_symmetric() && !all.is_merged(), "{shape}");
        let exact = all.play_all(ONE, &());
        assert_eq!((exact.deals, exact.endless), (deals, endless), "{shape}");
        let longest = exact.most_turns.expect("a game");
        let [first, second] = longest.hands;
        assert_eq!(first.len(), second.len() + 1, "{shape}");
    }
}

#[test]
#[ignore = "many deals: some seconds"]
fn a_larger_odd_deck_reproduces_the_published_figure() {
    assert_eq!(bataille("9x1").play_all(ONE, &()).endless, 218_680);
}

#[test]
fn other_rules_are_played_one_by_one() {
    let deck = Deck::from_shape("2x4").expect("a shape");
    for rules in [
        Parameters {
            face_down: 1,
            ..Parameters::BATAILLE
        },
        Parameters {
            collect: CollectOrder::WinnerPile,
            ..Parameters::BATAILLE
        },
        Parameters {
            out_of_cards: OutOfCards::EndOfCards,
            ..Parameters::BATAILLE
        },
        Parameters::BATAILLE.with_turn_limit(100),
    ] {
        let all = Enumeration::new(rules, deck).expect("few deals");
        assert_eq!(all.method(), EnumerationMethod::OneByOne, "{rules:?}");
    }
}

#[test]
fn parts_join_into_the_whole_and_survive_serialization() {
    for method in [EnumerationMethod::OneByOne, EnumerationMethod::Avx512] {
        let all = bataille("3x4").with_method(method);
        let mut whole = EnumerationRun::new(&all, 0..all.parts());
        whole.play(&all, ONE, &(), |_| true);
        assert_eq!(whole.figures.deals, all.deals());
        let (a, b) = (all.parts() / 3, all.parts() / 2);
        let mut parts = [b..all.parts(), 0..a, a..b].map(|range| EnumerationRun::new(&all, range));
        for part in &mut parts {
            // The run is stopped after every tenth of all parts, and resumed from its document.
            while !part.is_complete() {
                let mut begun =
                    EnumerationRun::from_json(part.to_json().as_bytes()).expect("a part");
                assert_eq!(&begun, part);
                let end = begun.next + all.parts() / 10;
                begun.play(&all, ONE, &(), |played| played.next < end);
                *part = begun;
            }
        }
        assert_eq!(EnumerationRun::join(&parts), Ok(whole.clone()));
        assert_eq!(
            EnumerationRun::join(&[parts[1].clone(), parts[1].clone()]),
            Err(JoinError::Overlap(0, 1, 0))
        );
        assert_eq!(
            EnumerationRun::join(&parts[..2]),
            Err(JoinError::Missing(a, b))
        );
        let begun = EnumerationRun::new(&all, a..b);
        assert_eq!(EnumerationRun::join(&[begun]), Err(JoinError::Partial(0)));
    }
    let [merged, single] =
        [EnumerationMethod::Portable, EnumerationMethod::OneByOne].map(|method| {
            let all = bataille("3x4").with_method(method);
            let mut parts = EnumerationRun::new(&all, 0..1);
            parts.play(&all, ONE, &(), |_| true);
            parts
        });
    let joined = EnumerationRun::join(&[merged, single]);
    assert_eq!(joined, Err(JoinError::DifferentGameCount(0, 1)));
}

#[test]
fn a_changed_enumeration_is_refused() {
    let all = bataille("3x4");
    let mut played = EnumerationRun::new(&all, 0..all.parts());
    played.play(&all, ONE, &(), |_| true);
    let json = played.to_json();
    assert!(EnumerationRun::from_json(json.as_bytes()).is_ok());
    let bytes = json.as_bytes();
    for at in 0..bytes.len() {
        let mut changed = bytes.to_vec();
        changed[at] ^= 1;
        assert!(EnumerationRun::from_json(&changed).is_err(), "byte {at}");
        assert!(
            EnumerationRun::from_json(&bytes[..at]).is_err(),
            "cut at {at}"
        );
    }
}

#[test]
fn numbers_that_json_readers_would_round_are_text() {
    let all = bataille("2x4");
    let mut played = EnumerationRun::new(&all, 0..all.parts());
    played.figures.pairs = (1 << 53) + 1;
    let json = played.to_json();
    assert!(json.contains("\"sum\": \"9007199254740993\""), "{json}");
    assert_eq!(
        EnumerationRun::from_json(json.as_bytes()).expect("it"),
        played
    );
}

#[test]
fn a_sample_plays_some_of_the_deals() {
    for all in [
        bataille("5x4"),
        bataille("4x4").with_method(EnumerationMethod::OneByOne),
    ] {
        let samples = (0..20).map(|number| all.play_sample(number).deals);
        let samples: Vec<_> = samples.collect();
        assert!(samples.iter().sum::<u64>() > 1_000, "{samples:?}");
        assert!(
            samples.iter().all(|&deals| deals < 1_000_000),
            "{samples:?}"
        );
    }
}

// The figures are those of Delahaye and Mathieu's "optimised" game: the mean to two decimals, and
// the longest game. An independent program that played all deals found the same sums.
#[test]
fn highest_first_reproduces_the_published_figures() {
    let rules = Parameters {
        collect: CollectOrder::HighestFirst,
        ..Parameters::BATAILLE
    };
    let all = |shape| {
        let deck = Deck::from_shape(shape).expect("a shape");
        let all = Enumeration::new(rules, deck).expect("few deals");
        all.play_all(ONE, &())
    };
    let odd = all("3x3");
    assert_eq!((odd.deals, odd.endless), (1_680, 594));
    let exact = all("3x4");
    assert_eq!((exact.deals, exact.endless), (17_370, 0));
    let longest = exact.most_turns.expect("a game");
    assert_eq!((longest.turns, longest.pairs), (34, 48));
    let mean = |pairs: u64, deals: u64| (100 * pairs + deals / 2) / deals;
    assert_eq!(mean(exact.pairs, exact.deals), 1_207);
}

#[test]
fn orders_for_other_numbers_of_players_are_not_enumerated() {
    let deck = Deck::from_shape("2x4").expect("a shape");
    let all = |collect| {
        let rules = Parameters {
            collect: CollectOrder::from_name(collect).expect(collect),
            ..Parameters::BATAILLE
        };
        Enumeration::new(rules, deck)
    };
    let two = all("winner-first,bataille").expect("few deals");
    assert!(!two.is_symmetric() && two.method() == EnumerationMethod::OneByOne);
    assert_eq!(two.play_all(ONE, &()).deals, 70);
    let three = all("seat,seat,bataille");
    assert_eq!(three.err(), Some(EnumerationError::Orders(3)));
}

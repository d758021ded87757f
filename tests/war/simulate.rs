//! The kernels of the simulation agree with the event engine, game by game.

use proptest::prelude::*;
use std::cell::RefCell;
use std::collections::BTreeMap;
use war::cards::{Bulk, Deck, GameNumber, Rank};
use war::engine::{Event, Game, Outcome};
use war::rules::{Collect, Draw, Flow, OutOfCards, Parameters, Repeated};
use war::simulate::{Dealing, Depths, Played, Portable, Rules, Verdict};

/// What the event engine makes of a game.
fn by_events(parameters: Parameters, hands: Vec<Vec<Rank>>, chance: Bulk) -> Played {
    let mut game = Game::new(Box::new(Flow::new(parameters)), hands).with_chance(Box::new(chance));
    let mut wars = 0;
    while let Some(event) = game.next() {
        if let Event::Clash { plays } = &event {
            let highest = plays.iter().map(|play| play.card).max();
            let tied = plays.iter().filter(|play| Some(play.card) == highest);
            wars += u32::from(tied.count() > 1);
        }
    }
    let verdict = match game.table().outcome().expect("an end") {
        Outcome::Won(seat) => Verdict::Won(seat),
        Outcome::Drawn => Verdict::Drawn,
        Outcome::Endless { from, to } => Verdict::Endless {
            period: to + 1 - from,
        },
        Outcome::Stopped(_) => Verdict::Undecided,
    };
    let turns = game.table().turn();
    Played {
        verdict,
        turns,
        wars,
    }
}

/// Any parameters, with the number of players that they are for.
fn any_parameters() -> impl Strategy<Value = (Parameters, u8)> {
    let collect = prop::sample::select(Collect::ALL.to_vec());
    let out_of_cards = prop::sample::select(OutOfCards::ALL.to_vec());
    let limit = prop_oneof![3 => Just(None), 1 => (1..400_u32).prop_map(Some)];
    (0..=5_u8, collect, out_of_cards, limit, 2..=5_u8).prop_map(
        |(face_down, collect, out_of_cards, limit, players)| {
            let parameters = Parameters {
                face_down,
                collect,
                out_of_cards,
                repetition: Repeated::Ends,
                draw: Draw::Top,
                limit: None,
            };
            let parameters = parameters.with_cycles_ended();
            let parameters = limit.map_or(parameters, |turns| parameters.with_limit(turns));
            let many = out_of_cards == OutOfCards::EndOfCards;
            (parameters, if many { players } else { 2 })
        },
    )
}

/// Any rules: also decks of few ranks, where most turns are wars.
fn any_rules() -> impl Strategy<Value = Rules> {
    let decks = [
        "2x4", "3x4", "4x4", "2x9", "1x12", "12x1", "6x4", "13x4", "20x3", "5x7",
    ];
    let decks = prop::sample::select(decks.to_vec());
    (any_parameters(), decks).prop_map(|((parameters, players), deck)| {
        let deck = Deck::shaped(deck).expect("a shape");
        // The engine keeps every turn: a cycle of many cards may be longer than memory, and
        // few cards may be swapped for ever by chance alone.
        let chance = parameters.collect == Collect::Shuffled
            || parameters.out_of_cards == OutOfCards::Shrink;
        let bounded = parameters.limit.is_none() && (chance || deck.size() > 16);
        Rules {
            parameters: if bounded {
                parameters.with_limit(5_000)
            } else {
                parameters
            },
            players,
            deck,
            dealing: Dealing::Shuffled,
        }
    })
}

thread_local! {
    /// How often the games of a property came to what.
    static REACHED: RefCell<BTreeMap<&'static str, u32>> = const { RefCell::new(BTreeMap::new()) };
}

fn reach(what: &'static str) {
    REACHED.with_borrow_mut(|reached| *reached.entry(what).or_default() += 1);
}

fn note(rules: &Rules, played: &Played, depths: &Depths) {
    reach(match played.verdict {
        Verdict::Won(_) => "won",
        Verdict::Drawn => "drawn",
        Verdict::Endless { .. } => "endless",
        Verdict::Undecided => "undecided",
    });
    if played.wars > 0 {
        reach("war");
    }
    if depths.counts().len() > 1 {
        reach("war in a war");
    }
    if played.turns > 1_000 {
        reach("long");
    }
    reach(rules.parameters.collect.name());
    reach(rules.parameters.out_of_cards.name());
}

#[test]
fn the_portable_kernel_agrees_with_the_events() {
    let config = ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(2_000)
    };
    proptest!(config, |(rules in any_rules(), seed in any::<u64>(), game in any::<u64>())| {
        let (hands, mut chance) = rules.deal(GameNumber { seed, game });
        let expected = by_events(rules.parameters, hands.clone(), chance.clone());
        let mut depths = Depths::default();
        let found = Portable::new(rules.parameters).play(&hands, &mut chance, &mut depths);
        prop_assert_eq!(found.played, expected);
        prop_assert_eq!(depths.counts().iter().sum::<u64>(), u64::from(expected.wars));
        note(&rules, &expected, &depths);
    });
    REACHED.with_borrow(|reached| {
        for what in [
            "won",
            "drawn",
            "endless",
            "undecided",
            "war",
            "war in a war",
            "long",
        ] {
            assert!(reached.get(what) > Some(&10), "{what}: {reached:?}");
        }
        for name in Collect::ALL
            .map(Collect::name)
            .into_iter()
            .chain(OutOfCards::ALL.map(OutOfCards::name))
        {
            assert!(reached.get(name) > Some(&100), "{name}: {reached:?}");
        }
    });
}

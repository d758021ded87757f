//! Comparison of the simulation's kernels with the event engine, game by game.

use super::fuzz_corpus::fuzz::events;
use proptest::prelude::*;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::num::NonZero;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use war::cards::{Chance, Deck, GameNumber, Rank, Xoshiro256PlusPlus, deal};
use war::engine::Seat;
use war::rules::{
    CLASSIC, CardChoice, CollectOrder, OutOfCards, Parameters, Piles, RepetitionRule, TurnLimit,
};
use war_simulate::{
    Conclusion, Dealing, Enumeration, GameResult, GameSetup, GeneralKernel, Kernel, MAX_PLAYERS,
    Monitor, RunPlan, Shard, Simulator, Tally, WarDepthCounts,
};

/// Returns the result of a game played by the event engine.
fn by_events(
    parameters: Parameters,
    hands: Vec<Vec<Rank>>,
    chance: Xoshiro256PlusPlus,
) -> GameResult {
    events::play_by_events(parameters, hands, chance).0.result
}

/// Any collecting order, sometimes a different one for each player.
fn any_order() -> impl Strategy<Value = [CollectOrder; MAX_PLAYERS]> {
    let one = || prop::sample::select(CollectOrder::ALL.to_vec());
    prop_oneof![
        4 => one().prop_map(|order| [order; MAX_PLAYERS]),
        1 => [one(), one(), one(), one(), one()],
    ]
}

/// Returns the collecting order for this many players.
fn order_of(orders: [CollectOrder; MAX_PLAYERS], players: u8) -> CollectOrder {
    CollectOrder::from_seat_orders(&orders[..players.into()]).expect("an order")
}

/// One pile in every second game.
fn any_piles() -> impl Strategy<Value = Piles> {
    prop_oneof![
        2 => Just(Piles::One),
        1 => Just(Piles::Two),
        1 => Just(Piles::TwoTurned),
    ]
}

/// Any parameters, with a number of players that they allow.
fn any_parameters() -> impl Strategy<Value = (Parameters, u8)> {
    let collect = any_order();
    let out_of_cards = prop::sample::select(OutOfCards::ALL.to_vec());
    let limit = prop_oneof![
        3 => Just(None),
        1 => (1..400_u32).prop_map(|turns| Some(TurnLimit::Turns(turns))),
        // Few turns per card, because most games end before a higher limit.
        2 => (1..4_u32).prop_map(|turns| Some(TurnLimit::TurnsPerCard(turns))),
    ];
    let piles = any_piles();
    (0..=5_u8, collect, piles, out_of_cards, limit, 2..=5_u8).prop_map(
        |(face_down, collect, piles, out_of_cards, limit, players)| {
            let many = out_of_cards == OutOfCards::EndOfCards;
            let players = if many { players } else { 2 };
            let parameters = Parameters {
                face_down,
                collect: order_of(collect, players),
                piles,
                out_of_cards,
                repetition: RepetitionRule::Ends,
                card_choice: CardChoice::Top,
                limit: None,
            };
            let parameters = parameters.with_cycles_ended();
            let parameters = Parameters {
                limit,
                ..parameters
            };
            (parameters, players)
        },
    )
}

/// Any rules, including decks of few ranks, where most turns are wars.
fn any_rules() -> impl Strategy<Value = GameSetup> {
    let decks = [
        "2x4", "3x4", "4x4", "2x9", "1x12", "12x1", "6x4", "13x4", "20x3", "5x7",
    ];
    let decks = prop::sample::select(decks.to_vec());
    (any_parameters(), decks).prop_map(|((parameters, players), deck)| {
        let deck = Deck::from_shape(deck).expect("a shape");
        // The engine keeps every turn: a cycle of many cards may have more turns than fit into
        // memory, and few cards may be swapped for ever by chance.
        let chance =
            parameters.is_left_to_chance() || parameters.out_of_cards == OutOfCards::Shrink;
        let bounded = parameters.limit.is_none() && (chance || deck.size() > 16);
        GameSetup {
            parameters: if bounded {
                parameters.with_turn_limit(5_000)
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
    /// Number of games with each feature, in the property that this thread checks.
    static FEATURES: RefCell<BTreeMap<&'static str, u32>> = const { RefCell::new(BTreeMap::new()) };
}

fn count_feature(what: &'static str) {
    FEATURES.with_borrow_mut(|features| *features.entry(what).or_default() += 1);
}

fn note(rules: &GameSetup, played: &GameResult, depths: &WarDepthCounts) {
    count_feature(match played.conclusion {
        Conclusion::Won(_) => "won",
        Conclusion::Drawn => "drawn",
        Conclusion::Endless { .. } => "endless",
        Conclusion::Undecided => "undecided",
    });
    if played.wars > 0 {
        count_feature("war");
    }
    if depths.counts().len() > 1 {
        count_feature("war in a war");
    }
    if played.ties.played_on < played.ties.all {
        count_feature("tie not played on");
    }
    if played.turns > 300 {
        count_feature("long");
    }
    if rules.max_turns() == Some(played.turns)
        && matches!(rules.parameters.limit, Some(TurnLimit::TurnsPerCard(_)))
        && matches!(played.conclusion, Conclusion::Won(_))
    {
        count_feature("won at the limit");
    }
    count_feature(rules.parameters.collect.name());
    count_feature(rules.parameters.piles.name());
    count_feature(rules.parameters.out_of_cards.name());
}

#[test]
fn the_general_kernel_agrees_with_the_event_engine() {
    let config = ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(2_000)
    };
    proptest!(config, |(rules in any_rules(), seed in any::<u64>(), game in any::<u64>())| {
        let (hands, mut chance) = rules.deal(GameNumber { seed, game }).expect("hands");
        let expected = by_events(rules.parameters, hands.clone(), chance.clone());
        let mut depths = WarDepthCounts::default();
        let found = GeneralKernel::new(rules.parameters).play(&hands, &mut chance, &mut depths);
        prop_assert_eq!(found.map(|found| found.result), Some(expected));
        prop_assert_eq!(depths.counts().iter().sum::<u64>(), u64::from(expected.wars));
        note(&rules, &expected, &depths);
    });
    FEATURES.with_borrow(|features| {
        for what in [
            "won",
            "drawn",
            "endless",
            "undecided",
            "won at the limit",
            "war",
            "war in a war",
            "tie not played on",
            "long",
        ] {
            assert!(features.get(what) > Some(&10), "{what}: {features:?}");
        }
        for name in CollectOrder::ALL
            .map(CollectOrder::name)
            .into_iter()
            .chain(OutOfCards::ALL.map(OutOfCards::name))
            .chain(Piles::ALL.map(Piles::name))
        {
            assert!(features.get(name) > Some(&100), "{name}: {features:?}");
        }
    });
}

#[test]
fn cards_of_a_single_rank_leave_nothing_to_chance() {
    let hand = 1..5_usize;
    proptest!(|((parameters, _) in any_parameters(), first in hand.clone(), second in hand)| {
        let parameters = Parameters { limit: None, out_of_cards: OutOfCards::Shrink, ..parameters };
        let hands = vec![vec![Rank::ACE; first], vec![Rank::ACE; second]];
        let parameters = parameters.adjust_to_cards(&hands.concat());
        let mut chance = Xoshiro256PlusPlus::new(GameNumber { seed: 1, game: 0 });
        let expected = by_events(parameters, hands.clone(), chance.clone());
        let mut kernel = GeneralKernel::new(parameters);
        let played = kernel.play(&hands, &mut chance, &mut WarDepthCounts::default());
        prop_assert_eq!(played.map(|counted| counted.result), Some(expected));
        let Conclusion::Endless { period } = expected.conclusion else {
            panic!("{expected:?}");
        };
        // With two piles, hands are repeated only when the second piles are the same too.
        prop_assert!(period == 1 || parameters.piles != Piles::One);
    });
}

#[test]
fn hands_repeated_by_a_shuffle_prove_nothing() {
    let goes_on = Parameters {
        collect: CollectOrder::Shuffled,
        out_of_cards: OutOfCards::Shrink,
        repetition: RepetitionRule::GoesOn,
        ..Parameters::BATAILLE.with_turn_limit(3_000)
    };
    let ends = Parameters {
        repetition: RepetitionRule::Ends,
        ..goes_on
    };
    let cards: Vec<_> = (1..=4).filter_map(Rank::new).collect();
    for game in 0..100 {
        let mut chance = Xoshiro256PlusPlus::new(GameNumber { seed: 1, game });
        let mut hands = cards.clone();
        chance.shuffle(&mut hands);
        let hands = deal(&hands, 2);
        let expected = by_events(goes_on, hands.clone(), chance.clone());
        let played =
            GeneralKernel::new(ends).play(&hands, &mut chance, &mut WarDepthCounts::default());
        assert_eq!(
            played.map(|counted| counted.result),
            Some(expected),
            "{game}"
        );
    }
}

/// Returns a setup whose games last for many millions of turns.
fn long_rules() -> GameSetup {
    GameSetup {
        parameters: Parameters {
            face_down: 0,
            collect: CollectOrder::SeatInterleaved,
            ..Parameters::BATAILLE
        },
        players: 2,
        deck: Deck::from_shape("31x8").expect("a shape"),
        dealing: Dealing::Shuffled,
    }
}

#[test]
fn a_long_game_can_be_stopped() {
    let rules = long_rules();
    let (hands, _) = rules.deal(GameNumber { seed: 1, game: 0 }).expect("hands");
    let (asked, mut depths) = (Cell::new(0), WarDepthCounts::default());
    let goes_on = || asked.replace(asked.get() + 1) < 2;
    let mut kernel = GeneralKernel::new(rules.parameters);
    let played = kernel.play_while(&hands, &mut (), &mut depths, &goes_on);
    assert_eq!((played, asked.get()), (None, 3));
    assert_eq!(depths, WarDepthCounts::default());
}

#[test]
fn an_undecided_game_takes_at_most_twice_its_turns() {
    let rules = long_rules();
    let (hands, _) = rules.deal(GameNumber { seed: 1, game: 0 }).expect("hands");
    let asked = Cell::new(0);
    let goes_on = || asked.replace(asked.get() + 1) < 100;
    let mut kernel = GeneralKernel::new(rules.parameters.with_turn_limit(4 << 20));
    let played = kernel.play_while(&hands, &mut (), &mut WarDepthCounts::default(), &goes_on);
    let played = played.expect("an end").result;
    assert_eq!(
        (played.conclusion, played.turns),
        (Conclusion::Undecided, 4 << 20)
    );
    assert!(asked.get() <= 10, "{} million turns", asked.get());
}

#[test]
fn a_stopped_simulation_keeps_the_games_before() {
    let config = ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(60)
    };
    proptest!(config, |(rules in fast_rules(), seed in any::<u64>(), asks in 0..30_usize)| {
        let mut counts = Vec::new();
        for kernel in Kernel::ALL {
            let asked = Cell::new(0);
            let goes_on = || asked.replace(asked.get() + 1) < asks;
            let mut simulator = Simulator::new(rules.clone(), kernel);
            let (mut tally, mut all) = (Tally::default(), Vec::new());
            let each = |_, played: &GameResult| all.push(*played);
            let count = simulator.play_while(seed, 0..300, &mut tally, each, &goes_on);
            prop_assert_eq!((all, tally), by_kernel(&rules, Kernel::General, seed, 0..count));
            counts.push(count);
        }
        // The general kernel polls `goes_on` in every game, the fast kernels only in a few.
        prop_assert!(counts[Kernel::ALL.len() - 1] <= asks as u64);
        if counts[..counts.len() - 1].iter().any(|&count| count < 300) {
            count_feature("fast kernel stopped");
        }
    });
    FEATURES.with_borrow(|features| {
        assert!(
            features.get("fast kernel stopped") > Some(&3),
            "{features:?}"
        );
    });
}

/// Any setup that the fast kernels play.
fn fast_rules() -> impl Strategy<Value = GameSetup> {
    let decks = [
        "2x4", "3x4", "4x4", "2x9", "7x2", "3x1", "12x1", "6x4", "5x7", "13x4", "2x32", "2x33",
    ];
    let decks = prop::sample::select(decks.to_vec());
    let orders = prop::sample::select(CollectOrder::ALL.to_vec());
    let endings = prop::sample::select(OutOfCards::ALL.to_vec());
    let limit = prop_oneof![
        3 => Just(None),
        1 => (1..900_u32).prop_map(|turns| Some(TurnLimit::Turns(turns))),
        1 => (1..11_u32).prop_map(|turns| Some(TurnLimit::TurnsPerCard(turns))),
    ];
    let repetition = prop::sample::select(vec![RepetitionRule::Ends, RepetitionRule::GoesOn]);
    let more = (limit, repetition, 2..=5_u8);
    let collecting = (orders, any_piles());
    (0..=5_u8, collecting, endings, decks, more).prop_map(
        |(face_down, (collect, piles), out_of_cards, deck, (limit, repetition, players))| {
            // With no card face down and many cards, cycles can be too long to wait for.
            let few = ["2x4", "3x4", "4x4", "2x9", "3x1"];
            let deck = if face_down == 0 && limit.is_none() && !few.contains(&deck) {
                "6x4"
            } else {
                deck
            };
            // Few cards may be swapped for ever by chance.
            let chance = collect.is_left_to_chance() || piles.is_left_to_chance();
            let limit = limit.or(chance.then_some(TurnLimit::Turns(2_000)));
            let ends = !chance && (limit.is_none() || repetition == RepetitionRule::Ends);
            let parameters = Parameters {
                face_down,
                collect,
                piles,
                out_of_cards: match out_of_cards {
                    OutOfCards::Shrink if !chance => OutOfCards::EndOfCards,
                    known => known,
                },
                repetition: if ends {
                    RepetitionRule::Ends
                } else {
                    RepetitionRule::GoesOn
                },
                limit,
                ..Parameters::BATAILLE
            };
            let many = parameters.out_of_cards == OutOfCards::EndOfCards && deck != "3x1";
            GameSetup {
                parameters,
                players: if many { players } else { 2 },
                deck: Deck::from_shape(deck).expect("a shape"),
                dealing: Dealing::Shuffled,
            }
        },
    )
}

/// Plays games with a kernel, and returns their results and counts.
fn by_kernel(
    rules: &GameSetup,
    kernel: Kernel,
    seed: u64,
    games: Range<u64>,
) -> (Vec<GameResult>, Tally) {
    let (mut all, mut tally) = (Vec::new(), Tally::default());
    let mut simulator = Simulator::new(rules.clone(), kernel);
    simulator.play(seed, games, &mut tally, |_, played| all.push(*played));
    (all, tally)
}

#[test]
fn all_kernels_play_the_same_games_and_count_the_same() {
    let config = ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(300)
    };
    proptest!(config, |(rules in fast_rules(), seed in any::<u64>(), from in 0..u64::MAX / 2)| {
        let games = from..from + 40;
        let general = by_kernel(&rules, Kernel::General, seed, games.clone());
        for kernel in Kernel::ALL {
            let found = by_kernel(&rules, kernel, seed, games.clone());
            prop_assert_eq!(&found.0, &general.0);
            prop_assert_eq!(&found.1, &general.1);
        }
        for (index, played) in general.0.iter().enumerate() {
            let mut deep = WarDepthCounts::default();
            if played.wars > 0 {
                deep.count(general.1.depths.counts().len().max(1));
            }
            note(&rules, played, &deep);
            if index < 3 {
                let number = GameNumber { seed, game: from + index as u64 };
                let (hands, chance) = rules.deal(number).expect("hands");
                prop_assert_eq!(by_events(rules.parameters, hands, chance), *played);
            }
        }
    });
    FEATURES.with_borrow(|features| {
        let endings = ["won", "drawn", "endless", "undecided", "won at the limit"];
        let piles = Piles::ALL.map(Piles::name);
        let whats = endings.into_iter().chain(["war", "war in a war", "long"]);
        for what in whats.chain(piles) {
            assert!(features.get(what) > Some(&10), "{what}: {features:?}");
        }
    });
}

/// Counts the games that a fast kernel leaves to the general one.
#[derive(Default)]
struct LeftGames(AtomicU64);

impl Monitor for LeftGames {
    fn report_general_kernel_games(&self, games: u64) {
        self.0.fetch_add(games, Ordering::Relaxed);
    }
}

#[test]
fn games_left_to_the_general_kernel_are_counted() {
    let parameters = Parameters {
        collect: CollectOrder::WinnerFirst,
        ..Parameters::BATAILLE
    };
    let mut plan = RunPlan {
        setup: GameSetup {
            parameters,
            players: 2,
            deck: Deck::from_shape("10x1").expect("a shape"),
            dealing: Dealing::Shuffled,
        },
        seed: 1,
        games: 2_000,
        part: 0..2_000,
        kernel: Kernel::Portable,
    };
    // The portable kernel for these rules can't prove that a game is endless, and no game of 10
    // cards lasts 4,096 turns. 197,970 of the deck's 1,814,400 deals are endless.
    for (jobs, kernel) in [
        (1, Kernel::Portable),
        (3, Kernel::Portable),
        (2, Kernel::General),
    ] {
        plan.kernel = kernel;
        let left = LeftGames::default();
        let run = plan.play(NonZero::new(jobs).expect("threads"), &left);
        assert!((150..300).contains(&run.tally.endless));
        let expected = match kernel {
            Kernel::General => 0,
            _ => run.tally.endless,
        };
        assert_eq!(left.0.into_inner(), expected);
    }
}

#[test]
fn this_processor_runs_every_kernel_it_supports() {
    let reference = Parameters {
        face_down: 1,
        collect: CollectOrder::WinnerFirst,
        ..Parameters::BATAILLE
    };
    let playing = |parameters, deck, kernel| {
        let rules = GameSetup {
            parameters,
            players: 2,
            deck: Deck::from_shape(deck).expect("a shape"),
            dealing: Dealing::Shuffled,
        };
        Simulator::new(rules, kernel).kernel()
    };
    assert_eq!(playing(reference, "13x4", Kernel::General), Kernel::General);
    let portable = playing(reference, "13x4", Kernel::Portable);
    assert_eq!(portable, Kernel::Portable);
    let vectors = playing(reference, "13x4", Kernel::Simd128);
    #[cfg(target_arch = "aarch64")]
    assert_eq!(vectors, Kernel::Simd128);
    #[cfg(target_arch = "x86_64")]
    {
        let known = std::arch::is_x86_feature_detected!("ssse3");
        assert_eq!(vectors == Kernel::Simd128, known);
        let known = std::arch::is_x86_feature_detected!("avx512vbmi2");
        let fastest = playing(reference, "13x4", Kernel::Fastest);
        assert_eq!(fastest == Kernel::Avx512, known);
        assert_eq!(playing(reference, "13x4", Kernel::Avx512), fastest);
    }
    // Vector kernels support this order too, but hold at most 64 cards.
    let seat = Parameters {
        collect: CollectOrder::Seat,
        ..reference
    };
    let fastest = playing(reference, "13x4", Kernel::Fastest);
    assert_eq!(playing(seat, "13x4", Kernel::Fastest), fastest);
    assert_eq!(playing(seat, "13x4", Kernel::Portable), Kernel::Portable);
    assert_eq!(playing(seat, "33x2", Kernel::Portable), Kernel::General);
    for piles in [Piles::Two, Piles::TwoTurned] {
        let parameters = Parameters {
            piles,
            ..Parameters::HOUSEHOLD
        };
        let found = playing(parameters.with_cycles_ended(), "13x4", Kernel::Fastest);
        assert_eq!(found, Kernel::Portable);
    }
    let classic = CLASSIC.parameters;
    let portable = playing(classic, "13x4", Kernel::Portable);
    assert_eq!(portable, Kernel::Portable);
    let shuffled = Parameters {
        collect: CollectOrder::Shuffled,
        repetition: RepetitionRule::GoesOn,
        ..reference
    };
    let fastest = playing(shuffled, "13x4", Kernel::Fastest);
    assert_eq!(fastest, Kernel::Portable);
    assert_eq!(
        playing(reference, "33x2", Kernel::Fastest),
        Kernel::Portable
    );
}

// The state and the first words were computed from the published algorithms by another
// implementation, and the deals from the book's text.
#[test]
fn the_generator_of_simulated_games_is_pinned() {
    let number = |seed, game| GameNumber { seed, game };
    let words = |number| {
        let mut bulk = Xoshiro256PlusPlus::new(number);
        [(); 3].map(|()| bulk.next_word())
    };
    let dealt = |number: GameNumber| {
        let mut cards = Deck::Large.cards();
        Xoshiro256PlusPlus::new(number).shuffle(&mut cards);
        cards.iter().map(|card| card.get()).collect::<Vec<_>>()
    };
    assert_eq!(words(number(0, 0)), WORDS[0]);
    assert_eq!(words(number(42, 7)), WORDS[1]);
    assert_eq!(words(number(u64::MAX, u64::MAX)), WORDS[2]);
    assert_eq!(dealt(number(42, 7)), DEALT);
    let mut bulk = Xoshiro256PlusPlus::new(number(1, 2));
    let draws = [1, 2, 6, 52, 1 << 31, u32::MAX].map(|bound| bulk.draw_below(bound));
    assert_eq!(draws, DRAWS);
}

// The letters come from a program in another language, tests/verifier/chance.py: `below(2)` of its
// xoshiro256++, H for 0 and T for 1.
#[test]
fn the_coin_of_simulated_games_is_pinned() {
    let card = |value| Rank::new(value).expect("a rank");
    for (seed, game, expected) in [
        (7, 3, "TTTHHTTHHTTTHTTHTHHTTHTTHTHHTTHH"),
        (u64::MAX, 0, "HTTHTTHTHTHTTTTTTTHHHHTHHHTTHHTT"),
        (1, u64::MAX, "HTHHTHTHHHTTTHTTTHHHTHHHTTHTTHTT"),
    ] {
        let mut chance = Xoshiro256PlusPlus::new(GameNumber { seed, game });
        let mut toss = |_| match chance.choose(vec![card(1)], vec![card(2)])[0].get() {
            1 => 'H',
            _ => 'T',
        };
        let tossed: String = (0..expected.len()).map(&mut toss).collect();
        assert_eq!(tossed, expected, "{seed}:{game}");
    }
}

const WORDS: [[u64; 3]; 3] = [
    [
        0x84f0_9bf3_07c1_073a,
        0xc82f_fb59_7cee_e51b,
        0xadf9_6905_c5df_4417,
    ],
    [
        0x4bb7_cd66_d7db_8c85,
        0x671b_9d95_7ee2_8671,
        0x342d_73a0_c0ba_ce8b,
    ],
    [
        0xf2bc_3213_b2cf_0981,
        0x2acc_e4f0_fd02_c70a,
        0xb843_9338_d6bc_0eca,
    ],
];
const DEALT: [u8; 52] = [
    3, 11, 8, 2, 2, 6, 6, 8, 12, 13, 7, 11, 12, 14, 4, 4, 5, 3, 10, 9, 6, 3, 14, 5, 5, 7, 13, 14,
    14, 7, 10, 8, 10, 9, 4, 12, 9, 2, 7, 11, 10, 5, 9, 3, 11, 12, 6, 13, 2, 13, 8, 4,
];
const DRAWS: [u32; 6] = [0, 1, 0, 13, 2_020_884_620, 3_165_808_000];

#[test]
fn impossible_games_are_not_played() {
    let mut general = GeneralKernel::new(Parameters::BATAILLE);
    let mut depths = WarDepthCounts::default();
    let mut plays = |hands: &[usize]| {
        let hands: Vec<_> = hands.iter().map(|&cards| vec![Rank::ACE; cards]).collect();
        let played = general.play(&hands, &mut (), &mut depths);
        played.is_some()
    };
    assert!(plays(&[1, 1]) && plays(&[255, 0]));
    for hands in [&[][..], &[1], &[0, 0], &[128, 128], &[1; MAX_PLAYERS + 1]] {
        assert!(!plays(hands), "{hands:?}");
    }
    depths.count(0);
    let enumeration = Enumeration::new(
        Parameters::BATAILLE,
        Deck::from_shape("2x2").expect("a shape"),
    );
    let enumeration = enumeration.expect("few deals");
    assert!(enumeration.play(&[]).deals > 0);
    for beginning in [&[2][..], &[0, 0, 0], &[0; 9]] {
        assert_eq!(enumeration.play(beginning).deals, 0, "{beginning:?}");
    }
}

#[test]
fn cards_missing_from_the_deck_are_not_dealt() {
    let ace = [Rank::ACE; 5];
    for (number, cards) in [(1, &ace[..]), (3, &ace[..4])] {
        let rules = GameSetup {
            parameters: Parameters::BATAILLE,
            players: 2,
            deck: Deck::Large,
            dealing: Dealing::Fixed {
                seat: Seat::from_number(number).expect("a seat"),
                cards: cards.to_vec(),
            },
        };
        assert_eq!(
            rules.deal(GameNumber { seed: 1, game: 0 }).map(|_| ()),
            None
        );
        let (played, tally) = by_kernel(&rules, Kernel::Fastest, 1, 0..9);
        assert!(played.is_empty() && tally == Tally::default());
    }
}

#[test]
fn shards_cover_every_game_once() {
    assert!(Shard::new(0, 3).is_none() && Shard::new(4, 3).is_none() && Shard::new(0, 0).is_none());
    for (games, of) in [(10, 3), (2, 4), (u64::MAX, 7)] {
        let mut next = 0;
        for index in 1..=of {
            let shard = Shard::new(index, of).expect("a shard").game_range(games);
            assert_eq!(shard.start, next);
            assert!((games / of..=games / of + 1).contains(&(shard.end - shard.start)));
            next = shard.end;
        }
        assert_eq!(next, games);
    }
}

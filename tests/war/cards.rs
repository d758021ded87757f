//! Cards: ranks, decks, deals, and their random generators.

use war::cards::{
    Card, Chance, Deck, GameNumber, Generator, JavaRandom, Rank, Suit, UnknownGenerator, deal,
    deal_with_fixed_hand, remove_cards, reorder_if_same_cards,
};

fn rank(value: u8) -> Rank {
    Rank::new(value).expect("a rank")
}

fn ranks(values: &[u8]) -> Vec<Rank> {
    values.iter().copied().map(rank).collect()
}

/// Scripted draws, with the bounds that were requested.
#[derive(Default)]
struct ScriptedDraws {
    draws: Vec<u32>,
    bounds: Vec<u32>,
}

impl Chance for ScriptedDraws {
    fn draw_below(&mut self, bound: u32) -> u32 {
        self.bounds.push(bound);
        self.draws.pop().unwrap_or(0)
    }
}

#[test]
fn a_rank_is_a_number_from_1_to_64() {
    for value in [1, 2, 14, 63, 64] {
        assert_eq!(Rank::new(value).map(Rank::get), Some(value));
    }
    for value in [0, 65, 255] {
        assert_eq!(Rank::new(value), None, "{value}");
    }
    assert_eq!(Rank::ACE.to_string(), "14");
}

#[test]
fn a_card_is_written_as_its_rank_and_its_suit() {
    let deck = Card::deck();
    assert_eq!(deck.len(), 52);
    let written: Vec<_> = deck.iter().map(Card::to_string).collect();
    assert_eq!(written[..2], ["2c", "3c"]);
    assert_eq!(written[7..14], ["9c", "Tc", "Jc", "Qc", "Kc", "Ac", "2d"]);
    assert_eq!(written[26], "2h");
    assert_eq!(written[51], "As");
    assert_eq!((deck[8].rank(), deck[8].suit()), (rank(10), Suit::Clubs));
    for (card, written) in deck.iter().zip(&written) {
        assert_eq!(written.parse(), Ok(*card));
        assert_eq!(String::from(*card), *written);
        let json = serde_json::to_string(card).expect("JSON");
        assert_eq!(json, format!("\"{written}\""));
        assert_eq!(serde_json::from_str::<Card>(&json).expect("a card"), *card);
    }
    for other in ["", "J", "Jx", "1c", "jc", "JC", "Jcc", "10c", "cJ"] {
        assert!(other.parse::<Card>().is_err(), "{other}");
    }
}

#[test]
fn a_deck_has_each_rank_once_per_suit() {
    for (shape, cards, lowest, highest) in [
        ("small", 24, 9, 14),
        ("large", 52, 2, 14),
        ("thirteen", 52, 1, 13),
        ("1x2", 2, 14, 14),
        ("2x1", 2, 13, 14),
        ("14x3", 42, 1, 14),
        ("15x3", 45, 1, 15),
        ("64x3", 192, 1, 64),
        ("51x5", 255, 1, 51),
        ("1x255", 255, 14, 14),
    ] {
        let deck = Deck::parse(shape).unwrap_or_else(|| panic!("{shape}"));
        assert_eq!((deck.size(), deck.name()), (cards, shape.to_owned()));
        assert_eq!(
            (deck.lowest_rank(), deck.highest_rank()),
            (lowest, highest),
            "{shape}"
        );
        let suit: Vec<_> = (lowest..=highest).map(rank).collect();
        assert_eq!(deck.cards(), suit.repeat(cards / suit.len()), "{shape}");
    }
    assert_eq!(Deck::parse("6x4"), Some(Deck::Small));
    assert_eq!(Deck::parse("13x4"), Some(Deck::Large));
    for other in [
        "", "x", "4", "0x4", "4x0", "1x1", "64x4", "65x1", "52x5", "06x4", "+6x4", "6x04", "6X4",
        "6x4x1", "256x1", "1x256", "Small", "-1x4", "6x4 ",
    ] {
        assert_eq!(Deck::parse(other), None, "{other}");
    }
}

#[test]
fn the_deck_is_named_small_or_large() {
    assert_eq!(Deck::from_name("SMALL"), Some(Deck::Small));
    assert_eq!(Deck::from_name("large"), Some(Deck::Large));
    assert_eq!(Deck::from_size(24), Some(Deck::Small));
    assert_eq!(Deck::from_size(52), Some(Deck::Large));
    for other in ["thirteen", "6x4", ""] {
        assert_eq!(Deck::from_name(other), None, "{other}");
    }
    for other in [0, 23, 25, 51, 53] {
        assert_eq!(Deck::from_size(other), None, "{other}");
    }
}

#[test]
fn cards_are_dealt_one_at_a_time() {
    let hands = deal(&ranks(&[1, 2, 3, 4, 5]), 3);
    assert_eq!(hands, [ranks(&[1, 4]), ranks(&[2, 5]), ranks(&[3])]);
    assert_eq!(deal(&ranks(&[1]), 2), [ranks(&[1]), ranks(&[])]);
}

#[test]
fn a_shuffle_swaps_each_card_from_last_to_first_with_one_before_it_or_itself() {
    let mut cards = ranks(&[1, 2, 3, 4]);
    let mut script = ScriptedDraws::default();
    script.shuffle(&mut cards);
    // 4 and 1 change places, then 3 and 4, then 2 and 3.
    assert_eq!(cards, ranks(&[2, 3, 4, 1]));
    assert_eq!(script.bounds, [4, 3, 2]);
    let mut untouched = ranks(&[1, 2, 3]);
    ().shuffle(&mut untouched);
    assert_eq!((untouched, ().draw_below(7)), (ranks(&[1, 2, 3]), 0));
}

#[test]
fn a_fixed_hand_is_shuffled_first_and_keeps_its_player() {
    for (index, expected) in [
        (0, [&[2, 1][..], &[4, 3], &[5]]),
        (1, [&[4, 3], &[2, 1], &[5]]),
        (2, [&[4, 3], &[5], &[2, 1]]),
    ] {
        let mut script = ScriptedDraws::default();
        let fixed = (index, ranks(&[1, 2]));
        let hands = deal_with_fixed_hand(fixed, ranks(&[3, 4, 5]), 3, &mut script);
        // Always drawing the first card turns `3 4 5` into `4 5 3`.
        assert_eq!(hands, Some(expected.map(ranks).to_vec()), "{index}");
        assert_eq!(script.bounds, [2, 3, 2]);
    }
    let nobody =
        |index, players| deal_with_fixed_hand((index, ranks(&[1])), ranks(&[2]), players, &mut ());
    assert_eq!((nobody(2, 2), nobody(0, 1)), (None, None));
    assert_eq!(
        nobody(1, 2),
        Some([[2], [1]].map(|cards| ranks(&cards)).to_vec())
    );
}

#[test]
fn cards_are_removed_only_from_a_deck_that_has_them() {
    let deck = ranks(&[1, 2, 1, 3]);
    assert_eq!(
        remove_cards(deck.clone(), &ranks(&[1, 3])),
        Some(ranks(&[2, 1]))
    );
    assert_eq!(remove_cards(deck.clone(), &ranks(&[3, 3])), None);
    assert_eq!(remove_cards(deck.clone(), &[]), Some(deck));
}

#[test]
fn cards_can_only_be_reordered_into_the_same_cards() {
    let mut cards = ranks(&[1, 2, 2]);
    assert!(reorder_if_same_cards(&mut cards, &ranks(&[2, 1, 2])));
    assert_eq!(cards, ranks(&[2, 1, 2]));
    for other in [&[1, 1, 2][..], &[1, 2], &[1, 2, 2, 2]] {
        assert!(
            !reorder_if_same_cards(&mut cards, &ranks(other)),
            "{other:?}"
        );
        assert_eq!(cards, ranks(&[2, 1, 2]));
    }
}

// The draws were computed by an implementation in another language, from Java's documentation.
#[test]
fn java_draws_again_above_the_largest_multiple() {
    let bound = (1 << 30) + 1;
    let mut java = JavaRandom::new(1);
    // The stream begins 1569548985 215764588 880641847 874970313 446064254 77814904.
    let draws = [(); 4].map(|()| java.draw_below(bound));
    assert_eq!(draws, [215_764_588, 880_641_847, 874_970_313, 446_064_254]);
    // With this bound, all but one of the 2^31 numbers that the stream can contain are valid draws.
    assert_eq!(JavaRandom::new(1).draw_below((1 << 31) - 1), 1_569_548_985);
    let mut java = JavaRandom::new(-1);
    assert_eq!([(); 5].map(|()| java.draw_below(10)), [3, 5, 9, 9, 4]);
    let mut java = JavaRandom::new(42);
    assert_eq!([(); 5].map(|()| java.draw_below(16)), [11, 0, 10, 0, 4]);
}

#[test]
fn a_generator_is_found_by_its_name_and_seed() {
    const CHACHA8: &str = "chacha8-fisher-yates/1";
    const JAVA: &str = "java-util-random/1";
    for (name, seed, generator) in [
        (CHACHA8, "0", Generator::ChaCha8 { seed: 0 }),
        (
            CHACHA8,
            "18446744073709551615",
            Generator::ChaCha8 { seed: u64::MAX },
        ),
        (
            JAVA,
            "-9223372036854775808",
            Generator::JavaRandom { seed: i64::MIN },
        ),
        (
            "xoshiro256++-fisher-yates/1",
            "7:9",
            Generator::Xoshiro256PlusPlus {
                number: GameNumber { seed: 7, game: 9 },
            },
        ),
    ] {
        assert_eq!(Generator::from_name(name, seed), Ok(generator));
        assert_eq!(
            (generator.name(), generator.seed()),
            (name, seed.to_owned())
        );
    }
    for (name, seed) in [(CHACHA8, "01"), (CHACHA8, "-1"), (JAVA, "+1"), (JAVA, "")] {
        let unknown = Err(UnknownGenerator::Seed);
        assert_eq!(Generator::from_name(name, seed), unknown, "{name} {seed}");
    }
    let unknown = Err(UnknownGenerator::Name);
    assert_eq!(Generator::from_name("chacha8", "1"), unknown);
}

#[test]
fn a_bound_above_java_s_largest_is_drawn_from_two_numbers() {
    let mut java = JavaRandom::new(42);
    let [high, low] = [(); 2].map(|()| u64::from(java.draw_below(1 << 31)));
    for bound in [(1 << 31) + 1, u32::MAX] {
        let drawn = (high << 31 | low) % u64::from(bound);
        assert_eq!(u64::from(JavaRandom::new(42).draw_below(bound)), drawn);
    }
}

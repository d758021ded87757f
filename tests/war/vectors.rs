//! Pinned vectors: these may never change, or old games would be dealt differently.

use crate::shared::dealt;
use war::cards::{ChaCha8, Chance, Deck, Rank};
use war::rules::{CollectOrder, OutOfCards, Piles, VARIANTS};
use war::tokens::{ClientSeed, Kind, Name};

/// Hands dealt with this seed, as numbers.
fn numbers(deck: Deck, players: usize, seed: u64) -> Vec<Vec<u8>> {
    let hands = dealt(deck, players, seed);
    let hand = |hand: &Vec<Rank>| hand.iter().map(|card| card.get()).collect();
    hands.iter().map(hand).collect()
}

#[test]
fn the_generator_is_chacha8_keyed_with_the_seed() {
    // The key stream for a zero key begins 3e00ef2f 895f40d6 7f5bb8e8 1f09a5a1, least significant
    // byte first. A bound that is a power of two rejects no word.
    let words = [0x2fef_003e, 0xd640_5f89, 0xe8b8_5b7f, 0xa1a5_091f_u32];
    let mut generator = ChaCha8::new(0);
    let draws = words.map(|_| generator.draw_below(1 << 31));
    assert_eq!(draws, words.map(|word| word % (1 << 31)));
}

#[test]
fn words_above_the_largest_multiple_are_rejected() {
    // The stream of seed 7 begins 742701683, 3281823346, 3936197989, 2001186818. The second and the
    // third are not below 3 * 2^30.
    let mut generator = ChaCha8::new(7);
    let draws = [(); 3].map(|()| generator.draw_below(3 << 30));
    assert_eq!(draws, [742_701_683, 2_001_186_818, 1_923_611_822]);
    // The bound is the second number itself, which is therefore rejected, too.
    let mut generator = ChaCha8::new(7);
    let draws = [(); 2].map(|()| generator.draw_below(3_281_823_346));
    assert_eq!(draws, [742_701_683, 2_001_186_818]);
}

// The deals were computed from the book's text by an implementation in another language.
#[test]
fn first_deals_are_pinned() {
    assert_eq!(
        numbers(Deck::Small, 4, 1),
        [
            [11, 14, 14, 13, 12, 9],
            [10, 14, 10, 13, 11, 9],
            [12, 9, 12, 12, 14, 10],
            [13, 13, 9, 11, 11, 10],
        ]
    );
    assert_eq!(
        numbers(Deck::Large, 5, 42),
        [
            &[14, 13, 10, 6, 4, 12, 5, 14, 6, 3, 14][..],
            &[7, 14, 2, 6, 13, 3, 2, 11, 8, 4, 10],
            &[12, 12, 3, 7, 5, 9, 12, 3, 7, 11],
            &[10, 8, 5, 10, 13, 6, 2, 13, 4, 9],
            &[9, 8, 7, 11, 11, 8, 9, 4, 2, 5],
        ]
    );
    assert_eq!(
        numbers(Deck::Small, 5, u64::MAX),
        [
            &[13, 14, 10, 10, 14][..],
            &[10, 11, 13, 9, 9],
            &[9, 12, 12, 11, 9],
            &[13, 14, 11, 12, 10],
            &[14, 13, 12, 11],
        ]
    );
}

#[test]
fn decks_are_ordered_before_the_shuffle() {
    let cards: Vec<_> = Deck::Small.cards().iter().map(|card| card.get()).collect();
    assert_eq!(cards[..8], [9, 10, 11, 12, 13, 14, 9, 10]);
    let cards: Vec<_> = Deck::Large.cards().iter().map(|card| card.get()).collect();
    assert_eq!(cards[..14], [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 2]);
}

#[test]
fn dealing_begins_with_player_one_and_the_top_card() {
    let mut cards = Deck::Large.cards();
    ChaCha8::new(42).shuffle(&mut cards);
    let hands = dealt(Deck::Large, 5, 42);
    assert_eq!(
        hands.iter().map(Vec::len).collect::<Vec<_>>(),
        [11, 11, 10, 10, 10]
    );
    assert_eq!(
        [hands[0][0], hands[1][0], hands[0][1]],
        [cards[0], cards[1], cards[5]]
    );
}

#[test]
fn names_in_journals_never_change() {
    let collects = [
        "seat",
        "seat-interleaved",
        "winner-first",
        "winner-pile",
        "bataille",
        "shuffled",
        "highest-first",
        "reversed-pile",
        "random",
    ];
    assert_eq!(CollectOrder::ALL.map(CollectOrder::name), collects);
    let out_of_cards = ["eoc", "loses", "last-card", "shrink"];
    assert_eq!(OutOfCards::ALL.map(OutOfCards::name), out_of_cards);
    assert_eq!(
        collects.map(CollectOrder::from_name),
        CollectOrder::ALL.map(Some)
    );
    assert_eq!(
        out_of_cards.map(OutOfCards::from_name),
        OutOfCards::ALL.map(Some)
    );
    assert_eq!(
        (CollectOrder::from_name("Seat"), OutOfCards::from_name("")),
        (None, None)
    );
    let custom = ["custom/1", "two-piles/1", "two-piles-turned/1"];
    assert_eq!(Piles::ALL.map(Piles::rules_id), custom);
    let variants: Vec<_> = VARIANTS.iter().map(|variant| variant.id).collect();
    assert_eq!(
        variants,
        [
            "classic/1",
            "duels/1",
            "duels-default/1",
            "duels-shuffle/1",
            "duels-random/1",
            "xy/1",
        ]
    );
    assert_eq!(
        Kind::ALL.map(Kind::name),
        ["single-card-game", "double-card-game"]
    );
    let kinds = ["single-card-game", "double-card-game"].map(Kind::from_name);
    assert_eq!(kinds, Kind::ALL.map(Some));
    assert_eq!(Kind::from_name("card-game"), None);
    // Valid names and seeds must stay valid, because journals contain them.
    for text in [
        "A",
        "Zoë O'Hara",
        "<b>'; DROP TABLE player;--",
        "山",
        "❤\u{fe0f}",
        &"x".repeat(32),
    ] {
        assert!(
            Name::new(text).is_ok() && ClientSeed::new(text).is_ok(),
            "{text}"
        );
    }
    assert!(ClientSeed::new(&"x".repeat(64)).is_ok() && ClientSeed::new("").is_ok());
}

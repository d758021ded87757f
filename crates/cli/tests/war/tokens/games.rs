//! Stakes, deals, moves, and optimal play.

use super::{SEATS, SEEDS, client_seed, first, hand, opening, secret};
use crate::support::{replayed, reviewed};
use Decision::{Fold, Play};
use proptest::prelude::*;
use std::collections::BTreeSet;
use war::cards::Card;
use war::i18n::Lang;
use war::journal::CommittedGame;
use war::recording::write_token_journal;
use war::support::hex::Hex;
use war::tokens::equilibrium::Strategy as Policy;
use war::tokens::{
    DealResult, Decision, Fairness, Hand, Kind, Move, Name, Seats, Secret, SeedStatus, TokenEvent,
    TokenGame, TokenRules, compare_hands,
};

#[test]
fn the_published_examples_are_reproduced() {
    let deltas =
        |kind, decisions, one, two| DealResult::settle(kind, decisions, &[hand(one), hand(two)]);
    let first = deltas(Kind::Single, [Fold, Play], "Jc", "Th");
    let second = deltas(Kind::Single, [Play, Play], "Qd", "9s");
    let third = deltas(Kind::Double, [Play, Play], "Jc 9h", "Jd Td");
    assert_eq!(first, DealResult::Deltas([-3, 3]));
    assert_eq!(second, DealResult::Deltas([10, -10]));
    assert_eq!(third, DealResult::Deltas([-20, 20]));
}

#[test]
fn stakes_depend_on_the_game() {
    let all = |kind, equal: &str, other: &str| {
        let hands = [hand(equal), hand(other)];
        [[Fold, Fold], [Play, Fold], [Fold, Play]]
            .map(|decisions| DealResult::settle(kind, decisions, &hands))
    };
    let single = [[-1, -1], [3, -3], [-3, 3]].map(DealResult::Deltas);
    assert_eq!(all(Kind::Single, "2c", "Ad"), single);
    let double = [[-2, -2], [5, -5], [-5, 5]].map(DealResult::Deltas);
    assert_eq!(all(Kind::Double, "2c 3c", "Ad Kd"), double);
    let tied = |kind, one, two| DealResult::settle(kind, [Play; 2], &[hand(one), hand(two)]);
    assert_eq!(tied(Kind::Single, "Ah", "As"), DealResult::Tied);
    assert_eq!(tied(Kind::Double, "Ah 2c", "2d As"), DealResult::Tied);
    let ace_is_high = tied(Kind::Single, "Ah", "Ks");
    assert_eq!(ace_is_high, DealResult::Deltas([10, -10]));
    let lower_decides = tied(Kind::Double, "3d Kh", "Ks 2h");
    assert_eq!(lower_decides, DealResult::Deltas([20, -20]));
}

// The hands were computed by a program in another language, written from the book's text.
#[test]
fn deals_are_pinned() {
    let commitment = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd";
    assert_eq!(secret().commitment().to_string(), commitment);
    for (kind, game, seeds, deal, hands) in [
        (Kind::Single, 1, ["", ""], 1, ["2d", "3h"]),
        (Kind::Single, 1, ["", ""], 2, ["8s", "4c"]),
        (Kind::Single, 1, ["ab", "ż"], 1, ["5c", "2s"]),
        (Kind::Single, 7, ["ab", "ż"], 1, ["Jd", "5c"]),
        (Kind::Double, 1, ["", ""], 1, ["8d 9h", "4s 7c"]),
        (Kind::Double, 1, ["", ""], 2, ["6c 2d", "Qd Kh"]),
        (Kind::Double, 1, ["ab", "ż"], 1, ["2c Kh", "Ac 3d"]),
        (Kind::Double, 7, ["ab", "ż"], 1, ["5s 2d", "9d 3d"]),
    ] {
        let seeds = seeds.map(|seed| client_seed(seed).to_hex());
        let seeds = seeds.each_ref().map(String::as_str);
        let dealt = secret().deal(first(kind), game, seeds, deal);
        assert_eq!(dealt, hands.map(hand), "{kind:?} {game} {deal}");
    }
}

#[test]
fn every_card_is_dealt_as_often_as_any_other() {
    const DEALS: u32 = 20_000;
    let mut seen = [[0_u32; 52]; 2];
    let deck = Card::deck();
    for deal in 1..=DEALS {
        let hands = secret().deal(first(Kind::Single), 1, ["", ""], deal);
        for (seat, hand) in hands.iter().enumerate() {
            let at = deck.iter().position(|card| *card == hand[0]);
            seen[seat][at.expect("a card of the deck")] += 1;
        }
    }
    // With 51 degrees of freedom, chi-square exceeds 88 in one of a thousand fair runs. The deals
    // are fixed, so this does not depend on luck.
    for counts in seen {
        let expected = f64::from(DEALS) / 52.0;
        let square = |&count: &u32| (f64::from(count) - expected).powi(2) / expected;
        let chi: f64 = counts.iter().map(square).sum();
        assert!(chi < 88.0, "{chi}");
    }
}

#[test]
fn moves_out_of_order_are_refused() {
    use war::tokens::MoveError;
    let mut game = TokenGame::new(first(Kind::Single), 1, secret());
    let names = ["Ann", "Bob"].map(|name| Name::new(name).expect("a name"));
    game.apply(&TokenEvent::Started { players: names })
        .expect("a start");
    let decide = Move::Decide(SEATS(0), Play);
    let seed = Move::Seed(SEATS(0), client_seed("x"));
    let nobody = Move::Decide(SEATS(2), Play);
    assert_eq!(game.decide(&nobody), Err(MoveError::NoSuchSeat));
    assert_eq!(game.decide(&decide), Err(MoveError::NotDealt));
    game.apply(&game.decide(&seed).expect("a seed"))
        .expect("possible");
    assert_eq!(game.decide(&seed), Err(MoveError::SeededAlready));
    game.apply(&game.decide(&Move::Deal).expect("a deal"))
        .expect("possible");
    assert_eq!(game.decide(&Move::Deal), Err(MoveError::SeedsClosed));
    assert_eq!(game.decide(&seed), Err(MoveError::SeedsClosed));
    game.apply(&game.decide(&decide).expect("a decision"))
        .expect("possible");
    assert_eq!(game.decide(&decide), Err(MoveError::DecidedAlready));
    assert_eq!(
        game.decide(&Move::TimeOut(SEATS(0))),
        Err(MoveError::DecidedAlready)
    );
    let fold = Move::Decide(SEATS(1), Fold);
    game.apply(&game.decide(&fold).expect("a decision"))
        .expect("possible");
    game.apply(&game.due_event().expect("the end"))
        .expect("possible");
    assert_eq!(game.decide(&fold), Err(MoveError::Over));
    assert_eq!(game.due_event(), None);
}

// A player who does not open their seed folds, and no cards are dealt without both seeds.
#[test]
fn a_seed_that_is_not_opened_forfeits_the_game() {
    use war::tokens::MoveError;
    let rules = TokenRules::current(Kind::Double);
    let open = |seat| Move::Open(SEATS(seat), SEEDS[seat]);
    let late = |seat| Move::TimeOut(SEATS(seat));
    for (moves, deltas) in [
        ([open(0), late(1)], [5, -5]),
        ([late(0), open(1)], [-5, 5]),
        ([late(1), late(0)], [-2, -2]),
    ] {
        let mut game = TokenGame::new(rules, 1, secret());
        game.apply(&opening(rules)).expect("a start");
        assert_eq!(game.decide(&Move::Deal), Err(MoveError::SeedsClosed));
        let other = Move::Open(SEATS(0), SEEDS[1]);
        assert_eq!(game.decide(&other), Err(MoveError::WrongSeed));
        for made in &moves {
            assert_eq!(game.due_event(), None);
            game.apply(&game.decide(made).expect("a move"))
                .expect("possible");
            let decided = game.decide(&Move::Decide(SEATS(0), Play));
            assert_eq!(decided, Err(MoveError::NotDealt));
        }
        let settled = game.due_event().expect("the end");
        assert_eq!(settled, TokenEvent::Settled { deltas });
        assert_eq!(game.deals(), 0);
    }
}

// The seeds of version 2 are hashed as bytes, not as text.
#[test]
fn both_seeds_determine_the_deal() {
    let rules = TokenRules::current(Kind::Single);
    let mut game = TokenGame::new(rules, 9, secret());
    game.apply(&opening(rules)).expect("a start");
    for seat in [1, 0] {
        let open = Move::Open(SEATS(seat), SEEDS[seat]);
        game.apply(&game.decide(&open).expect("a move"))
            .expect("possible");
    }
    let seeds = SEEDS.map(SeedStatus::Opened);
    assert!(
        matches!(game.seats(), Some(Seats::CommittedSeeds { seeds: opened, .. }) if *opened == seeds)
    );
    let [one, two] = ["01", "02"].map(|byte| byte.repeat(32));
    let hands = secret().deal(rules, 9, [&one, &two], 1);
    assert_eq!(game.due_event(), Some(TokenEvent::Dealt { hands }));
}

fn moves() -> impl Strategy<Value = Vec<(u8, usize, bool, String)>> {
    prop::collection::vec((0..4_u8, 0..2_usize, any::<bool>(), "[ -~żó]{0,12}"), 0..40)
}

proptest! {
    #[test]
    fn any_game_conserves_stakes_and_replays(
        moves in moves(),
        rules in prop::sample::select(&TokenRules::ALL[..]),
        number in 1..1_000_000_u64,
        key in any::<[u8; 32]>(),
    ) {
        let kind = rules.kind();
        let secret = Secret::new(Hex::new(key));
        let mut game = TokenGame::new(rules, number, secret);
        let mut events = vec![opening(rules)];
        game.apply(&events[0]).expect("a start");
        for (what, seat, play, text) in moves {
            let decision = if play { Play } else { Fold };
            let made = match what {
                0 if rules.fairness() == Fairness::CommittedSeeds => Move::Open(SEATS(seat), SEEDS[seat]),
                0 => Move::Seed(SEATS(seat), client_seed(&text)),
                1 => Move::Deal,
                2 => Move::Decide(SEATS(seat), decision),
                _ => Move::TimeOut(SEATS(seat)),
            };
            let mut next = game.decide(&made).ok();
            while let Some(event) = next {
                game.apply(&event).expect("a possible event");
                if let TokenEvent::Dealt { hands } = &event {
                    let cards: BTreeSet<_> = hands.concat().into_iter().collect();
                    prop_assert_eq!(cards.len(), 2 * kind.hand_size());
                }
                events.push(event);
                next = game.due_event();
            }
        }
        if let Some(deltas) = game.deltas() {
            let stakes = kind.stakes();
            let folded = deltas == [-stakes.both_fold; 2];
            let won = [stakes.one_folds, stakes.showdown].contains(&deltas[0].abs());
            prop_assert!(folded || won && deltas[0] == -deltas[1]);
        }
        let committed = CommittedGame { rules, game: number, commitment: secret.commitment(), secret };
        let journal = write_token_journal("war test", committed, Lang::En, &events).expect("a game");
        prop_assert_eq!(replayed(&journal[..]).0, None);
    }
}

#[test]
fn the_equilibria_have_their_published_value_and_no_better_response() {
    let printed: String = Kind::ALL
        .into_iter()
        .map(|kind| {
            let strategy = Policy::compute_equilibrium(kind);
            assert!(
                strategy.exploitability() < 1e-9,
                "{kind:?} {}",
                strategy.exploitability()
            );
            let mut hands: Vec<Hand> = Card::deck().iter().map(|card| vec![*card]).collect();
            if kind == Kind::Double {
                hands.clear();
                for one in Card::deck() {
                    let others = Card::deck().into_iter().filter(|other| *other != one);
                    hands.extend(others.map(|other| vec![one, other]));
                }
            }
            hands.sort_by(|one, other| compare_hands(one, other));
            let folded = hands
                .iter()
                .rfind(|hand| strategy.play_probability(hand) <= 0.0);
            let mixed = hands
                .iter()
                .find(|hand| (1e-6..1.0).contains(&strategy.play_probability(hand)));
            let played = hands
                .iter()
                .find(|hand| strategy.play_probability(hand) >= 1.0);
            let mixed = mixed.map(|hand| {
                let ranks: Vec<_> = hand.iter().map(|card| card.rank()).collect();
                (ranks, format!("{:.6}", strategy.play_probability(hand)))
            });
            let ranks = |hand: Option<&Hand>| {
                hand.map(|hand| hand.iter().map(|card| card.rank()).collect::<Vec<_>>())
            };
            format!(
                "{}: value {:.6}, folds up to {:?}, plays {:?}, always from {:?}\n",
                kind.name(),
                strategy.value(),
                ranks(folded),
                mixed,
                ranks(played),
            )
        })
        .collect();
    reviewed("equilibria", &printed);
}

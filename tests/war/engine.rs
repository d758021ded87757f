//! The rules: given hands and the resulting events.

use war::cards::{Chance, Rank};
use war::engine::{ApplyError, Event, Face, Game, Outcome, Play, Seat, Table, TurnStep};
use war::rules::{
    CLASSIC, CollectOrder, DUELS, DUELS_SHUFFLE, OutOfCards, Parameters, RepetitionRule,
    StandardRules, VARIANTS, Variant, XY,
};

fn card(value: u8) -> Rank {
    Rank::new(value).expect("a rank")
}

fn hands(hands: &[&[u8]]) -> Vec<Vec<Rank>> {
    let hand = |hand: &&[u8]| hand.iter().copied().map(card).collect();
    hands.iter().map(hand).collect()
}

fn seat(number: u8) -> Seat {
    Seat::from_number(number).expect("a seat")
}

/// Events of a classic game in short notation, as a player would call them out.
fn calls(given: &[&[u8]]) -> Vec<String> {
    calls_by(CLASSIC, given)
}

/// First 1,000 events of a game by these rules, without randomness.
///
/// Without randomness, a game may go on forever.
fn calls_by(rules: Variant, given: &[&[u8]]) -> Vec<String> {
    let plays = |plays: &[Play]| {
        let play = |play: &Play| format!("{}:{}", play.seat, play.card);
        plays.iter().map(play).collect::<Vec<_>>().join(" ")
    };
    let tell = |event: Event| match event {
        Event::Dealt { .. } => "dealt".to_owned(),
        Event::Clash { plays: put } => format!("clash {}", plays(&put)),
        Event::FaceDown { plays: put } => format!("down {}", plays(&put)),
        Event::WarRound { round, plays: put } => format!("round {round} {}", plays(&put)),
        Event::EndOfCards { seat, step } => format!("out {seat} {step:?}"),
        Event::Collected { seat, cards } => {
            let cards: Vec<_> = cards.iter().map(Rank::to_string).collect();
            format!("{seat} takes {}", cards.join(" "))
        }
        Event::Drawn { .. } => "drawn".to_owned(),
        Event::Reshuffled { .. } => "reshuffled".to_owned(),
        Event::Stopped { winner } => format!("stopped {winner:?}"),
        Event::Won { seat } => format!("{seat} wins"),
        Event::Endless { from, to } => format!("endless {from} to {to}"),
        Event::DrawnGame => "the game is drawn".to_owned(),
    };
    Game::new(Box::new(StandardRules::new(rules.parameters)), hands(given))
        .expect("a deal")
        .map(tell)
        .take(1000)
        .collect()
}

#[test]
fn the_single_highest_card_takes_all_by_seat() {
    assert_eq!(
        calls(&[&[9], &[14], &[10]]),
        [
            "dealt",
            "clash 1:9 2:14 3:10",
            "2 takes 9 14 10",
            "out 1 TurnEnd",
            "out 3 TurnEnd",
            "2 wins"
        ]
    );
}

#[test]
fn a_single_player_wins_without_a_turn() {
    assert_eq!(calls(&[&[9, 10]]), ["dealt", "1 wins"]);
    assert_eq!(calls(&[&[], &[9, 10], &[]]), ["dealt", "2 wins"]);
}

#[test]
fn the_winner_of_a_war_takes_set_aside_and_forfeited_cards() {
    assert_eq!(
        calls(&[&[5, 2], &[9, 3, 7, 6], &[9, 4, 8]]),
        [
            "dealt",
            "clash 1:5 2:9 3:9",
            "down 2:3 3:4",
            "round 2 2:7 3:8",
            "3 takes 5 9 3 7 9 4 8",
            "clash 1:2 2:6 3:5",
            "2 takes 2 6 5",
            "out 1 TurnEnd",
            "clash 2:2 3:9",
            "3 takes 2 9",
            "clash 2:6 3:3",
            "2 takes 6 3",
            "clash 2:5 3:7",
            "3 takes 5 7",
            "clash 2:6 3:9",
            "3 takes 6 9",
            "clash 2:3 3:4",
            "3 takes 3 4",
            "out 2 TurnEnd",
            "3 wins"
        ]
    );
}

#[test]
fn players_without_a_face_down_card_are_out() {
    let calls = calls(&[&[9], &[9, 3, 7]]);
    assert_eq!(
        calls[2..6],
        [
            "out 1 FaceDown",
            "down 2:3",
            "round 2 2:7",
            "2 takes 9 9 3 7"
        ]
    );
}

#[test]
fn players_without_a_face_up_card_are_out() {
    let calls = calls(&[&[9, 2], &[9, 3, 7]]);
    assert_eq!(
        calls[2..6],
        [
            "down 1:2 2:3",
            "out 1 FaceUp",
            "round 2 2:7",
            "2 takes 9 2 9 3 7"
        ]
    );
}

#[test]
fn the_last_player_completes_the_round_as_far_as_their_cards_reach() {
    assert_eq!(
        calls(&[&[9], &[9]])[2..5],
        ["out 1 FaceDown", "2 takes 9 9", "2 wins"]
    );
    assert_eq!(
        calls(&[&[9], &[9, 3]])[2..6],
        ["out 1 FaceDown", "down 2:3", "2 takes 9 9 3", "2 wins"]
    );
}

#[test]
fn when_all_run_out_the_highest_number_wins() {
    assert_eq!(
        calls(&[&[9, 2], &[9, 2], &[9, 2]])[2..6],
        [
            "down 1:2 2:2 3:2",
            "out 1 FaceUp",
            "out 2 FaceUp",
            "3 takes 9 2 9 2 9 2"
        ]
    );
}

#[test]
fn only_players_who_share_the_highest_card_continue() {
    let calls = calls(&[&[9, 2, 5, 8, 8], &[9, 2, 6, 2, 7], &[9, 2, 6, 2, 8]]);
    assert_eq!(calls[3], "round 2 1:5 2:6 3:6");
    assert_eq!(calls[4], "down 2:2 3:2");
    assert_eq!(calls[5], "round 3 2:7 3:8");
}

#[test]
fn a_game_is_endless_at_the_first_repetition() {
    // The hands at the start of turn 7 are those of turn 3: 4 1 and 2 3.
    let calls = calls(&[&[2, 4], &[3, 1]]);
    let last = calls.last().expect("an end");
    assert_eq!(last, "endless 3 to 6");
}

/// Table after these events.
fn table(events: &[Event]) -> Result<Table, ApplyError> {
    let mut table = Table::default();
    events.iter().try_for_each(|event| table.apply(event))?;
    Ok(table)
}

fn dealt(given: &[&[u8]]) -> Event {
    let hands = hands(given);
    Event::Dealt { hands }
}

fn play(player: u8, value: u8) -> Play {
    Play {
        seat: seat(player),
        card: card(value),
        index: 0,
    }
}

fn clash(plays: &[Play]) -> Event {
    let plays = plays.to_vec();
    Event::Clash { plays }
}

#[test]
fn applying_an_event_moves_cards_without_judging() {
    let lower_wins = Event::Collected {
        seat: seat(1),
        cards: vec![card(9), card(5)],
    };
    let both = clash(&[play(1, 5), play(2, 9)]);
    let before = table(&[dealt(&[&[5, 6], &[9]]), both.clone()]).expect("possible");
    assert_eq!(before.turn(), 1);
    assert_eq!(before.places()[1].pile()[0].face, Face::Up);
    let after = table(&[dealt(&[&[5, 6], &[9]]), both, lower_wins]).expect("possible");
    assert!(after.is_pot_empty());
    assert_eq!(after.places()[0].hand(), &[card(6), card(9), card(5)]);
    assert_eq!(after.outcome(), None::<Outcome>);
}

#[test]
fn events_that_contradict_the_cards_are_impossible() {
    let deal = || dealt(&[&[5, 6], &[9]]);
    let won = Event::Won { seat: seat(1) };
    let out = Event::EndOfCards {
        seat: seat(1),
        step: TurnStep::TurnEnd,
    };
    let takes = Event::Collected {
        seat: seat(1),
        cards: vec![card(5), card(5)],
    };
    let both = clash(&[play(1, 5), play(2, 9)]);
    for (events, error) in [
        (vec![won.clone()], ApplyError::NotDealt),
        (vec![deal(), deal()], ApplyError::DealtTwice),
        (vec![deal(), won.clone(), won], ApplyError::Over),
        (
            vec![deal(), clash(&[play(3, 5)])],
            ApplyError::NoSuchSeat(seat(3)),
        ),
        (
            vec![deal(), clash(&[play(1, 6)])],
            ApplyError::NotInHand(play(1, 6)),
        ),
        (
            vec![deal(), both.clone(), both.clone()],
            ApplyError::PotNotCollected,
        ),
        (vec![deal(), out], ApplyError::HoldsCards(seat(1))),
        (vec![deal(), both, takes], ApplyError::NotThePot),
    ] {
        assert_eq!(table(&events), Err(error));
    }
}

#[test]
fn a_table_seats_255_players_and_no_more() {
    let deal = |players| Event::Dealt {
        hands: vec![vec![card(9)]; players],
    };
    let full = table(&[deal(255)]).expect("the last seat has the number 255");
    assert_eq!(full.places().len(), 255);
    for players in [256, 257] {
        let error = ApplyError::TooManyPlayers(players);
        assert_eq!(table(&[deal(players)]), Err(error));
    }
}

#[test]
fn shuffled_hands_are_the_same_cards_in_the_order_given() {
    let deal = dealt(&[&[5, 6, 6], &[9]]);
    let reshuffled = |given: &[&[u8]]| Event::Reshuffled {
        hands: hands(given),
    };
    let after = table(&[deal.clone(), reshuffled(&[&[6, 5, 6], &[9]])]).expect("possible");
    assert_eq!(after.places()[0].hand(), &[card(6), card(5), card(6)]);
    for other in [
        &[&[5, 5, 6][..], &[9]][..],
        &[&[5, 6], &[9]],
        &[&[5, 6, 9], &[6]],
        &[&[5, 6, 6]],
        &[&[5, 6, 6], &[9], &[]],
    ] {
        let result = table(&[deal.clone(), reshuffled(other)]);
        assert_eq!(result, Err(ApplyError::NotTheHands), "{other:?}");
    }
}

#[test]
fn cards_of_the_highest_rank_are_collected() {
    let highest = Rank::HIGHEST.get();
    let takes = Event::Collected {
        seat: seat(2),
        cards: vec![card(1), Rank::HIGHEST],
    };
    let both = clash(&[play(1, 1), play(2, highest)]);
    let after = table(&[dealt(&[&[1], &[highest]]), both, takes]).expect("possible");
    assert_eq!(after.places()[1].hand(), &[card(1), Rank::HIGHEST]);
}

#[test]
fn a_seat_is_written_as_its_number() {
    assert_eq!(u8::from(seat(3)), 3);
    assert_eq!(serde_json::to_string(&seat(255)).expect("JSON"), "255");
    assert_eq!(serde_json::from_str::<Seat>("1").expect("a seat"), seat(1));
    assert!(serde_json::from_str::<Seat>("0").is_err());
}

#[test]
fn only_rules_built_from_parameters_are_custom() {
    assert!(Variant::custom(CLASSIC.parameters).is_custom());
    assert!(VARIANTS.iter().all(|variant| !variant.is_custom()));
}

#[test]
fn only_a_shuffle_of_different_cards_is_random() {
    let parameters = |collect, repetition| Parameters {
        collect,
        repetition,
        ..CLASSIC.parameters
    };
    let (same, different) = ([card(9); 3], [card(9), card(9), card(5)]);
    for (collect, cards, repetition) in [
        (CollectOrder::Shuffled, same, RepetitionRule::Ends),
        (CollectOrder::Shuffled, different, RepetitionRule::GoesOn),
        (CollectOrder::Random, same, RepetitionRule::Ends),
        (CollectOrder::Random, different, RepetitionRule::GoesOn),
        (CollectOrder::WinnerFirst, same, RepetitionRule::GoesOn),
        (CollectOrder::WinnerFirst, different, RepetitionRule::GoesOn),
    ] {
        let given = parameters(collect, RepetitionRule::GoesOn);
        let expected = parameters(collect, repetition);
        assert_eq!(
            given.adjust_to_cards(&cards),
            expected,
            "{collect:?} {cards:?}"
        );
    }
}

#[test]
fn repeated_hands_prove_nothing_if_cards_are_shuffled() {
    for collect in CollectOrder::ALL {
        for repetition in [
            RepetitionRule::Ends,
            RepetitionRule::GoesOn,
            RepetitionRule::Reshuffled,
        ] {
            let given = Parameters {
                collect,
                repetition,
                ..CLASSIC.parameters
            };
            let expected = if matches!(collect, CollectOrder::Shuffled | CollectOrder::Random) {
                RepetitionRule::GoesOn
            } else {
                RepetitionRule::Ends
            };
            let ended = given.with_cycles_ended();
            assert_eq!((ended.collect, ended.repetition), (collect, expected));
        }
    }
}

/// Coin that falls the same way each time.
struct Coin(u32);

impl Chance for Coin {
    fn draw_below(&mut self, bound: u32) -> u32 {
        assert_eq!(bound, 2, "a coin has two sides");
        self.0
    }
}

// By hand: both put 9, then three face-down cards each, then 10 and 12, or 12 and 10. The single
// pile of kbWar, a simulator that collects by `reversed-pile`, then contains 9 9, 1 2 3, 4 5 6, and
// the last two cards.
#[test]
fn won_cards_are_collected_in_the_chosen_order() {
    let second_wins: [&[u8]; 2] = [&[9, 1, 2, 3, 10], &[9, 4, 5, 6, 12]];
    let first_wins: [&[u8]; 2] = [&[9, 1, 2, 3, 12], &[9, 4, 5, 6, 10]];
    for (order, coin, dealt, taken) in [
        ("highest-first", 0, second_wins, "12 10 9 9 6 5 4 3 2 1"),
        ("reversed-pile", 0, second_wins, "12 10 6 5 4 3 2 1 9 9"),
        ("reversed-pile", 0, first_wins, "10 12 6 5 4 3 2 1 9 9"),
        ("random", 0, second_wins, "9 4 5 6 12 9 1 2 3 10"),
        ("random", 1, second_wins, "9 1 2 3 10 9 4 5 6 12"),
        ("random", 1, first_wins, "9 4 5 6 10 9 1 2 3 12"),
        ("bataille,random", 0, first_wins, "12 10 3 6 2 5 1 4 9 9"),
        ("bataille,random", 0, second_wins, "9 4 5 6 12 9 1 2 3 10"),
    ] {
        let parameters = Parameters {
            face_down: 3,
            collect: CollectOrder::from_name(order).expect(order),
            ..Parameters::BATAILLE
        };
        let game =
            Game::new(Box::new(StandardRules::new(parameters)), hands(&dealt)).expect("a deal");
        let mut events = game.with_chance(Box::new(Coin(coin)));
        let cards = events.find_map(|event| match event {
            Event::Collected { cards, .. } => Some(cards),
            _ => None,
        });
        let cards = cards.expect("a war that somebody wins");
        let cards: Vec<_> = cards.iter().map(Rank::to_string).collect();
        assert_eq!(cards.join(" "), taken, "{order} {coin}");
    }
}

#[test]
fn only_per_player_orders_are_lists() {
    let list = CollectOrder::from_name("seat,random").expect("a list");
    assert_eq!(list.to_string(), "seat,random");
    assert!(list.is_left_to_chance() && !list.treats_seats_alike());
    assert_eq!(
        CollectOrder::from_name("seat,seat,seat"),
        Some(CollectOrder::Seat)
    );
    for wrong in ["", ",", "seat,", "seat,by-seat", "seat, random", "by-seat"] {
        assert_eq!(CollectOrder::from_name(wrong), None, "{wrong}");
    }
    let six = "seat,seat,seat,seat,seat,random";
    assert_eq!(CollectOrder::from_name(six), None);
    assert_eq!(CollectOrder::from_seat_orders(&[]), None);
    assert_eq!(
        CollectOrder::from_seat_orders(&[list, CollectOrder::Seat]),
        None
    );
    let players = |out_of_cards, collect| {
        Variant::custom(Parameters {
            out_of_cards,
            collect: CollectOrder::from_name(collect).expect(collect),
            ..CLASSIC.parameters
        })
        .players
    };
    let three = players(OutOfCards::EndOfCards, "seat,random,bataille");
    assert_eq!(three, (3, 3));
    // An empty range: no number of players fits both options.
    assert_eq!(players(OutOfCards::Loses, "seat,random,bataille"), (3, 2));
}

#[test]
fn a_turn_limit_ends_the_game() {
    let parameters = CLASSIC.parameters.with_turn_limit(2);
    let game = Game::new(
        Box::new(StandardRules::new(parameters)),
        hands(&[&[2, 4], &[3, 1]]),
    );
    let events: Vec<_> = game.expect("a deal").collect();
    let clashes = events
        .iter()
        .filter(|event| matches!(event, Event::Clash { .. }));
    assert_eq!(clashes.count(), 2);
    assert!(matches!(events.last(), Some(Event::Stopped { .. })));
}

#[test]
fn a_war_of_x_and_y_shrinks_to_the_smaller_hand() {
    let calls = calls_by(XY, &[&[9, 1, 2, 3, 4, 12], &[9, 5, 6, 7]]);
    assert_eq!(
        calls[1..6],
        [
            "clash 1:9 2:9",
            "down 1:1 2:5",
            "down 1:2 2:6",
            "round 2 1:3 2:7",
            "2 takes 9 5 6 7 9 1 2 3"
        ]
    );
}

#[test]
fn a_last_card_that_is_tied_is_a_draw_of_the_war() {
    let calls = calls_by(XY, &[&[9], &[9, 5]]);
    assert_eq!(calls[1..4], ["clash 1:9 2:9", "drawn", "clash 1:9 2:5"]);
}

#[test]
fn a_game_of_duels_stops_after_ten_battles_per_card() {
    let calls = calls_by(DUELS, &[&[2, 4], &[3, 1]]);
    assert_eq!(
        calls
            .iter()
            .filter(|event| event.starts_with("clash"))
            .count(),
        40
    );
    assert_eq!(calls.last().map(String::as_str), Some("stopped None"));
}

#[test]
fn repeated_hands_are_shuffled_once_per_battle() {
    // Without randomness a shuffle changes nothing, and the game still ends.
    let calls = calls_by(DUELS_SHUFFLE, &[&[2, 4], &[3, 1]]);
    let shuffles = calls.iter().filter(|event| *event == "reshuffled").count();
    assert_eq!(shuffles, 34);
    assert_eq!(calls.last().map(String::as_str), Some("stopped None"));
}

#[test]
fn unplayable_hands_are_refused() {
    use war::engine::DealError;
    let refused = |hands| Game::new(Box::new(StandardRules::classic()), hands).err();
    let nine = Rank::new(9).expect("a rank");
    assert_eq!(refused(Vec::new()), Some(DealError::NoCards));
    assert_eq!(refused(vec![Vec::new(); 2]), Some(DealError::NoCards));
    assert_eq!(refused(vec![vec![nine]; Seat::MAX]), None);
    let many = Seat::MAX + 1;
    assert_eq!(
        refused(vec![vec![nine]; many]),
        Some(DealError::TooManyPlayers(many))
    );
}

#[test]
fn the_list_of_seats_is_complete() {
    let numbers: Vec<_> = Seat::all().map(Seat::number).collect();
    assert_eq!(numbers, (1..=255).collect::<Vec<_>>());
    assert_eq!(Seat::all().count(), Seat::MAX);
    assert_eq!([Seat::FIRST, Seat::SECOND], [seat(1), seat(2)]);
}

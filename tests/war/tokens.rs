//! Token games: their stakes, their deals, and journals that show who cheated.

use super::journal_faults::edit;
use super::support::{Place, project, replayed, reviewed};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::fs;
use war::cards::Card;
use war::engine::Seat;
use war::hex::Hex;
use war::i18n::Lang;
use war::journal::{Code, Committed};
use war::replay::token_journal;
use war::tokens::equilibrium::Strategy as Policy;
use war::tokens::{
    ClientSeed, Decision, Event, Game, Hand, Kind, Move, Name, Secret, Settlement, compare,
};

use Decision::{Fold, Play};

const SEATS: fn(usize) -> Seat = Seat::from_index;

/// The secret whose bytes count from 0 to 31.
fn secret() -> Secret {
    Secret::new(Hex::new(std::array::from_fn(|at| {
        u8::try_from(at).expect("a byte")
    })))
}

fn hand(cards: &str) -> Hand {
    let card = |card: &str| card.parse().expect("a card");
    cards.split(' ').map(card).collect()
}

fn client_seed(text: &str) -> ClientSeed {
    ClientSeed::new(text).expect("a seed")
}

/// Plays these moves and what follows from them; the result is every event.
fn played(kind: Kind, number: u64, secret: Secret, moves: &[Move]) -> Vec<Event> {
    let mut game = Game::new(kind, number, secret);
    let players = ["Ann", "Zoë O'Hara"].map(|name| Name::new(name).expect("a name"));
    let mut events = vec![Event::Started { players }];
    game.apply(&events[0]).expect("a start");
    for made in moves {
        let mut next = Some(game.decide(made).expect("a legal move"));
        while let Some(event) = next {
            game.apply(&event).expect("a possible event");
            events.push(event);
            next = game.follows();
        }
    }
    events
}

fn journal(kind: Kind, number: u64, commitment: Hex<32>, lang: Lang, events: &[Event]) -> String {
    let committed = Committed {
        kind,
        game: number,
        commitment,
        secret: secret(),
    };
    let journal = token_journal("war test", committed, lang, events).expect("a game");
    String::from_utf8(journal).expect("text")
}

#[test]
fn the_published_examples_come_out() {
    let deltas =
        |kind, decisions, one, two| Settlement::of(kind, decisions, &[hand(one), hand(two)]);
    let first = deltas(Kind::Single, [Fold, Play], "Jc", "Th");
    let second = deltas(Kind::Single, [Play, Play], "Qd", "9s");
    let third = deltas(Kind::Double, [Play, Play], "Jc 9h", "Jd Td");
    assert_eq!(first, Settlement::Deltas([-3, 3]));
    assert_eq!(second, Settlement::Deltas([10, -10]));
    assert_eq!(third, Settlement::Deltas([-20, 20]));
}

#[test]
fn stakes_are_those_of_the_game() {
    let all = |kind, equal: &str, other: &str| {
        let hands = [hand(equal), hand(other)];
        [[Fold, Fold], [Play, Fold], [Fold, Play]]
            .map(|decisions| Settlement::of(kind, decisions, &hands))
    };
    let single = [[-1, -1], [3, -3], [-3, 3]].map(Settlement::Deltas);
    assert_eq!(all(Kind::Single, "2c", "Ad"), single);
    let double = [[-2, -2], [5, -5], [-5, 5]].map(Settlement::Deltas);
    assert_eq!(all(Kind::Double, "2c 3c", "Ad Kd"), double);
    let tied = |kind, one, two| Settlement::of(kind, [Play; 2], &[hand(one), hand(two)]);
    assert_eq!(tied(Kind::Single, "Ah", "As"), Settlement::Tied);
    assert_eq!(tied(Kind::Double, "Ah 2c", "2d As"), Settlement::Tied);
    let ace_is_high = tied(Kind::Single, "Ah", "Ks");
    assert_eq!(ace_is_high, Settlement::Deltas([10, -10]));
    let lower_decides = tied(Kind::Double, "3d Kh", "Ks 2h");
    assert_eq!(lower_decides, Settlement::Deltas([20, -20]));
}

// Computed by an implementation of the README's text in another language.
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
        let seeds = seeds.map(client_seed);
        let dealt = secret().hands(kind, game, seeds.each_ref(), deal);
        assert_eq!(dealt, hands.map(hand), "{kind:?} {game} {deal}");
    }
}

#[test]
fn every_card_is_dealt_as_often_as_any_other() {
    const DEALS: u32 = 20_000;
    let none = ClientSeed::default();
    let mut seen = [[0_u32; 52]; 2];
    let deck = Card::deck();
    for deal in 1..=DEALS {
        let hands = secret().hands(Kind::Single, 1, [&none, &none], deal);
        for (seat, hand) in hands.iter().enumerate() {
            let at = deck.iter().position(|card| *card == hand[0]);
            seen[seat][at.expect("a card of the deck")] += 1;
        }
    }
    // Chi-square with 51 degrees of freedom is above 88 once in a thousand fair runs; the
    // deals are fixed, so this is no matter of luck.
    for counts in seen {
        let expected = f64::from(DEALS) / 52.0;
        let square = |&count: &u32| (f64::from(count) - expected).powi(2) / expected;
        let chi: f64 = counts.iter().map(square).sum();
        assert!(chi < 88.0, "{chi}");
    }
}

#[test]
fn moves_out_of_order_are_refused() {
    use war::tokens::Refused;
    let mut game = Game::new(Kind::Single, 1, secret());
    let names = ["Ann", "Bob"].map(|name| Name::new(name).expect("a name"));
    game.apply(&Event::Started { players: names })
        .expect("a start");
    let decide = Move::Decide(SEATS(0), Play);
    let seed = Move::Seed(SEATS(0), client_seed("x"));
    assert_eq!(game.decide(&decide), Err(Refused::NotDealt));
    game.apply(&game.decide(&seed).expect("a seed"))
        .expect("possible");
    assert_eq!(game.decide(&seed), Err(Refused::SeededAlready));
    game.apply(&game.decide(&Move::Deal).expect("a deal"))
        .expect("possible");
    assert_eq!(game.decide(&Move::Deal), Err(Refused::SeedsClosed));
    assert_eq!(game.decide(&seed), Err(Refused::SeedsClosed));
    game.apply(&game.decide(&decide).expect("a decision"))
        .expect("possible");
    assert_eq!(game.decide(&decide), Err(Refused::DecidedAlready));
    assert_eq!(
        game.decide(&Move::TimeOut(SEATS(0))),
        Err(Refused::DecidedAlready)
    );
    let fold = Move::Decide(SEATS(1), Fold);
    game.apply(&game.decide(&fold).expect("a decision"))
        .expect("possible");
    game.apply(&game.follows().expect("the end"))
        .expect("possible");
    assert_eq!(game.decide(&fold), Err(Refused::Over));
    assert_eq!(game.follows(), None);
}

/// The games whose journals are golden, by the name of their file.
fn golden_games() -> Vec<(&'static str, String)> {
    let decide = |seat, decision| Move::Decide(SEATS(seat), decision);
    let commitment = secret().commitment();
    let seeds = [
        Move::Seed(SEATS(1), client_seed("ab 12")),
        Move::Seed(SEATS(0), client_seed("ż")),
    ];
    let both_play = [decide(0, Play), decide(1, Play)];
    let tied = [vec![Move::Deal], both_play.to_vec(), both_play.to_vec()].concat();
    let showdown = [&seeds[..], &both_play].concat();
    let late = [Move::Deal, decide(1, Play), Move::TimeOut(SEATS(0))];
    let folded = [
        seeds[0].clone(),
        Move::Deal,
        decide(0, Fold),
        decide(1, Fold),
    ];
    let game = |kind, number, lang, moves: &[Move]| {
        let events = played(kind, number, secret(), moves);
        journal(kind, number, commitment, lang, &events)
    };
    vec![
        (
            "single_card_showdown.json",
            game(Kind::Single, 7, Lang::En, &showdown),
        ),
        (
            "single_card_tied.json",
            game(Kind::Single, 2, Lang::En, &tied),
        ),
        (
            "single_card_timed_out.json",
            game(Kind::Single, 3, Lang::Pl, &late),
        ),
        (
            "double_card_tied.json",
            game(Kind::Double, 126, Lang::Pl, &tied),
        ),
        (
            "double_card_folded.json",
            game(Kind::Double, 1, Lang::En, &folded),
        ),
    ]
}

#[test]
fn golden_journals_are_written_to_the_byte() {
    for (name, journal) in golden_games() {
        let golden = fs::read_to_string(project().join("journals").join(name));
        assert_eq!(golden.expect(name), journal, "{name}");
    }
}

#[test]
fn screens_of_token_games() {
    for lang in ["en", "pl"] {
        let mut screens = String::new();
        for (name, journal) in golden_games() {
            let run =
                Place::new().war_reading(journal.as_bytes(), &["--lang", lang, "replay", "-"]);
            let run = run.ends_with(0).tells("VERIFIED");
            screens += &format!("--- {name}\n{}{}", run.stdout, run.stderr);
        }
        reviewed(&format!("tokens_{lang}"), &screens);
    }
}

#[test]
fn commands_on_journals_of_token_games() {
    let place = Place::new();
    for (name, journal) in golden_games() {
        place.write(name, journal);
    }
    let names = ["single_card_tied.json", "double_card_tied.json"];
    let mut printed = String::new();
    for arguments in [
        &["journal", "show", names[0]][..],
        &["journal", "diff", names[0], names[1]],
        &["replay", names[0], "--turn", "2"],
        &["replay", names[0], "--quiet", "--audit"],
    ] {
        let run = place.war(arguments);
        printed += &format!(
            "$ war {}\n{}{}",
            arguments.join(" "),
            run.stdout,
            run.stderr
        );
    }
    let log = &place.logs()[0];
    let told = log
        .lines()
        .map(|line| line.split_once(' ').map_or(line, |(_, told)| told));
    let told: Vec<_> = told
        .map(|line| &line[line.find("INFO").or(line.find("CRIT")).unwrap_or(0)..])
        .collect();
    reviewed(
        "tokens_commands",
        &format!("{printed}--- log\n{}\n", told.join("\n")),
    );
}

#[test]
fn a_cut_off_token_game_is_incomplete_wherever_it_is_cut() {
    let (_, journal) = &golden_games()[0];
    let events = journal.find("\"events\":[").expect("the events") + 10;
    for length in events..journal.len() - 1 {
        let (code, _) = replayed(&journal.as_bytes()[..length]);
        let known = matches!(code, Some(Code::CutOff | Code::NoEnd));
        assert!(known, "{length} bytes: {code:?}");
    }
}

#[test]
fn a_cut_off_token_game_is_repaired() {
    let place = Place::new();
    let (_, journal) = &golden_games()[1];
    place.write("cut.json", &journal.as_bytes()[..journal.len() * 2 / 3]);
    place
        .war(&["journal", "repair", "cut.json", "new.json"])
        .ends_with(0);
    place
        .war(&["replay", "new.json"])
        .ends_with(3)
        .tells("INCOMPLETE");
}

// The players were told the commitment before they gave their seeds. Whoever picks a seed
// afterwards, with their seeds known, has to reveal one that was not committed to.
#[test]
fn a_seed_that_was_picked_late_is_caught() {
    let seeds = ["ann's", "bob's"].map(client_seed);
    let moves = [
        Move::Seed(SEATS(0), seeds[0].clone()),
        Move::Seed(SEATS(1), seeds[1].clone()),
        Move::Decide(SEATS(0), Play),
        Move::Decide(SEATS(1), Play),
    ];
    let told = Secret::new(Hex::new([9; 32])).commitment();
    let events = played(Kind::Single, 1, secret(), &moves);
    let journal = journal(Kind::Single, 1, told, Lang::En, &events);
    assert_eq!(
        replayed(journal.as_bytes()),
        (Some(Code::Deal), String::new())
    );
    let run = Place::new().war_reading(journal.as_bytes(), &["replay", "-"]);
    run.ends_with(1)
        .tells("not the one that was committed to")
        .tells("DIVERGED");
}

#[test]
fn other_cards_than_the_seeds_deal_are_caught() {
    let moves = [
        Move::Deal,
        Move::Decide(SEATS(0), Play),
        Move::Decide(SEATS(1), Play),
    ];
    let mut events = played(Kind::Single, 1, secret(), &moves[..1]);
    let [_, Event::Dealt { hands }] = &mut events[..] else {
        panic!("a deal after the start");
    };
    hands[0] = hand("As");
    for made in &moves[1..] {
        let Move::Decide(seat, decision) = *made else {
            continue;
        };
        events.push(Event::Decided {
            seat,
            decision,
            timed_out: false,
        });
    }
    events.push(Event::Settled { deltas: [10, -10] });
    let journal = journal(Kind::Single, 1, secret().commitment(), Lang::En, &events);
    let (code, printed) = replayed(journal.as_bytes());
    assert_eq!(code, Some(Code::Deal));
    assert!(printed.contains("commitment") && !printed.contains("As"));
    let run = Place::new().war_reading(journal.as_bytes(), &["replay", "-", "--quiet"]);
    run.ends_with(1)
        .tells(r#"the rules say:    {"dealt":{"hands":[["2d"],["3h"]]}}"#);
}

#[test]
fn every_edit_of_a_token_game_is_found() {
    let goldens = golden_games();
    let game = |name: &str| {
        &goldens
            .iter()
            .find(|(known, _)| *known == name)
            .expect(name)
            .1
    };
    let showdown = game("single_card_showdown.json");
    let late = game("single_card_timed_out.json");
    let tied = game("double_card_tied.json");
    for (journal, line, from, to, code) in [
        (showdown, 1, "\"game\":7", "\"game\":8", Code::Deal),
        (showdown, 1, "\"players\":2", "\"players\":3", Code::Deal),
        (showdown, 1, "\"large\"", "\"small\"", Code::Deal),
        (
            showdown,
            1,
            "single-card-game/1",
            "double-card-game/1",
            Code::Deal,
        ),
        (
            showdown,
            1,
            "single-card-game/1",
            "triple-card-game/1",
            Code::Field,
        ),
        (
            showdown,
            1,
            "/1\"}",
            "/1\",\"collect\":\"seat\"}",
            Code::Field,
        ),
        (
            showdown,
            1,
            "/1\"}",
            "/1\",\"face_down\":null}",
            Code::Field,
        ),
        (showdown, 1, "hmac-sha256", "hmac-sha512", Code::Version),
        (showdown, 1, "\"seed\":\"00", "\"seed\":\"01", Code::Deal),
        (
            showdown,
            1,
            "\"commitment\":\"63",
            "\"commitment\":\"64",
            Code::Deal,
        ),
        (showdown, 2, "Ann", " Ann", Code::Field),
        (showdown, 2, "Ann", "A\\u0007n", Code::Field),
        (showdown, 2, "started", "begun", Code::Field),
        (showdown, 3, "\"player\":2", "\"player\":1", Code::State),
        (showdown, 3, "\"player\":2", "\"player\":3", Code::Event),
        (showdown, 3, "ab 12", "ab 13", Code::State),
        (showdown, 5, "\"turn\":1", "\"turn\":2", Code::Event),
        (showdown, 6, "\"player\":1", "\"player\":2", Code::State),
        (showdown, 6, "\"play\"", "\"fold\"", Code::State),
        (
            showdown,
            6,
            "\"timed_out\":false",
            "\"timed_out\":true",
            Code::Event,
        ),
        (showdown, 7, "\"player\":2", "\"player\":1", Code::Event),
        (showdown, 8, "10,-10", "-10,10", Code::Event),
        (showdown, 8, "10,-10", "20,-20", Code::Event),
        (showdown, 9, "\"winner\":1", "\"winner\":2", Code::End),
        (showdown, 9, "\"won\"", "\"folded\"", Code::End),
        (late, 5, "\"fold\"", "\"play\"", Code::Event),
        (
            tied,
            6,
            "{\"tied\":{}}",
            "{\"settled\":{\"deltas\":[20,-20]}}",
            Code::Event,
        ),
    ] {
        let (found, _) = replayed(edit(journal, line, from, to).as_bytes());
        assert_eq!(found, Some(code), "line {line}: {from} to {to}");
    }
}

#[test]
fn a_token_game_needs_a_commitment_and_no_other_game_has_one() {
    let war = fs::read_to_string(project().join("journals/classic_one_player.json"));
    let war = war.expect("a journal");
    let (_, tokens) = &golden_games()[0];
    let between = |text: &str, from: &str, to: &str| {
        let start = text.find(from).expect(from);
        let end = start + text[start..].find(to).expect(to);
        text[start..end].to_owned()
    };
    let deal = |text: &str| between(text, "\"deal\":", ",\"console\"");
    for (journal, other) in [(&war, tokens), (tokens, &war)] {
        let mixed = edit(journal, 1, &deal(journal), &deal(other));
        assert_eq!(replayed(mixed.as_bytes()).0, Some(Code::Field));
    }
}

fn moves() -> impl Strategy<Value = Vec<(u8, usize, bool, String)>> {
    prop::collection::vec((0..4_u8, 0..2_usize, any::<bool>(), "[ -~żó]{0,12}"), 0..40)
}

proptest! {
    #[test]
    fn any_play_keeps_the_stakes_and_replays(
        moves in moves(),
        double in any::<bool>(),
        number in 1..1_000_000_u64,
        key in any::<[u8; 32]>(),
    ) {
        let kind = if double { Kind::Double } else { Kind::Single };
        let secret = Secret::new(Hex::new(key));
        let mut game = Game::new(kind, number, secret);
        let names = ["Ann", "Bob"].map(|name| Name::new(name).expect("a name"));
        let mut events = vec![Event::Started { players: names }];
        game.apply(&events[0]).expect("a start");
        for (what, seat, play, text) in moves {
            let decision = if play { Play } else { Fold };
            let made = match what {
                0 => Move::Seed(SEATS(seat), client_seed(&text)),
                1 => Move::Deal,
                2 => Move::Decide(SEATS(seat), decision),
                _ => Move::TimeOut(SEATS(seat)),
            };
            let mut next = game.decide(&made).ok();
            while let Some(event) = next {
                game.apply(&event).expect("a possible event");
                if let Event::Dealt { hands } = &event {
                    let cards: BTreeSet<_> = hands.concat().into_iter().collect();
                    prop_assert_eq!(cards.len(), 2 * kind.cards());
                }
                events.push(event);
                next = game.follows();
            }
        }
        if let Some(deltas) = game.deltas() {
            let stakes = kind.stakes();
            let folded = deltas == [-stakes.both_fold; 2];
            let won = [stakes.one_folds, stakes.showdown].contains(&deltas[0].abs());
            prop_assert!(folded || won && deltas[0] == -deltas[1]);
        }
        let committed = Committed { kind, game: number, commitment: secret.commitment(), secret };
        let journal = token_journal("war test", committed, Lang::En, &events).expect("a game");
        prop_assert_eq!(replayed(&journal[..]).0, None);
    }
}

#[test]
fn the_equilibria_have_their_value_and_no_better_answer() {
    let printed: String = Kind::ALL
        .into_iter()
        .map(|kind| {
            let strategy = Policy::equilibrium(kind);
            assert!(strategy.gap() < 1e-9, "{kind:?} {}", strategy.gap());
            let mut hands: Vec<Hand> = Card::deck().iter().map(|card| vec![*card]).collect();
            if kind == Kind::Double {
                hands.clear();
                for one in Card::deck() {
                    let others = Card::deck().into_iter().filter(|other| *other != one);
                    hands.extend(others.map(|other| vec![one, other]));
                }
            }
            hands.sort_by(|one, other| compare(one, other));
            let folded = hands.iter().rfind(|hand| strategy.plays(hand) <= 0.0);
            let mixed = hands
                .iter()
                .find(|hand| (1e-6..1.0).contains(&strategy.plays(hand)));
            let played = hands.iter().find(|hand| strategy.plays(hand) >= 1.0);
            let mixed = mixed.map(|hand| {
                let ranks: Vec<_> = hand.iter().map(|card| card.rank()).collect();
                (ranks, format!("{:.6}", strategy.plays(hand)))
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

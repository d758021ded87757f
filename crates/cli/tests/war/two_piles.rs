//! Rules by which won cards go to a second pile.

use super::support::Sandbox;
use std::fs;
use war::cards::{Chance, Rank};
use war::engine::{Event, Game, Outcome, Seat};
use war::rules::{CollectOrder, OutOfCards, Parameters, Piles, StandardRules};

const TURNED: Parameters = Parameters {
    face_down: 1,
    collect: CollectOrder::WinnerFirst,
    piles: Piles::TwoTurned,
    ..Parameters::BATAILLE
};

const SHUFFLED: Parameters = Parameters {
    piles: Piles::Two,
    ..TURNED
}
.with_cycles_ended();

/// Chance that always draws 0, and whose shuffle moves the top card to the bottom.
struct TopToBottom;

impl Chance for TopToBottom {
    fn draw_below(&mut self, _: u32) -> u32 {
        0
    }

    fn shuffle(&mut self, cards: &mut [Rank]) {
        cards.rotate_left(1);
    }
}

fn hands(given: &[&[u8]]) -> Vec<Vec<Rank>> {
    let card = |value: &u8| Rank::new(*value).expect("a rank");
    let hand = |hand: &&[u8]| hand.iter().map(card).collect();
    given.iter().map(hand).collect()
}

/// Cards put down and hands taken up, in the journal's notation, and the outcome of the game.
fn play(parameters: Parameters, given: &[&[u8]]) -> (String, Outcome) {
    let cards = |cards: &[Rank]| {
        let cards: Vec<_> = cards.iter().map(Rank::to_string).collect();
        cards.join(" ")
    };
    let mut play = Vec::new();
    let game = Game::new(Box::new(StandardRules::new(parameters)), hands(given)).expect("a deal");
    let mut game = game.with_chance(Box::new(TopToBottom));
    for event in game.by_ref() {
        match event {
            Event::Clash { plays } | Event::FaceDown { plays } | Event::WarRound { plays, .. } => {
                let put: Vec<_> = plays.iter().map(|play| play.card).collect();
                play.push(cards(&put));
            }
            Event::Reshuffled { hands } => {
                let hands: Vec<_> = hands.iter().map(|hand| cards(hand)).collect();
                play.push(format!("[{}]", hands.join(" | ")));
            }
            _ => {}
        }
    }
    (play.join(", "), game.table().outcome().expect("an end"))
}

// All expected values were computed by hand from the page on the rules.
#[test]
fn a_used_up_hand_is_replaced_by_the_cards_won() {
    for (parameters, given, expected) in [
        // After two turns both hands are used up.
        (
            TURNED,
            &[&[14, 3][..], &[5, 4]][..],
            "14 5, 3 4, [5 14 | 3 4], 5 3, 14 4",
        ),
        (
            SHUFFLED,
            &[&[14, 13, 2], &[5, 4, 3]],
            "14 5, 13 4, 2 3, [5 13 4 14 | 2 3], 5 2",
        ),
        // In a war, the cards won before are taken up.
        (
            TURNED,
            &[&[14, 9], &[5, 9, 2, 7]],
            "14 5, 9 9, [5 14 | 2 7], 5 2, 14 7",
        ),
        // The rest of a hand stays above the pile: player 2 puts 8 before the cards won.
        (
            TURNED,
            &[&[2, 12, 4], &[3, 6, 7, 8]],
            "2 3, 12 6, 4 7, [6 12 | 8 3 2 7 4], 6 8, [12 | 6 8 4 7 2 3], 12 6, [6 12 | 8 4 7 2 3]",
        ),
    ] {
        let (found, _) = play(parameters, given);
        assert!(found.starts_with(expected), "{found}\n{expected}");
    }
}

#[test]
fn players_outside_the_war_take_up_their_pile_with_the_others() {
    let parameters = Parameters {
        out_of_cards: OutOfCards::EndOfCards,
        ..TURNED
    };
    // Players 1 and 3 have won a turn each, and put their last cards at the start of the war.
    let given = &[&[14, 4, 9][..], &[2, 5, 9, 7, 8], &[3, 13, 6]];
    let (found, _) = play(parameters, given);
    let expected = "14 2 3, 4 5 13, 9 9 6, [3 2 14 | 7 8 | 5 4 13], 3 7, 2 8, ";
    assert!(found.starts_with(expected), "{found}");
}

// Computed by hand: after two turns the piles are 2 5 and 4 3, and after four 3 5 and 4 2.
#[test]
fn a_game_with_turned_piles_can_be_endless() {
    let parameters = Parameters {
        collect: CollectOrder::Seat,
        ..TURNED
    };
    let (found, outcome) = play(parameters, &[&[2, 4], &[5, 3]]);
    assert_eq!(found, "2 5, 4 3, [3 4 | 5 2], 3 5, 4 2, [2 4 | 5 3]");
    assert_eq!(outcome, Outcome::Endless { from: 1, to: 4 });
}

// Played by hand.
#[test]
fn household_rules_end_when_a_player_has_neither_hand_nor_pile() {
    for (given, expected, outcome) in [
        // The pile is taken up between two face-down cards, without the cards on the table.
        (
            &[&[14, 9, 3][..], &[5, 9, 8, 6, 4, 2]][..],
            "14 5, 9 9, 3 8, [5 14 | 6 4 2], 5 6, 14 4",
            Outcome::Won(Seat::SECOND),
        ),
        // Player 1 has no card to put face up, and player 2 has.
        (
            &[&[9, 3, 3, 3], &[9, 8, 6, 4, 2]],
            "9 9, 3 8, 3 6, 3 4",
            Outcome::Won(Seat::SECOND),
        ),
        // Neither can put a second card face down.
        (&[&[9, 3], &[9, 8]], "9 9, 3 8", Outcome::Drawn),
        // Neither can put the card face up.
        (
            &[&[9, 3, 4, 5], &[9, 8, 6, 4]],
            "9 9, 3 8, 4 6, 5 4",
            Outcome::Drawn,
        ),
    ] {
        let found = play(Parameters::HOUSEHOLD, given);
        assert_eq!(found, (expected.to_owned(), outcome));
    }
}

#[test]
fn household_rules_are_the_parameters_that_a_journal_names() {
    let sandbox = Sandbox::new();
    let spelled_out = "--players 2 --deck large --face-down 3 --piles two --collect winner-first \
                       --out-of-cards loses";
    let spelled_out: Vec<_> = spelled_out.split(' ').collect();
    let games = |rules: &[&str]| {
        let run = [
            "simulate",
            "--seed",
            "1",
            "--games",
            "50",
            "--csv-games",
            "-",
        ];
        sandbox.war(&[&run, rules].concat()).exits_with(0).stdout
    };
    let household = ["--rules", "household"];
    assert_eq!(games(&household), games(&spelled_out));

    let game = ["--game", "1:3"];
    let journal = journal_of(&sandbox, &[household, game].concat());
    let spelled_out = [&spelled_out[..], &game].concat();
    assert_eq!(journal, journal_of(&Sandbox::new(), &spelled_out));
    assert!(journal.contains("\"id\":\"two-piles/1\""), "{journal}");
    assert!(!journal.contains("household"), "{journal}");
}

fn journal_of(sandbox: &Sandbox, options: &[&str]) -> String {
    let journal = ["--journal", "game.json"];
    let live = sandbox.war(&[&["simulate"], options, &journal].concat());
    let live = live.exits_with(0);
    let replay = sandbox.war(&["replay", "game.json"]).exits_with(0);
    let replay = replay.reports("VERIFIED");
    assert_eq!(replay.stdout, live.stdout);
    fs::read_to_string(sandbox.path("game.json")).expect("a journal")
}

#[test]
fn journals_name_the_piles_and_replay() {
    for (piles, id) in [
        ("one", "custom/1"),
        ("two", "two-piles/1"),
        ("two-turned", "two-piles-turned/1"),
    ] {
        for version in ["1", "2"] {
            for rest in [
                "--deck 4x4 --game 7:1 --out-of-cards loses",
                "--deck 4x4 --game 7:2 --players 4 --collect bataille",
                "--deck small --game 7:3 --out-of-cards last-card --face-down 3 --max-turns 200",
                "--deck 4x3 --game 7:4 --out-of-cards shrink --max-turns 200",
                // No generator is named: the cards taken up are read from the events.
                "--deal hands.json --game 7:5 --max-turns 200",
            ] {
                let sandbox = Sandbox::new();
                let hands = "[[14,3,3,5,9,9],[5,3,5,14,2,9],[3,9,14]]";
                fs::write(sandbox.path("hands.json"), hands).expect("a file");
                let mut options = vec!["--piles", piles, "--journal-version", version];
                options.extend(rest.split(' '));
                let journal = journal_of(&sandbox, &options);
                assert!(journal.contains(&format!("\"id\":\"{id}\"")), "{journal}");
                let takes_up = journal.contains("\"reshuffled\"");
                assert_eq!(takes_up, piles != "one", "{options:?}");
            }
        }
    }
}

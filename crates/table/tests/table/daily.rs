//! The daily duel: its days, cards, decisions and journals.

use super::hub::{START, TestHub};
use war::engine::{Seat, State as _};
use war::journal::Verdict;
use war::replay::{Replay, ReplayItem, verify};
use war::support::hex::Hex;
use war::tokens::equilibrium::Strategy;
use war::tokens::{Decision, Hand, Kind, Secret, TokenEvent, TokenGame, TokenRules};
use war_table::daily::{DailyDuel, Day, DayCommitment, HandNumber};
use war_table::log::{Leaf, hash_leaf};
use war_table::server::hub::HubCommand;
use war_table::server::store::StoreSecret;
use war_table::time::WallTime;

/// Duel of 2026-11-28 at a table whose secret has only bytes `2a`, computed by a program in another
/// language that was written from the book's text: the hands of both, and the number by which the
/// house decides.
const HANDS: [(&str, &str, u32); 10] = [
    ("3c 7s", "Kh 7c", 348_761_994),
    ("Th Js", "Jd 5h", 3_210_701_310),
    ("5c Td", "8c 9s", 1_679_909_973),
    ("7s Qc", "Ad 2c", 1_726_416_644),
    ("5h 4h", "7s 8h", 376_029_667),
    ("8c 6c", "9c 3h", 2_151_600_035),
    ("Th 2h", "5h 7d", 477_531_700),
    ("6c Ad", "Qc 7s", 919_253_531),
    ("3h 8h", "Td 2c", 2_227_224_764),
    ("Jd 5h", "Qh 3s", 609_846_328),
];
const COMMITMENT: &str = "dfe493cfd25443cbf79c4b05ba222bd0eae573fa5d77a3fd93d1b235c0ded560";
const LEAF_HASH: &str = "9500b3f7723cf08a78172a7a1db664b2bb416e394dac4c8a430253be16a0b1f4";

fn duel() -> DailyDuel {
    let day = "2026-11-28".parse().expect("a day");
    StoreSecret::new([0x2a; 32]).daily_duel(day)
}

fn hand(cards: &str) -> Hand {
    let cards = cards.split(' ').map(str::parse);
    cards.collect::<Result<_, _>>().expect("cards")
}

#[test]
fn a_day_has_one_text() {
    let first: Day = "1970-01-01".parse().expect("a day");
    assert_eq!(Day::of(WallTime::ZERO), first);
    let last = Day::of(WallTime::from_millis(u64::MAX));
    assert_eq!(last.to_string(), "9999-12-31");
    assert_eq!((last.next(), "9999-12-31".parse()), (last, Ok(last)));
    let leap: Day = "2028-02-28".parse().expect("a day");
    assert_eq!(leap.next().to_string(), "2028-02-29");
    assert_eq!(leap.next().next().to_string(), "2028-03-01");
    for wrong in [
        "",
        "2026",
        "2026-11",
        "2026-11-31",
        "2026-13-01",
        "2026-1-01",
        "2026-11-28 ",
        "+2026-11-28",
        "2026-11-+8",
        "1969-12-31",
        "10000-01-01",
        "2026-11-28-01",
        "2026-11-ę",
    ] {
        assert!(wrong.parse::<Day>().is_err(), "{wrong}");
    }
}

#[test]
fn hands_and_decisions_of_a_day_are_pinned() {
    let strategy = Strategy::compute_equilibrium(Kind::Double);
    let duel = duel();
    assert_eq!(duel.seed.commitment().to_string(), COMMITMENT);
    for (number, (own, house, chance)) in HandNumber::all().zip(HANDS) {
        assert_eq!(duel.hands(number), [hand(own), hand(house)]);
        let plays = f64::from(chance) / 2_f64.powi(32) < strategy.play_probability(&hand(house));
        let decision = if plays {
            Decision::Play
        } else {
            Decision::Fold
        };
        assert_eq!(duel.house_decision(number, &strategy), decision, "{house}");
    }
    let decisions = HandNumber::all().map(|hand| duel.house_decision(hand, &strategy));
    let plays = decisions.filter(|decision| *decision == Decision::Play);
    assert_eq!(plays.count(), 2, "with a king, and with an ace");
}

#[test]
fn every_journal_of_a_day_verifies() {
    let strategy = Strategy::compute_equilibrium(Kind::Double);
    let duel = duel();
    for (number, (own, house, _)) in HandNumber::all().zip(HANDS) {
        for decision in [Decision::Play, Decision::Fold] {
            let journal = duel.write_journal(number, decision, &strategy, "example");
            let journal = journal.expect("a game");
            let judgement = verify(&journal[..]).expect("memory is read");
            assert_eq!(judgement.verdict(), Verdict::Verified);
            let text = str::from_utf8(&journal).expect("text");
            assert!(
                text.contains("\"id\":\"daily/1\"") && text.contains(COMMITMENT),
                "{text}"
            );
            let replay = Replay::open(&journal[..], None).expect("a journal");
            let events = replay.into_iter().filter_map(|item| match item {
                Ok(ReplayItem::Tokens(event)) => Some(event),
                _ => None,
            });
            let events: Vec<_> = events.collect();
            let dealt = TokenEvent::Dealt {
                hands: [hand(own), hand(house)],
            };
            assert_eq!((&events[0], &events[1]), (&TokenEvent::DuelStarted, &dealt));
            assert!(
                matches!(events[2], TokenEvent::Decided { seat: Seat::FIRST, decision: found, .. }
                if found == decision)
            );
        }
    }
}

#[test]
fn a_tie_ends_a_hand_without_a_winner() {
    let mut game = TokenGame::new(
        TokenRules::DAILY,
        2_026_112_801,
        Secret::new(Hex::new([1; 32])),
    );
    let decided = |seat| TokenEvent::Decided {
        seat,
        decision: Decision::Play,
        timed_out: false,
    };
    for event in [
        TokenEvent::DuelStarted,
        TokenEvent::Dealt {
            hands: [hand("Jc 9h"), hand("9d Js")],
        },
        decided(Seat::FIRST),
        decided(Seat::SECOND),
    ] {
        game.apply(&event).expect("a possible event");
    }
    assert_eq!(game.due_event(), Some(TokenEvent::Tied));
    game.apply(&TokenEvent::Tied).expect("a tie");
    assert_eq!(
        game.due_event(),
        Some(TokenEvent::Settled { deltas: [0, 0] })
    );
    game.apply(&TokenEvent::Settled { deltas: [0, 0] })
        .expect("an end");
    assert_eq!(
        (game.turn(), game.winner(), game.due_event()),
        (1, None, None)
    );
}

#[test]
fn the_games_of_the_table_do_not_start_like_a_duel() {
    for rules in TokenRules::ALL {
        let mut game = TokenGame::new(rules, 1, Secret::new(Hex::new([1; 32])));
        let started = game.apply(&TokenEvent::DuelStarted);
        assert_eq!(
            started.is_ok(),
            rules == TokenRules::DAILY,
            "{}",
            rules.id()
        );
    }
}

#[test]
fn the_leaf_of_a_day_has_one_text() {
    let duel = duel();
    let committed = DayCommitment {
        day: duel.day,
        commitment: duel.seed.commitment(),
        time_ms: 1_795_737_600_000,
    };
    let leaf = Leaf::Day(committed);
    let text = format!("war-table day/1\n2026-11-28\ndaily/1\n{COMMITMENT}\n1795737600000\n");
    assert_eq!(leaf.to_string(), text);
    assert_eq!(text.parse(), Ok(leaf.clone()));
    assert_eq!(hash_leaf(text.as_bytes()).to_string(), LEAF_HASH);
    assert_eq!(
        (leaf.game(), leaf.time().as_millis()),
        (0, 1_795_737_600_000)
    );
    for (old, new) in [
        ("2026-11-28", "2026-11-31"),
        ("daily/1", "daily/2"),
        ("daily/1\n", ""),
        ("dfe4", "DFE4"),
        ("1795737600000", "01795737600000"),
        ("0\n", "0\n\n"),
    ] {
        assert!(text.replace(old, new).parse::<Leaf>().is_err(), "{new}");
    }
}

#[test]
fn a_hub_commits_to_a_day_once_and_in_time() {
    let today = Day::of(WallTime::from_millis(START));
    let mut table = TestHub::new(0);
    table.run(vec![HubCommand::CommitDay(today)]);
    assert_eq!(table.store.snapshot().leaves, [], "the day has begun");
    // The worker repeats itself until it sees the leaf.
    let commit = || HubCommand::CommitDay(today.next());
    table.run(vec![commit(), commit()]);
    table.run(vec![commit()]);
    let leaves = table.store.snapshot().leaves;
    let [Leaf::Day(committed)] = &leaves[..] else {
        panic!("{leaves:?}");
    };
    assert_eq!((committed.day, committed.time_ms), (today.next(), START));
    table.run(vec![HubCommand::CommitDay(today.next().next())]);
    assert_eq!(table.store.snapshot().leaves.len(), 2);
}

#[test]
fn a_commitment_is_made_before_its_day() {
    let duel = duel();
    let at = |time_ms| DayCommitment {
        day: duel.day,
        commitment: duel.seed.commitment(),
        time_ms,
    };
    // 2026-11-28T00:00:00Z
    let start = 1_795_824_000_000;
    assert!(at(start - 1).is_in_time() && !at(start).is_in_time());
    assert_eq!(duel.day.start().as_millis(), start);
}

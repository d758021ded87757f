//! Rules supplied by a program: recorded, replayed and verified like those of the editions.

use super::journal_faults::edit;
use super::support::{Sandbox, Transcript, project};
use example::{Sprint, sprint_rules};
use std::fs;
use war::cards::{Chance, Deck, Generator, Rank};
use war::engine::{Event, Rules, Screen, Seat, Table};
use war::journal::{
    ConsoleHasher, Deal, FaultCode, GameError, Header, JournalFormat, JournaledGame, Judgement,
    Meta, Problem, Proof, RecordedRules, Verdict, Writer,
};
use war::lang::Lang;
use war::recording::{NewGame, Recorder};
use war::replay::{Replay, ReplayItem, verify, verify_with};
use war::rules::{DUELS_RANDOM, ProgramRules, Rulebook, StandardRules, XY};

#[path = "../../../../examples/own_rules/src/lib.rs"]
#[allow(unreachable_pub, reason = "it is a crate's root")]
mod example;

fn book() -> Rulebook {
    Rulebook::default().with_rules(sprint_rules())
}

fn judge(journal: &[u8]) -> Judgement {
    verify_with(&book(), journal).expect("memory is read without errors")
}

fn verdict(journal: impl AsRef<[u8]>) -> (Verdict, Option<FaultCode>) {
    let judgement = judge(journal.as_ref());
    (
        judgement.verdict(),
        judgement.fault().map(war::journal::Fault::code),
    )
}

/// Journal of a game, and its printed output.
fn recorded(opening: NewGame) -> (String, String) {
    let (mut journal, mut printed) = (Vec::new(), String::new());
    Recorder::new("test", opening, Lang::En)
        .write_to(&mut journal)
        .with_projection(Transcript(&mut printed))
        .play()
        .expect("memory takes every byte");
    let journal = String::from_utf8(journal).expect("a journal is text");
    (journal, printed)
}

fn shuffled(rules: ProgramRules) -> NewGame {
    let generator = Generator::ChaCha8 { seed: 1 };
    NewGame::shuffled(rules, Deck::Large, 3, generator).expect("a deal")
}

/// Journal of a shuffled game by rules that were tampered with.
fn forged(forge: impl FnOnce(&mut ProgramRules)) -> String {
    let mut rules = sprint_rules();
    forge(&mut rules);
    recorded(shuffled(rules)).0
}

#[test]
fn a_game_by_own_rules_replays_to_the_same_bytes() {
    let (journal, live) = recorded(shuffled(sprint_rules()));
    assert!(live.starts_with("turn 1: "), "{live}");
    assert!(live.ends_with("player 1 wins\n"), "{live}");
    assert!(journal.contains(r#""rules":{"id":"example:sprint/1"},"players":3"#));

    let mut replayed = String::new();
    let replay = Replay::open_with(&book(), journal.as_bytes(), None).expect("a journal");
    assert!(replay.reproduces_live_output());
    let judgement = replay.verify(&mut Transcript(&mut replayed));
    let judgement = judgement.expect("memory is read without errors");
    assert_eq!(judgement.verdict(), Verdict::Verified);
    let generator = Generator::ChaCha8 { seed: 1 };
    assert_eq!(judgement.proof(), Some(Proof::Seed(generator)));
    assert_eq!(judgement.end().map(|end| end.turns), Some(50));
    assert_eq!(replayed, live);

    let mut polish = String::new();
    let replay = Replay::open_with(&book(), journal.as_bytes(), Some(Lang::Pl));
    let replay = replay
        .expect("a journal")
        .verify(&mut Transcript(&mut polish));
    let verdict = replay.expect("memory is read without errors").verdict();
    assert_eq!(verdict, Verdict::Verified);
    assert!(polish.ends_with("wygrywa gracz 1\n"), "{polish}");
}

#[test]
fn a_replay_yields_its_verdict_last() {
    let (journal, _) = recorded(shuffled(sprint_rules()));
    let items = |journal: &str| {
        let replay = Replay::open_with(&book(), journal.as_bytes(), None).expect("a journal");
        let items: Result<Vec<_>, _> = replay.into_iter().collect();
        items.expect("memory is read without errors")
    };
    let all = items(&journal);
    let lines = journal.lines().count() - 2;
    assert_eq!(all.len(), lines + 1);
    let is_event = |item: &ReplayItem| matches!(item, ReplayItem::War(_));
    assert!(all[..lines].iter().all(is_event));
    assert!(
        matches!(&all[lines], ReplayItem::Verdict(found) if found.verdict() == Verdict::Verified)
    );

    let cut = items(&journal[..journal.len() / 2]);
    let (last, events) = cut.split_last().expect("a verdict");
    assert!(events.len() > 10 && events.iter().all(is_event));
    assert_eq!(events, &all[..events.len()]);
    assert!(matches!(last, ReplayItem::Verdict(found) if found.verdict() == Verdict::Incomplete));
}

#[test]
fn a_program_without_the_rules_names_them() {
    let (journal, _) = recorded(shuffled(sprint_rules()));
    let judgement = verify(journal.as_bytes()).expect("memory is read without errors");
    assert_eq!(judgement.verdict(), Verdict::Unsupported);
    let sandbox = Sandbox::new();
    sandbox.write("sprint.json", &journal);
    for lang in ["en", "pl"] {
        let run = sandbox.war(&["--lang", lang, "replay", "sprint.json"]);
        let run = run.exits_with(5).reports("WJ003").reports("UNSUPPORTED");
        assert_eq!(run.reports("`example:sprint/1`").stdout, "");
    }
    // This program can't judge anything else in a journal by unknown rules.
    let other = journal.replace("\"won\"", "\"found\"").replace("ff", "00");
    sandbox.write("other.json", other);
    sandbox.war(&["replay", "other.json"]).exits_with(5);
    let check = sandbox
        .war(&["journal", "check", "sprint.json"])
        .exits_with(5);
    assert!(check.stdout.contains("UNSUPPORTED"), "{}", check.stdout);
    // Journals by rules with a malformed id are unsupported, too.
    for id in ["example:sprint", "Example:sprint/1", "sprint/1"] {
        sandbox.write("id.json", edit(&journal, 1, "example:sprint/1", id));
        sandbox
            .war(&["replay", "id.json"])
            .exits_with(5)
            .reports(id);
    }
}

#[test]
fn a_forged_game_is_refused() {
    type Forge = fn(&mut ProgramRules);
    let forges: [(Forge, FaultCode); 4] = [
        (
            |rules| rules.start = || Box::new(Sprint::new(51)),
            FaultCode::Event,
        ),
        (
            |rules| rules.start = || Box::new(Sprint::new(49)),
            FaultCode::Event,
        ),
        (
            |rules| rules.start = || Box::new(StandardRules::classic()),
            FaultCode::Event,
        ),
        (
            |rules| rules.screens = Some(|_| Box::new(LoudScreen)),
            FaultCode::Console,
        ),
    ];
    for (forge, code) in forges {
        assert_eq!(verdict(forged(forge)), (Verdict::Diverged, Some(code)));
    }
    let (journal, _) = recorded(shuffled(sprint_rules()));
    for (line, from, to, expected) in [
        (1, "\"seed\":\"1\"", "\"seed\":\"2\"", FaultCode::Deal),
        (1, "\"players\":3", "\"players\":2", FaultCode::Deal),
        (
            1,
            "\"deck\":\"large\"",
            "\"deck\":\"small\"",
            FaultCode::Deal,
        ),
    ] {
        let found = verdict(edit(&journal, line, from, to));
        assert_eq!(found, (Verdict::Diverged, Some(expected)), "{to}");
    }
    let last = journal.lines().count();
    let found = verdict(edit(&journal, last, "\"winner\":1", "\"winner\":2"));
    assert_eq!(found, (Verdict::Damaged, Some(FaultCode::End)));
}

/// Screens that print more than those of the rules.
struct LoudScreen;

impl Screen<Table> for LoudScreen {
    fn print(&mut self, _: &Event, _: &Table, out: &mut String) {
        out.push('!');
    }
}

#[test]
fn own_rules_are_recorded_in_version_2() {
    let digests = [false, true].map(|compact| {
        let format = JournalFormat::V2 {
            compact,
            meta: Meta::default(),
            upgraded_from: None,
        };
        let mut journal = Vec::new();
        let end = Recorder::new("test", shuffled(sprint_rules()), Lang::En)
            .write_in_format(format, &mut journal)
            .play()
            .expect("memory takes every byte");
        assert!(journal.starts_with(b"{\"format\":\"war-journal\",\"version\":2,"));
        assert_eq!(verdict(&journal), (Verdict::Verified, None));
        let unknown = verify(&journal[..]).expect("memory is read without errors");
        assert_eq!(unknown.verdict(), Verdict::Unsupported);
        end.digest
    });
    assert_eq!(digests[0], digests[1]);
}

#[test]
fn cards_of_own_rules_may_have_any_rank_of_a_deck() {
    let twenty = Deck::parse("20x4").expect("a deck");
    let generator = Generator::ChaCha8 { seed: 1 };
    let opening = NewGame::shuffled(sprint_rules(), twenty, 2, generator);
    let (journal, _) = recorded(opening.expect("a deal"));
    assert_eq!(verdict(journal), (Verdict::Verified, None));
    // In a scenario of any size, no card may be higher than the ace.
    let high = || vec![Rank::new(15).expect("a rank")];
    let hands = vec![high(), high()];
    let scenario = NewGame::from_scenario(sprint_rules(), "high", hands, Box::new(()));
    assert_eq!(scenario.err(), Some(GameError::NotDeck.into()));
}

#[test]
fn a_game_without_players_is_refused() {
    let rules = ProgramRules {
        players: (0, 5),
        ..sprint_rules()
    };
    let generator = Generator::ChaCha8 { seed: 1 };
    let nobody = NewGame::shuffled(rules.clone(), Deck::Small, 0, generator);
    assert!(matches!(
        nobody.err(),
        Some(Problem::Game(GameError::PlayersOfRules { found: 0, .. }))
    ));
    let one = NewGame::shuffled(rules.clone(), Deck::Small, 1, generator);
    let (journal, _) = recorded(one.expect("a deal"));
    let judgement = verify_with(&Rulebook::default().with_rules(rules), journal.as_bytes());
    let judgement = judgement.expect("memory is read without errors");
    assert_eq!(judgement.verdict(), Verdict::Verified);
}

/// Checks that a console digest is accepted only if there are screens to compare it with.
#[test]
fn rules_that_print_nothing_have_no_renderer() {
    let silent = || ProgramRules {
        screens: None,
        ..sprint_rules()
    };
    let book = Rulebook::default().with_rules(silent());
    let judge = |journal: &str| {
        let judgement = verify_with(&book, journal.as_bytes());
        judgement.expect("memory is read without errors")
    };
    let (journal, printed) = recorded(shuffled(silent()));
    assert_eq!(
        (judge(&journal).verdict(), &printed[..]),
        (Verdict::Verified, "")
    );
    let (screens, nothing) = ("\"renderer\":1", "\"renderer\":0");
    let other = judge(&edit(&journal, 1, nothing, screens));
    assert_eq!(other.verdict(), Verdict::Unsupported, "{other}");
    // The game printed its screens, so the digest is not that of a game that printed nothing.
    let (journal, _) = recorded(shuffled(sprint_rules()));
    let found = verdict(edit(&journal, 1, screens, nothing));
    assert_eq!(found, (Verdict::Diverged, Some(FaultCode::Console)));
    assert_eq!(judge(&journal).verdict(), Verdict::Unsupported);
}

#[test]
fn own_rules_have_no_parameters() {
    let (journal, _) = recorded(shuffled(sprint_rules()));
    let id = "\"id\":\"example:sprint/1\"";
    let all = "\"face_down\":1,\"collect\":\"seat\",\"out_of_cards\":\"eoc\"";
    for more in ["\"face_down\":1", all] {
        let found = verdict(edit(&journal, 1, id, &format!("{id},{more}")));
        assert_ne!(found.0, Verdict::Verified, "{more}");
    }
}

#[test]
fn own_rules_support_every_kind_of_deal() {
    let rules = sprint_rules();
    let ace = || vec![Rank::ACE];
    let bulk = Generator::Xoshiro256PlusPlus {
        number: "1:2".parse().expect("a game"),
    };
    let fixed = (Seat::SECOND, vec![Rank::ACE; 4]);
    let whole = vec![Deck::Small.cards(), Vec::new()];
    for opening in [
        NewGame::shuffled(
            rules.clone(),
            Deck::Small,
            2,
            Generator::JavaRandom { seed: -1 },
        ),
        NewGame::shuffled(rules.clone(), Deck::Thirteen, 5, bulk),
        NewGame::with_fixed_hand(rules.clone(), Deck::Large, 3, bulk, fixed),
        NewGame::from_scenario(
            rules.clone(),
            "aces",
            vec![ace(), ace(), ace()],
            Box::new(()),
        ),
        NewGame::imported(rules.clone(), Deck::Small, whole, Box::new(())),
    ] {
        let (journal, _) = recorded(opening.expect("a deal"));
        assert_eq!(verdict(journal), (Verdict::Verified, None));
    }
    let six = NewGame::shuffled(rules.clone(), Deck::Small, 6, bulk);
    assert!(six.is_err());
    let no_cards = NewGame::from_scenario(rules, "none", vec![Vec::new(); 2], Box::new(()));
    assert!(no_cards.is_err());
}

/// Checks that results left to chance are read from the events if no generator is named.
#[test]
fn random_results_of_own_rules_are_read_from_the_journal() {
    let with = |start| ProgramRules {
        id: "test:chance/1".parse().expect("an id"),
        start,
        screens: None,
        ..sprint_rules()
    };
    let shuffles = with(|| Box::new(StandardRules::new(XY.parameters)));
    let draws = with(|| Box::new(StandardRules::new(DUELS_RANDOM.parameters)));
    for rules in [shuffles, draws] {
        let mut cards = Deck::Small.cards();
        let mut chance = Generator::ChaCha8 { seed: 5 }.start();
        chance.shuffle(&mut cards);
        let hands = war::cards::deal(&cards, 2);
        let opening = NewGame::from_scenario(rules.clone(), "any", hands, chance);
        let (journal, printed) = recorded(opening.expect("a deal"));
        assert_eq!(printed, "");
        assert!(journal.contains("\"renderer\":0"));
        let judgement = verify_with(&Rulebook::default().with_rules(rules), journal.as_bytes());
        let judgement = judgement.expect("memory is read without errors");
        assert_eq!(judgement.verdict(), Verdict::Verified);
        assert_eq!(judgement.proof(), Some(Proof::Journal));
    }
}

/// Rules that always decide on an event that is impossible in any game.
struct ImpossibleRules;

impl Rules for ImpossibleRules {
    fn decide(&mut self, _: &Table, _: &mut dyn Chance) -> Event {
        let (seat, cards) = (Seat::FIRST, vec![Rank::ACE]);
        Event::Collected { seat, cards }
    }
}

#[test]
fn rules_that_decide_on_an_impossible_event_are_a_fault() {
    let rules = ProgramRules {
        start: || Box::new(ImpossibleRules),
        ..sprint_rules()
    };
    let (name, rules) = ("any".to_owned(), rules);
    let header = Header {
        engine: "test".to_owned(),
        rules: RecordedRules::War {
            rules: rules.clone().into(),
            deal: Deal::Scenario { name },
        },
        players: 2,
        deck: Deck::Small,
        renderer: 1,
        lang: Lang::En,
        corrections: Vec::new(),
        format: JournalFormat::V1,
    };
    let (mut journal, mut table) = (Vec::new(), Table::default());
    let mut writer = Writer::new(&mut journal, &header);
    let hands = vec![vec![Rank::ACE], vec![Rank::ACE]];
    let dealt = Event::Dealt { hands };
    table.apply(&dealt).expect("a deal");
    let impossible = ImpossibleRules.decide(&table, &mut ());
    for event in [dealt, impossible] {
        writer.record(&event, &table).expect("memory");
    }
    let printed = ConsoleHasher::default().digest();
    writer.finish(table.reason(), printed).expect("memory");
    let judgement = verify_with(&Rulebook::default().with_rules(rules), &journal[..]);
    let judgement = judgement.expect("memory is read without errors");
    assert_eq!(judgement.verdict(), Verdict::Diverged);
    assert_eq!(judgement.events(), 1);
}

#[test]
fn the_rules_are_built_as_a_separate_crate() {
    let script = fs::read_to_string(project().join(".ci/package")).expect("the script");
    assert!(script.contains("examples/own_rules"));
    let manifest = fs::read_to_string(project().join("examples/own_rules/Cargo.toml"));
    assert!(manifest.expect("a manifest").contains("[workspace]"));
}

//! Documents of every kind of run. `tests/goldens/simulate` has them as files, and
//! `tests/verifier/check_figures.py` compares their form with the published schema.

use crate::shared::project;
use std::collections::BTreeMap;
use std::fs;
use std::num::NonZero;
use std::path::Path;
use war::cards::{Deck, Rank};
use war::engine::Seat;
use war::rules::{CLASSIC, DUELS, Parameters, Piles, XY};
use war_simulate::{Dealing, Enumeration, EnumerationRun, GameSetup, Kernel, Run, RunPlan, Tally};

const ONE: NonZero<usize> = NonZero::<usize>::MIN;

fn setup(parameters: Parameters, players: u8, deck: Deck) -> GameSetup {
    GameSetup {
        parameters,
        players,
        deck,
        dealing: Dealing::Shuffled,
    }
}

fn run(setup: GameSetup, seed: u64, games: u64, part: std::ops::Range<u64>) -> String {
    let plan = RunPlan {
        setup,
        seed,
        games,
        part,
        kernel: Kernel::Fastest,
    };
    plan.play(ONE, &()).to_json()
}

fn simulations() -> Vec<(&'static str, String)> {
    let small = |players| setup(CLASSIC.parameters, players, Deck::Small);
    let bataille = setup(Parameters::BATAILLE, 2, Deck::Large);
    let dealing = Dealing::Fixed {
        seat: Seat::SECOND,
        cards: vec![Rank::ACE; 4],
    };
    let fixed = GameSetup {
        dealing,
        ..bataille.clone()
    };
    let hands = vec![vec![Rank::ACE], vec![Rank::ACE, Rank::ACE]];
    let name = "of aces".to_owned();
    let given = GameSetup {
        dealing: Dealing::Given { name, hands },
        ..small(2)
    };
    let nothing = Run {
        setup: small(5),
        seed: u64::MAX,
        games: 10,
        part: 0..0,
        partial: true,
        tally: Tally::default(),
    };
    let piles = Parameters {
        piles: Piles::TwoTurned,
        ..CLASSIC.parameters
    };
    let limited = Parameters::BATAILLE.with_turn_limit(1);
    vec![
        ("three players", run(small(3), 1, 40, 0..40)),
        ("five players", run(small(5), 2, 20, 0..20)),
        ("a shard", run(small(2), u64::MAX, 40, 20..40)),
        ("one game", run(bataille, 1, 1, 0..1)),
        (
            "none finished",
            run(setup(limited, 2, Deck::Large), 1, 5, 0..5),
        ),
        ("no games", nothing.to_json()),
        (
            "xy",
            run(setup(XY.parameters, 2, Deck::Thirteen), 1, 3, 0..3),
        ),
        (
            "duels",
            run(setup(DUELS.parameters, 2, Deck::Small), 1, 9, 0..9),
        ),
        ("two piles", run(setup(piles, 4, Deck::Small), 1, 9, 0..9)),
        ("fixed", run(fixed, 1, 3, 0..3)),
        ("given", run(given, 1, 2, 0..2)),
    ]
}

fn enumerations() -> Vec<(&'static str, String)> {
    let all = |shape, parameters| {
        let deck = Deck::from_shape(shape).expect("a shape");
        Enumeration::new(parameters, deck).expect("few deals")
    };
    let played = |enumeration: &Enumeration, parts| {
        let mut played = EnumerationRun::new(enumeration, parts);
        played.play(enumeration, ONE, &(), |_| true);
        played
    };
    let bataille = all("3x4", Parameters::BATAILLE);
    let half = bataille.parts() / 2;
    let odd = all("5x1", Parameters::BATAILLE);
    let seats = all("2x4", DUELS.parameters);
    let mut many = played(&odd, 0..odd.parts());
    // Doubled 50 times, the figures have more deals than any test can play.
    for _ in 0..50 {
        let exact = many.figures.clone();
        many.figures.add(&exact);
    }
    vec![
        (
            "all deals",
            played(&bataille, 0..bataille.parts()).to_json(),
        ),
        (
            "some deals",
            played(&bataille, half..bataille.parts()).to_json(),
        ),
        (
            "deals of an odd deck",
            played(&odd, 0..odd.parts()).to_json(),
        ),
        ("many deals", many.to_json()),
        ("deals by seat", played(&seats, 0..seats.parts()).to_json()),
        (
            "no deals yet",
            EnumerationRun::new(&bataille, 0..half).to_json(),
        ),
    ]
}

#[test]
fn documents_of_every_kind_of_run_match_those_checked_against_the_schema() {
    let folder = project().join("tests/goldens/simulate");
    let output = project().join("target/figures");
    fs::create_dir_all(&output).expect("a folder");
    let mut documents: BTreeMap<String, String> = BTreeMap::new();
    for (name, document) in simulations().into_iter().chain(enumerations()) {
        documents.insert(format!("{}.json", name.replace(' ', "_")), document);
    }
    let mut changed = Vec::new();
    for (name, document) in &documents {
        fs::write(output.join(name), document).expect("a file");
        if fs::read_to_string(folder.join(name)).ok().as_ref() != Some(document) {
            changed.push(name);
        }
    }
    assert!(changed.is_empty(), "{changed:?}: read {}", output.display());
    let golden_names = fs::read_dir(&folder).expect("the goldens").map(|entry| {
        let name = entry.expect("a file").file_name();
        name.to_string_lossy().into_owned()
    });
    for name in golden_names.filter(|name| Path::new(name).extension() == Some("json".as_ref())) {
        assert!(documents.contains_key(&name), "nothing writes {name}");
    }
}

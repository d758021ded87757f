//! `war replay`: the same bytes, parts of them, and verdicts on standard error.

use super::journal_faults::edited;
use super::support::{Place, project, reviewed};
use std::fs;

const DIGEST: &str = "65beb305410a611f291a47ef8b561854";

fn golden() -> String {
    let path = project().join("journals/classic_dealt_won.json");
    path.to_str().expect("a name").to_owned()
}

#[test]
fn a_dealt_game_replays_to_the_same_bytes() {
    let place = Place::new();
    let arguments = ["3", "large", "--seed", "3", "--journal", "game.json"];
    let live = place.war(&arguments).ends_with(0).tells("final digest");
    let replay = place
        .war(&["replay", "game.json"])
        .ends_with(0)
        .tells("VERIFIED game.json");
    assert_eq!(live.stdout, replay.stdout);
}

#[test]
fn the_same_seed_gives_the_same_journal() {
    let place = Place::new();
    for name in ["a.json", "b.json"] {
        place
            .war(&["5", "small", "--seed", "77", "--journal", name])
            .ends_with(0);
    }
    assert_eq!(place.read("a.json"), place.read("b.json"));
}

#[test]
fn a_seed_that_was_chosen_is_in_the_journal() {
    let place = Place::new();
    let live = place
        .war(&["4", "small", "--journal", "game.json"])
        .ends_with(0);
    let journal = place.read("game.json");
    let seed = journal
        .split("\"seed\":\"")
        .nth(1)
        .and_then(|rest| rest.split('"').next());
    let again = place
        .war(&["4", "small", "--seed", seed.expect("a seed")])
        .ends_with(0);
    assert_eq!(live.stdout, again.stdout);
    assert!(place.logs()[0].contains(&format!("seed {}", seed.expect("a seed"))));
}

#[test]
fn parts_are_printed_by_turn() {
    let place = Place::new();
    let print = |arguments: &[&str]| {
        let journal = golden();
        let arguments = [&["replay", journal.as_str()], arguments].concat();
        place.war(&arguments).ends_with(0).stdout
    };
    let whole = print(&[]);
    let parts: String = (0..=19)
        .map(|turn| print(&["--turn", &turn.to_string()]))
        .collect();
    assert_eq!(parts, whole);
    assert!(print(&["--turn", "0"]).starts_with("WAR, 4 players, SMALL deck, DEALING\n"));
    assert!(print(&["--turn", "2"]).starts_with("WAR, 4 players, SMALL deck, turn #2 - "));
    assert_eq!(print(&["--to", "4"]) + &print(&["--from", "5"]), whole);
    assert_eq!(
        print(&["--from", "3", "--to", "3"]),
        print(&["--turn", "3"])
    );
    assert_eq!(print(&["--quiet"]), "");
}

#[test]
fn standard_input_is_a_journal_too() {
    let journal = fs::read(golden()).expect("a journal");
    let place = Place::new();
    let run = place
        .war_reading(&journal, &["replay", "-"])
        .ends_with(0)
        .tells("VERIFIED -");
    assert_eq!(run.stdout, place.war(&["replay", &golden()]).stdout);
    place
        .war_reading(b"", &["replay", "-"])
        .ends_with(3)
        .tells("-:1:1: WJ001");
}

#[test]
fn another_language_renders_the_game_anew() {
    let place = Place::new();
    let run = place
        .war(&["--lang", "pl", "replay", &golden()])
        .ends_with(0);
    assert!(
        run.stdout
            .starts_with("WOJNA, 4 gracze, MAŁA talia, ROZDANIE\n"),
        "{run:#?}"
    );
    assert!(
        run.stderr.contains("nie porównano skrótu wydruku"),
        "{run:#?}"
    );
    let live = place
        .war(&["--lang", "pl", "4", "small", "--seed", "1"])
        .ends_with(0);
    assert_eq!(run.stdout, live.stdout);
}

#[test]
fn the_environment_chooses_the_language_of_the_verdict_alone() {
    let place = Place::new();
    let mut command = place.command(&["replay", &golden()]);
    let run = super::support::Run::of(command.env("WAR_LANG", "pl")).ends_with(0);
    assert!(run.stdout.starts_with("WAR, 4 players"), "{run:#?}");
    assert!(
        run.stderr.contains("53 zdarzenia, 19 tur, wygrał gracz2"),
        "{run:#?}"
    );
}

#[test]
fn the_final_digest_can_be_demanded() {
    let place = Place::new();
    let replay = |digest: &str| place.war(&["replay", "-q", &golden(), "--expect-digest", digest]);
    replay(DIGEST).ends_with(0).tells("VERIFIED");
    let other = DIGEST.replace('6', "7");
    replay(&other)
        .ends_with(1)
        .tells("WJ204")
        .tells(&other)
        .tells("UNEXPECTED");
    // The digest is that of the end record.
    let journal = std::fs::read_to_string(golden()).expect("a journal");
    let end = journal.lines().last().expect("an end record");
    let column = end.find(r#"{"reason""#).expect("the record") + 1;
    let place_of_end = format!(":{}:{column}: WJ204", journal.lines().count());
    replay(&other).tells(&place_of_end);
    replay("65BE")
        .ends_with(2)
        .tells("`65BE` is not a valid digest");
}

#[test]
fn a_divergence_shows_both_sides() {
    let place = Place::new();
    let journal = edited(4, "[11,10,12,13]", "[13,12,11,10]");
    place.write("game.json", journal);
    let run = place.war(&["replay", "game.json"]).ends_with(1);
    let whole = place.war(&["replay", &golden()]).stdout;
    assert!(
        whole.starts_with(&run.stdout) && run.stdout.contains("turn #1"),
        "{run:#?}"
    );
    reviewed("divergence", &run.stderr);
}

#[test]
fn verdicts_have_their_exit_codes() {
    let place = Place::new();
    let journal = fs::read_to_string(golden()).expect("a journal");
    place.write("cut.json", &journal[..3000]);
    place
        .war(&["replay", "-q", "cut.json"])
        .ends_with(3)
        .tells("WJ101")
        .tells("INCOMPLETE");
    place.write(
        "damaged.json",
        journal.replace("\"card\":11", "\"card\":12"),
    );
    place
        .war(&["replay", "-q", "damaged.json"])
        .ends_with(1)
        .tells("WJ202")
        .tells("DAMAGED");
    place.write(
        "newer.json",
        journal.replace("\"version\":1", "\"version\":3"),
    );
    place
        .war(&["replay", "-q", "newer.json"])
        .ends_with(5)
        .tells("WJ003")
        .tells("UNSUPPORTED");
    place
        .war(&["replay", "-q", "missing.json"])
        .ends_with(4)
        .tells("missing.json");
    place
        .war(&["replay", "-q", "."])
        .ends_with(4)
        .tells("is a directory");
    place.war(&["replay"]).ends_with(2);
    place
        .war(&["replay", "cut.json", "--turn", "x"])
        .ends_with(2)
        .tells("`x` is not a valid turn");
    place
        .war(&["replay", "cut.json", "--turn", "+5"])
        .ends_with(2)
        .tells("`+5` is not a valid turn");
    place
        .war(&["replay", "cut.json", "--from", "5", "--to", "4"])
        .ends_with(2)
        .tells("`--from`");
}

#[test]
fn a_scenario_is_not_a_journal() {
    let example = project().join("scenarios/examples/ssc_example.json");
    let run = Place::new()
        .war(&["replay", example.to_str().expect("a name")])
        .ends_with(1);
    assert!(
        run.stderr.contains("WJ002") && run.stderr.contains("war --scenario"),
        "{run:#?}"
    );
}

#[test]
fn a_replay_logs_only_when_asked() {
    let place = Place::new();
    place.war(&["replay", "-q", &golden()]).ends_with(0);
    assert!(place.logs().is_empty());
    place
        .war(&["replay", "-q", &golden(), "--audit"])
        .ends_with(0);
    assert!(place.logs()[0].contains("won, turn: 19, player: 2"));
}

#[test]
fn a_verdict_says_what_is_proven_of_the_cards() {
    let place = Place::new();
    for (name, english, polish) in [
        ("classic_dealt_won", "cards from seed 1", "karty z ziarna 1"),
        (
            "custom_fixed",
            "cards from seed 5:1, one hand chosen",
            "karty z ziarna 5:1, jedna ręka ustalona",
        ),
        (
            "single_card_tied",
            "dealt as committed",
            "rozdano zgodnie ze zobowiązaniem",
        ),
        (
            "classic_scenario_endless",
            "cards taken from the journal (scenario)",
            "karty wzięte z dziennika (scenariusz)",
        ),
        (
            "xy_sample",
            "cards taken from the journal (import)",
            "karty wzięte z dziennika (import)",
        ),
    ] {
        let path = project().join("journals").join(format!("{name}.json"));
        let path = path.to_str().expect("a name");
        for (lang, proof, digest) in [
            ("en", english, "final digest"),
            ("pl", polish, "skrót końcowy"),
        ] {
            let proof = format!(", {proof}, {digest} ");
            let replayed = place
                .war(&["replay", "-q", "--lang", lang, path])
                .ends_with(0);
            replayed.tells(&proof);
            let run = place
                .war(&["--lang", lang, "journal", "check", path])
                .ends_with(0);
            assert!(run.stdout.contains(&proof), "{run:#?}");
        }
    }
}

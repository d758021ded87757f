//! `war replay`: the same bytes, parts of them, and verdicts on standard error.

use super::journal_faults::edited;
use super::support::{Sandbox, project, reviewed};
use std::fs;

const DIGEST: &str = "65beb305410a611f291a47ef8b561854";

fn golden() -> String {
    let path = project().join("journals/classic_dealt_won.json");
    path.to_str().expect("a name").to_owned()
}

#[test]
fn a_dealt_game_replays_to_the_same_bytes() {
    let sandbox = Sandbox::new();
    let arguments = ["3", "large", "--seed", "3", "--journal", "game.json"];
    let live = sandbox
        .war(&arguments)
        .exits_with(0)
        .reports("final digest");
    let replay = sandbox
        .war(&["replay", "game.json"])
        .exits_with(0)
        .reports("VERIFIED game.json");
    assert_eq!(live.stdout, replay.stdout);
}

#[test]
fn the_same_seed_gives_the_same_journal() {
    let sandbox = Sandbox::new();
    for name in ["a.json", "b.json"] {
        sandbox
            .war(&["5", "small", "--seed", "77", "--journal", name])
            .exits_with(0);
    }
    assert_eq!(sandbox.read("a.json"), sandbox.read("b.json"));
}

#[test]
fn a_generated_seed_is_in_the_journal() {
    let sandbox = Sandbox::new();
    let live = sandbox
        .war(&["4", "small", "--journal", "game.json"])
        .exits_with(0);
    let journal = sandbox.read("game.json");
    let seed = journal
        .split("\"seed\":\"")
        .nth(1)
        .and_then(|rest| rest.split('"').next());
    let again = sandbox
        .war(&["4", "small", "--seed", seed.expect("a seed")])
        .exits_with(0);
    assert_eq!(live.stdout, again.stdout);
    assert!(sandbox.logs()[0].contains(&format!("seed {}", seed.expect("a seed"))));
}

#[test]
fn parts_are_printed_by_turn() {
    let sandbox = Sandbox::new();
    let print = |arguments: &[&str]| {
        let journal = golden();
        let arguments = [&["replay", journal.as_str()], arguments].concat();
        sandbox.war(&arguments).exits_with(0).stdout
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
fn a_journal_can_come_from_standard_input() {
    let journal = fs::read(golden()).expect("a journal");
    let sandbox = Sandbox::new();
    let run = sandbox
        .war_reading(&journal, &["replay", "-"])
        .exits_with(0)
        .reports("VERIFIED -");
    assert_eq!(run.stdout, sandbox.war(&["replay", &golden()]).stdout);
    sandbox
        .war_reading(b"", &["replay", "-"])
        .exits_with(3)
        .reports("-:1:1: WJ001");
}

#[test]
fn another_language_renders_the_game_again() {
    let sandbox = Sandbox::new();
    let run = sandbox
        .war(&["--lang", "pl", "replay", &golden()])
        .exits_with(0);
    assert!(
        run.stdout
            .starts_with("WOJNA, 4 gracze, MAŁA talia, ROZDANIE\n"),
        "{run:#?}"
    );
    assert!(
        run.stderr.contains("nie porównano skrótu wydruku"),
        "{run:#?}"
    );
    let live = sandbox
        .war(&["--lang", "pl", "4", "small", "--seed", "1"])
        .exits_with(0);
    assert_eq!(run.stdout, live.stdout);
}

#[test]
fn the_environment_sets_only_the_language_of_the_verdict() {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command(&["replay", &golden()]);
    let run = super::support::Run::of(command.env("WAR_LANG", "pl")).exits_with(0);
    assert!(run.stdout.starts_with("WAR, 4 players"), "{run:#?}");
    assert!(
        run.stderr.contains("53 zdarzenia, 19 tur, wygrał gracz2"),
        "{run:#?}"
    );
}

#[test]
fn an_expected_final_digest_is_checked() {
    let sandbox = Sandbox::new();
    let replay =
        |digest: &str| sandbox.war(&["replay", "-q", &golden(), "--expect-digest", digest]);
    replay(DIGEST).exits_with(0).reports("VERIFIED");
    let other = DIGEST.replace('6', "7");
    replay(&other)
        .exits_with(1)
        .reports("WJ204")
        .reports(&other)
        .reports("UNEXPECTED");
    // The message gives the location of the end record, which contains the digest.
    let journal = std::fs::read_to_string(golden()).expect("a journal");
    let end = journal.lines().last().expect("an end record");
    let column = end.find(r#"{"reason""#).expect("the record") + 1;
    let place_of_end = format!(":{}:{column}: WJ204", journal.lines().count());
    replay(&other).reports(&place_of_end);
    replay("65BE")
        .exits_with(2)
        .reports("`65BE` is not a valid digest");
}

#[test]
fn a_divergence_shows_both_sides() {
    let sandbox = Sandbox::new();
    let journal = edited(4, "[11,10,12,13]", "[13,12,11,10]");
    sandbox.write("game.json", journal);
    let run = sandbox.war(&["replay", "game.json"]).exits_with(1);
    let whole = sandbox.war(&["replay", &golden()]).stdout;
    assert!(
        whole.starts_with(&run.stdout) && run.stdout.contains("turn #1"),
        "{run:#?}"
    );
    reviewed("divergence", &run.stderr);
}

#[test]
fn verdicts_have_their_exit_codes() {
    let sandbox = Sandbox::new();
    let journal = fs::read_to_string(golden()).expect("a journal");
    sandbox.write("cut.json", &journal[..3000]);
    sandbox
        .war(&["replay", "-q", "cut.json"])
        .exits_with(3)
        .reports("WJ101")
        .reports("INCOMPLETE");
    sandbox.write(
        "damaged.json",
        journal.replace("\"card\":11", "\"card\":12"),
    );
    sandbox
        .war(&["replay", "-q", "damaged.json"])
        .exits_with(1)
        .reports("WJ202")
        .reports("DAMAGED");
    sandbox.write(
        "newer.json",
        journal.replace("\"version\":1", "\"version\":3"),
    );
    sandbox
        .war(&["replay", "-q", "newer.json"])
        .exits_with(5)
        .reports("WJ003")
        .reports("UNSUPPORTED");
    sandbox
        .war(&["replay", "-q", "missing.json"])
        .exits_with(4)
        .reports("missing.json");
    sandbox
        .war(&["replay", "-q", "."])
        .exits_with(4)
        .reports("is a directory");
    sandbox.war(&["replay"]).exits_with(2);
    sandbox
        .war(&["replay", "cut.json", "--turn", "x"])
        .exits_with(2)
        .reports("`x` is not a valid turn");
    sandbox
        .war(&["replay", "cut.json", "--turn", "+5"])
        .exits_with(2)
        .reports("`+5` is not a valid turn");
    sandbox
        .war(&["replay", "cut.json", "--from", "5", "--to", "4"])
        .exits_with(2)
        .reports("`--from`");
}

#[test]
fn a_scenario_is_not_a_journal() {
    let example = project().join("scenarios/examples/ssc_example.json");
    let run = Sandbox::new()
        .war(&["replay", example.to_str().expect("a name")])
        .exits_with(1);
    assert!(
        run.stderr.contains("WJ002") && run.stderr.contains("war --scenario"),
        "{run:#?}"
    );
}

#[test]
fn a_replay_logs_only_when_asked() {
    let sandbox = Sandbox::new();
    sandbox.war(&["replay", "-q", &golden()]).exits_with(0);
    assert!(sandbox.logs().is_empty());
    sandbox
        .war(&["replay", "-q", &golden(), "--audit"])
        .exits_with(0);
    assert!(sandbox.logs()[0].contains("won, turn: 19, player: 2"));
}

#[test]
fn a_verdict_states_the_proof_of_the_cards() {
    let sandbox = Sandbox::new();
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
            let replayed = sandbox
                .war(&["replay", "-q", "--lang", lang, path])
                .exits_with(0);
            replayed.reports(&proof);
            let run = sandbox
                .war(&["--lang", lang, "journal", "check", path])
                .exits_with(0);
            assert!(run.stdout.contains(&proof), "{run:#?}");
        }
    }
}

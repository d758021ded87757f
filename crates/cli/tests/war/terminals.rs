//! Text from outside, on a real terminal and in a pipe.

use super::support::{Run, Sandbox};
use std::process::Command;

/// Text that would clear a terminal, set its title, ring its bell, return to the start of the line,
/// reverse the writing direction, and look like a separate line of output.
const HOSTILE: &str = "a\u{1b}[2j\u{1b}]0;x\u{7}\rb\u{202e}c\u{9b}1m\td\u{200b}\ne_f";

/// The hostile text in a form that is safe on a terminal.
const SHOWN: &str = r"a\u{1b}[2j\u{1b}]0;x\u{7}\rb\u{202e}c\u{9b}1m\td\u{200b}␊e_f";

/// Runs the program on a terminal. Returns the terminal's output.
#[track_caller]
fn on_a_terminal(sandbox: &Sandbox, arguments: &[&str], code: i32) -> String {
    let quoted = arguments.iter().map(|argument| format!(" '{argument}'"));
    let run = format!(
        "exec {}{}\n",
        env!("CARGO_BIN_EXE_war"),
        quoted.collect::<String>()
    );
    sandbox.write("run.sh", run);
    let program = sandbox.command(&[]);
    let variables = program
        .get_envs()
        .filter_map(|(name, value)| Some((name, value?)));
    let mut terminal = Command::new("script");
    terminal
        .args(["-qec", "sh run.sh", "/dev/null"])
        .current_dir(sandbox.path(""))
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .envs(variables);
    let run = Run::of(&mut terminal).exits_with(code);
    // The terminal itself adds a carriage return to each line end.
    run.stdout.replace("\r\n", "\n")
}

/// Checks that a text contains no control characters except line ends.
#[track_caller]
fn assert_plain(text: &str) {
    let steers = |c: char| c.is_control() && c != '\n' || ('\u{2000}'..='\u{202f}').contains(&c);
    assert!(!text.contains(steers), "{text:?}");
}

#[test]
fn a_scenario_s_name_cannot_control_a_terminal() {
    let sandbox = Sandbox::new();
    let name = format!("ssc_{HOSTILE}.json");
    let hands = "[[9,9,10,10,14,14,11,10],[9,9,11,11,11,12,13,14],[14,10,12,12,12,13,13,13]]";
    sandbox.write(&name, hands);
    let duels = |name: &str| format!("Ssc {}", name.replacen('a', "A", 1).replace('_', " "));
    for (game, title, shown) in [
        (
            &["--no-log"][..],
            HOSTILE.to_uppercase().replace('_', " "),
            r"A\u{1b}[2J\u{1b}]0;X\u{7}\rB\u{202e}C\u{9b}1M\tD\u{200b}␊E F".to_owned(),
        ),
        (
            &["--no-log", "duels"],
            duels(HOSTILE).replace(" f", " F"),
            duels(SHOWN).replace(" f", " F"),
        ),
    ] {
        for lang in ["en", "pl"] {
            let game = [game, &["--lang", lang, "--scenario", &name]].concat();
            let piped = sandbox.war(&game).exits_with(0).stdout;
            assert!(piped.contains(&title), "{title:?} in {:?}", &piped[..100]);
            let live = on_a_terminal(&sandbox, &game, 0);
            assert_plain(&live);
            assert!(live.contains(&shown), "{shown:?} in {:?}", &live[..100]);
            assert!(live == piped.replace(&title, &shown), "{game:?}");
            let journal = [&game[..], &["--journal", "game.json"]].concat();
            sandbox.war(&journal).exits_with(0);
            assert_eq!(
                sandbox.war(&["replay", "game.json"]).exits_with(0).stdout,
                piped
            );
            let replayed = on_a_terminal(&sandbox, &["replay", "game.json"], 0);
            assert!(replayed.starts_with(&live), "{game:?}");
            assert_plain(&replayed);
            std::fs::remove_file(sandbox.path("game.json")).expect("the journal");
        }
    }
}

#[test]
fn a_typed_value_cannot_control_a_terminal() {
    let sandbox = Sandbox::new();
    let seed = ["--no-log", "--seed", "1"];
    for (game, lines) in [
        (&[HOSTILE, "small"][..], 1),
        (&["2", HOSTILE], 1),
        (
            &["duels", "--numPlayers", HOSTILE, "--deckType", "small"],
            1,
        ),
        (&["duels", "--numPlayers", "2", "--deckType", HOSTILE], 1),
    ] {
        let game = if game[0] == "duels" {
            [game, &seed].concat()
        } else {
            [&seed, game].concat()
        };
        let piped = sandbox.war(&game).exits_with(0).stdout;
        assert_eq!(piped.matches(HOSTILE).count(), lines, "{game:?}");
        let live = on_a_terminal(&sandbox, &game, 0);
        assert_eq!(live, piped.replace(HOSTILE, SHOWN), "{game:?}");
        let recorded = [&game[..], &["--journal", "game.json"]].concat();
        sandbox.war(&recorded).exits_with(0);
        let replayed = on_a_terminal(&sandbox, &["replay", "game.json"], 0);
        assert!(replayed.starts_with(&live), "{replayed:?}");
        std::fs::remove_file(sandbox.path("game.json")).expect("the journal");
    }
}

#[test]
fn a_file_name_cannot_control_a_terminal() {
    let sandbox = Sandbox::new();
    let name = format!("{HOSTILE}.json");
    let game = ["4", "small", "--seed", "1", "--no-log", "--journal", &name];
    assert_plain(&on_a_terminal(&sandbox, &game, 0));
    let journal = sandbox.read(&name);
    let cut = format!("cut{name}");
    sandbox.write(&cut, &journal[..3000]);
    for (command, code) in [
        (&["replay", "-q", &name][..], 0),
        (&["replay", "-q", &cut], 3),
        (&["replay", "--result", "json", &cut], 3),
        (&["journal", "check", &name, &cut], 3),
        (&["journal", "check", "--result", "json", &name, &cut], 3),
        (&["journal", "show", &name], 0),
        (&["journal", "diff", &name, &cut], 3),
        (&["replay", "--lang", "pl", &format!("no{name}")], 4),
    ] {
        let shown = on_a_terminal(&sandbox, command, code);
        assert!(
            shown.contains("a�[2j") || shown.contains(r"a\u001b[2j"),
            "{shown:?}"
        );
        assert_plain(&shown);
    }
}

#[test]
fn the_program_s_own_colors_reach_a_terminal() {
    let sandbox = Sandbox::new();
    let help = on_a_terminal(&sandbox, &["--color", "always", "help", "replay"], 0);
    assert!(help.contains("\u{1b}[1m"), "{help:?}");
    let verdict = on_a_terminal(&sandbox, &["--color", "always", "replay", "x"], 4);
    assert!(verdict.contains("\u{1b}["), "{verdict:?}");
}
